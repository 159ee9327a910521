/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The whole of a recorder: its parts and how they are put together. Only the three files that do so
 * include this: recorder.c (steps), loop.c (while it records), files.c (output files). Parts have
 * headers of their own and do not know each other.
 */
#ifndef PERF_RECORDER_RECORDER_INTERNAL_H
#define PERF_RECORDER_RECORDER_INTERNAL_H

#include "bpf/watch.h"
#include "control/count-windows.h"
#include "kernel/event-loop.h"
#include "recorder/delay.h"
#include "recorder/existing.h"
#include "recorder/features.h"
#include "recorder/object-cache.h"
#include "recorder/off-cpu.h"
#include "recorder/output.h"
#include "recorder/recorder.h"
#include "recorder/ring-threads.h"
#include "recorder/statistics.h"
#include "recorder/switching.h"

struct recorder {
	const struct record_opts *opts;   /* borrowed */
	const struct record_hooks *hooks; /* borrowed */

	/* what is recorded */
	struct opened ev;
	struct workload workload;
	struct late_breakpoints late;
	struct sleeps *sleeps; /* owned; NULL without --off-cpu */
	struct bpf_progs progs;
	struct bpf_watch bpf_watch;
	bool bpf_watched; /* it is open */

	/* what goes on */
	struct event_loop *loop; /* owned */
	struct counting counting;
	struct delay delay;
	struct count_windows windows; /* of --begin and --end */
	struct switching switching;
	struct ring_threads *threads; /* owned; NULL without --threads */
	struct priority priority;
	struct nearness near;
	int cpu_watch; /* tells of CPUs that come back; -1: nothing does */
	size_t live;   /* descriptors of the main thread that have not hung up */
	u64 max_size;  /* of the output, until it was reached */
	unsigned long waking;
	bool looking;  /* this waking was for the objects of short-lived processes */
	sigset_t mask; /* of signals, before ours */

	/* what is written */
	struct existing existing;
	struct strbuf tracing;   /* owned: the TRACING_DATA section, may be empty */
	struct clock_pair clock; /* with -k: taken before the command starts */
	struct record_output out;
	struct rotation rotation;
	int kcore_last;  /* the folder of the last copy; -1: none */
	bool no_buildid; /* no build-ids are written at the end */
	struct object_cache cache;
	struct statistics stats;
	struct feedback feedback;

	bool started; /* the command was let go, or is to go by itself */
	struct record_result result;
};

/* --- output files (files.c) ------------------------------------------------------- */

/** files_first - begin the first output file: header, @tables and @existing. */
int files_first(struct recorder *r, const struct strbuf *tables, const struct strbuf *existing,
		struct err *err);
/** files_switch - complete the current file and begin the next one. */
int files_switch(struct recorder *r, struct err *err);
/** files_finish - complete the file and say what is in it. @failed: there was an error before, the
 * data may end within a record. */
int files_finish(struct recorder *r, bool failed, struct err *err);
/** keeps_objects - tell whether objects that samples hit go into the build-id cache. */
bool keeps_objects(const struct recorder *r);
/** files_written - return the bytes of data in the current output file. */
u64 files_written(const struct recorder *r);

/* --- while it records (loop.c) ----------------------------------------------------- */

/** loop_run - run until the command ends, a signal comes or a part says so. */
int loop_run(struct recorder *r, struct err *err);
/** loop_drain_some - everything that is in the rings; the round goes on. Return: 1 when there was
 * any, 0, or negative errno. */
int loop_drain_some(struct recorder *r, struct err *err);
/** loop_on_signal - a callback of the loop. @ctx: the recorder */
int loop_on_signal(void *ctx, const struct signalfd_siginfo *info, struct err *err);

#endif
