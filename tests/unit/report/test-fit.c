// SPDX-License-Identifier: GPL-2.0-or-later
/* Text that fits a terminal. */
#include "base/compat.h"
#include "report/fit.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define E "\u2026"

static void columns(void **state)
{
	static const struct {
		const char *text;
		size_t columns;
	} cases[] = {
		{ "", 0 },
		{ "main", 4 },
		{ "größe", 5 },
		{ "gro\u0308ße", 5 },          /* a mark of its own */
		{ "\u95a2\u6570", 4 },         /* two East Asian characters */
		{ "\U0001f600", 2 },           /* an emoji */
		{ "a\xff\xc3", 3 },            /* no UTF-8 */
		{ "\xe9\x96", 2 },             /* cut off */
		{ "\033[31m 7.50%\033[m", 6 }, /* colours */
		{ "\033[31", 4 },              /* no whole sequence */
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(fit_columns(cases[i].text, strlen(cases[i].text)),
				 cases[i].columns);
}

static void shorten(void **state)
{
	static const struct {
		const char *text;
		size_t columns;
		bool utf8;
		const char *want;
	} cases[] = {
		{ "", 0, true, "" },
		{ "", 5, true, "" },
		{ "main", 4, true, "main" },
		{ "main", 9, false, "main" },
		{ "abcdefghij", 0, true, "" },
		{ "abcdefghij", 0, false, "" },
		{ "abcdefghij", 1, true, E },
		{ "abcdefghij", 1, false, "." },
		{ "abcdefghij", 2, true, "a" E },
		{ "abcdefghij", 2, false, ".." },
		{ "abcdefghij", 3, true, "a" E "j" },
		{ "abcdefghij", 3, false, "..." },
		{ "abcdefghij", 4, true, "ab" E "j" },
		{ "abcdefghij", 4, false, "a..." },
		{ "abcdefghij", 5, false, "a...j" },
		{ "abcdefghij", 9, true, "abcd" E "ghij" },
		{ "abcdefghij", 9, false, "abc...hij" },
		{ "ab", 1, true, E },
		/* Two names with the same beginning stay apart. */
		{ "std::vector<int>::begin", 12, true, "std::v" E "begin" },
		{ "std::vector<int>::end", 12, true, "std::v" E "::end" },
		/* Characters of several bytes: none is cut. */
		{ "äöüäöü", 6, true, "äöüäöü" },
		{ "äöüäöü", 4, true, "äö" E "ü" },
		{ "äöüäöü", 5, false, "ä...ü" },
		/* Characters of two columns: half of one is no room for it. */
		{ "\u95a2\u6570\u540d\u524d", 8, true, "\u95a2\u6570\u540d\u524d" },
		{ "\u95a2\u6570\u540d\u524d", 7, true, "\u95a2" E "\u524d" },
		{ "\u95a2\u6570\u540d\u524d", 4, true, "\u95a2" E },
		{ "\u95a2\u6570\u540d\u524d", 2, true, E },
		/* A mark stays with its character, on both sides. */
		{ "a\u0301bcdez\u0301", 3, true, "a\u0301" E "z\u0301" },
		{ "abcda\u0301\u0302", 2, true, "a" E },
		/* Bytes that are no UTF-8 are one column each. */
		{ "\xff\xfe\xfd\xfc\xfb", 3, true, "\xff" E "\xfb" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf sb = STRBUF_INIT;

		strbuf_addstr(&sb, "front ");
		strbuf_addstr(&sb, cases[i].text);
		fit_shorten(&sb, 6, cases[i].columns, cases[i].utf8);
		assert_int_equal(sb.len, strlen(sb.buf));
		assert_string_equal(sb.buf + 6, cases[i].want);
		assert_memory_equal(sb.buf, "front ", 6);
		strbuf_release(&sb);
	}
}

/* The text takes no more than its room, however small that is. */
static void any_width(void **state)
{
	static const char text[] = "a\u0301\u95a2\u6570::größe<\U0001f600, \xff\xe9\x96>";
	struct strbuf sb = STRBUF_INIT;

	for (size_t width = 0; width < 40; width++) {
		for (int utf8 = 0; utf8 < 2; utf8++) {
			strbuf_reset(&sb);
			strbuf_addstr(&sb, text);
			fit_shorten(&sb, 0, width, utf8);
			assert_true(fit_columns(sb.buf, sb.len) <= width);
		}
	}
	strbuf_release(&sb);
}

static void in_line(void **state)
{
	static const char line[] = "first line\n  \033[31m 7.5%\033[m--abcdefghij (cycles:5)";
	const struct fit wide = { 80, true }, narrow = { 25, true }, tiny = { 3, true };
	struct strbuf sb = STRBUF_INIT;
	size_t at = strstr(line, "abc") - line;

	strbuf_addstr(&sb, line);
	fit_in_line(&sb, at, at + 10, &wide, 4);
	assert_string_equal(sb.buf, line);
	fit_in_line(&sb, at, at + 10, &narrow, 4);
	assert_string_equal(sb.buf + at, "ab" E "ij (cycles:5)");
	strbuf_reset(&sb);
	strbuf_addstr(&sb, line);
	fit_in_line(&sb, at, at + 10, &tiny, 4);
	assert_string_equal(sb.buf + at, "ab" E "j (cycles:5)");
	strbuf_release(&sb);
}

static void pad(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addstr(&sb, "| größe");
	fit_pad(&sb, 2, 7);
	assert_string_equal(sb.buf, "| größe  ");
	fit_pad(&sb, 2, 3);
	assert_string_equal(sb.buf, "| größe  ");
	strbuf_release(&sb);
}

static void widths(void **state)
{
	const u16 least[] = { 8, 10, 12, 0 };
	u16 w[] = { 8, 40, 100, 5 };

	assert_int_equal(fit_widths(w, least, 4, 0), 0);
	assert_int_equal(w[2], 100);
	assert_int_equal(fit_widths(w, least, 4, 50), 0); /* the widest alone */
	assert_int_equal(w[1], 40);
	assert_int_equal(w[2], 50);
	assert_int_equal(fit_widths(w, least, 4, 30), 0); /* two of a width share the rest */
	assert_int_equal(w[1], 30);
	assert_int_equal(w[2], 30);
	assert_int_equal(fit_widths(w, least, 4, 1000), 1000 - 20 - 18 - 5);
	assert_int_equal(w[0], 8);
	assert_int_equal(w[1], 10);
	assert_int_equal(w[2], 12);
	assert_int_equal(w[3], 0);
	assert_int_equal(fit_widths(NULL, NULL, 0, 3), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns), cmocka_unit_test(shorten), cmocka_unit_test(any_width),
		cmocka_unit_test(in_line), cmocka_unit_test(pad),     cmocka_unit_test(widths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
