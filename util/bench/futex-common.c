// SPDX-License-Identifier: GPL-2.0-or-later
/* Options and threads that the benchmarks of futexes have in common. */
#include "base/compat.h"
#include "bench/futex-internal.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef PR_FUTEX_HASH /* since Linux 6.16 */
#define PR_FUTEX_HASH 78
#define PR_FUTEX_HASH_SET_SLOTS 1
#endif

#define SETTLE_US 100000 /* in which threads that were told to begin have come to block */

int futex_settle(struct futex_options *o, struct err *err)
{
	struct int_list cpus;

	if (!o->threads) {
		cpus = bench_cpus();
		o->threads = (unsigned int)cpus.nr;
		int_list_release(&cpus);
	}
	if (o->buckets_given &&
	    prctl(PR_FUTEX_HASH, PR_FUTEX_HASH_SET_SLOTS, (unsigned long)o->buckets, 0UL, 0UL))
		return err_set(err, -errno,
			       "could not set the number of hash buckets to %u: %s; it has to be 0 "
			       "or a power of 2 from 2 on, and Linux 6.16 is needed",
			       o->buckets, err_str(-errno));
	if (o->lock_memory && mlockall(MCL_CURRENT | MCL_FUTURE))
		return err_set(err, -errno,
			       "could not lock all memory: %s; raise 'ulimit -l', or "
			       "leave out --mlockall",
			       err_str(-errno));
	return 0;
}

const char *futex_kind(const struct futex_options *o)
{
	return o->shared ? "shared" : "private";
}

int futex_call(const struct futex_options *o, u32 *futex, int op, u32 val, unsigned long val2,
	       u32 *futex2, u32 val3)
{
	long r = syscall(SYS_futex, futex, op | (o->shared ? 0 : FUTEX_PRIVATE_FLAG), val, val2,
			 futex2, val3);

	return r < 0 ? -errno : (int)r;
}

static void wait_until_set(struct bench_worker *w)
{
	struct futex_waiters *f = w->team->ctx;

	while (!__atomic_load_n(&f->futex, __ATOMIC_ACQUIRE))
		if (!futex_call(f->o, &f->futex, FUTEX_WAIT, 0, 0, NULL, 0))
			break;
}

int futex_wait_start(struct futex_waiters *w, const struct futex_options *o, struct err *err)
{
	int ret;

	w->futex = 0;
	w->o = o;
	ret = bench_team_start(&w->team, o->threads, true, wait_until_set, w, err);
	if (ret)
		return ret;
	bench_team_go(&w->team);
	usleep(SETTLE_US);
	return 0;
}

void futex_wait_end(struct futex_waiters *w)
{
	/* One that came late finds that it need not wait. */
	__atomic_store_n(&w->futex, 1, __ATOMIC_RELEASE);
	futex_call(w->o, &w->futex, FUTEX_WAKE, INT32_MAX, 0, NULL, 0);
	bench_team_join(&w->team);
	bench_team_release(&w->team);
}
