/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs suites of checks, each case in a process of its own, one or several at a time, and tells of
 * each in their order. A case that crashes, or does not end in time, has failed.
 */
#ifndef PERF_SELFTEST_SELFTEST_H
#define PERF_SELFTEST_SELFTEST_H

#include "base/err.h"
#include "base/notice.h"
#include "base/strbuf.h"
#include "selftest/suite.h"

/* The options of a run; all of it is borrowed. */
struct selftest {
	const struct test_suite *const *suites;
	size_t nr_suites;
	/* The words choose suites: numbers from 1 on, parts of their names or of their cases'
	 * names. Without words all run. */
	const char *const *words;
	size_t nr_words;
	const char *skip; /* words separated by commas, of suites to leave out; NULL: none */
	u32 seconds;      /* time that a case has; a script has five times as much */
	bool here;        /* run the cases in this process: a crash ends it, time is not limited */
	u32 at_once;      /* cases that run at the same time, at least 1 */
	int verbose;      /* show what the cases print; cases may print more when it is 2 or more */
	bool color;       /* color what is not well */
	const struct notices *out; /* takes the text of the run, piece by piece */
};

/* The outcome of a case. */
struct selftest_result {
	const char *suite, *name; /* borrowed from the suites */
	int result;               /* enum test_result */
	double seconds;
	char reason[128]; /* of a skip or a failure; may be "" */
};

struct selftest_results {
	struct selftest_result *v; /* owned */
	size_t nr, cap;
	size_t failed;
};

/** selftest_list - append the numbers and names of the suites and their cases. */
void selftest_list(const struct selftest *t, struct strbuf *out);
/**
 * selftest_run - run the suites.
 * @all: zeroed; what became of each case; free it with selftest_results_release()
 * Return: 0, or negative errno and a sentence when nothing could be run.
 */
int selftest_run(const struct selftest *t, struct selftest_results *all, struct err *err);
/** selftest_junit - append the outcomes as a JUnit XML document. */
void selftest_junit(const struct selftest_results *all, struct strbuf *out);
/** selftest_results_release - free the outcomes. */
void selftest_results_release(struct selftest_results *all);

#endif
