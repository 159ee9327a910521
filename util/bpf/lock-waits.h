/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for locks of the kernel, counted by BPF programs at the tracepoints lock:contention_begin
 * and contention_end. Nothing is recorded: sums are kept in a map, by call chain, lock, task or
 * cgroup, and read at the end.
 */
#ifndef PERF_BPF_LOCK_WAITS_H
#define PERF_BPF_LOCK_WAITS_H

#include "base/err.h"
#include "base/int-list.h"
#include "base/sysroot.h"

#define LOCK_WAITS_STACK_MAX 127
#define LOCK_WAITS_COMM 16

/* Waits are added up by one of these, and by call chain as well when chains are wanted. */
enum lock_waits_by {
	LOCK_WAITS_BY_FLAGS,
	LOCK_WAITS_BY_LOCK,
	LOCK_WAITS_BY_TASK,
	LOCK_WAITS_BY_CGROUP,
	LOCK_WAITS_BY_OWNER, /* the task that had the mutex or rwsem when the wait began */
};

/* After a wait for a lock, whoever waited keeps it longer. */
struct lock_delay {
	u64 address, ns;
};

struct lock_waits_opts {
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
	enum lock_waits_by by;
	bool chains;
	u32 entries; /* sums that can be kept */
	u32 depth;   /* frames of a call chain, up to LOCK_WAITS_STACK_MAX */
	u32 not_pid; /* leave out this process; 0: none */
};

/* What the kernel knows of a lock that lies in memory without a name. */
enum lock_waits_hint { LOCK_HINT_NONE, LOCK_HINT_MMAP_LOCK, LOCK_HINT_SIGLOCK, LOCK_HINT_PI_LOCK };

/* A sum. Members that differ within it are those of its first wait. */
struct lock_waits_sum {
	u64 count, total, max, min; /* ns */
	u64 address, cgroup;
	u32 flags;
	u32 tid; /* of the task or the owner; UINT32_MAX: unknown */
	enum lock_waits_hint hint;
	char comm[LOCK_WAITS_COMM]; /* of that task; terminated */
	u64 ips[LOCK_WAITS_STACK_MAX];
	u32 nr_ips; /* the kernel's stack, innermost first */
};

typedef void (*lock_waits_fn)(void *ctx, const struct lock_waits_sum *sum);

/* This could not be kept. */
struct lock_waits_lost {
	u64 waits;   /* there was no room for their sums */
	u64 sums;    /* about so many different sums those are of */
	u64 begins;  /* there was no room for waits under way */
	u64 stacks;  /* call chains that could not be stored */
};

struct lock_waits {
	int ctl, open, sums, missed, stacks, tasks, cpus, cgroups, addresses, delays; /* maps, or -1 */
	int progs[3], links[3];                                                     /* -1 */
	enum lock_waits_by by;
};

/**
 * lock_waits_open - load and attach the programs. Nothing is counted until lock_waits_enable().
 * Return: 0, or a negative errno and a sentence, and then there is nothing to close.
 */
int lock_waits_open(struct lock_waits *w, const struct lock_waits_opts *opts, struct err *err);
/** lock_waits_enable - start or stop counting. */
void lock_waits_enable(struct lock_waits *w, bool on);
/** lock_waits_read - call @fn for each sum. */
void lock_waits_read(const struct lock_waits *w, lock_waits_fn fn, void *ctx,
		     struct lock_waits_lost *lost);
/** lock_waits_close - detach the programs and free everything. */
void lock_waits_close(struct lock_waits *w);

#endif
