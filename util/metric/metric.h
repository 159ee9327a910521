/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions tell which metrics exist, which events they need, and their values. */
#ifndef PERF_METRIC_METRIC_H
#define PERF_METRIC_METRIC_H

#include "events/parse.h"
#include "events/vendor.h"
#include "metric/expr.h"

/* --- the metrics that exist ----------------------------------------------------- */

/**
 * metric_builtins - return the metrics that every processor has, sorted by name. @nr receives their
 * number.
 */
const struct vendor_metric *metric_builtins(size_t *nr);

/**
 * metric_each - call @fn for every metric, sorted by name: those of @t, which may be NULL, and the
 * built-in ones that @t does not redefine.
 * Return: 0, or the first other value that @fn returned, which ends the iteration.
 */
int metric_each(const struct vendor_table *t, int (*fn)(void *ctx, const struct vendor_metric *m),
		void *ctx);

/**
 * metric_group_each - call @fn for every group, sorted by name. Metrics without a group are left
 * out. @desc is NULL when there is no description.
 */
int metric_group_each(const struct vendor_table *t,
		      int (*fn)(void *ctx, const char *group, const char *desc), void *ctx);

/**
 * metric_in_group - tell whether @m is in the group whose name has @len bytes. Case does not
 * matter.
 */
bool metric_in_group(const struct vendor_metric *m, const char *group, size_t len);

/**
 * metric_find - find a metric by name, in any case; of several PMUs, the first one. NULL when there
 * is none.
 */
const struct vendor_metric *metric_find(const struct vendor_table *t, const char *name);

/* --- the events that they need -------------------------------------------------- */

/* The environment in which metrics are looked up. Everything is borrowed. */
struct metric_env {
	const struct parse_env *parse;    /* the known events, and the location of /proc and /sys */
	const struct vendor_table *table; /* NULL: built-in metrics only */
	const char *cpuid;                /* in the form of mapfile.csv; NULL: unknown */
	bool core_wide; /* -a with all threads of each core: whatever runs on a core is counted */
};

/* The events of the list that stand for one event of a metric: one for each PMU. */
struct metric_use {
	u32 first, nr; /* position in the evlist */
};

struct metric_step;

/* A metric with everything it refers to. */
struct metric {
	const struct vendor_metric *def; /* borrowed */
	const char *name; /* the name in @def, followed by "_0", "_1" where there is one for each
			     chip */
	const char **ids; /* events, in the syntax of -e */
	struct metric_use *uses; /* for each id, from metric_set_events() */
	u32 nr_ids;
	double factor;    /* from the value to the one that is shown, from ScaleUnit; or 1 */
	const char *unit; /* or "" */
	/* private: expressions in an order in which each refers to earlier ones only */
	struct metric_step *steps;
	u32 nr_steps, value_step;
	s32 threshold_step; /* -1: none */
};

/* The metrics to be shown, in the order of the request. */
struct metric_set {
	struct arena arena;
	struct metric *v; /* owned */
	size_t nr, cap;
	size_t skipped; /* members of groups for which this machine has no events */
};

struct metric_options {
	bool no_group;     /* events do not form groups */
	bool no_merge;     /* each metric has events of its own */
	bool no_threshold; /* thresholds are not evaluated */
};

/**
 * metric_set_add - add the metrics that @names lists, "name,group,..." or "all". A metric that is
 * requested by its name has to be usable; of groups and of "all" only usable metrics are added.
 * Return: 0; -ENOENT when there is no such metric or group; -EINVAL when its expression is faulty;
 * @err has the details.
 */
int metric_set_add(struct metric_set *set, const char *names, const struct metric_env *env,
		   const struct metric_options *o, struct err *err);

/**
 * metric_set_events - append the events that the metrics need to @l, in weak groups where possible,
 * and record in each metric's uses where they are.
 * Return: 0, or an error as from parse_events(), with @err naming metric and event and @l
 * unchanged.
 */
int metric_set_events(struct metric_set *set, struct evlist *l, const struct metric_env *env,
		      const struct metric_options *o, struct err *err);

/** metric_set_release - free the contents. */
void metric_set_release(struct metric_set *set);

/**
 * metric_usable - tell whether a metric can be measured, that is, whether its expression is valid
 * and its events are known.
 */
bool metric_usable(const struct vendor_metric *m, const struct metric_env *env);

/**
 * metric_fact - get a fact about the machine by its name in expressions, such as "num_cpus_online",
 * from /proc and /sys; NAN when they do not tell.
 * Return: 0, or -ENOENT when there is no such name.
 */
int metric_fact(const struct sysroot *sr, const char *name, double *value);

/**
 * metric_core_wide - tell whether all that runs on a core is counted: because @all_cpus are, or
 * because no core has several threads.
 */
bool metric_core_wide(const struct sysroot *sr, bool all_cpus);

/* --- values --------------------------------------------------------------------- */

/*
 * Returns the count of a use: the sum of its events' counts, times their scale from sysfs or
 * vendors' files. Times are in nanoseconds where there is no scale; tool events are in seconds.
 * NaN: not counted. @sources receives the number of its events that have counted.
 */
typedef double (*metric_value_fn)(void *ctx, const struct metric_use *use, u32 *sources);

/**
 * metric_value - return the value of a metric, before its factor is applied; NaN when a part was
 * not counted or is divided by zero.
 * @alarm: NULL, or receives whether the threshold expression holds
 */
double metric_value(const struct metric *m, metric_value_fn value, void *ctx, bool *alarm);

#endif
