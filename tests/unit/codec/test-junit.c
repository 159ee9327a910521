// SPDX-License-Identifier: GPL-2.0-or-later
/* Test JUnit XML: every verdict, names that are markup, and the sums in the head. */
#include "base/compat.h"
#include "codec/junit.h"

#include <setjmp.h>

#include <cmocka.h>

static void all_verdicts(void **state)
{
	const struct junit_case cases[] = {
		{ "files", "opens", JUNIT_PASSED, 0.5, "" },
		{ "files", "a<b & \"c\"", JUNIT_FAILED, 1.25, "x > 1" },
		{ "live", "counts", JUNIT_SKIPPED, 0, "no \x01 counters" },
	};
	struct strbuf out = STRBUF_INIT;

	junit_text("perf", cases, ARRAY_SIZE(cases), &out);
	assert_string_equal(
		strbuf_str(&out),
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
		"  <testsuite name=\"perf\" tests=\"3\" failures=\"1\" skipped=\"1\" time=\"1.750\">\n"
		"    <testcase classname=\"files\" name=\"opens\" time=\"0.500\"/>\n"
		"    <testcase classname=\"files\" name=\"a&lt;b &amp; &quot;c&quot;\" time=\"1.250\">\n"
		"      <failure message=\"x &gt; 1\"/>\n    </testcase>\n"
		"    <testcase classname=\"live\" name=\"counts\" time=\"0.000\">\n"
		"      <skipped message=\"no \\x01 counters\"/>\n    </testcase>\n"
		"  </testsuite>\n</testsuites>\n");
	strbuf_release(&out);
}

static void no_cases(void **state)
{
	struct strbuf out = STRBUF_INIT;

	junit_text("empty", NULL, 0, &out);
	assert_non_null(strstr(strbuf_str(&out), "name=\"empty\" tests=\"0\" failures=\"0\""));
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_verdicts),
		cmocka_unit_test(no_cases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
