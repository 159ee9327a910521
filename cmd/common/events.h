/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These options are shared by commands that open events: -e, --pfm-events, --events-dir, -G,
 * --for-each-cgroup and --control. */
#ifndef PERF_CMD_COMMON_EVENTS_H
#define PERF_CMD_COMMON_EVENTS_H

#include "cli/options.h"
#include "events/event-filters.h"
#include "events/sources.h"
#include "kernel/open.h"

/* The list that the options add to, the sources that names are looked up in, and the filters that
 * are for this list until another one is added to (NULL: they are for another list). All are
 * borrowed. */
struct event_arg {
	struct evlist *evlist;
	struct event_sources *sources;
	struct event_filters *filters;
};

/** event_arg_start - prepare before options are read: @sr is borrowed; the folder of the
 * configuration (events.dir) and the processor of $PERF_CPUID are taken. */
void event_arg_start(struct event_sources *s, const struct sysroot *sr);

/** opt_events - option callback: parse_events(), errors on stderr. opt->value: struct event_arg */
int opt_events(const struct option *opt, const char *arg, int unset);
/** opt_pfm_events - do what opt_events() does, for a text in libpfm4's syntax. */
int opt_pfm_events(const struct option *opt, const char *arg, int unset);
/** opt_events_dir - read a folder of vendors' files. opt->value: struct event_sources */
int opt_events_dir(const struct option *opt, const char *arg, int unset);

/** opt_machines - read the machines that events count on, behind the option. opt->value: struct
 * event_sources */
int opt_machines(const struct option *opt, const char *arg, int unset);

/* The state of -G and --for-each-cgroup. */
struct cgroup_arg {
	struct evlist *evlist;         /* borrowed */
	const struct sysroot *sysroot; /* borrowed */
	size_t nr;                     /* names given by -G so far */
	const char *each; /* borrowed; the argument of --for-each-cgroup; NULL: not given */
	bool later;       /* set before: it is only kept, for when all events are known */
};

/** opt_cgroup, opt_each_cgroup - take names of control groups; option callbacks, opt->value: struct
 * cgroup_arg. */
int opt_cgroup(const struct option *opt, const char *arg, int unset);
int opt_each_cgroup(const struct option *opt, const char *arg, int unset);

/** opt_filter, opt_exclude_perf - option callbacks: event_filters_add(), and none of our own
 * tracepoints. opt->value: struct event_filters */
int opt_filter(const struct option *opt, const char *arg, int unset);
int opt_exclude_perf(const struct option *opt, const char *arg, int unset);
/** filters_settle - do what event_filters_settle() does, and tell the user. Return: 0, or an exit
 * status. */
int filters_settle(struct event_filters *f, bool named);

/** opt_control - option callback: control_open(). opt->value: struct control */
int opt_control(const struct option *opt, const char *arg, int unset);

/* The rows for option tables. @args: the struct event_arg, @from: the sources it names. */
#define OPTIONS_EVENTS(args, from)                                                                 \
	OPT_CALLBACK_FLAG('e', "event", args, "event",                                             \
			  "event selector. use 'perf list' to list available events", opt_events,  \
			  PARSE_OPT_NONEG),                                                        \
		OPT_CALLBACK_FLAG(                                                                 \
			0, "pfm-events", args, "event",                                            \
			"libpfm4 event selector. use 'perf list' to list available events",        \
			opt_pfm_events, PARSE_OPT_NONEG),                                          \
		OPT_CALLBACK_FLAG(0, "events-dir", from, "dir",                                    \
				  "read events from the JSON files below dir; give it before -e",  \
				  opt_events_dir, PARSE_OPT_NONEG),                                \
		OPT_CALLBACK(0, "machines", from, "host,guest",                                    \
			     "count events there unless they have :H or :G; give it before -e",    \
			     opt_machines)

/* The rows of filters for option tables, to stand behind OPTIONS_EVENTS. @arg: the struct
 * event_filters */
#define OPTIONS_FILTER(arg)                                                                        \
	OPT_CALLBACK_FLAG(0, "filter", arg, "filter", "event filter", opt_filter,                  \
			  PARSE_OPT_NONEG),                                                        \
		OPT_CALLBACK_NOOPT(0, "exclude-perf", arg, NULL,                                   \
				   "don't record events from perf itself", opt_exclude_perf)

/* ---- what -vv shows of events that are opened: attrs, and the answers of the kernel ---- */

/* The attr that was shown last; it starts zeroed. */
struct open_shown {
	struct perf_event_attr attr;
	const struct evsel *of;
};

/** open_show_attr - print all of an attr that is not 0 on stderr. */
void open_show_attr(const struct perf_event_attr *attr, const struct evsel *e);
/** open_show_try - print one attempt; the attr only when it is not that of the one before. */
void open_show_try(struct open_shown *shown, const struct open_try *t);

#endif
