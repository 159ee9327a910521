// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "cmd/common/export.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "stacktree/event-class.h"

#include <errno.h>

/* ---- options ---- */

static int opt_export(const struct option *opt, const char *arg, int unset)
{
	struct exports *x = opt->value;
	const struct export_ops *ops = opt->data;
	u32 i = 0;

	while (i < x->nr && x->one[i].ops != ops)
		i++;
	if (unset) {
		if (i < x->nr)
			x->one[i] = x->one[--x->nr];
		return 0;
	}
	if (!*arg) {
		fprintf(stderr, "--%s: the name of a file is missing\n", opt->long_name);
		return -1;
	}
	x->one[i].ops = ops;
	x->one[i].path = arg;
	x->nr = MAX(x->nr, i + 1);
	return 0;
}

static int opt_weight(const struct option *opt, const char *arg, int unset)
{
	struct exports *x = opt->value;

	x->opts.weight = WEIGHT_PERIOD;
	x->durations = !unset && !strcmp(arg, "duration");
	if (unset || x->durations || !strcmp(arg, "period"))
		return 0;
	x->opts.weight = WEIGHT_SAMPLES;
	if (!strcmp(arg, "samples"))
		return 0;
	fprintf(stderr, "invalid weight '%s': period, samples or duration\n", arg);
	return -1;
}

static int opt_min_width(const struct option *opt, const char *arg, int unset)
{
	struct exports *x = opt->value;
	char *end;

	x->opts.min_width = unset ? 0 : strtod(arg, &end);
	if (unset || (*arg && !*end && x->opts.min_width >= 0 && x->opts.min_width <= 10000))
		return 0;
	fprintf(stderr, "invalid width '%s': a number of pixels\n", arg);
	return -1;
}

const struct option *exports_options(struct exports *x, const char *prefix)
{
	const struct option common[] = {
		OPT_CALLBACK(0, "weight", x, "period|samples|duration",
			     "What stacks count for in exports (default: period)", opt_weight),
		OPT_STRING(0, "event", &x->opts.event, "event",
			   "Only samples of this event in exports"),
		OPT_STRING(0, "title", &x->opts.title, "text", "Title of pictures"),
		OPT_UINTEGER(0, "width", &x->opts.width, "Width of pictures in pixels"),
		OPT_CALLBACK(0, "min-width", x, "pixels",
			     "Leave out what is narrower in pictures (default: 0.1)",
			     opt_min_width),
		OPT_BOOLEAN(0, "icicle", &x->opts.icicle, "Draw flame graphs from the top down"),
		OPT_BOOLEAN(0, "reverse", &x->opts.reverse,
			    "Exports of stacks begin with the innermost function"),
		OPT_END(),
	};
	const struct option compare[] = {
		OPT_STRING(0, "compare", &x->compare, "file",
			   "Exports show what changed since this recording"),
	};
	bool report = !*prefix;
	u32 nr = 0;

	x->opts.width = 1200;
	x->opts.min_width = 0.1;
	x->options = xcalloc(EXPORTS_MAX + ARRAY_SIZE(common) + ARRAY_SIZE(compare),
			     sizeof(*x->options));
	for (const struct export_ops *const *e = export_table; *e && nr < EXPORTS_MAX; e++) {
		struct option *o = &x->options[nr];

		if ((*e)->compares && !report)
			continue;
		nr++;
		*o = (struct option)OPT_CALLBACK(0, NULL, x, (*e)->arg, (*e)->help, opt_export);
		o->long_name = xasprintf("%s%s", prefix, (*e)->name);
		o->data = (void *)*e;
		if ((*e)->arg_optional) {
			o->flags = PARSE_OPT_LASTARG_DEFAULT;
			o->defval = (intptr_t) "-";
		}
	}
	if (report)
		x->options[nr++] = compare[0];
	memcpy(x->options + nr, common, sizeof(common));
	return x->options;
}

void exports_release(struct exports *x)
{
	struct option *o = x->options;

	for (; o && o->callback == opt_export; o++)
		free((char *)o->long_name);
	free(x->options);
	x->options = NULL;
}

/* ---- writing ---- */

const struct stacks_dims *exports_dims(struct exports *x)
{
	struct stacks_dims *d = &x->dims;

	*d = x->nr == 1 ? x->one[0].ops->dims : (struct stacks_dims){ 0 };
	d->packed &= !x->compare;
	d->reverse = x->nr == 1 && x->opts.reverse && !d->samples;
	if (x->nr == 1 && x->one[0].ops->narrow_out && !x->compare && x->opts.width > 100) {
		/* what is left out of the picture need not be told apart; roundings aside */
		d->cut = x->opts.min_width / x->opts.width * 0.99;
		d->cut_samples = x->opts.weight == WEIGHT_SAMPLES;
	}
	for (u32 i = 0; i < x->nr && x->nr > 1; i++) {
		const struct stacks_dims *o = &x->one[i].ops->dims;

		d->comm |= o->comm | o->comm_root;
		d->process |= o->process;
		d->thread |= o->thread;
		d->cpu |= o->cpu;
		d->samples |= o->samples;
		d->lines |= o->lines;
		d->addresses |= o->addresses;
		d->sites |= o->sites;
		d->slices = MAX(d->slices, o->slices);
	}
	d->comm |= d->comm_root;
	d->durations = x->durations;
	return d;
}

static struct stacks *make_stacks(const struct export_source *from, bool last)
{
	const struct evlist *l = &from->session->evlist;
	const char **names = xcalloc(l->nr + 1, sizeof(*names));
	struct stacks *s;

	for (size_t i = 0; i < l->nr; i++)
		names[i] = l->evsels[i]->name;
	s = stacks_of_hist(profile_hist(from->profile), names, last);
	free(names);
	return s;
}

static bool same_dims(const struct stacks_dims *a, const struct stacks_dims *b)
{
	return a->comm == b->comm && a->process == b->process && a->thread == b->thread &&
	       a->cpu == b->cpu && a->samples == b->samples && a->lines == b->lines &&
	       a->addresses == b->addresses && a->comm_root == b->comm_root &&
	       a->reverse == b->reverse && a->names == b->names && a->bare == b->bare &&
	       a->slices == b->slices && a->sites == b->sites;
}

/* As a format wants it; @s itself when it is that already. */
static struct stacks *fitting(struct stacks *s, const struct stacks_dims *dims, bool reverse)
{
	struct stacks_dims d = *dims;

	d.reverse = reverse && !dims->samples;
	d.comm |= d.comm_root;
	d.durations = s->dims.durations;
	return !same_dims(&d, &s->dims) ? stacks_reduce(s, &d) : s;
}

/* What all are made of: at most two trees, see struct stacks_dims.bare. */
struct trees {
	const struct export_source *from;
	struct stacks *full, *bare;
};

static struct stacks *tree_for(struct exports *x, struct trees *t, bool bare)
{
	struct stacks **s = bare ? &t->bare : &t->full;
	bool last = true;

	if (!*s) {
		for (u32 i = 0; i < x->nr; i++)
			last &= x->one[i].ops->dims.bare == bare || t->full || t->bare;
		x->dims.bare = bare;
		*s = make_stacks(t->from, last);
	}
	return *s;
}

/* As one format wants it; owned unless it is one of @t. */
static struct stacks *tree_of(struct exports *x, struct trees *t, const struct export_ops *ops)
{
	return fitting(tree_for(x, t, ops->dims.bare), &ops->dims, x->opts.reverse);
}

static void tree_done(const struct trees *t, struct stacks *s)
{
	if (s != t->full && s != t->bare)
		stacks_free(s);
}

static int write_one(struct exports *x, u32 i, struct trees *t, struct trees *other,
		     struct err *err)
{
	const struct export_ops *ops = x->one[i].ops;
	struct export_out *o = export_open(x->one[i].path, err);
	struct export_opts opts = x->opts;
	struct stacks *s, *before;
	int ret;

	if (!o)
		return err->code;
	s = tree_of(x, t, ops);
	before = other ? tree_of(x, other, ops) : NULL;
	opts.other = before;
	ret = ops->write(s, &opts, o, err);
	x->one[i].bytes = export_bytes(o);
	x->samples = 0;
	for (u32 k = 0; k < s->nr_events; k++)
		x->samples += s->events[k].samples;
	if (ret)
		export_cancel(o);
	else
		ret = export_close(o, err);
	tree_done(t, s);
	if (other)
		tree_done(other, before);
	return ret;
}

/* How long something went on is not known where samples do not tell when they are from. */
static int check_times(const struct evlist *l, struct err *err)
{
	char name[256];

	for (size_t i = 0; i < l->nr; i++) {
		const struct evsel *e = l->evsels[i];

		if (e->attr.sample_type & PERF_SAMPLE_TIME || event_counts_time(e->name))
			continue;
		escape_name(name, sizeof(name), e->name);
		return err_set(
			err, -ENODATA,
			"Samples of '%s' have no time: for --weight=duration record with -T.",
			name);
	}
	return 0;
}

int exports_write(struct exports *x, const struct export_source *from,
		  const struct export_source *before, struct err *err)
{
	struct trees t = { .from = from }, other = { .from = before };
	struct export_facts facts = { 0 };
	int ret = x->durations ? check_times(&from->session->evlist, err) : 0;

	if (!ret && before && x->durations)
		ret = check_times(&before->session->evlist, err);
	if (ret)
		return ret;
	x->opts.narrowed = profile_has_gaps(from->profile);
	export_facts_fill(&facts, from, tree_for(x, &t, x->one[0].ops->dims.bare), &x->opts);
	for (u32 i = 0; i < x->nr && !ret; i++)
		ret = write_one(x, i, &t, before ? &other : NULL, err);
	export_facts_release(&facts);
	stacks_free(t.full);
	stacks_free(t.bare);
	stacks_free(other.full);
	stacks_free(other.bare);
	return ret;
}
