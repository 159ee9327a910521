/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counts of a recording (perf stat record), added up as they would have been when it was made,
 * or otherwise: by the topology of the machine that it is of.
 *
 *	rc = stat_recorded_open(&rec, &options, &err);
 *	rc = stat_recorded_read(&rec, &listener, &err);
 *	...print what the listener did not, and what is missing...
 *	stat_recorded_close(&rec);
 */
#ifndef PERF_STATRUN_RECORDED_H
#define PERF_STATRUN_RECORDED_H

#include "session/session.h"
#include "statrun/table.h"

struct stat_recorded_options {
	const char *path;    /* borrowed; NULL: perf.data */
	bool mode_given;     /* counts are told apart as @mode says, not as they were */
	enum aggr_mode mode; /* AGGR_NONE to AGGR_NODE */
	int cache_level;     /* of AGGR_CACHE; 0: the last one */
};

struct stat_recorded {
	/* what there is to be shown; set before the listener is called first */
	struct stat_results results;
	const char **command;  /* owned, but not its words: the command line that made it */
	unsigned int interval; /* ms; 0: there are none */

	/* the rest is private */
	bool any_round;      /* there are counts at all */
	const char *missing; /* what is asked for and the file does not tell; NULL: nothing */
	u64 bad;             /* counts of events, CPUs or threads that the file does not have */
	struct session session;
	const struct stat_listener *to;
	struct evlist evlist; /* borrowed from the session */
	struct stat_table table;
	struct map64 clusters; /* of CPUs, when the file says so */
	enum aggr_mode mode;
	int cache_level;
	bool mode_given, scale, settled;
};

/** stat_recorded_open - open a recording. Return: 0, or negative errno and a sentence; then there
 * is nothing to close. */
int stat_recorded_open(struct stat_recorded *r, const struct stat_recorded_options *o,
		       struct err *err);

/** stat_recorded_read - read all of it; @to hears of intervals, and of the end of the run. Return:
 * 0, or negative errno and a sentence. */
int stat_recorded_read(struct stat_recorded *r, const struct stat_listener *to, struct err *err);

/** stat_recorded_check - check, when all is read, whether there is what was asked for. The listener
 * is told of counts that were left out. Return: 0, or -ENODATA and a sentence. */
int stat_recorded_check(const struct stat_recorded *r, struct err *err);

/** stat_recorded_close - close it, free the contents. */
void stat_recorded_close(struct stat_recorded *r);

/** stat_recorded_place - return where a CPU of the recording is; mode and cache_level are
 * settled. */
struct cpu_place stat_recorded_place(const struct stat_recorded *r, s32 cpu);

/** stat_recorded_mode - return the aggregation that the number @value means in a file. @level: it
 * has a term for the level of caches. */
enum aggr_mode stat_recorded_mode(const struct perf_file *f, u64 value, bool level);

#endif
