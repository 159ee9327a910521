// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the list of lines on a terminal that is made up: where lines end, tabs and bytes that would
 * control a terminal, search, and what is saved. */
#include "base/compat.h"

#include "typed-term.h"
#include "ui/views/lines.h"

#include <setjmp.h>
#include <cmocka.h>

static void save(void *ctx, const struct strbuf *text, struct strbuf *said)
{
	*(size_t *)ctx = text->len;
	strbuf_addstr(said, "saved");
}

/* Type on the lines of a text. Return: the bytes that were saved */
static size_t check(const char *text, const char *keys, const char *want)
{
	size_t saved = 0;
	struct strbuf all = STRBUF_INIT, shown;
	const struct lines_shown what = {
		.title = "t", .command = "run it", .text = &all, .save = save, .ctx = &saved
	};
	struct typed_term t;
	struct ui ui;

	strbuf_addstr(&all, text);
	typed_term_open(&t, &ui, keys, 5, 36, false);
	assert_int_equal(lines_view(&ui, &what), VIEW_QUIT);
	shown = typed_term_close(&t, &ui);
	assert_string_equal(strbuf_str(&shown), want);
	strbuf_release(&shown);
	strbuf_release(&all);
	return saved;
}

#define HELP "Press 'h' for help on key bindings\n"

static void test_lines(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "", "t: 0 lines\n\n\n\n" HELP },
		{ "\n", "t: 1 line\n\n\n\n" HELP },
		{ "one", "t: 1 line\none\n\n\n" HELP },
		{ "one\n\ntwo", "t: 3 lines\none\n\ntwo\n" HELP },
		{ "a\tb\n\tc\n12345678\td\n", "t: 3 lines\na       b\n        c\n"
					      "12345678        d\n" HELP },
		{ "x\033[2Jy\n", "t: 1 line\nx\\x1b[2Jy\n\n\n" HELP },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check(rows[i].text, "", rows[i].want);
}

static void test_keys(void **state)
{
	static const char text[] = "a 1\nb\na 2\nb\na 3\n";

	assert_int_equal(check("p\n", "P", "t: 1 line\np\n\n\nsaved\n"), 2);
	check(text, "/a 3\r",
	      "t: 5 lines\na 2                                |\n"
	      "b                                  #\n"
	      "a 3                                #\n" HELP);
	check(text, "/x\r",
	      "t: 5 lines\na 1                                #\n"
	      "b                                  |\n"
	      "a 2                                |\n'x' is in no row\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
