// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the keys of a live profile as text. */
#include "base/compat.h"
#include "toptext/keys.h"

#include "base/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* It answers with a text, once. */
static char *answer(void *ctx, const char *question)
{
	const char **text = ctx;
	char *copy = *text ? xstrdup(*text) : NULL;

	assert_true(strlen(question) > 0);
	*text = NULL;
	return copy;
}

static void press(struct toptext *t, char key, const char *text)
{
	assert_int_equal(toptext_key(t, key, answer, &text), TOPTEXT_DONE);
	assert_null(text);
}

static void test_settings(void **state)
{
	struct evlist none = { 0 };
	struct toptext t = { .events = &none, .set = { .delay = 2 } };

	press(&t, 'd', "0.5");
	assert_true(t.set.delay == 0.5);
	press(&t, 'd', "0"); /* less than the least */
	press(&t, 'd', "1x");
	press(&t, 'd', "");
	press(&t, 'd', NULL);
	assert_true(t.set.delay == 0.5);
	press(&t, 'e', "12");
	assert_int_equal(t.entries, 12);
	press(&t, 'e', "-1");
	press(&t, 'e', "1e30");
	assert_int_equal(t.entries, 12);
	press(&t, 'f', "3");
	assert_int_equal(t.set.least, 3);
	press(&t, 'F', "7.5");
	assert_true(t.set.least_percent == 7.5);
	press(&t, 'K', NULL);
	assert_true(t.set.hide_kernel && !t.set.hide_user);
	press(&t, 'K', NULL);
	press(&t, 'U', NULL);
	assert_true(!t.set.hide_kernel && t.set.hide_user);
	press(&t, 'z', NULL);
	assert_true(t.set.zero);
	press(&t, 's', "main");
	press(&t, 's', NULL);
	assert_string_equal(t.symbol, "main");
	press(&t, 'S', NULL);
	assert_null(t.symbol);
}

static void test_others(void **state)
{
	struct evlist none = { 0 };
	struct toptext t = { .events = &none };
	const char *text = NULL;

	assert_int_equal(toptext_key(&t, 'x', answer, &text), TOPTEXT_UNKNOWN);
	assert_int_equal(toptext_key(&t, 'E', answer, &text), TOPTEXT_UNKNOWN); /* no events */
	assert_int_equal(toptext_key(&t, 'q', answer, &text), TOPTEXT_QUIT);
	assert_int_equal(toptext_key(&t, 'Q', answer, &text), TOPTEXT_QUIT);
}

static void test_help(void **state)
{
	struct evlist none = { 0 };
	struct toptext t = { .events = &none,
			     .entries = 1234567,
			     .set = { .delay = 2, .least_percent = 5, .hide_user = true } };
	struct strbuf out = STRBUF_INIT;

	toptext_keys(&t, &out);
	assert_non_null(strstr(out.buf, "\t[d]\tdisplay refresh delay.             \t(2)\n"));
	assert_non_null(strstr(out.buf, "\t[e]\tdisplay entries (lines).           \t(1234567)\n"));
	assert_non_null(strstr(out.buf, "\t(5%)\n"));
	assert_non_null(strstr(out.buf, "hide kernel symbols.               \t(no)\n"));
	assert_non_null(strstr(out.buf, "hide user symbols.                 \t(yes)\n"));
	assert_non_null(strstr(out.buf, "toggle sample zeroing.             \t(0)\n"));
	assert_non_null(strstr(out.buf, "annotate symbol.                   \t(NULL)\n"));
	assert_non_null(strstr(out.buf, "\t[qQ]\tquit."));
	assert_null(strstr(out.buf, "[E]"));
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_settings),
					    cmocka_unit_test(test_others),
					    cmocka_unit_test(test_help) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
