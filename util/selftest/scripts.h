/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts that are tests: executable files NAME.sh in a folder. */
#ifndef PERF_SELFTEST_SCRIPTS_H
#define PERF_SELFTEST_SCRIPTS_H

#include "selftest/suite.h"

/* Suites, those of scripts behind the ones of the binary. */
struct test_suites {
	const struct test_suite **v; /* owned */
	size_t nr;
	size_t nr_built; /* of the binary, which are borrowed */
};

/**
 * test_suites_init - take suites of the binary, and append a suite for each script in a folder, in
 * the order of their names. What a script tests stands in its first comment behind the first line,
 * apart from that of a licence.
 * @dir: it need not be there
 */
void test_suites_init(struct test_suites *s, const struct test_suite *const *built, size_t nr,
		      const char *dir);
/** test_suites_release - free the suites of scripts, and the list. */
void test_suites_release(struct test_suites *s);

#endif
