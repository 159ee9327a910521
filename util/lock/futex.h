/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This engine follows locks of programs: waits for futexes, as their system calls tell of them.
 *
 *	thread A	enter futex(WAIT) ---- wait ---- exit
 *	thread B			  enter futex(WAKE)
 *
 * Programs take and leave a lock that nobody else wants without a system call, so nothing tells who
 * has it. Who wakes a waiter up has probably had the lock: that is a guess.
 */
#ifndef PERF_LOCK_FUTEX_H
#define PERF_LOCK_FUTEX_H

#include "lock/lock.h"

#define FUTEX_NOBODY UINT32_MAX

/* Waits for one futex of a process are counted together. */
struct futex_row {
	u32 pid;
	u64 address;
	u64 time;   /* of the last wait: what the address meant then */
	u32 waiter; /* the number of the first task that waited, in the table of tasks */
	u32 waker;  /* that of the one that ended the most time of waits; FUTEX_NOBODY: unknown */
	struct lock_waits waits;
};

struct futex_conf {
	struct task_table *tasks; /* borrowed */
	/* Tell whether waits of a task are wanted. */
	bool (*wanted)(void *ctx, const struct task_at *task);
	/* A wait has ended that lasted from @since to @until, in ns; may be NULL. */
	void (*wait)(void *ctx, u64 since, u64 until);
	void *ctx;
};

enum futex_event { FUTEX_ENTER, FUTEX_EXIT, FUTEX_EVENTS };

struct futex;

/** futex_engine - return the engine, whose state is a struct futex. */
struct engine futex_engine(void);

/** futex_new - prepare; futex_free() frees the state. @conf: copied */
struct futex *futex_new(const struct futex_conf *conf);
void futex_free(struct futex *f);

/** futex_rows - return the rows in the order in which they appeared. @nr: their number */
const struct futex_row *futex_rows(const struct futex *f, size_t *nr);
/** futex_missing - return the counts of what had no counterpart. */
struct lock_missing futex_missing(const struct futex *f);

#endif
