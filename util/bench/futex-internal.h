/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The benchmarks of the collection futex have this in common. */
#ifndef PERF_BENCH_FUTEX_INTERNAL_H
#define PERF_BENCH_FUTEX_INTERNAL_H

#include "bench/bench.h"
#include "bench/team.h"

#include <linux/futex.h>
#include <time.h>

struct futex_options {
	unsigned int threads; /* 0: one for each CPU */
	unsigned int runtime; /* seconds */
	unsigned int buckets; /* of this process' hash table; 0: that of all processes is used */
	bool silent, shared, lock_memory, buckets_given;
};

#define FUTEX_COMMON_OPTIONS(o)                                                                    \
	OPT_UINTEGER('t', "threads", &(o)->threads, "Specify amount of threads"),                  \
		OPT_BOOLEAN('s', "silent", &(o)->silent,                                           \
			    "Silent mode: do not display data/details"),                           \
		OPT_BOOLEAN('S', "shared", &(o)->shared,                                           \
			    "Use shared futexes instead of private ones"),                         \
		OPT_BOOLEAN('m', "mlockall", &(o)->lock_memory,                                    \
			    "Lock all current and future memory"),                                 \
		OPT_UINTEGER_SET('b', "buckets", &(o)->buckets, &(o)->buckets_given,               \
				 "Specify amount of hash buckets")
#define FUTEX_RUNTIME_OPTION(o)                                                                    \
	OPT_UINTEGER('r', "runtime", &(o)->runtime, "Specify runtime (in seconds)")

/** futex_settle - check the options, set the number of threads and the size of the hash table, lock
 * memory. Return: as a bench_fn. */
int futex_settle(struct futex_options *o, struct err *err);
/** futex_kind - return "private" or "shared". */
const char *futex_kind(const struct futex_options *o);
/**
 * futex_call - futex(2).
 * Return: what the kernel returns, or a negative errno.
 */
int futex_call(const struct futex_options *o, u32 *futex, int op, u32 val, unsigned long val2,
	       u32 *futex2, u32 val3);
/* Threads that block on a futex, as often as there are runs. */
struct futex_waiters {
	const struct futex_options *o; /* borrowed */
	u32 futex;                     /* 0 while they are to wait */
	struct bench_team team;
};

/** futex_wait_start - create waiters, and wait until they block. Return: as bench_team_start(). */
int futex_wait_start(struct futex_waiters *w, const struct futex_options *o, struct err *err);
/** futex_wait_end - wait until all waiters have been woken and are gone. */
void futex_wait_end(struct futex_waiters *w);

int futex_hash(struct bench *b, struct err *err);
int futex_wake(struct bench *b, struct err *err);
int futex_wake_parallel(struct bench *b, struct err *err);
int futex_requeue(struct bench *b, struct err *err);
int futex_lock_pi(struct bench *b, struct err *err);

#endif
