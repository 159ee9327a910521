// SPDX-License-Identifier: GPL-2.0-or-later
/* Check what is told of system calls. */
#include "base/compat.h"

#include "made.h"
#include "suites.h"

/* A file is closed, and another one cannot be: 3 is close() on the machine of made recordings. */
static const char calls[] = "event raw_syscalls:sys_enter long id; unsigned long args[6]\n"
			    "event raw_syscalls:sys_exit long id; long ret\n"
			    "task 100 100 caller\n"
			    "1000000 0 100 raw_syscalls:sys_enter 3 7 0 0 0 0 0\n"
			    "1002000 0 100 raw_syscalls:sys_exit 3 0\n"
			    "1003000 0 100 raw_syscalls:sys_enter 3 8 0 0 0 0 0\n"
			    "1007000 0 100 raw_syscalls:sys_exit 3 -9\n";

static int test_lines(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(
		calls,
		"0.000 ( 2.000 ms): caller/100 close(fd: 7) = 0\n"
		"3.000 ( 4.000 ms): caller/100 close(fd: 8) = -1 EBADF (Bad file descriptor)",
		"trace", "-i", "perf.data", "-o", "/dev/stdout");
}

static int test_sums(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(calls,
			   "caller (100), 4 events, 100.0%\n"
			   "close 2 1 6.000 2.000 3.000 4.000 33.33%",
			   "trace", "-s", "-i", "perf.data", "-o", "/dev/stdout");
}

static const struct test_case cases[] = {
	{ "a line for each call", test_lines },
	{ "sums of calls", test_sums },
};
TEST_SUITE(suite_calls, "System calls", cases, "tracetext tracerun");
