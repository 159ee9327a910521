/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that run code of an interpreter or a compiler at run time (python, node, java, ruby)
 * and do not tell its names: their samples are in the runtime and in memory without names.
 */
#ifndef PERF_PROFILE_RUNTIMES_H
#define PERF_PROFILE_RUNTIMES_H

#include "base/hash.h"
#include "base/notice.h"
#include "machine/machine.h"
#include "symbol/symbol.h"

/* Samples by process. Starts zeroed. */
struct busy_processes {
	struct busy_process {
		u32 pid;
		u64 nr, time; /* samples, and when one of them was */
	} * v;
	size_t nr, cap;
	u32 last; /* the one that had the last sample */
	struct map64 by_pid;
};

/** busy_find - return the counts of a process that is not the last one. */
struct busy_process *busy_find(struct busy_processes *b, u32 pid);
/** busy_note - count samples of a process. */
static inline void busy_note(struct busy_processes *b, u32 pid, u64 time, u64 nr)
{
	struct busy_process *p = b->nr && b->v[b->last].pid == pid ? &b->v[b->last]
								   : busy_find(b, pid);

	p->nr += nr;
	p->time = MAX(p->time, time);
}
/** busy_merge - add what another worker counted. */
void busy_merge(struct busy_processes *to, const struct busy_processes *from);
void busy_release(struct busy_processes *b);

/**
 * runtime_advice - tell what has a runtime name the functions that it runs.
 * @object: short name of an object of the process: "libpython3.12.so.1.0", "node"
 * Return: the part of a sentence behind "record it with"; NULL: that is no runtime.
 */
const char *runtime_advice(const char *object);
/**
 * runtimes_tell - tell in one sentence for each process of a runtime that has at least @percent of
 * the samples of all and neither a perf map nor a jitdump.
 */
void runtimes_tell(const struct busy_processes *b, double percent, const struct machine *m,
		   struct symbols *symbols, const struct notices *sentences);

#endif
