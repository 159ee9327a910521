/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several threads that empty the rings, each those of its CPUs. The output is a folder, "data"
 * being a file like any other and "data.N" the records of ring N alone, so that no two threads ever
 * wait for each other. The first set is the main thread's. All functions but _new take NULL:
 * without such threads the main thread has all rings, and there are no such files.
 */
#ifndef PERF_RECORDER_RING_THREADS_H
#define PERF_RECORDER_RING_THREADS_H

#include "kernel/event-loop.h"
#include "recorder/opened.h"
#include "recorder/output.h"

struct ring_threads;

/** ring_threads_new - choose the CPUs that each thread has, of those that are recorded (@cpus).
 * @text: see thread-sets.h. Return: 0, or negative errno and a sentence. */
int ring_threads_new(struct ring_threads **t, const char *text, const struct sysroot *sr,
		     const struct int_list *cpus, struct err *err);
/** ring_threads_open - open the files of the rings, in the folder @output. @scan: of each file, but
 * for .tasks, which is taken as a flag; @level: of compression, 0: none */
int ring_threads_open(struct ring_threads *t, const char *output, struct rings *rings,
		      const struct scan_opts *scan, int level, struct err *err);
/** ring_threads_write_back - have their files followed by @w. */
void ring_threads_write_back(struct ring_threads *t, struct write_back *w);

struct ring_threads_start {
	struct opened *ev; /* borrowed, as all */
	const struct ring_opts *opts;
	const struct record_notes *notes;
	struct event_loop *loop; /* of the main thread: told of errors and the end */
	const size_t *live;      /* descriptors of the main thread that are alive */
	u32 watched;             /* the event whose descriptors are polled */
};
/** ring_threads_start - start all threads but the main one, which moves to its CPUs. */
int ring_threads_start(struct ring_threads *t, const struct ring_threads_start *s, struct err *err);
/** ring_threads_mine - tell whether the ring of @cpu is one that the main thread empties. */
bool ring_threads_mine(const struct ring_threads *t, int cpu);
/** ring_threads_sink - return where the rings' records go with such threads; @t is not NULL. */
struct ring_sink ring_threads_sink(struct ring_threads *t);
/** ring_threads_live - tell whether any of the others has a descriptor that has not hung up. */
bool ring_threads_live(const struct ring_threads *t);
/** ring_threads_stop - empty the rings for the last time and end. Processes that were seen are
 * added to @tasks. Return: 0, or the first error. */
int ring_threads_stop(struct ring_threads *t, struct map64 *tasks, struct err *err);
/** ring_threads_look_back - add to @out what was written. @failed: files may end within a record */
void ring_threads_look_back(struct ring_threads *t, bool failed, struct record_output *out,
			    const struct notices *detail);
/** ring_threads_written - return the bytes in the files of the rings. */
u64 ring_threads_written(const struct ring_threads *t);
/** ring_threads_share - add the samples in these files, while they are written. */
void ring_threads_share(const struct ring_threads *t, struct own_share *share);
/** ring_threads_free - close and free. */
void ring_threads_free(struct ring_threads *t);

#endif
