// SPDX-License-Identifier: GPL-2.0-or-later
/* Test which CPU came online, by messages of the kernel about devices. */
#include "base/compat.h"
#include "kernel/cpu-watch.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define CPU(text) cpu_watch_parse(text, sizeof(text) - 1)

static void test_parse(void **state)
{
	(void)state;
	assert_int_equal(CPU("online@/devices/system/cpu/cpu1\0ACTION=online"), 1);
	assert_int_equal(CPU("online@/devices/system/cpu/cpu255"), 255);
	assert_int_equal(CPU("offline@/devices/system/cpu/cpu1\0ACTION=offline"), -1);
	assert_int_equal(CPU("online@/devices/system/cpu/cpu"), -1);
	assert_int_equal(CPU("online@/devices/system/cpu/cpuidle"), -1);
	assert_int_equal(CPU("online@/devices/system/cpu/cpu1/cache"), -1);
	assert_int_equal(CPU("online@/devices/system/cpu/cpu99999999999"), -1);
	assert_int_equal(CPU("add@/devices/pci0000:00"), -1);
	assert_int_equal(CPU(""), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_parse) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
