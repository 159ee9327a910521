// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what is known of a recording before a kernel has opened it: sizes of rings, and statuses of
 * targets. */
#include "base/compat.h"
#include "recorder/opened.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Rings are as large as what is expected of the events. */
static void test_ring_pages(void **state)
{
	enum { PAGE = 4096, MEMORY = 1 << 20 }; /* 4 GB */
	struct perf_event_attr slow = { .freq = 1, .sample_freq = 100 };
	struct perf_event_attr flood = { .type = PERF_TYPE_TRACEPOINT, .sample_period = 1 };
	struct record_opts o = { 0 };
	struct evlist l = { 0 };

	evlist_add(&l, &slow, "slow");
	assert_int_equal(opened_ring_pages(&o, &l, 1, MEMORY, PAGE), 1);
	evlist_add(&l, &flood, "flood");
	/* 64 ms of 32 MB/s are 2 MB, 512 pages of which are a power of two */
	assert_int_equal(opened_ring_pages(&o, &l, 1, MEMORY, PAGE), 512);
	/* no more than a part of the memory altogether */
	assert_int_equal(opened_ring_pages(&o, &l, 64, MEMORY, PAGE), 128);
	/* nor than what an output file is to have */
	o.max_size = 64 * PAGE;
	assert_int_equal(opened_ring_pages(&o, &l, 1, MEMORY, PAGE), 64);
	o.switching.size = 16 * PAGE;
	assert_int_equal(opened_ring_pages(&o, &l, 1, MEMORY, PAGE), 16);
	evlist_release(&l);
}

/* The status that perf 6.1 ends with when there is no such target. */
static void test_status(void **state)
{
	assert_int_equal(opened_status(&(struct target){ .pids = "1" }, -ESRCH), (u8)-ENOMEM);
	assert_int_equal(opened_status(&(struct target){ .cpus = "99" }, -ENODEV), (u8)-ENODEV);
	assert_int_equal(opened_status(&(struct target){ .cpus = "x" }, -EINVAL), 129);
	assert_int_equal(opened_status(&(struct target){ .uid = "x" }, -EINVAL), 255);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ring_pages),
		cmocka_unit_test(test_status),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
