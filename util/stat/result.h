/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values to show: for each event one for each aggregation id, of one run or interval, or the
 * means of several runs.
 */
#ifndef PERF_STAT_RESULT_H
#define PERF_STAT_RESULT_H

#include "events/evlist.h"
#include "stat/aggr.h"
#include "stat/counts.h"
#include "stat/multiplexing.h"

/* The duration of a run in ns: wall-clock time, and CPU times of the command and its children. */
struct stat_times {
	u64 wall, user, system;
};

struct stat_value {
	double val;           /* scaled up when the event was multiplexed */
	u64 enabled, running; /* in ns, the sums over all its places */
	u32 places;           /* the number of places where it has counted */
	double spread;        /* over several runs: its standard error, in percent of val */
};

struct stat_metrics;

struct stat_result {
	const struct evlist *evlist; /* borrowed, like ids and unsupported */
	const struct aggr_map *ids;
	const bool *unsupported;            /* for each event */
	const struct stat_metrics *metrics; /* borrowed; NULL: none were requested */
	u32 *merged;          /* owned; for each event, the one that it is added to, or itself */
	struct stat_value *v; /* owned: [event][id] */
	u64 duration;         /* wall time in ns */
	size_t runs;          /* 0 or 1: a single run */
	bool scaled;          /* stat_sum() has scaled values */
};

/** stat_result_init - make a result of zeros. */
void stat_result_init(struct stat_result *r, const struct evlist *l, const struct aggr_map *ids,
		      const bool *unsupported);
/** stat_result_release - free the contents. */
void stat_result_release(struct stat_result *r);

/** stat_value_at - return the value of an event at an id. */
static inline struct stat_value *stat_value_at(const struct stat_result *r, size_t evsel, size_t id)
{
	return &r->v[evsel * r->ids->nr + id];
}

/**
 * stat_merged - tell whether the event is a part of another one, which has a PMU before it in the
 * list.
 */
static inline bool stat_merged(const struct stat_result *r, size_t evsel)
{
	return r->merged[evsel] != evsel;
}

/** stat_first_thread - tell whether that CPU is the first of its core. With AGGR_NONE */
bool stat_first_thread(const struct stat_result *r, size_t id);

/**
 * stat_result_merge - merge events on several PMUs that came from one text. @hybrid: also merge
 * those on several kinds of cores
 */
void stat_result_merge(struct stat_result *r, bool hybrid);

/** stat_counted - tell whether the event was on a counter there at any time. */
static inline bool stat_counted(const struct stat_result *r, size_t evsel, size_t id)
{
	const struct stat_value *v = stat_value_at(r, evsel, id);

	return !r->unsupported[evsel] && v->enabled && v->running;
}

/**
 * stat_sum - add up the increases since the last mark.
 * @scale: extrapolate the count of an event that ran only for a part of the time
 * @places: of each CPU of @c; used for events that count a whole socket
 */
void stat_sum(struct stat_result *r, const struct counts *c, const struct cpu_place *places,
	      bool scale);

/* Results of several runs. */
struct stat_runs {
	struct multiplexing *v; /* owned: of each [event][id] */
	u32 *places;            /* owned */
	struct spread duration;
};

/** stat_runs_add - add a run. All results must have the same events and ids. */
void stat_runs_add(struct stat_runs *s, const struct stat_result *r);
/** stat_runs_result - compute the means and their standard errors. */
void stat_runs_result(const struct stat_runs *s, struct stat_result *r);
/** stat_runs_release - free the contents. */
void stat_runs_release(struct stat_runs *s);

#endif
