// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what ends up on a screen: suggestions, colours, the progress bar, the choice of a pager. */
#include "base/compat.h"

#include "base/color.h"
#include "base/progress.h"
#include "base/suggest.h"
#include "cli/pager.h"
#include "cli/progress-bar.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <cmocka.h>

static void test_distance(void **state)
{
	char longer[100];

	assert_int_equal(edit_distance("record", "record"), 0);
	assert_int_equal(edit_distance("recrod", "record"), 1);
	assert_int_equal(edit_distance("recor", "record"), 1);
	assert_int_equal(edit_distance("rrecord", "record"), 1);
	assert_int_equal(edit_distance("rekord", "record"), 1);
	assert_int_equal(edit_distance("kitten", "sitting"), 3);
	assert_int_equal(edit_distance("", "abc"), 3);
	memset(longer, 'a', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = 0;
	assert_int_equal(edit_distance(longer, "a"), UINT_MAX);
}

static void test_err_suggest(void **state)
{
	struct err err;

	err_set(&err, -EINVAL, "no %s", "drwarf");
	assert_int_equal(err_suggest(&err, "drwarf,8", 6, "fp dwarf lbr "), -EINVAL);
	assert_string_equal(err.msg, "no drwarf\nDid you mean dwarf?");
	err_set(&err, -EINVAL, "no %s", "else");
	assert_int_equal(err_suggest(&err, "else", 4, "fp dwarf lbr"), -EINVAL);
	assert_string_equal(err.msg, "no else");
	assert_int_equal(err_suggest(NULL, "fpp", 3, "fp"), 0);
}

static void test_suggest(void **state)
{
	static const char *const names[] = { "annotate", "list", "record", "report", "stat" };
	const char *best[2];

	assert_int_equal(suggest("recrod", names, 5, best, 2), 1);
	assert_string_equal(best[0], "record");
	assert_int_equal(suggest("anno", names, 5, best, 2), 1);
	assert_string_equal(best[0], "annotate");
	assert_int_equal(suggest("re", names, 5, best, 2), 2);
	assert_int_equal(suggest("rekort", names, 5, best, 2), 1);
	assert_int_equal(suggest("re", names, 5, best, 1), 1);
	assert_int_equal(suggest("xyzzy", names, 5, best, 2), 0);
	assert_int_equal(suggest("", names, 5, best, 2), 0);
}

static void test_color(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	enum color_when when;
	struct palette p;
	char seq[24];

	palette_init(&p);
	assert_string_equal(palette_percent(&p, 5.0), "\033[31m");
	assert_string_equal(palette_percent(&p, -7.0), "\033[31m");
	assert_string_equal(palette_percent(&p, 4.99), "\033[32m");
	assert_string_equal(palette_percent(&p, 0.5), "");
	strbuf_add_percent(&sb, &p, 12.345, 8);
	strbuf_add_percent(&sb, NULL, 12.345, 6);
	strbuf_add_percent(&sb, &p, 0.1, 0);
	assert_string_equal(strbuf_str(&sb), "\033[31m   12.35%\033[m 12.35%0.10%");
	strbuf_release(&sb);
	assert_int_equal(color_parse("blue, default", seq, sizeof(seq)), 0);
	assert_string_equal(seq, "\033[34m");
	assert_int_equal(color_parse("White,black", seq, sizeof(seq)), 0);
	assert_string_equal(seq, "\033[37;40m");
	assert_int_equal(color_parse("default", seq, sizeof(seq)), 0);
	assert_string_equal(seq, "");
	assert_int_equal(color_parse("red blue", seq, sizeof(seq)), -EINVAL);
	assert_int_equal(color_parse("", seq, sizeof(seq)), -EINVAL);
	assert_int_equal(color_parse_when("Always", &when), 0);
	assert_true(when == COLOR_ALWAYS && color_wanted(when, -1));
	assert_int_equal(color_parse_when("no", &when), 0);
	assert_true(when == COLOR_NEVER && !color_wanted(when, 1));
	assert_int_equal(color_parse_when("blue", &when), -EINVAL);
	assert_false(color_wanted(COLOR_AUTO, -1));
}

static int ticks;

static void count_tick(struct progress *p)
{
	ticks++;
}

static void test_progress(void **state)
{
	struct progress p = { .tick = count_tick };
	int i;

	ticks = 0;
	progress_start(&p, "Processing", 1000000);
	for (i = 0; i < 10000; i++)
		progress_add(&p, 100);
	assert_true(p.done == 1000000);
	assert_in_range(ticks, 200, 260);
	progress_add(NULL, 5);
	progress_start(NULL, "x", 1);
}

static void test_bar(void **state)
{
	struct progress p = { .total = 200, .done = 100, .title = "Processing events..." };
	struct progress_bar b = { .start_ns = 5, .columns = 50 };
	struct strbuf sb = STRBUF_INIT;

	assert_false(progress_bar_due(&b, 6));
	progress_bar_erase(&b, &sb);
	assert_int_equal(sb.len, 0);
	assert_true(progress_bar_due(&b, 5 + PROGRESS_BAR_DELAY_NS));
	assert_false(progress_bar_due(&b, 6 + PROGRESS_BAR_DELAY_NS));
	assert_true(progress_bar_due(&b, 5 + PROGRESS_BAR_DELAY_NS + PROGRESS_BAR_EVERY_NS));
	progress_bar_draw(&b, &p, &sb);
	assert_string_equal(strbuf_str(&sb), "\rProcessing events... [==========           ]  50%");
	assert_int_equal(sb.len - 1, 49);
	strbuf_reset(&sb);
	p.done = 900; /* more than was expected */
	progress_bar_draw(&b, &p, &sb);
	assert_string_equal(strbuf_str(&sb), "\rProcessing events... [=====================] 100%");
	strbuf_reset(&sb);
	b.columns = 3;
	progress_bar_draw(&b, &p, &sb);
	assert_in_range(sb.len, 1, 21);
	strbuf_reset(&sb);
	progress_bar_erase(&b, &sb);
	assert_string_equal(strbuf_str(&sb), "\r\033[K");
	strbuf_release(&sb);
}

static void test_pager(void **state)
{
	setenv("PERF_PAGER", "most", 1);
	setenv("PAGER", "more", 1);
	assert_string_equal(pager_command("less -R"), "most");
	unsetenv("PERF_PAGER");
	assert_string_equal(pager_command("less -R"), "less -R");
	assert_string_equal(pager_command(NULL), "more");
	assert_null(pager_command("cat"));
	setenv("PERF_PAGER", "", 1);
	assert_null(pager_command("less -R"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_distance),    cmocka_unit_test(test_suggest),
		cmocka_unit_test(test_err_suggest), cmocka_unit_test(test_color),
		cmocka_unit_test(test_progress),    cmocka_unit_test(test_bar),
		cmocka_unit_test(test_pager),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
