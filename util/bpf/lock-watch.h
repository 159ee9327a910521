/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for locks of the kernel, counted by BPF programs at the tracepoints lock:contention_begin
 * and contention_end. Nothing is recorded: sums are kept in a map, by call chain, lock, task or
 * cgroup, and read at the end.
 */
#ifndef PERF_BPF_LOCK_WATCH_H
#define PERF_BPF_LOCK_WATCH_H

#include "base/err.h"
#include "base/int-list.h"
#include "base/sysroot.h"
#include "bpf/sys.h"

#define LOCK_WATCH_STACK_MAX 127
#define LOCK_WATCH_COMM 16
#define LOCK_WATCH_CACHE 32 /* bytes of the name of a slab cache */

/* Waits are added up by one of these, and by call chain as well when chains are wanted. */
enum lock_watch_by {
	LOCK_WATCH_BY_FLAGS,
	LOCK_WATCH_BY_LOCK,
	LOCK_WATCH_BY_TASK,
	LOCK_WATCH_BY_CGROUP,
	LOCK_WATCH_BY_OWNER, /* the task that had the mutex or rwsem when the wait began */
};

/* After a wait for a lock, whoever waited keeps it longer. */
struct lock_delay {
	u64 address, ns;
};

struct lock_watch_opts {
	const struct sysroot *sysroot;  /* borrowed, like all pointers below */
	const struct int_list *tids;    /* these threads and those that they create; empty: all */
	const struct int_list *cpus;    /* only waits that begin on these; NULL: on any */
	const struct int_list *cgroups; /* descriptors: only tasks in one of these; NULL: any */
	const u32 *flags;               /* only locks with these flags */
	u32 nr_flags;                   /* 0: any */
	const u64 *addresses;           /* only these locks */
	u32 nr_addresses;               /* 0: any */
	const struct lock_delay *delays;
	u32 nr_delays;
	enum lock_watch_by by;
	bool chains;       /* of who waits */
	bool owner_chains; /* of who has the lock, in place of those; by owner only */
	u32 entries;       /* sums that can be kept */
	u32 depth;         /* frames of a call chain, up to LOCK_WATCH_STACK_MAX */
	u32 not_pid;       /* leave out this process; 0: none */
};

/* The kernel knows this of a lock that lies in memory without a name. */
enum lock_watch_hint {
	LOCK_HINT_NONE,
	LOCK_HINT_MMAP_LOCK,
	LOCK_HINT_SIGLOCK,
	LOCK_HINT_PI_LOCK,
	LOCK_HINT_QUEUE, /* of the run queue of a CPU */
};

/* A sum is made of many waits. Members that differ within it are those of the first one. */
struct lock_watch_sum {
	u64 count, total, max, min; /* ns */
	u64 address, cgroup;
	u32 flags;
	u32 tid; /* of the task or the owner; UINT32_MAX: unknown */
	enum lock_watch_hint hint;
	char comm[LOCK_WATCH_COMM];   /* of that task; terminated */
	char cache[LOCK_WATCH_CACHE]; /* the slab cache that the lock is an object of; "": unknown,
				       * or not counted by lock */
	u64 ips[LOCK_WATCH_STACK_MAX];
	u32 nr_ips; /* the kernel's stack, innermost first */
};

typedef void (*lock_watch_fn)(void *ctx, const struct lock_watch_sum *sum);

/* This could not be kept. */
struct lock_watch_lost {
	u64 waits;                       /* there was no room for their sums */
	u64 sums;                        /* about so many different sums those are of */
	u64 begins;                      /* there was no room for waits under way */
	u64 stacks;                      /* call chains that could not be stored */
	bool no_owner_chains, no_caches; /* they were wanted, and this kernel cannot tell them */
};

struct lock_watch {
	int ctl, open, sums, missed, stacks, chains, chain, tasks, cpus, cgroups, addresses,
		delays; /* maps, or -1 */
	struct bpf_at_tracepoint progs[3];
	enum lock_watch_by by;
	u32 depth;
	bool no_owner_chains, no_caches;
	u64 *queues; /* owned; locks of run queues by CPU; 0: unknown */
	u32 nr_queues;
};

/**
 * lock_watch_open - load and attach the programs. Nothing is counted until lock_watch_enable().
 * Return: 0, or a negative errno and a sentence, and then there is nothing to close.
 */
int lock_watch_open(struct lock_watch *w, const struct lock_watch_opts *opts, struct err *err);
/** lock_watch_enable - start or stop counting. */
void lock_watch_enable(struct lock_watch *w, bool on);
/** lock_watch_read - call @fn for each sum. */
void lock_watch_read(const struct lock_watch *w, lock_watch_fn fn, void *ctx,
		     struct lock_watch_lost *lost);
/** lock_watch_close - detach the programs and free everything. */
void lock_watch_close(struct lock_watch *w);

#endif
