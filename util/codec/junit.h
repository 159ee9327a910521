/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Test results as JUnit XML, which continuous-integration services read. */
#ifndef PERF_CODEC_JUNIT_H
#define PERF_CODEC_JUNIT_H

#include "base/strbuf.h"

enum junit_verdict { JUNIT_PASSED, JUNIT_FAILED, JUNIT_SKIPPED };

struct junit_case {
	const char *suite, *name; /* borrowed */
	enum junit_verdict verdict;
	double seconds;
	const char *reason; /* borrowed; the reason for a failure or a skip; may be "" */
};

/**
 * junit_text - append a complete document: one test suite with the name @suite and the @nr cases of
 * @cases.
 */
void junit_text(const char *suite, const struct junit_case *cases, size_t nr, struct strbuf *out);

#endif
