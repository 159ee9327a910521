// SPDX-License-Identifier: GPL-2.0-or-later
/* Test a lane against a plain array of its changes: intervals from any place, sums of any span. */
#include "base/compat.h"
#include "analyze/lane.h"

#include <setjmp.h>
#include <cmocka.h>

#define STEPS 1000
#define END 3000000

struct change {
	u64 time;
	enum lane_kind kind;
	u32 value;
};

/* Numbers that look random and are the same in each run. */
static u32 next_number(u32 *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* Make a lane whose changes are short and long, small and large, and some at the same time. */
static void fill(struct lane *l, struct change *all)
{
	u64 time = 1000;
	u32 seed = 1;

	for (u32 i = 0; i < STEPS; i++) {
		all[i] = (struct change){ time, (enum lane_kind)(i % LANE_KINDS),
					  i % 3 ? i : UINT32_MAX - i };
		lane_add(l, all[i].time, all[i].kind, all[i].value);
		time += i % 10 ? next_number(&seed) % 5000 : 0;
	}
	assert_true(time < END);
	lane_finish(l, END);
}

static u64 end_of(const struct change *all, u32 i)
{
	return i + 1 < STEPS ? all[i + 1].time : END;
}

static void test_intervals(void **state)
{
	struct change all[STEPS];
	struct lane l = { 0 };
	struct lane_cursor c;

	fill(&l, all);
	for (u64 time = 0; time < END; time += 17777) {
		const struct lane_interval *got;

		lane_seek(&c, &l, time);
		for (u32 i = 0; i < STEPS; i++) {
			if (end_of(all, i) <= time || end_of(all, i) == all[i].time)
				continue;
			got = lane_next(&c);
			assert_non_null(got);
			assert_int_equal(got->start, all[i].time);
			assert_int_equal(got->end, end_of(all, i));
			assert_int_equal(got->kind, all[i].kind);
			assert_int_equal(got->value, all[i].value);
		}
		assert_null(lane_next(&c));
	}
	lane_release(&l);
}

static void expected_sums(const struct change *all, u64 from, u64 to, u64 sums[LANE_KINDS])
{
	memset(sums, 0, LANE_KINDS * sizeof(*sums));
	sums[LANE_NONE] = to - from;
	for (u32 i = 0; i < STEPS; i++) {
		u64 start = MAX(all[i].time, from), end = MIN(end_of(all, i), to);

		if (end <= start)
			continue;
		sums[LANE_NONE] -= end - start;
		sums[all[i].kind] += end - start;
	}
}

static void test_sums(void **state)
{
	struct change all[STEPS];
	struct lane l = { 0 };
	u64 want[LANE_KINDS], got[LANE_KINDS];
	u32 seed = 7;

	fill(&l, all);
	for (u32 i = 0; i < 500; i++) {
		u64 from = next_number(&seed) % (END + 5000);
		u64 to = from + next_number(&seed) % (i % 2 ? END : 2000);

		expected_sums(all, from, to, want);
		lane_sums(&l, from, to, got);
		assert_memory_equal(got, want, sizeof(got));
	}
	lane_sums(&l, 10, 10, got);
	assert_int_equal(got[LANE_NONE], 0);
	lane_release(&l);
}

static void test_edges(void **state)
{
	struct lane l = { 0 };
	struct lane_cursor c;
	u64 sums[LANE_KINDS];

	lane_finish(&l, 50); /* nothing is in it */
	lane_seek(&c, &l, 0);
	assert_null(lane_next(&c));
	lane_sums(&l, 10, 30, sums);
	assert_int_equal(sums[LANE_NONE], 20);

	lane_add(&l, 100, LANE_NONE, 0); /* nothing is what an empty lane has */
	assert_int_equal(l.nr, 0);
	lane_add(&l, 100, LANE_RUNNING, 3);
	lane_add(&l, 200, LANE_RUNNING, 3); /* this is no change */
	assert_int_equal(l.nr, 1);
	lane_add(&l, 50, LANE_IDLE, 0); /* the time runs backwards */
	lane_finish(&l, 300);
	lane_seek(&c, &l, 299);
	assert_int_equal(lane_next(&c)->kind, LANE_IDLE);
	lane_seek(&c, &l, 300);
	assert_null(lane_next(&c));
	lane_sums(&l, 0, 1000, sums);
	assert_int_equal(sums[LANE_RUNNING], 0);
	assert_int_equal(sums[LANE_IDLE], 200);
	assert_int_equal(sums[LANE_NONE], 800);
	lane_release(&l);
}

static void test_wakers(void **state)
{
	assert_int_equal(lane_waker(0), LANE_NO_WAKER);
	assert_int_equal(lane_waker(lane_woken_by(LANE_NO_WAKER)), LANE_NO_WAKER);
	assert_int_not_equal(lane_woken_by(LANE_NO_WAKER), 0); /* which says preempted */
	assert_int_equal(lane_waker(lane_woken_by(0)), 0);
	assert_int_equal(lane_waker(lane_woken_by(77)), 77);
	for (u32 k = 0; k < LANE_KINDS; k++)
		assert_true(strlen(lane_kind_name((enum lane_kind)k)) > 3);
}

/* Bursts of changes become an interval of each kind with the sums of their times. What lasts longer
 * than the grain stays as it was. */
static void test_coarse(void **state)
{
	struct lane l = { 0 };
	const struct lane_interval *i;
	struct lane_cursor c;
	u64 sums[LANE_KINDS], left_out = 0;

	for (u64 burst = 0; burst < 10; burst++) {
		for (u64 k = 0; k < 9; k++)
			left_out += lane_add_coarse(&l, 100, 100 + burst * 1000 + k * 10,
						    k % 2 ? LANE_RUNNABLE : LANE_RUNNING, (u32)k);
		assert_int_equal(lane_now(&l), LANE_RUNNING);
		left_out += lane_add_coarse(&l, 100, 100 + burst * 1000 + 95, LANE_SLEEPING, 7);
	}
	lane_finish(&l, 10100);
	assert_int_equal(left_out, 6 + 8 * 7); /* those of the last burst are not told */
	lane_sums(&l, 100, 10100, sums);
	assert_int_equal(sums[LANE_RUNNABLE], 10 * 40);
	assert_int_equal(sums[LANE_RUNNING], 10 * 55);
	assert_int_equal(sums[LANE_SLEEPING], 10 * 905);
	lane_seek(&c, &l, 5000);
	i = lane_next(&c);
	assert_int_equal(i->kind, LANE_SLEEPING);
	assert_int_equal(i->start, 4195);
	assert_int_equal(i->end, 5100);
	assert_int_equal(i->value, 7);
	i = lane_next(&c);
	assert_int_equal(i->kind, LANE_RUNNING);
	assert_int_equal(i->value, 8);
	i = lane_next(&c);
	assert_int_equal(i->kind, LANE_RUNNABLE);
	assert_int_equal(i->value, 7);
	lane_release(&l);
}

/* A lane may end in the middle of changes; without a grain nothing is left out. */
static void test_coarse_ends(void **state)
{
	struct lane l = { 0 };
	const struct lane_interval *i;
	struct lane_cursor c;

	assert_true(lane_is_empty(&l));
	assert_int_equal(lane_add_coarse(&l, 0, 100, LANE_RUNNING, 0), 0);
	assert_int_equal(lane_add_coarse(&l, 0, 101, LANE_SLEEPING, 0), 0);
	assert_int_equal(lane_add_coarse(&l, 50, 102, LANE_RUNNING, 1), 0);
	assert_int_equal(lane_add_coarse(&l, 50, 90, LANE_RUNNING, 2), 0); /* time goes back */
	lane_finish(&l, 200);
	assert_int_equal(l.nr, 3);
	lane_seek(&c, &l, 150);
	i = lane_next(&c);
	assert_int_equal(i->start, 102);
	assert_int_equal(i->end, 200);
	assert_int_equal(i->value, 2);
	lane_release(&l);
	assert_int_equal(lane_add_coarse(&l, 50, 100, LANE_RUNNING, 0), 0);
	assert_int_equal(lane_add_coarse(&l, 50, 110, LANE_SLEEPING, 0), 0);
	lane_release(&l); /* without an end */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_coarse),    cmocka_unit_test(test_coarse_ends),
		cmocka_unit_test(test_intervals), cmocka_unit_test(test_sums),
		cmocka_unit_test(test_edges),     cmocka_unit_test(test_wakers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
