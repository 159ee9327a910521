// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the statistics of system calls, and that those of threads that have ended stay few. */
#include "base/compat.h"
#include "analyze/syscall-sums.h"

#include <math.h>
#include <setjmp.h>
#include <cmocka.h>

static void call(struct syscall_sums *s, u64 key, s64 nr, u64 ns, s64 ret)
{
	size_t group = syscall_sums_group(s, key, 1);

	syscall_sums_event(s, group, 5);
	syscall_sums_call(s, group, nr);
	syscall_sums_return(s, group, nr, true, ns, ret);
}

static void test_times(void **state)
{
	static const struct {
		const char *name;
		u64 times[5]; /* 0 ends them */
		u64 total, min, max;
		double mean, deviation; /* in per cent of the mean */
	} rows[] = {
		{ "one", { 7 }, 7, 7, 7, 7, 0 },
		{ "equal ones", { 7, 7, 7 }, 21, 7, 7, 7, 0 },
		{ "two", { 6, 24 }, 30, 6, 24, 15, 60 },
		{ "years",
		  { 1ULL << 61, 3ULL << 61 },
		  1ULL << 63,
		  1ULL << 61,
		  3ULL << 61,
		  (double)(1ULL << 62),
		  50 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct syscall_sums s;
		const struct syscall_sum *sum;

		syscall_sums_init(&s, 10);
		for (size_t k = 0; rows[i].times[k]; k++)
			call(&s, 3, 1, rows[i].times[k], 0);
		sum = &s.groups[0].sums[0];
		if (sum->total != rows[i].total || sum->min != rows[i].min ||
		    sum->max != rows[i].max ||
		    fabs(syscall_sum_mean(sum) / rows[i].mean - 1) > 1e-9 ||
		    fabs(syscall_sum_deviation(sum) - rows[i].deviation) > 1e-6)
			fail_msg("%s: %" PRIu64 " %" PRIu64 " %" PRIu64 " %f %f", rows[i].name,
				 sum->total, sum->min, sum->max, syscall_sum_mean(sum),
				 syscall_sum_deviation(sum));
		syscall_sums_release(&s);
	}
}

/* Quantiles are those of all calls, also when threads that have ended were folded. */
static void test_quantiles(void **state)
{
	struct syscall_sums s;
	const struct syscall_sum *sum;

	syscall_sums_init(&s, 0);
	call(&s, 3, 1, 5, 0);
	assert_null(s.groups[0].sums[0].steps);
	assert_int_equal(syscall_sum_quantile(&s.groups[0].sums[0], 500000), 0);
	syscall_sums_release(&s);

	syscall_sums_init(&s, 0);
	s.steps = true;
	for (u64 key = 1; key <= 2; key++) {
		for (u64 ns = 1; ns <= 1000; ns++)
			call(&s, key, 1, ns, 0);
		syscall_sums_end(&s, key);
	}
	assert_int_equal(s.groups[0].folded, 2);
	sum = &s.groups[0].sums[0];
	assert_in_range(syscall_sum_quantile(sum, 500000), 500, 563);
	assert_in_range(syscall_sum_quantile(sum, 990000), 990, 1000);
	assert_int_equal(syscall_sum_quantile(sum, 1000000), 1000);
	assert_int_equal(syscall_sum_quantile(sum, 1000), 1);
	syscall_sums_release(&s);
}

static void test_open_calls(void **state)
{
	struct syscall_sums s;
	const struct syscall_sum *sum;

	syscall_sums_init(&s, 10);
	syscall_sums_call(&s, syscall_sums_group(&s, 1, 1), 7);
	sum = &s.groups[0].sums[0];
	assert_int_equal(sum->calls, 1);
	assert_int_equal(sum->timed, 0);
	assert_true(syscall_sum_deviation(sum) == 0);
	syscall_sums_release(&s);
}

static void test_errors(void **state)
{
	struct syscall_sums s;
	const struct syscall_sum *sum;

	syscall_sums_init(&s, 10);
	call(&s, 1, 7, 1, -4096);
	call(&s, 1, 7, 1, -4095);
	call(&s, 1, 7, 1, -2);
	call(&s, 1, 7, 1, -2);
	call(&s, 1, 7, 1, 5);
	syscall_sums_sort(&s);
	sum = &s.groups[0].sums[0];
	assert_int_equal(sum->calls, 5);
	assert_int_equal(sum->errors, 3);
	assert_int_equal(sum->nr_errnos, 2);
	assert_int_equal(sum->errnos[0].error, 2);
	assert_int_equal(sum->errnos[0].nr, 2);
	assert_int_equal(sum->errnos[1].error, 4095);
	syscall_sums_release(&s);
}

static void test_order(void **state)
{
	struct syscall_sums s;

	syscall_sums_init(&s, 10);
	call(&s, 1, 9, 5, 0);
	call(&s, 1, 3, 5, 0);
	call(&s, 1, 5, 6, 0);
	call(&s, 2, 5, 6, 0);
	syscall_sums_sort(&s);
	assert_int_equal(s.nr, 2);
	assert_int_equal(s.groups[0].nr, 3);
	assert_int_equal(s.groups[0].sums[0].nr, 5);
	assert_int_equal(s.groups[0].sums[1].nr, 3);
	assert_int_equal(s.groups[0].sums[2].nr, 9);
	syscall_sums_release(&s);
}

/* Nothing is lost when groups are folded, and what lives stays what it is. */
static void test_ended(void **state)
{
	struct syscall_sums s;
	u64 events = 0, total = 0;
	const struct syscall_sum *alive;

	syscall_sums_init(&s, 4);
	call(&s, 1000, 1, 9, 0);
	for (u64 key = 1; key < 100; key++) {
		call(&s, key, 1, key, -2);
		call(&s, 2000, 2, 8, 0);
		syscall_sums_end(&s, key);
		syscall_sums_end(&s, key);
		assert_true(s.nr <= 8);
	}
	call(&s, 7, 1, 1000, 0); /* the key is used again */
	for (size_t i = 0; i < s.nr; i++) {
		events += s.groups[i].events;
		for (size_t k = 0; k < s.groups[i].nr; k++)
			if (s.groups[i].sums[k].nr == 1)
				total += s.groups[i].sums[k].total;
	}
	assert_int_equal(events, 1 + 99 * 2 + 1);
	assert_int_equal(s.events, events);
	assert_int_equal(total, 9 + 99 * 100 / 2 + 1000);
	assert_true(s.groups[0].folded > 90);
	assert_int_equal(s.groups[0].sums[0].min, 1);
	alive = &s.groups[syscall_sums_group(&s, 2000, 1)].sums[0];
	assert_int_equal(alive->calls, 99);
	assert_int_equal(s.groups[syscall_sums_group(&s, 1000, 1)].sums[0].total, 9);
	syscall_sums_release(&s);
}

/* The deviation of groups that were folded is that of all their calls. */
static void test_folded_deviation(void **state)
{
	struct syscall_sums apart, together;

	syscall_sums_init(&apart, 0);
	syscall_sums_init(&together, 10);
	for (u64 i = 1; i < 20; i++) {
		call(&apart, i, 1, i * i * 100, 0);
		call(&together, 1, 1, i * i * 100, 0);
		syscall_sums_end(&apart, i);
	}
	assert_int_equal(apart.nr, 1);
	assert_true(fabs(syscall_sum_deviation(&apart.groups[0].sums[0]) -
			 syscall_sum_deviation(&together.groups[0].sums[0])) < 1e-6);
	syscall_sums_release(&apart);
	syscall_sums_release(&together);
}

/* Sums that were counted elsewhere are added to those that are there, and make new ones. */
static void test_added(void **state)
{
	const struct syscall_sum more = { .nr = 1,
					  .calls = 3,
					  .errors = 1,
					  .timed = 2,
					  .total = 30,
					  .min = 10,
					  .max = 20,
					  .squares = 500 };
	const struct syscall_sum open = { .nr = 2, .calls = 1 };
	struct syscall_sums s;
	struct syscall_sum *sum;
	size_t group;

	syscall_sums_init(&s, 4);
	group = syscall_sums_group(&s, 7, 7);
	call(&s, 7, 1, 5, 0);
	syscall_sums_add(&s, group, &more);
	syscall_sums_add(&s, group, &open);
	syscall_sums_events(&s, group, 5, 99);
	sum = &s.groups[group].sums[0];
	assert_int_equal(sum->calls, 4);
	assert_int_equal(sum->errors, 1);
	assert_int_equal(sum->total, 35);
	assert_int_equal(sum->min, 5);
	assert_int_equal(sum->max, 20);
	assert_true(fabs(syscall_sum_mean(sum) - 35.0 / 3) < 1e-9);
	assert_int_equal(s.groups[group].sums[1].calls, 1);
	assert_int_equal(s.groups[group].sums[1].timed, 0);
	assert_int_equal(s.groups[group].events, 6);
	assert_int_equal(s.groups[group].last, 99);
	syscall_sums_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_open_calls),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_ended),
		cmocka_unit_test(test_folded_deviation),
		cmocka_unit_test(test_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
