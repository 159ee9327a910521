// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What sampling may cost. A rate at which the kernel would spend more than its share
 * of each CPU on samples is brought down to one where it does not. What a sample costs here, with
 * the fields asked for, is measured: the same work is done with and without a clock that samples
 * it. The kernel itself watches (perf_cpu_time_max_percent) the interrupts of hardware counters
 * only.
 */
#include "base/compat.h"
#include "recorder/opened.h"

#include "base/clock.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MEASURE_FROM_NS                                                                            \
	20000 /* rates that keep the budget at such a cost are not worth measuring */
#define PERIOD_NS 100000
#define WORK_NS 2000000 /* how long the work takes, about */
#define RUNS 7          /* the middle one counts: others want the CPU too */
#define RING_PAGES 32

static u64 work(u64 rounds)
{
	volatile u64 x = 0;
	u64 start = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	for (u64 i = 0; i < rounds; i++)
		x = x + i;
	return clock_ns(CLOCK_THREAD_CPUTIME_ID) - start;
}

/* Open a clock on this thread with samples like those of @like. Return: a descriptor, or -errno. */
static int open_clock(const struct perf_event_attr *like, u64 period)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
				     .config = PERF_COUNT_SW_CPU_CLOCK,
				     .size = sizeof(a),
				     .sample_period = period,
				     .sample_type = like->sample_type,
				     .sample_regs_user = like->sample_regs_user,
				     .sample_regs_intr = like->sample_regs_intr,
				     .sample_stack_user = like->sample_stack_user,
				     .sample_max_stack = like->sample_max_stack,
				     .exclude_kernel = like->exclude_kernel,
				     .exclude_callchain_kernel = like->exclude_callchain_kernel,
				     .exclude_callchain_user = like->exclude_callchain_user,
				     .disabled = 1,
				     .write_backward = 1 };
	int fd;

	/* what needs hardware costs what it costs there */
	a.sample_type &= ~(u64)(PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_AUX);
	fd = (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Return: nanoseconds that a sample takes, 0 when that cannot be known. */
static double sample_cost(const struct perf_event_attr *like, u64 freq)
{
	/* not so short that one sample meets the next */
	u64 period = MAX(1000000000 / freq, (u64)PERIOD_NS), rounds = 100000;
	size_t len = (size_t)(RING_PAGES + 1) * (size_t)sysconf(_SC_PAGESIZE);
	double costs[RUNS], plain, sampled;
	int fd = open_clock(like, period);
	void *ring;

	if (fd < 0)
		return 0;
	/* no tail is ever written: the oldest samples give way, none is too many */
	ring = mmap(NULL, len, PROT_READ, MAP_SHARED, fd, 0);
	for (u64 ns = work(rounds); ns && ns < WORK_NS && rounds < 1ULL << 40; ns = work(rounds))
		rounds *= 2;
	for (int i = 0; i < RUNS; i++) {
		plain = (double)work(rounds);
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		sampled = (double)work(rounds);
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		costs[i] = (sampled - plain) / (sampled / (double)period);
	}
	close(fd);
	if (ring == MAP_FAILED)
		return 0;
	munmap(ring, len);
	qsort(costs, RUNS, sizeof(*costs), by_size);
	return MAX(costs[RUNS / 2], 0.0);
}

void budget_keep(struct evlist *l, unsigned int percent, const struct notices *notes)
{
	const struct perf_event_attr *like = NULL;
	double cost, share, budget = percent / 100.0;
	u64 rate = 0, kept = 0;

	for (size_t i = 0; i < l->nr; i++) {
		const struct perf_event_attr *a = &l->evsels[i]->attr;

		/* the side-band event has no samples */
		if (!a->freq || l->evsels[i]->terms.tracking)
			continue;
		rate += a->sample_freq;
		if (!like || a->sample_freq > like->sample_freq)
			like = a;
	}
	if (!like || budget <= 0 || (double)rate * MEASURE_FROM_NS / 1e9 <= budget)
		return;
	cost = sample_cost(like, like->sample_freq);
	share = cost * (double)rate / 1e9;
	if (share <= budget)
		return;
	for (size_t i = 0; i < l->nr; i++) {
		struct perf_event_attr *a = &l->evsels[i]->attr;

		if (!a->freq || l->evsels[i]->terms.tracking)
			continue;
		a->sample_freq = MAX((u64)((double)a->sample_freq * budget / share), (u64)1);
		kept += a->sample_freq;
	}
	notice(notes,
	       "info: %" PRIu64
	       " samples a second would take %.0f %% of each CPU here: using %" PRIu64
	       " to stay within %u %% (see --sample-budget)\n",
	       rate, MIN(share, 1.0) * 100, kept, percent);
}
