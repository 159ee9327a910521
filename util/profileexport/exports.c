// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "profileexport/exports.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "profileexport/facts.h"
#include "stacktree/event-class.h"

#include <errno.h>
#include <unistd.h>

/* ---- what is asked for ---- */

void exports_init(struct exports *x)
{
	*x = (struct exports){ .opts = { .width = 1200, .min_width = 0.1 } };
}

void exports_add(struct exports *x, const struct export_ops *ops, const char *path)
{
	u32 i = 0;

	while (i < x->nr && x->one[i].ops != ops)
		i++;
	if (i == EXPORTS_MAX)
		return;
	x->one[i].ops = ops;
	x->one[i].path = path;
	x->nr = MAX(x->nr, i + 1);
}

void exports_drop(struct exports *x, const struct export_ops *ops)
{
	for (u32 i = 0; i < x->nr; i++)
		if (x->one[i].ops == ops)
			x->one[i] = x->one[--x->nr];
}

bool exports_weight(struct exports *x, const char *word)
{
	x->opts.weight = WEIGHT_PERIOD;
	x->durations = !strcmp(word, "duration");
	if (x->durations || !strcmp(word, "period"))
		return true;
	x->opts.weight = WEIGHT_SAMPLES;
	return !strcmp(word, "samples");
}

bool exports_min_width(struct exports *x, const char *text)
{
	char *end;

	x->opts.min_width = strtod(text, &end);
	return *text && !*end && x->opts.min_width >= 0 && x->opts.min_width <= 10000;
}

int exports_check_new(const struct exports *x, struct err *err)
{
	for (u32 i = 0; i < x->nr; i++) {
		const char *path = x->one[i].path;

		if (strcmp(path, "-") && !access(path, F_OK))
			return err_set(err, -EEXIST,
				       "Output file exists. Use --force to overwrite it.");
	}
	return 0;
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
