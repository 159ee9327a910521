/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This engine follows the locks of the kernel: how often each was taken, how often a task had to
 * wait for it, and how long. Kernels tell of waits alone, those with LOCKDEP of all that is done to
 * a lock:
 *
 *	contention_begin ---- wait ---- contention_end
 *	lock_acquire, [lock_contended ---- wait ----,] lock_acquired ... lock_release
 *
 * A mutex begins to wait twice when its task spins before it sleeps: the first time counts. Memory
 * grows with the number of pairs of a task and a lock, not of events.
 */
#ifndef PERF_LOCK_LOCK_H
#define PERF_LOCK_LOCK_H

#include "analyze/engine.h"
#include "analyze/task-table.h"

/* A type tells what kind of lock it is, and whether it was taken to read (R) or to write (W). */
enum lock_type {
	LOCK_UNKNOWN,
	LOCK_SEMAPHORE,
	LOCK_SPINLOCK,
	LOCK_RWLOCK_R,
	LOCK_RWLOCK_W,
	LOCK_RWSEM_R,
	LOCK_RWSEM_W,
	LOCK_RT_MUTEX,
	LOCK_RWLOCK_RT_R,
	LOCK_RWLOCK_RT_W,
	LOCK_PERCPU_SEM_R,
	LOCK_PERCPU_SEM_W,
	LOCK_MUTEX,
	LOCK_TYPES
};

/** lock_type_of - return the type that the flags of contention_begin mean. */
enum lock_type lock_type_of(u64 flags);

/* Waits are counted together by one of these. */
enum lock_by {
	LOCK_BY_CALLER,  /* who asked for the lock, for each type */
	LOCK_BY_CHAIN,   /* the whole call chain, for each type */
	LOCK_BY_ADDRESS, /* the lock */
	LOCK_BY_TASK,
	LOCK_BY_CGROUP,
	LOCK_BY_CLASS, /* the name of the lock; of one without a name, who asked for it first */
	LOCK_BY_OWNER, /* who held the lock; not of recordings */
	LOCK_BY_OWNER_CHAIN, /* who held the lock, and its call chain; not of recordings */
	LOCK_BY_FUTEX,       /* locks of programs: see lock/futex.h */
};

/* These are sums over waits, in ns. */
struct lock_waits {
	u64 count, total, max, min; /* min: 0 without waits */
};

/** lock_waits_add - add @count waits. @total, @max, @min: of these, in ns */
static inline void lock_waits_add(struct lock_waits *w, const struct lock_waits *more)
{
	w->min = w->count && w->min < more->min ? w->min : more->min;
	w->max = w->max > more->max ? w->max : more->max;
	w->count += more->count;
	w->total += more->total;
}

/* A row is counted together. Members that differ within it are those of its first event. */
struct lock_row {
	enum lock_type type;
	u64 address; /* of the lock */
	u64 caller;  /* the address of the code that asked for it; 0: unknown */
	u64 cgroup;
	u32 task;         /* its number in the table of tasks */
	u32 chain;        /* for lock_chain() */
	const char *name; /* of the lock, by LOCKDEP; lives as long as the state; "": unknown */
	u64 acquired;     /* so often it was taken */
	u64 contended;    /* so often somebody had to wait for it */
	struct lock_waits waits;
	bool broken; /* its events came in an order that cannot be */
};

/* Somebody begins to wait. */
struct lock_begin {
	enum lock_type type;
	u64 address, cgroup;
	const char *name; /* of the lock; "": unknown */
	const struct task_at *task;
};

/* So many events lack their counterpart, or are not to be believed. */
struct lock_missing {
	u64 unended; /* waits without an end */
	u64 ends;    /* ends without a begin */
	u64 torn;    /* waits during which events were lost */
	u64 rows, broken;
	u64 bad[4]; /* LOCKDEP's events in a wrong place: acquire, acquired, contended, release */
};

struct lock_conf {
	enum lock_by by;
	bool all;                 /* LOCKDEP's events are counted one by one, not waits alone */
	struct task_table *tasks; /* borrowed */
	u32 max_stack;            /* so many frames of a call chain are looked at */
	/*
	 * Look at a call chain, once for each that is different.
	 * @ips: @nr addresses of the kernel, innermost first
	 * @caller: receives the address of the code that asked for the lock; 0: unknown
	 * Return: whether waits with this chain are wanted.
	 */
	bool (*chain)(void *ctx, const u64_una *ips, u32 nr, u64 *caller);
	/* Tell whether a wait is wanted. */
	bool (*wanted)(void *ctx, const struct lock_begin *begin);
	/* A wait has ended that lasted from @since to @until, in ns; may be NULL. */
	void (*wait)(void *ctx, u64 since, u64 until);
	void *ctx;
};

/* These are the numbers of events in the table of the engine. */
enum lock_event {
	LOCK_ACQUIRE,
	LOCK_ACQUIRED,
	LOCK_CONTENDED,
	LOCK_RELEASE,
	LOCK_BEGIN,
	LOCK_END,
	LOCK_EVENTS
};

struct lock;

/** lock_engine - return the engine, whose state is a struct lock. @name: of it in messages */
struct engine lock_engine(const char *name);

/** lock_new - prepare; lock_free() frees the state. @conf: copied */
struct lock *lock_new(const struct lock_conf *conf);
void lock_free(struct lock *k);

/**
 * lock_add - add waits that were counted elsewhere, unless the caller does not want their call
 * chain.
 * @row: of them; @row->caller and @row->chain are made, @row->name lives as long as the state
 * @ips: their call chain, @nr addresses, innermost first
 */
void lock_add(struct lock *k, const struct lock_row *row, const u64_una *ips, u32 nr);

/** lock_rows - return the rows in the order in which they appeared. @nr: their number */
const struct lock_row *lock_rows(const struct lock *k, size_t *nr);
/** lock_chain - return the addresses of a call chain, innermost first. @nr: their number */
const u64_una *lock_chain(const struct lock *k, u32 chain, u32 *nr);
/** lock_missing - return the counts of what had no counterpart. */
struct lock_missing lock_missing(const struct lock *k);
/** lock_saw_task - tell whether any event is of that task. @task: its number in the table */
bool lock_saw_task(const struct lock *k, u32 task);

#endif
