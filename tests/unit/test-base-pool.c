// SPDX-License-Identifier: GPL-2.0-or-later
/* Work on several threads: each item once; and in order, until one fails. */
#include "base/compat.h"
#include "base/pool.h"

#include <setjmp.h>
#include <cmocka.h>
#include <stdatomic.h>
#include <unistd.h>

#define ITEMS 500
#define WORKERS 4

struct made {
	atomic_int times[ITEMS];
	size_t held[WORKERS]; /* what each worker has made and not handed over */
	size_t handed;        /* how many were */
	atomic_int handing;
	size_t fails; /* this item does; ITEMS: none */
};

static void make(void *ctx, int worker, size_t item)
{
	struct made *m = ctx;

	atomic_fetch_add(&m->times[item], 1);
	m->held[worker] = item;
	if (item % 37 == 0)
		usleep(500); /* the others go ahead, as far as they may */
}

static int hand(void *ctx, int worker, size_t item)
{
	struct made *m = ctx;

	assert_int_equal(atomic_fetch_add(&m->handing, 1), 0);
	assert_int_equal(m->held[worker], item);
	assert_int_equal(m->handed, item);
	m->handed++;
	if (item % 41 == 0)
		usleep(500);
	atomic_fetch_sub(&m->handing, 1);
	return item == m->fails ? -5 : 0;
}

static void test_each_once(void **state)
{
	for (int workers = 0; workers <= WORKERS; workers++) {
		struct made m = { .fails = ITEMS };

		pool_run(workers, ITEMS, make, &m);
		for (size_t i = 0; i < ITEMS; i++)
			assert_int_equal(m.times[i], 1);
	}
}

static void test_in_order(void **state)
{
	for (int workers = 0; workers <= WORKERS; workers++) {
		struct made m = { .fails = ITEMS };

		assert_int_equal(pool_run_in_order(workers, ITEMS, make, hand, &m), 0);
		assert_int_equal(m.handed, ITEMS);
		for (size_t i = 0; i < ITEMS; i++)
			assert_int_equal(m.times[i], 1);
	}
	assert_int_equal(pool_run_in_order(2, 0, make, hand, NULL), 0);
}

/* Nothing is handed over after what failed, and little is made. */
static void test_failure(void **state)
{
	for (int workers = 1; workers <= WORKERS; workers++) {
		struct made m = { .fails = 100 };
		size_t nr = 0;

		assert_int_equal(pool_run_in_order(workers, ITEMS, make, hand, &m), -5);
		assert_int_equal(m.handed, 101);
		for (size_t i = 0; i < ITEMS; i++)
			nr += (size_t)m.times[i];
		assert_in_range(nr, 101, 101 + workers);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_once),
		cmocka_unit_test(test_in_order),
		cmocka_unit_test(test_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
