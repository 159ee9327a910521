// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "session/itrace.h"

#include <setjmp.h>
#include <cmocka.h>

static void test_valid(void **state)
{
	static const char *const good[] = { "",       "i",     "i100us", "i10i",   "i5t",
					    "cr,x b", "e+o-l", "d+e",    "g16l64", "i1ms,s100" };

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		if (!itrace_is_valid(good[i]))
			fail_msg("'%s' is valid", good[i]);
}

static void test_wrong(void **state)
{
	static const char *const wrong[] = { "k", "i100ks", "ius2;", "e+", "c10us", "1", "b-" };

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		if (itrace_is_valid(wrong[i]))
			fail_msg("'%s' is not valid", wrong[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_valid),
		cmocka_unit_test(test_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
