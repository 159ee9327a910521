/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of call-sums.h, and what they share with this process. */
#ifndef PERF_BPF_CALL_SUMS_INTERNAL_H
#define PERF_BPF_CALL_SUMS_INTERNAL_H

#include "bpf/asm.h"
#include "bpf/call-sums.h"

#define CALL_NONE (-1) /* the number of no call */

/* Keys of calls have this bit in their group while their epoch has it. The epoch changes each time
 * that the sums are taken, so that nobody adds to sums that are read. */
#define SUMS_EPOCH ((u64)1 << 63)

/* Errors from here on, which only the kernel knows, have counters behind those below them. */
#define SUMS_ERROR_GAP 256
#define SUMS_ERROR_HIGH 512

/* Bits of the values of the map of calls that are wanted. */
enum { SUMS_WANTED_WIDE = 1, SUMS_WANTED_NARROW = 2 };

/* The value of a thread, by its number. */
struct sums_thread {
	s64 nr; /* of the call that has begun, or CALL_NONE */
	u64 start;
	s64 first;  /* of its sums: the number of the call that was seen first last, or CALL_NONE */
	u64 cgroup; /* where that call has begun; only if control groups have sums */
	u32 pid;
	u32 ended; /* the thread is no more */
};

struct sums_key {
	u64 group;
	s64 nr;
};

/* The value of a call. All members begin as 0, which is what other CPUs have of a new one. */
struct sums_value {
	u64 returned, timed, errors, total, max;
	u64 not_min;     /* the complement of the shortest time */
	u64 squares;     /* of times below 2^32 ns, */
	u64 squares_big; /* what goes beyond 64 bits and squares of longer times, in 2^32 */
	s64 next;        /* the call of the same thread that was seen before this one */
	u32 pid;
	u32 unused;
};

/* The programs read members of the kernel's structures at these offsets. */
struct sums_offsets {
	struct bpf_task_at task;
	int number; /* of the call in struct pt_regs, 4 bytes; -1: unknown */
	int narrow; /* in struct task_struct, 4 bytes with @narrow_bit if the call is of a 32-bit
		     * program; -1: unknown */
	s32 narrow_bit;
	/* The program is checked by the types of the kernel, and loads members itself: to have a
	 * helper copy them takes longer than all the rest. */
	bool direct;
};

/** sums_prog_enter - assemble the program for the raw tracepoint sys_enter. */
void sums_prog_enter(struct bpf_code *c, const struct call_sums *s,
		     const struct call_sums_opts *opts, const struct sums_offsets *at);
/** sums_prog_exit - assemble the program for the raw tracepoint sys_exit. */
void sums_prog_exit(struct bpf_code *c, const struct call_sums *s,
		    const struct call_sums_opts *opts, const struct sums_offsets *at);
/** sums_prog_fork - assemble the program for the raw tracepoint task_newtask. */
void sums_prog_fork(struct bpf_code *c, const struct call_sums *s, const struct sums_offsets *at);
/** sums_prog_exec - assemble the program for the raw tracepoint sched_process_exec. */
void sums_prog_exec(struct bpf_code *c, const struct call_sums *s,
		    const struct call_sums_opts *opts);
/** sums_prog_end - assemble the program for the raw tracepoint sched_process_exit. */
void sums_prog_end(struct bpf_code *c, const struct call_sums *s);

/** sums_add - add what was counted on one CPU. */
void sums_add(struct call_sum *to, const struct sums_value *v);

#endif
