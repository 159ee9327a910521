/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The I/O of tasks: system calls that read, write, synchronise, wait for files or use sockets, each
 * from its entry to its exit.
 *
 * A call takes 32 bytes. Calls that have grown too many are added up: those of a task that are of
 * one kind, have all failed or have all not, and begin within a short time. That time is doubled
 * until there is room again, and it is told. Memory therefore grows with tasks and not with calls.
 */
#ifndef PERF_ANALYZE_IO_CALLS_H
#define PERF_ANALYZE_IO_CALLS_H

#include "analyze/engine.h"
#include "analyze/task-table.h"

enum io_kind { IO_READ, IO_WRITE, IO_SYNC, IO_RECEIVE, IO_SEND, IO_POLL, IO_KINDS };

#define IO_NO_FILE UINT32_MAX

#define IO_MOST_MORE ((1U << 24) - 1)

/* A call, or several that were added up. */
struct io_call {
	u64 start, end; /* ns; equal to the end of the recording if no exit was recorded */
	s64 result;     /* bytes, of all; or a negative errno, the last one */
	u32 file;       /* descriptor, or IO_NO_FILE: there is none, or there are several */
	u32 kind : 8;   /* an enum io_kind */
	u32 more : 24;  /* calls that were added to the first one, up to IO_MOST_MORE */
};

/** io_moves_bytes - tell whether results of calls of a kind are bytes. */
static inline bool io_moves_bytes(u32 kind)
{
	return kind != IO_SYNC && kind != IO_POLL;
}

struct io_task {
	u32 id;                /* in the table of tasks */
	struct io_call *calls; /* owned; in the order of their starts */
	u32 nr;
	size_t cap;
	u64 bytes; /* that its calls have moved */
	bool open; /* the last call has not returned so far */
	u32 event; /* which call that is */
};

/* The result. */
struct io_calls {
	u64 start, end; /* ns; what is to be shown */
	struct io_task *tasks;
	u32 nr_tasks;
	u64 lost; /* entries and exits without the other */
	/* Calls that began within @grain ns were added up, and so many are now parts of others; 0:
	 * that was not needed. */
	u64 grain, left_out;
};

#define IO_CALLS_BYTES ((u64)256 << 20)

struct io_calls_conf {
	struct task_table *tasks; /* borrowed */
	/* Tells which time is looked at, when the first event is fed; NULL: all of it. */
	void (*window)(void *ctx, u64 *start, u64 *end);
	void *ctx;
	bool skip_eagain; /* leave out calls that found nothing to do */
	/* Calls are added up, more and more, from so many bytes on; 0: IO_CALLS_BYTES. */
	u64 most_bytes;
};

struct io_engine;

const struct engine *io_engine(void);
/** io_engine_new - prepare; io_engine_free() frees it and its result. @conf: copied */
struct io_engine *io_engine_new(const struct io_calls_conf *conf);
void io_engine_free(struct io_engine *e);
/** io_engine_result - return the calls, borrowed. After the engine's finish(). */
const struct io_calls *io_engine_result(const struct io_engine *e);
/** io_calls_bytes - return how much memory the calls of all tasks take. */
u64 io_calls_bytes(const struct io_calls *r);

/** io_call_name - return the name of a system call by its number; NULL: there are no more. */
const char *io_call_name(u32 nr);
/** io_kind_name - return the name of a kind: "read". */
const char *io_kind_name(enum io_kind kind);

#endif
