// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the screen in memory, and lines that unfold below entries. */
#include "base/compat.h"

#include "base/alloc.h"
#include "ui/term/screen.h"
#include "ui/widgets/outline.h"

#include <setjmp.h>
#include <cmocka.h>

static void check_row(const struct screen *s, u32 y, const char *want)
{
	struct strbuf text = STRBUF_INIT;

	screen_row(s, y, &text);
	assert_string_equal(strbuf_str(&text), want);
	strbuf_release(&text);
}

static void test_text(void **state)
{
	static const struct {
		const char *text, *utf8, *plain;
		u32 columns;
	} rows[] = {
		{ "abc", "abc", "abc", 3 },
		{ "abcdefghijk", "abcdefgh", "abcdefgh", 8 },
		{ "a\033[2Jb\a\x7f", "a?[2Jb??", "a?[2Jb??", 8 },
		{ "\xc3\xa4\xff\xc2\x9b", "\xc3\xa4??", "???", 3 },
		{ "┌─┐│└┘", "┌─┐│└┘", "+-+|++", 6 },
		{ "←→↑↓█▁⇄", "←→↑↓█▁⇄", "<>^v#.?", 7 },
		{ "a\xcc\x88z", "a\xcc\x88z", NULL, 2 },       /* a mark */
		{ "\xe5\x90\x8d!", "\xe5\x90\x8d!", NULL, 3 }, /* two columns */
		{ "1234567\xe5\x90\x8d", "1234567", NULL, 7 }, /* half of it would not fit */
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (int utf8 = 0; utf8 < 2; utf8++) {
			struct screen s;
			u32 columns;

			screen_init(&s, 2, 10, utf8);
			columns = screen_put(&s, 1, 2, 8, STYLE_TOP, rows[i].text,
					     strlen(rows[i].text));
			if (utf8 || rows[i].plain) {
				char *want = xasprintf("  %s", utf8 ? rows[i].utf8 : rows[i].plain);

				assert_int_equal(columns, rows[i].columns);
				check_row(&s, 1, want);
				free(want);
			}
			check_row(&s, 0, "");
			screen_release(&s);
		}
	}
}

static void test_styles(void **state)
{
	char seq[8], text[40];
	struct screen s;

	screen_init(&s, 1, 20, true);
	style_sequence(STYLE_TOP, seq, sizeof(seq));
	snprintf(text, sizeof(text), "a%sb\033[mc\033[99md", seq);
	assert_int_equal(screen_put_styled(&s, 0, 0, 20, STYLE_NORMAL, text, strlen(text), 0), 9);
	check_row(&s, 0, "abc?[99md");
	assert_int_equal(s.cells[1].style, STYLE_TOP);
	assert_int_equal(s.cells[2].style, STYLE_NORMAL);
	screen_put_styled(&s, 0, 0, 3, STYLE_SELECTED, text, strlen(text), 1);
	check_row(&s, 0, "bc??[99md");
	assert_int_equal(s.cells[0].style, STYLE_SELECTED);
	screen_put(&s, 5, 0, 20, STYLE_NORMAL, "x", 1); /* outside */
	screen_put(&s, 0, 25, 20, STYLE_NORMAL, "x", 1);
	screen_fill(&s, 0, 15, 99, STYLE_NORMAL, "-");
	check_row(&s, 0, "bc??[99md      -----");
	screen_release(&s);
}

/* Below an entry stand as many lines as its number says, modulo 4. */
static void below(void *ctx, u64 entry, struct outline_below *out)
{
	for (u32 i = 0; i < entry % 4; i++)
		outline_add(out, ctx, i, 0);
}

/* Compare all lines with those that a list of open entries has. */
static void check_outline(const struct outline *o, const bool *open, u64 nr)
{
	u64 row = 0, entry;

	for (u64 e = 0; e < nr; e++) {
		u64 lines = open[e] ? e % 4 : 0;

		assert_int_equal(outline_entry_is_open(o, e), lines > 0);
		assert_int_equal(outline_row(o, e), row);
		assert_null(outline_at(o, row++, &entry));
		assert_int_equal(entry, e);
		for (u32 i = 0; i < lines; i++) {
			const struct outline_line *line = outline_at(o, row++, &entry);

			assert_non_null(line);
			assert_int_equal(line->part, i);
			assert_int_equal(entry, e);
		}
	}
	assert_int_equal(outline_nr(o), row);
}

static void test_outline(void **state)
{
	struct outline o = { .below = below };
	bool open[50] = { false };
	u64 seed = 1;

	outline_clear(&o, ARRAY_SIZE(open));
	check_outline(&o, open, ARRAY_SIZE(open));
	for (int i = 0; i < 300; i++) {
		u64 e = (seed = hash_u64(seed + 1)) % ARRAY_SIZE(open);

		open[e] = !open[e];
		if (open[e])
			outline_open(&o, e);
		else
			outline_close(&o, e);
		check_outline(&o, open, ARRAY_SIZE(open));
	}
	outline_set(&o, open, true);
	assert_true(outline_is_open(&o, open));
	outline_release(&o);
}

/* All are opened: those on the screen at once, the others one by one, but not what is closed
 * meanwhile. */
static void test_outline_all(void **state)
{
	struct outline o = { .below = below };
	bool open[50] = { false };
	int steps = 0;

	outline_clear(&o, ARRAY_SIZE(open));
	outline_open(&o, 1);
	outline_open_all(&o, 20, 12);
	open[1] = true;
	for (int e = 20; e < 25; e++) /* 1 + 2 + 3 + 4 + 1 lines, and 2 */
		open[e] = true;
	open[25] = true;
	check_outline(&o, open, ARRAY_SIZE(open));
	assert_true(outline_is_open(&o, open));
	outline_set(&o, open, false);
	assert_false(outline_is_open(&o, open));
	outline_close(&o, 22);
	while (outline_open_more(&o, 0))
		steps++;
	assert_int_equal(steps, ARRAY_SIZE(open) - 1);
	for (size_t e = 0; e < ARRAY_SIZE(open); e++)
		open[e] = e != 22;
	check_outline(&o, open, ARRAY_SIZE(open));
	outline_clear(&o, ARRAY_SIZE(open));
	assert_false(outline_is_open(&o, open));
	assert_false(outline_open_more(&o, UINT64_MAX));
	outline_release(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_styles),
		cmocka_unit_test(test_outline),
		cmocka_unit_test(test_outline_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
