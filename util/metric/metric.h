/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics: which there are, what they need to have counted, and their values. */
#ifndef PERF_METRIC_METRIC_H
#define PERF_METRIC_METRIC_H

#include "events/parse.h"
#include "events/vendor.h"
#include "metric/expr.h"

/* --- which there are ------------------------------------------------------------ */

/** metric_builtins - what every processor has, in the order of names. @nr: their number. */
const struct vendor_metric *metric_builtins(size_t *nr);

/**
 * metric_each - call @fn for every metric in the order of names: those of @t (may be NULL), and
 * the built-in ones that it does not redefine.
 * Return: 0, or the first value other than 0 that @fn returned: it stops there.
 */
int metric_each(const struct vendor_table *t, int (*fn)(void *ctx, const struct vendor_metric *m),
		void *ctx);

/**
 * metric_group_each - call @fn for every group in the order of names; metrics without a group are
 * in none. @desc: NULL when there is none.
 */
int metric_group_each(const struct vendor_table *t,
		      int (*fn)(void *ctx, const char *group, const char *desc), void *ctx);

/** metric_in_group - is @m in the group of @len bytes? Letter case does not count. */
bool metric_in_group(const struct vendor_metric *m, const char *group, size_t len);

/** metric_find - by name, in any letter case, the first of several PMUs; NULL when there is none.
 */
const struct vendor_metric *metric_find(const struct vendor_table *t, const char *name);

/* --- what they need ------------------------------------------------------------- */

/* What metrics are looked at against. All borrowed. */
struct metric_env {
	const struct parse_env *parse;    /* what events there are, and where /proc and /sys is */
	const struct vendor_table *table; /* NULL: built-in metrics only */
	const char *cpuid;                /* as mapfile.csv has it; NULL: unknown */
	bool core_wide; /* -a, and of each core all threads: what else runs on it is counted too */
};

/* The events of the list that stand for one event of a metric, more than one on several PMUs. */
struct metric_use {
	u32 first, nr; /* position in the evlist */
};

struct metric_step;

/* A metric with all it refers to. */
struct metric {
	const struct vendor_metric *def; /* borrowed */
	const char *
		name; /* that of @def; with "_0", "_1" behind it where there is one for each chip */
	const char **ids;        /* events, as written for -e */
	struct metric_use *uses; /* of each id, from metric_set_events() */
	u32 nr_ids;
	double factor;    /* of the value as it is shown, from ScaleUnit; 1 without */
	const char *unit; /* "" without */
	/* private: expressions in an order in which each refers to earlier ones only */
	struct metric_step *steps;
	u32 nr_steps, value_step;
	s32 threshold_step; /* -1: none */
};

/* Metrics to be shown, in the order they were asked for. */
struct metric_set {
	struct arena arena;
	struct metric *v; /* owned */
	size_t nr, cap;
	size_t skipped; /* members of groups that this machine has no events for */
};

struct metric_options {
	bool no_group;     /* events are not put into groups */
	bool no_merge;     /* each metric has events of its own */
	bool no_threshold; /* thresholds are not looked at */
};

/**
 * metric_set_add - add the metrics of "name,group,...", or "all".
 * A metric asked for by name has to be usable; of groups and "all" those that are.
 * Return: 0; -ENOENT: no such metric or group; -EINVAL: its expression is wrong; @err says where.
 */
int metric_set_add(struct metric_set *set, const char *names, const struct metric_env *env,
		   const struct metric_options *o, struct err *err);

/**
 * metric_set_events - append the events that the metrics need to @l, in weak groups where they can
 * be one, and note in each metric's uses where they are.
 * Return: 0; or as parse_events() with @err naming metric and event and @l as it was.
 */
int metric_set_events(struct metric_set *set, struct evlist *l, const struct metric_env *env,
		      const struct metric_options *o, struct err *err);

/** metric_set_release - free the contents. */
void metric_set_release(struct metric_set *set);

/** metric_usable - could it be measured: is its expression right and are its events known? */
bool metric_usable(const struct vendor_metric *m, const struct metric_env *env);

/* --- values --------------------------------------------------------------------- */

/*
 * What was counted of a use: the sum of its events' counts, times their scale (of sysfs or vendors'
 * files; time is in nanoseconds where there is none), the tool's events in seconds. NaN: not
 * counted. @sources: how many events of it have counted.
 */
typedef double (*metric_value_fn)(void *ctx, const struct metric_use *use, u32 *sources);

/**
 * metric_value - its value, before factor; NaN when something in it was not counted or divides by
 * zero.
 * @alarm: NULL, or where to say whether the threshold holds: a matter of concern
 */
double metric_value(const struct metric *m, metric_value_fn value, void *ctx, bool *alarm);

#endif
