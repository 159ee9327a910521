/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is shown: of each event a value for each aggregation id, of one run or interval, or the
 * means of several runs. */
#ifndef PERF_STAT_RESULT_H
#define PERF_STAT_RESULT_H

#include "events/evlist.h"
#include "stat/aggr.h"
#include "stat/counts.h"
#include "stat/multiplexing.h"

/* How long a run took, in ns: by the clock, and on CPUs, of the command and its children. */
struct stat_times {
	u64 wall, user, system;
};

struct stat_value {
	double val;           /* scaled up when the event had to share its counter */
	u64 enabled, running; /* ns, of all its places together */
	u32 places;           /* where it has counted */
	double spread; /* over runs: per cent of val that it may be off, its standard error */
};

struct stat_metrics;

struct stat_result {
	const struct evlist *evlist; /* borrowed, as are ids and unsupported */
	const struct aggr_map *ids;
	const bool *unsupported;            /* of each event */
	const struct stat_metrics *metrics; /* borrowed; NULL: none were asked for by name */
	u32 *merged;          /* owned; of each event the one that it is added to, or itself */
	struct stat_value *v; /* owned: [event][id] */
	u64 duration;         /* ns of wall time */
	size_t runs;          /* 0, 1: a single one */
	bool scaled;          /* stat_sum() was to scale */
};

/** stat_result_init - all zero. */
void stat_result_init(struct stat_result *r, const struct evlist *l, const struct aggr_map *ids,
		      const bool *unsupported);
/** stat_result_release - free the contents. */
void stat_result_release(struct stat_result *r);

static inline struct stat_value *stat_value_at(const struct stat_result *r, size_t evsel, size_t id)
{
	return &r->v[evsel * r->ids->nr + id];
}

/** evsel_is_clock - does it count time on CPUs, in nanoseconds? */
static inline bool evsel_is_clock(const struct evsel *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && !e->tool &&
	       (e->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
		e->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

/** stat_merged - is the event a part of another one, of a PMU before it? */
static inline bool stat_merged(const struct stat_result *r, size_t evsel)
{
	return r->merged[evsel] != evsel;
}

/** stat_first_thread - is that CPU the first of its core? With AGGR_NONE */
bool stat_first_thread(const struct stat_result *r, size_t id);

/** stat_result_merge - events that were one text, on several PMUs, are one again. @hybrid: kinds of
 * cores, too */
void stat_result_merge(struct stat_result *r, bool hybrid);

/** stat_counted - was the event on a counter at all there? */
static inline bool stat_counted(const struct stat_result *r, size_t evsel, size_t id)
{
	const struct stat_value *v = stat_value_at(r, evsel, id);

	return !r->unsupported[evsel] && v->enabled && v->running;
}

/**
 * stat_sum - add up what has come since the last mark.
 * @scale: an event that ran only a part of the time gets what it would have counted in all of it
 * @places: of each CPU of @c; looked at for events that count for a whole socket
 */
void stat_sum(struct stat_result *r, const struct counts *c, const struct cpu_place *places,
	      bool scale);

/* Results of several runs. */
struct stat_runs {
	struct multiplexing *v; /* owned: of each [event][id] */
	u32 *places;            /* owned */
	struct spread duration;
};

/** stat_runs_add - one more run; all results must be of the same events and ids. */
void stat_runs_add(struct stat_runs *s, const struct stat_result *r);
/** stat_runs_result - the means, and how far off they may be. */
void stat_runs_result(const struct stat_runs *s, struct stat_result *r);
/** stat_runs_release - free the contents. */
void stat_runs_release(struct stat_runs *s);

#endif
