/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These are the programs of lock-watch.h. */
#ifndef PERF_BPF_LOCK_WATCH_INTERNAL_H
#define PERF_BPF_LOCK_WATCH_INTERNAL_H

#include "bpf/asm.h"
#include "bpf/lock-watch.h"

#define LOCK_MISSED_BITS 16 /* of hashes of sums that there was no room for */

/* The programs and this process share these data. */
struct lock_ctl {
	u64 enabled;
	u64 lost_waits, lost_begins, lost_stacks;
	u64 nr_chains; /* of owners, which are numbered from 0 */
};

/* Somebody waits for something. */
struct lock_open_key {
	u64 who; /* a thread, or a CPU with OF_CPU */
	u64 address;
};

struct lock_open {
	u64 since; /* 0: it is over. The entry stays, as to add it again would cost time. */
	u32 flags;
	s32 stack; /* -1: none */
	u64 tid;
	char comm[LOCK_WATCH_COMM];
};

struct lock_sum_key {
	u64 what;
	u32 tid;
	s32 stack;
};

struct lock_sum {
	u64 count, total, max, min;
	u64 address;
	u32 flags, hint;
	char comm[LOCK_WATCH_COMM];
	char cache[LOCK_WATCH_CACHE];
};

/* Structures of the kernel have members at these offsets; -1: not needed, or unknown. */
struct lock_layout {
	int mutex_owner, rwsem_owner;
	int pid, comm, mm, sighand, pi_lock; /* in struct task_struct */
	int mmap_lock, siglock;              /* in struct mm_struct and sighand_struct */
	int cache_name;                      /* in struct kmem_cache */
	/* These are numbers of functions of the kernel; 0: it has none, or it is not needed. */
	u32 find_cache, find_task, put_task;
};

/** lock_prog_begin - assemble the program for contention_begin(lock, flags). */
void lock_prog_begin(struct bpf_code *c, const struct lock_watch *w,
		     const struct lock_watch_opts *opts, const struct lock_layout *at);
/** lock_prog_end - assemble the program for contention_end(lock, ret). */
void lock_prog_end(struct bpf_code *c, const struct lock_watch *w,
		   const struct lock_watch_opts *opts, const struct lock_layout *at);
/** lock_prog_task - assemble the program for task_newtask(task, ...), which follows children. */
void lock_prog_task(struct bpf_code *c, const struct lock_watch *w);

#endif
