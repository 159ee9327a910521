// SPDX-License-Identifier: GPL-2.0-or-later
/* Test filters of names. */
#include "base/compat.h"
#include "base/strbuf.h"
#include "probe/filter.h"

#include <stdlib.h>

#include <setjmp.h>
#include <cmocka.h>

static void passes(const char *text, const char *yes, const char *no)
{
	struct err err = { 0 };
	struct name_filter *f = name_filter_parse(text, &err);

	if (!f)
		fail_msg("%s: %s", text, err.msg);
	if (yes)
		assert_true(name_filter_matches(f, yes));
	if (no)
		assert_false(name_filter_matches(f, no));
	name_filter_free(f);
}

static void test_passes(void **state)
{
	(void)state;
	passes("foo*", "foobar", "bar");
	passes("!foo* & *bar", "fizzbar", "foobar");
	passes("foo | bar", "bar", "baz");
	passes("!(foo|bar)", "baz", "bar");
	passes("!!foo", "foo", "bar");
	passes("a|b&c", "a", "b");
	passes("(a|b)&[!c]", "b", "c");
	passes("!_* & !*@plt", "main", "exit@plt");
	passes("a[!&|()]c", "axc", "a&c");
	passes("\\*", "*", "a");
	passes("ab*cd", "abcd", "abd");
	passes("ab*ba", "abba", "aba");
	passes("*cd", "cd", "cde");
	passes("a*", "a", "ba");
	passes("*", "", NULL);
	passes("a*b*c", "axbxc", "axc");
	passes("a*[bc]", "axb", "axd");
	passes("a*\\*", "ab*", "ab");
	assert_true(name_filter_matches(NULL, "x"));
}

static void test_refused(void **state)
{
	static const char *const bad[] = {
		"", "!", "a &", "| a", "(a", "a)", "a b", "()", "a && b"
	};
	struct strbuf deep = STRBUF_INIT;
	struct err err = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_null(name_filter_parse(bad[i], &err));
	for (int i = 0; i < 100000; i++)
		strbuf_addch(&deep, '(');
	assert_null(name_filter_parse(strbuf_str(&deep), &err));
	strbuf_reset(&deep);
	for (int i = 0; i < 100000; i++)
		strbuf_addstr(&deep, "a|");
	assert_null(name_filter_parse(strbuf_str(&deep), &err));
	strbuf_release(&deep);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_passes),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
