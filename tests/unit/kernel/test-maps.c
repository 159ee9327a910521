// SPDX-License-Identifier: GPL-2.0-or-later
/* Test which file our own process has mapped at an address. */
#include "base/compat.h"
#include "kernel/maps.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

static void test_name_at(void **state)
{
	char line[PATH_MAX + 256], own[PATH_MAX] = "";
	const char *name = maps_name_at((uintptr_t)test_name_at, line, sizeof(line));

	assert_true(readlink("/proc/self/exe", own, sizeof(own) - 1) > 0);
	assert_non_null(name);
	assert_string_equal(name, own);
	/* memory of nobody, and memory without a file */
	assert_null(maps_name_at(0, line, sizeof(line)));
	assert_null(maps_name_at((uintptr_t)&line, line, sizeof(line)));
	/* where there is little room a name is cut off, or left out */
	name = maps_name_at((uintptr_t)test_name_at, line, 80);
	assert_true(!name || !strncmp(name, own, strlen(name)));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_name_at) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
