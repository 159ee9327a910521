/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of traced processes. A call that has not returned yet has arguments that its process
 * cannot have changed by itself: what they point to is read while the kernel says that the thread
 * is in the same call with the same arguments, before and after the reading. What is not in memory
 * at once is not waited for.
 */
#ifndef PERF_TRACERUN_MEMORY_H
#define PERF_TRACERUN_MEMORY_H

#include "analyze/syscalls.h"
#include "base/sysroot.h"
#include "bpf/call-memory.h"
#include "sysargs/sysargs.h"

#define TRACE_STRING_MAX CALL_COPY_MAX /* bytes of a string that are read */

/* Memory that arguments of a call point to. */
struct trace_memory {
	u32 nr;
	struct trace_piece {
		u64 addr;
		u32 size;
		u8 bytes[TRACE_STRING_MAX];
		bool out; /* it was written by the kernel, and read when the call had returned */
	} v[CALL_PIECES];
};

/* Memory that calls have given back. It is large, and most calls need it for a moment only. */
struct trace_memory_pool {
	struct trace_memory *spare[16]; /* owned */
	u32 nr;
};

/** trace_memory_new - return memory of which nothing is known, for trace_memory_give(). */
struct trace_memory *trace_memory_new(struct trace_memory_pool *pool);
/** trace_memory_give - give memory back. @m: or NULL */
void trace_memory_give(struct trace_memory_pool *pool, struct trace_memory *m);
/** trace_memory_pool_release - free what was given back. */
void trace_memory_pool_release(struct trace_memory_pool *pool);
/**
 * trace_memory_read - read what the arguments of a call that goes on point to.
 * @row: what that is, or NULL
 * Return: it, for trace_memory_give(); NULL: there is nothing, or it cannot be believed.
 */
struct trace_memory *trace_memory_read(struct trace_memory_pool *pool, const struct sysroot *sr,
				       const struct syscall_call *call,
				       const struct call_copies *row);
/** trace_memory_add - add the pieces of a record; what finds no room is left out. */
void trace_memory_add(struct trace_memory *m, const struct call_record *r);
/** trace_memory_name - add a path of @len bytes: what the first path of a call points to that is
 * not known yet. @desc: of the call, or NULL */
void trace_memory_name(struct trace_memory *m, const struct syscall_call *call,
		       const struct syscall_desc *desc, const char *path, size_t len);
/**
 * trace_memory_copy - copy what is known of @size bytes from @addr on.
 * @out: as the kernel has written them, not as they were when the call began
 * Return: how many are known.
 */
size_t trace_memory_copy(const struct trace_memory *m, u64 addr, void *buf, size_t size, bool out);
/** trace_memory_wanted - tell whether a call has memory that could be read. @row: or NULL */
bool trace_memory_wanted(const struct call_copies *row);
/**
 * trace_memory_same - tell whether the text of /proc/TID/syscall is of a call with these arguments.
 * @text: "0 0x3 0x7f... 0x340 0x0 0x0 0x0 0x7ffe... 0x7f...", or "running"
 */
bool trace_memory_same(const char *text, const struct syscall_call *call);

#endif
