/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of calls whose begin has not been seen yet: its record comes just before that of the call.
 * Where the call never comes, because a filter has dropped it or it was lost, the memory is
 * forgotten when others need its place.
 */
#ifndef PERF_TRACERUN_PENDING_H
#define PERF_TRACERUN_PENDING_H

#include "tracerun/memory.h"

#define TRACE_PENDING 64

struct trace_pending {
	u32 nr, next; /* the pieces that are used; the place of the next one when all are */
	struct trace_pending_call {
		u32 tid;
		struct call_head head;
		struct trace_memory *memory; /* owned */
	} v[TRACE_PENDING];
};

/** trace_pending_add - keep the memory of a call that thread @tid is about to begin. */
void trace_pending_add(struct trace_pending *p, struct trace_memory_pool *pool, u32 tid,
		       const struct call_record *r);
/** trace_pending_take - return the memory of a call that has begun, which is the caller's from now
 * on; NULL: there is none. */
struct trace_memory *trace_pending_take(struct trace_pending *p, const struct syscall_call *call);
/** trace_pending_release - free all. */
void trace_pending_release(struct trace_pending *p);
/** trace_memory_is_of - tell whether a record is of a call with these numbers. */
bool trace_memory_is_of(const struct call_head *head, const struct syscall_call *call);

#endif
