/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The I/O of tasks: system calls that read, write, synchronise, wait for files or use sockets, each
 * from its entry to its exit.
 */
#ifndef PERF_ANALYZE_IO_CALLS_H
#define PERF_ANALYZE_IO_CALLS_H

#include "analyze/engine.h"
#include "analyze/task-table.h"

enum io_kind { IO_READ, IO_WRITE, IO_SYNC, IO_RECEIVE, IO_SEND, IO_POLL, IO_KINDS };

#define IO_NO_FILE UINT32_MAX

struct io_call {
	u64 start, end; /* ns; equal to the end of the recording if no exit was recorded */
	s64 result;     /* bytes, or a negative errno */
	u32 file;       /* descriptor, or IO_NO_FILE */
	enum io_kind kind;
};

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
};

struct io_calls_conf {
	struct task_table *tasks; /* borrowed */
	/* Tells which time is looked at, when the first event is fed; NULL: all of it. */
	void (*window)(void *ctx, u64 *start, u64 *end);
	void *ctx;
	bool skip_eagain; /* leave out calls that found nothing to do */
};

struct io_engine;

const struct engine *io_engine(void);
/** io_engine_new - prepare; io_engine_free() frees it and its result. @conf: copied */
struct io_engine *io_engine_new(const struct io_calls_conf *conf);
void io_engine_free(struct io_engine *e);
/** io_engine_result - return the calls, borrowed. After the engine's finish(). */
const struct io_calls *io_engine_result(const struct io_engine *e);

/** io_call_name - return the name of a system call by its number; NULL: there are no more. */
const char *io_call_name(u32 nr);
/** io_kind_name - return the name of a kind: "read". */
const char *io_kind_name(enum io_kind kind);

#endif
