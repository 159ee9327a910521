// SPDX-License-Identifier: GPL-2.0-or-later
/* Test replays of programs: they take at least as long as their steps, in their order. */
#include "base/compat.h"
#include "schedrun/schedrun.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

#define MS 1000000U

/* With costs of 0, runs and pauses are never too short. */
static const struct replay_costs no_costs;

static void test_rounds(void **state)
{
	struct replay_step first[] = { { REPLAY_PAUSE, 0, 20 * MS }, { REPLAY_WAKE, 0, 0 } };
	struct replay_step second[] = { { REPLAY_WAIT, 0, 0 },
					{ REPLAY_RUN, 0, 3 * MS },
					{ REPLAY_WAKE, 1, 0 } };
	struct replay_step third[] = { { REPLAY_WAIT, 1, 0 }, { REPLAY_RUN, 0, 2 * MS } };
	struct replay_program v[] = { { .steps = third, .nr = 2 },
				      { .steps = second, .nr = 3 },
				      { .steps = first, .nr = 2 },
				      { .nr = 0 } };
	const struct replay_programs p = { .v = v, .nr = ARRAY_SIZE(v), .nr_signals = 2 };
	struct replayer *r;
	struct err err = { 0 };

	assert_int_equal(replayer_new(&r, &p, &no_costs, &err), 0);
	for (int i = 0; i < 3; i++) {
		struct replay_round round;

		replayer_round(r, &round);
		assert_true(round.elapsed >= 25 * MS);
		assert_true(round.cpu >= 5 * MS);
	}
	replayer_free(r);
}

static void test_nothing(void **state)
{
	const struct replay_programs p = { 0 };
	struct replay_round round;
	struct replayer *r;
	struct err err = { 0 };

	assert_int_equal(replayer_new(&r, &p, &no_costs, &err), 0);
	replayer_round(r, &round);
	replayer_free(r);
	replayer_free(NULL);
}

static void test_costs(void **state)
{
	struct replay_costs c;

	replay_measure(&c);
	assert_true(c.run > 0 && c.run < 1000 * MS);
	assert_true(c.sleep < 1000 * MS);
	/* A step that costs more than it should take is not done at all. */
	replay_run(&(struct replay_costs){ .run = UINT64_MAX }, 1000000 * (u64)MS);
	replay_pause(&(struct replay_costs){ .sleep = UINT64_MAX }, 1000000 * (u64)MS);
}

static void test_small(void **state)
{
	struct replay_programs p = { .nr = 3, .first = 5, .last = 60000000005 };
	struct err err = { 0 };

	assert_int_equal(replay_is_small(&p, 3, &err), 0);
	assert_int_equal(replay_is_small(&p, 2, &err), -E2BIG);
	assert_non_null(strstr(err.msg, "each of 3 tasks"));
	p.last++;
	assert_int_equal(replay_is_small(&p, 3, &err), -E2BIG);
	assert_non_null(strstr(err.msg, "60 s long"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rounds),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_costs),
		cmocka_unit_test(test_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
