/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A suite of checks has cases with names; each is a function with a result. */
#ifndef PERF_SELFTEST_SUITE_H
#define PERF_SELFTEST_SUITE_H

#include "base/compat.h"

enum test_result { TEST_OK = 0, TEST_FAIL = -1, TEST_SKIP = -2 };

struct test_ctx {
	char reason[128]; /* why it was skipped, "" when nothing was said */
	int verbose;      /* as often as -v was given */
};

struct test_case {
	const char *name;
	int (*run)(struct test_ctx *ctx); /* Return: enum test_result */
	/* A program that is run instead, with the status 0, 1 or 2 for a result; mostly NULL */
	const char *script;
};

/* One numbered line of `perf test list`; with several cases each has a line below it. */
struct test_suite {
	const char *name;
	const struct test_case *cases;
	size_t nr_cases;   /* at least 1; the name of an only case is not printed */
	const char *rooms; /* the folders of the source that it checks, a blank between two of them;
			    * NULL for none */
};

#endif
