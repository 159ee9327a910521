// SPDX-License-Identifier: GPL-2.0-or-later
/* Test which arrow an annotation shows, and what it has beside each line. */
#include "base/compat.h"

#include "ui/views/arrows.h"

#include <setjmp.h>
#include <cmocka.h>

/* A function: lines of source are '.', instructions '-', and jumps the digit of the line that they
 * lead to. */
static size_t make(const char *pattern, struct annotate_line *lines)
{
	size_t nr = strlen(pattern);

	for (size_t i = 0; i < nr; i++) {
		char c = pattern[i];

		lines[i] = (struct annotate_line){
			.kind = c == '.' ? ANNOTATE_SOURCE : ANNOTATE_INSN,
			.addr = c == '.' ? 0 : 0x1000 + 4 * i,
		};
		if (c < '0' || c > '9')
			continue;
		lines[i].flow = FLOW_JUMP;
		lines[i].has_target = lines[i].inside = true;
		lines[i].target = 0x1000 + 4 * (u64)(c - '0');
	}
	return nr;
}

static void test_layout(void **state)
{
	static const struct {
		const char *pattern;
		size_t at;
		const char *cells; /* what each line has, with commas */
	} rows[] = {
		{ "----", 1, ",,,," },
		{ "-3.-", 1, ",┌──,│,└─→," },          /* down, over a line of source */
		{ "--.1-", 3, ",┌─→,│,└──,," },        /* up */
		{ "--.1-", 1, ",┌─→,│,└──,," },        /* the loop around a line */
		{ "--.1-", 2, ",,,,," },               /* a line of source is in no loop */
		{ "--.1-", 4, ",,,,," },               /* behind the loop */
		{ "-----2-0", 3, ",,┌─→,│,│,└──,,," }, /* the inner of two */
		{ "-----2-0", 6, "┌─→,│,│,│,│,│,│,└──," },
		{ "-----2-0", 1, "┌─→,│,│,│,│,│,│,└──," },
		{ "-1-", 1, ",,," }, /* to itself */
		{ "-.1", 2, ",,," }, /* to a line that is no instruction */
		{ "-9-", 1, ",,," }, /* to none */
		{ "", 0, "" },
		{ "--", 7, ",," },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct annotate_line lines[10];
		struct annotation a = { .lines = lines, .nr = make(rows[i].pattern, lines) };
		struct arrow arrow = arrow_find(&a, rows[i].at);
		struct strbuf text = STRBUF_INIT;

		for (size_t k = 0; k < a.nr; k++) {
			strbuf_addf(&text, "%s,", arrow_cell(&arrow, k) ?: "");
		}
		assert_string_equal(strbuf_str(&text), rows[i].cells);
		strbuf_release(&text);
	}
}

static void test_target(void **state)
{
	struct annotate_line lines[10];
	struct annotation a = { .lines = lines, .nr = make("-3.-0", lines) };

	assert_int_equal(arrow_target(&a, 1), 3);
	assert_int_equal(arrow_target(&a, 4), 0);
	assert_true(arrow_target(&a, 0) == SIZE_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_target),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
