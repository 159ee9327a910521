/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --filter and --exclude-perf of every command that opens events. */
#ifndef PERF_CMD_COMMON_FILTER_H
#define PERF_CMD_COMMON_FILTER_H

#include "base/sysroot.h"
#include "cli/options.h"
#include "events/evlist.h"

/* What --filter is for: the events of the -e before it. */
struct filter_arg {
	struct evlist *evlist;         /* borrowed */
	const struct sysroot *sysroot; /* borrowed */
	const char *pending;           /* a filter without an -e before it: for the default event */
	bool refused;                  /* a filter of a tracepoint is wrong, and was told */
};

/** opt_filter - option callback, opt->value: struct filter_arg. Filters of tracepoints are for the
 * kernel (evsel.filter), others look at samples (evsel.sample_filter); both are checked here. */
int opt_filter(const struct option *opt, const char *arg, int unset);
/** opt_exclude_perf - option callback: none of our own tracepoints. */
int opt_exclude_perf(const struct option *opt, const char *arg, int unset);
/** filters_settle - when all options are read. @evs: events were named by options, the list has
 * more than the default one. Return: 0, or an exit status when a filter was refused. */
int filters_settle(struct filter_arg *a, bool named);

/* The rows for option tables, behind OPTIONS_EVENTS(). @arg: the struct filter_arg. */
#define OPTIONS_FILTER(arg)                                                                        \
	OPT_CALLBACK_FLAG(0, "filter", arg, "filter", "event filter", opt_filter,                  \
			  PARSE_OPT_NONEG),                                                        \
		OPT_CALLBACK_NOOPT(0, "exclude-perf", arg, NULL,                                   \
				   "don't record events from perf itself", opt_exclude_perf)

#endif
