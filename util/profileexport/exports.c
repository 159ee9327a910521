// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "profileexport/exports.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "profileexport/facts.h"
#include "profileexport/runs.h"
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

bool exports_root(struct exports *x, const char *text)
{
	static const char *const words[] = {
		[STACKS_ROOT_NONE] = "none",       [STACKS_ROOT_COMM] = "comm",
		[STACKS_ROOT_PROCESS] = "process", [STACKS_ROOT_THREAD] = "thread",
		[STACKS_ROOT_CPU] = "cpu",
	};

	x->opts.root = STACKS_ROOT_USUAL;
	for (u32 i = STACKS_ROOT_NONE; i < ARRAY_SIZE(words) && text; i++)
		if (!strcmp(text, words[i]))
			x->opts.root = i;
	return !text || x->opts.root != STACKS_ROOT_USUAL;
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

bool exports_add_run(struct exports *x, const char *path, u32 side)
{
	if (side == STACKS_BEFORE && !x->compare) {
		x->compare = path;
		return true;
	}
	if (x->nr_more == EXPORTS_MAX_RUNS)
		return false;
	x->more[x->nr_more++] = (struct exports_more){ .path = path, .side = side };
	return true;
}

/* ---- writing ---- */

/* The dimensions of a format, with what the roots need. */
static struct stacks_dims dims_of(const struct exports *x, const struct export_ops *ops)
{
	struct stacks_dims d = ops->dims;
	enum stacks_root root = x->opts.root;

	if (!ops->roots || root == STACKS_ROOT_USUAL)
		return d;
	d.comm_root = root == STACKS_ROOT_COMM;
	d.comm = true;
	d.process = root == STACKS_ROOT_PROCESS || root == STACKS_ROOT_THREAD;
	d.thread = root == STACKS_ROOT_THREAD;
	d.cpu = root == STACKS_ROOT_CPU;
	return d;
}

const struct stacks_dims *exports_dims(struct exports *x)
{
	struct stacks_dims *d = &x->dims;

	*d = x->nr == 1 ? dims_of(x, x->one[0].ops) : (struct stacks_dims){ 0 };
	d->packed &= !x->compare;
	d->reverse = x->nr == 1 && x->opts.reverse && !d->samples;
	if (x->nr == 1 && x->one[0].ops->narrow_out && !x->compare && x->opts.width > 100) {
		/* what is left out of the picture need not be told apart; roundings aside */
		d->cut = x->opts.min_width / x->opts.width * 0.99;
		d->cut_samples = x->opts.weight == WEIGHT_SAMPLES;
	}
	for (u32 i = 0; i < x->nr && x->nr > 1; i++) {
		const struct stacks_dims o = dims_of(x, x->one[i].ops);

		d->comm |= o.comm | o.comm_root;
		d->process |= o.process;
		d->thread |= o.thread;
		d->cpu |= o.cpu;
		d->samples |= o.samples;
		d->lines |= o.lines;
		d->addresses |= o.addresses;
		d->sites |= o.sites;
		d->slices = MAX(d->slices, o.slices);
	}
	d->comm |= d->comm_root;
	d->durations = x->durations;
	return d;
}

static bool same_dims(const struct stacks_dims *a, const struct stacks_dims *b)
{
	return a->comm == b->comm && a->process == b->process && a->thread == b->thread &&
	       a->cpu == b->cpu && a->samples == b->samples && a->lines == b->lines &&
	       a->addresses == b->addresses && a->comm_root == b->comm_root &&
	       a->reverse == b->reverse && a->names == b->names && a->bare == b->bare &&
	       a->slices == b->slices && a->sites == b->sites;
}

/* Return a tree as a format wants it; @s itself when it is that already. */
static struct stacks *fitting(struct stacks *s, const struct stacks_dims *dims, bool reverse)
{
	struct stacks_dims d = *dims;

	d.reverse = reverse && !dims->samples;
	d.comm |= d.comm_root;
	d.durations = s->dims.durations;
	return !same_dims(&d, &s->dims) ? stacks_reduce(s, &d) : s;
}

/* The trees that all exports are made of: two at most, see struct stacks_dims.bare. */
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
		*s = profile_stacks(t->from->profile, last);
	}
	return *s;
}

/* Return the tree for one format. It is owned unless it is one of @t. */
static struct stacks *tree_of(struct exports *x, struct trees *t, const struct export_ops *ops)
{
	const struct stacks_dims dims = dims_of(x, ops);

	return fitting(tree_for(x, t, ops->dims.bare), &dims, x->opts.reverse);
}

static void tree_done(const struct trees *t, struct stacks *s)
{
	if (s != t->full && s != t->bare)
		stacks_free(s);
}

/* Make the trees of more runs. Return: an array that drop_runs() frees, or NULL. */
static struct stacks_run *make_runs(struct exports *x, const struct export_ops *ops)
{
	struct stacks_run *runs = xcalloc((size_t)x->nr_more + 1, sizeof(*runs));

	for (u32 i = 0; i < x->nr_more; i++) {
		struct trees t = { .from = &x->more[i].source };
		struct stacks *s = tree_of(x, &t, ops);

		if (s != t.full)
			stacks_free(t.full);
		if (s != t.bare)
			stacks_free(t.bare);
		runs[i] = (struct stacks_run){ .s = s, .side = x->more[i].side };
	}
	return runs;
}

static void drop_runs(struct stacks_run *runs, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		stacks_free((struct stacks *)runs[i].s);
	free(runs);
}

static int write_one(struct exports *x, u32 i, struct trees *t, struct trees *other,
		     struct err *err)
{
	const struct export_ops *ops = x->one[i].ops;
	struct export_out *o = export_open(x->one[i].path, err);
	struct export_opts opts = x->opts;
	struct stacks_run *runs;
	struct stacks *s, *before;
	int ret;

	if (!o)
		return err->code;
	s = tree_of(x, t, ops);
	before = other ? tree_of(x, other, ops) : NULL;
	opts.other = before;
	runs = make_runs(x, ops);
	opts.runs = runs;
	opts.nr_runs = x->nr_more;
	ret = ops->write(s, &opts, o, err);
	x->one[i].bytes = export_bytes(o);
	x->samples = 0;
	for (u32 k = 0; k < s->nr_events; k++)
		x->samples += s->events[k].samples;
	if (ret)
		export_cancel(o);
	else
		ret = export_close(o, err);
	drop_runs(runs, x->nr_more);
	tree_done(t, s);
	if (other)
		tree_done(other, before);
	return ret;
}

/* Refuse events whose samples have no time: how long something went on is not known of them. */
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

/* Tell what does not go together. */
static int check_compared(const struct exports *x, struct err *err)
{
	if (x->compare && x->opts.root)
		return err_set(err, -EINVAL,
			       "--root does not go with --compare: threads and CPUs of two "
			       "recordings are not the same");
	if (x->nr_more && !x->compare)
		return err_set(err, -EINVAL,
			       "--again is for comparisons: name the recording from before "
			       "with --compare");
	for (u32 i = 0; i < x->nr && x->nr_more; i++)
		if (!x->one[i].ops->runs)
			return err_set(err, -EINVAL,
				       "several runs are compared by --html, not by --%s",
				       x->one[i].ops->name);
	return 0;
}

/* Read the timeline of the recording if a format draws slices of it. */
static void read_runs(const struct exports *x, const struct export_source *from,
		      struct timeline_runs *runs)
{
	bool wanted = false;

	*runs = (struct timeline_runs){ 0 };
	for (u32 i = 0; i < x->nr; i++)
		wanted |= x->one[i].ops->slices;
	if (wanted && !x->opts.narrowed)
		export_runs_read(from->session, runs);
}

int exports_write(struct exports *x, const struct export_source *from,
		  const struct export_source *before, struct err *err)
{
	struct trees t = { .from = from }, other = { .from = before };
	struct export_facts facts = { 0 };
	struct timeline_runs runs;
	int ret = check_compared(x, err);

	if (!ret && x->durations)
		ret = check_times(&from->session->evlist, err);
	if (!ret && before && x->durations)
		ret = check_times(&before->session->evlist, err);
	if (ret)
		return ret;
	x->opts.narrowed = profile_has_gaps(from->profile);
	read_runs(x, from, &runs);
	x->opts.timeline = &runs;
	export_facts_fill(&facts, from, tree_for(x, &t, x->one[0].ops->dims.bare), &x->opts);
	for (u32 i = 0; i < x->nr && !ret; i++)
		ret = write_one(x, i, &t, before ? &other : NULL, err);
	export_facts_release(&facts);
	x->opts.timeline = NULL;
	timeline_runs_release(&runs);
	stacks_free(t.full);
	stacks_free(t.bare);
	stacks_free(other.full);
	stacks_free(other.bare);
	return ret;
}
