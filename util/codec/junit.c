// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "codec/junit.h"

#include "codec/quote.h"

static void put_case(const struct junit_case *c, struct strbuf *out)
{
	strbuf_addstr(out, "    <testcase classname=\"");
	quote_xml(out, c->suite);
	strbuf_addstr(out, "\" name=\"");
	quote_xml(out, c->name);
	strbuf_addf(out, "\" time=\"%.3f\"", c->seconds);
	if (c->verdict == JUNIT_PASSED) {
		strbuf_addstr(out, "/>\n");
		return;
	}
	strbuf_addf(out, ">\n      <%s message=\"",
		    c->verdict == JUNIT_SKIPPED ? "skipped" : "failure");
	quote_xml(out, c->reason);
	strbuf_addstr(out, "\"/>\n    </testcase>\n");
}

void junit_text(const char *suite, const struct junit_case *cases, size_t nr, struct strbuf *out)
{
	size_t failed = 0, skipped = 0;
	double seconds = 0;

	for (size_t i = 0; i < nr; i++) {
		failed += cases[i].verdict == JUNIT_FAILED;
		skipped += cases[i].verdict == JUNIT_SKIPPED;
		seconds += cases[i].seconds;
	}
	strbuf_addstr(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
			   "  <testsuite name=\"");
	quote_xml(out, suite);
	strbuf_addf(out, "\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n", nr,
		    failed, skipped, seconds);
	for (size_t i = 0; i < nr; i++)
		put_case(&cases[i], out);
	strbuf_addstr(out, "  </testsuite>\n</testsuites>\n");
}
