// SPDX-License-Identifier: GPL-2.0-or-later
/* Test work on several threads: each item once; and in order, until one fails. */
#include "base/compat.h"
#include "base/pool.h"

#include <setjmp.h>
#include <cmocka.h>
#include <pthread.h>
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

/* After a failure nothing is handed over, and little more is made. */
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

#define BUSY 20 /* items */

struct seen {
	pthread_t by[WORKERS][2];
	atomic_bool was[WORKERS][2];
	atomic_int items;
	int round;
	bool wait; /* each item lasts until all threads have one, or ten seconds */
};

static bool all_have_one(struct seen *s)
{
	for (int i = 0; i < WORKERS; i++)
		if (!atomic_load(&s->was[i][s->round]))
			return false;
	return true;
}

static void note_thread(void *ctx, int worker, size_t item)
{
	struct seen *s = ctx;

	(void)item;
	s->by[worker][s->round] = pthread_self();
	atomic_store(&s->was[worker][s->round], true);
	atomic_fetch_add(&s->items, 1);
	for (int i = 0; s->wait && i < 10000 && !all_have_one(s); i++)
		usleep(1000);
}

static void all_made(const struct made *m, int times)
{
	for (size_t i = 0; i < ITEMS; i++)
		assert_int_equal(m->times[i], times);
}

/* Threads that stay do one job after the other; some jobs have less than they could do. */
static void test_crew(void **state)
{
	struct crew *crew = crew_new(WORKERS);
	struct seen s = { 0 };
	struct made m = { .fails = ITEMS };

	(void)state;
	assert_int_equal(crew_workers(crew), WORKERS);
	crew_run(crew, 0, make, &m);
	crew_run(crew, 2, note_thread, &s);
	for (s.wait = true; s.round < 2; s.round++)
		crew_run(crew, BUSY, note_thread, &s);
	assert_int_equal(s.items, 2 * BUSY + 2);
	for (int i = 1; i < WORKERS; i++) {
		assert_true(pthread_equal(s.by[i][0], s.by[i][1]));
		assert_false(pthread_equal(s.by[i][0], s.by[0][0]));
	}
	for (int i = 0; i < 100; i++)
		crew_run(crew, ITEMS, make, &m);
	all_made(&m, 100);
	crew_free(crew);
	crew_run(NULL, ITEMS, make, &m);
	all_made(&m, 101);
	assert_int_equal(crew_workers(NULL), 1);
	crew_free(NULL);
	crew = crew_new(0);
	crew_run(crew, ITEMS, make, &m);
	all_made(&m, 102);
	crew_free(crew);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_once),
		cmocka_unit_test(test_in_order),
		cmocka_unit_test(test_failure),
		cmocka_unit_test(test_crew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
