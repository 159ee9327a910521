/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions choose what perf stat counts: the events of metrics and modes, and those counted
 * when nobody names any. They also name them. */
#ifndef PERF_STATRUN_EVENTS_H
#define PERF_STATRUN_EVENTS_H

#include "base/int-list.h"
#include "base/notice.h"
#include "events/sources.h"
#include "metric/metric.h"
#include "stat/iostat.h"
#include "stat/metrics.h"

/* The options that ask for events, beside those that are named. */
struct stat_event_options {
	const char *metrics; /* borrowed; names of metrics and groups, with commas; NULL: none */
	const char *core;    /* borrowed; of kinds of cores only this PMU's; NULL: all */
	const char *pmu;     /* borrowed; of PMUs that several places have, only this; NULL: all */
	const char *each_cgroup; /* borrowed; all events for each of these; NULL: for none */
	const struct iostat_ports *ports; /* borrowed; of --iostat; NULL: none */
	struct metric_options metric;
	int detailed;          /* how many of the lists of -d, -dd and -ddd are added */
	unsigned int td_level; /* of --topdown; 0: as it comes */
	bool topdown, smi_cost, transaction;
	bool system;    /* all that runs on some CPUs is counted, not tasks */
	bool all_cpus;  /* all that runs is counted */
	bool apart;     /* events of several PMUs are not added up, and named after their PMU */
	bool merge_all; /* those of several kinds of cores are added up as well */
};

/* The choices made beside the list of events. */
struct stat_event_choice {
	struct metric_set metrics;
	struct stat_metrics shown; /* the same beside their events */
	char *cpuid;               /* owned; that metrics are for; NULL: there are none */
	bool metric_only;          /* only metrics are to be shown */
	bool unfreeze;             /* freeze_on_smi was off before: see stat_events_restore() */
};

/**
 * stat_events_choose - add to @l, which has the events that were named, what else @o asks for, and
 * the default events when that is nothing. @sources has to stay.
 *
 * Return: 0; -EOPNOTSUPP when this machine or target does not do what is asked for, or another
 * negative errno, with a sentence in @err. stat_events_restore() is to be called either way.
 */
int stat_events_choose(struct evlist *l, const struct stat_event_options *o,
		       struct event_sources *sources, struct stat_event_choice *out,
		       struct err *err);

/** stat_events_default - add the default events to @l when it is empty, and the lists of
 * @o->detailed. */
void stat_events_default(struct evlist *l, const struct stat_event_options *o,
			 const struct parse_env *env);

/** stat_events_metrics - add the events of metrics, --topdown, --smi-cost and --transaction.
 * Return: as stat_events_choose(). */
int stat_events_metrics(struct evlist *l, const struct stat_event_options *o,
			struct event_sources *sources, struct stat_event_choice *out,
			struct err *err);

/** stat_events_restore - let the machine be as it was before. Return: 0, or negative errno and a
 * sentence. */
int stat_events_restore(struct stat_event_choice *c, const struct sysroot *sr, struct err *err);

/** stat_events_release - free the contents. */
void stat_events_release(struct stat_event_choice *c);

/**
 * stat_events_drop - leave out, with a warning, events of a kind of cores that none of @cpus is of,
 * unless that would be all. @text: these CPUs as the user has them
 */
void stat_events_drop(struct evlist *l, const struct int_list *cpus, const char *text,
		      const struct notices *notes);

#endif
