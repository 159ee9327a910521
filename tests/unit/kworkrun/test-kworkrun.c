// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what BPF programs count of softirqs and of this thread's time; only where such programs can
 * be loaded. */
#include "base/compat.h"
#include "base/clock.h"
#include "kworkrun/shares.h"
#include "kworkrun/work-count.h"

#include <setjmp.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define MS 1000000ULL

static const struct sysroot here = { NULL };

/* Spend CPU time, in ns, and sleep between, so that there are switches and timers. */
static void work(u64 ns)
{
	u64 from = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	u32 round = 0;

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < from + ns)
		if (!(++round % 4096))
			usleep(100);
}

struct seen {
	u64 runs, delays;
	bool bad;
};

static bool is_possible(const struct kwork_spans *s)
{
	return s->max <= s->total && s->max_start <= s->max_end &&
	       s->max_end - s->max_start == s->max && (s->count || !s->total);
}

static void on_sum(void *ctx, const struct kwork_item *item)
{
	struct seen *seen = ctx;

	seen->bad |= item->class != KWORK_SOFTIRQ || !is_possible(&item->runs) ||
		     !is_possible(&item->delays) || item->id > 31;
	seen->runs += item->runs.count;
	seen->delays += item->delays.count;
}

static void test_softirqs(void **state)
{
	const struct work_count_opts opts = { .sysroot = &here,
					      .classes = KWORK_BIT(KWORK_SOFTIRQ),
					      .entries = 256 };
	struct seen seen = { 0 };
	struct work_count w;
	struct err err = { 0 };

	if (work_count_open(&w, &opts, &err)) {
		print_message("no BPF programs here: %s\n", err.msg);
		skip();
	}
	assert_int_equal(work_count_read(&w, on_sum, &seen), 0);
	assert_int_equal(seen.runs, 0); /* nothing is counted before it is enabled */
	work_count_enable(&w, true);
	work(30 * MS);
	usleep(20000);
	work_count_enable(&w, false);
	assert_int_equal(work_count_read(&w, on_sum, &seen), 0);
	assert_false(seen.bad);
	assert_true(seen.runs && seen.delays && seen.delays <= seen.runs + 64);
	work_count_close(&w);
}

static void test_shares(void **state)
{
	const struct shares_opts opts = { .sysroot = &here, .irqs = true, .softirqs = true };
	struct shares_result r = { 0 };
	u64 own = 0, known = 0, sum = 0, used;
	struct shares s;
	struct err err = { 0 };
	u32 tid = (u32)syscall(SYS_gettid);

	if (shares_open(&s, &opts, &err)) {
		print_message("no BPF programs here: %s\n", err.msg);
		skip();
	}
	shares_enable(&s, true);
	used = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	work(60 * MS);
	used = clock_ns(CLOCK_THREAD_CPUTIME_ID) - used;
	shares_enable(&s, false);
	shares_read(&s, &r);
	for (size_t i = 0; i < r.nr_tasks; i++) {
		sum += r.tasks[i].ns;
		own += r.tasks[i].tid == tid ? r.tasks[i].ns : 0;
		assert_true(r.tasks[i].tid);
	}
	for (u32 cpu = 0; cpu < r.nr_cpus; cpu++) {
		known += r.cpus[cpu].total;
		sum += r.cpus[cpu].idle + r.cpus[cpu].irq + r.cpus[cpu].softirq;
	}
	assert_int_equal(r.lost, 0);
	/* The shares add up to all there was, but for events that came in the last moment. */
	assert_true(known && sum <= known + MS && sum + MS >= known);
	/* Interrupts are taken off what the kernel counts for a thread, and a host takes time. */
	assert_true(own <= used + 10 * MS && own + used / 2 + 10 * MS >= used);
	shares_result_release(&r);
	shares_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_softirqs),
		cmocka_unit_test(test_shares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
