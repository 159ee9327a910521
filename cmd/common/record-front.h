/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What commands that record have in common: the values of the options of perf record, what follows
 * from them together, and the run of a recorder that talks on stderr.
 *
 *	static struct record_front rec = RECORD_FRONT(&rec);
 *	static const struct option options[] = { RECORD_OPTIONS(&rec), OPT_END() };
 *
 *	status = record_front_run(&rec, argc, argv, options, usage, NULL, NULL);
 */
#ifndef PERF_CMD_COMMON_RECORD_FRONT_H
#define PERF_CMD_COMMON_RECORD_FRONT_H

#include "cmd/common/events.h"
#include "cmd/common/record-options.h"
#include "kernel/synth.h"
#include "recorder/recorder.h"

struct record_front {
	struct record_opts o;
	struct record_given given;
	struct sysroot sysroot;
	struct evlist evlist, triggers, begins, ends; /* of -e, --switch-output-event, --begin and
							 --end */
	struct event_sources sources;
	struct event_arg events, trigger_events, begin_events, end_events;
	struct cgroup_arg cgroups;
	struct event_filters filter;
	struct control control;

	bool quiet, dry_run;
	bool advise; /* set before: what would find callers better is said on a terminal */
	int verbose;
	const char *setup_filter; /* pin, unpin, list: that instead of recording; borrowed */
	bool timestamp_boundary;  /* --timestamp-boundary: the times are always written */
	const char *snapshot, *aux_sample; /* there is no AUX area: only looked at to be refused */

	struct open_shown shown; /* with -vv */
	struct record_result result;
};

/* The values before the options are read. @f: the struct record_front itself */
#define RECORD_FRONT(f)                                                                            \
	{                                                                                          \
		.o = { .sample.freq = 4000,                                                        \
		       .map_timeout = 500,                                                         \
		       .off_cpu_thresh = 500,                                                      \
		       .ring = { .budget = 25, .unwind_queue = (size_t)32 << 20 },                 \
		       .synth = SYNTH_ALL },                                                       \
		.events = { &(f)->evlist, &(f)->sources, &(f)->filter },                           \
		.trigger_events = { &(f)->triggers, &(f)->sources },                               \
		.begin_events = { &(f)->begins, &(f)->sources, &(f)->filter },                     \
		.end_events = { &(f)->ends, &(f)->sources, &(f)->filter },                         \
		.cgroups = { .evlist = &(f)->evlist, .sysroot = &(f)->sysroot },                   \
		.filter = { .evlist = &(f)->evlist, .sysroot = &(f)->sysroot },                    \
	}

/**
 * record_front_read - read the configuration and the options, and combine what they say. What is
 * left on the command line becomes the command.
 * @table, @usage: as for record_front_run(); the table may have a part of RECORD_OPTIONS(f) only
 * Return: 0, or the exit status when it has said what is wrong.
 */
int record_front_read(struct record_front *f, int argc, const char **argv,
		      const struct option *table, const char *const usage[]);
/** record_front_notes - return who is told what while events are opened, with -q and -v. */
struct record_notes record_front_notes(struct record_front *f);
/** record_front_release - free what was read. */
void record_front_release(struct record_front *f);
/**
 * record_front_run - read the options and record.
 * @table, @usage: of the command; the table has RECORD_OPTIONS(f)
 * @check: asked when all options are read, before anything is done: 0, or the exit status when it
 *	has said what is wrong; may be NULL
 * Return: exit status; f->result says more.
 */
int record_front_run(struct record_front *f, int argc, const char **argv,
		     const struct option *table, const char *const usage[], int (*check)(void *ctx),
		     void *ctx);

#endif
