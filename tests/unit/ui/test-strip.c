// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the strip of time on a terminal that is made up: what it draws, and the range that keys and
 * the mouse choose. */
#include "base/compat.h"

#include "typed-term.h"
#include "ui/views/strip.h"

#include <setjmp.h>
#include <cmocka.h>

enum { COLS = 30, LABEL = 8 }; /* of the screen; the strip has 22 columns */

static void put_name(void *ctx __unused, enum tracks_of kind, const struct track *track,
		     struct strbuf *out)
{
	strbuf_addf(out, "%s%u", kind == TRACKS_OF_CPUS ? "cpu" : "tid", track->id);
}

static void put_command(void *ctx __unused, const char *time, struct strbuf *out)
{
	strbuf_addf(out, "print %s", time);
}

/* Count samples of two CPUs and three threads in 40 slices of 1 ns, two in each column: CPU 1 has
 * eight in column 0, CPU 3 four in column 0, one in column 10 and one in the last one. */
static void count(struct tracks *l)
{
	static const struct {
		u32 cpu, tid, nr;
		u64 time;
	} rows[] = {
		{ 3, 30, 4, 1000 }, { 1, 10, 8, 1001 }, { 3, 31, 1, 1020 }, { 3, 31, 1, 1039 }
	};

	for (enum tracks_of k = 0; k < NR_TRACKS_OF; k++) {
		tracks_init(&l[k], 1000, 1039);
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
			for (u32 n = 0; n < rows[i].nr; n++)
				tracks_add(&l[k], k == TRACKS_OF_CPUS ? rows[i].cpu : rows[i].tid,
					   0, rows[i].time);
		tracks_sort(&l[k], k == TRACKS_OF_THREADS);
	}
}

/* Type on a strip. Return: as strip_view(); the caller releases both texts. */
static int type(const char *keys, bool utf8, struct strbuf *time, struct strbuf *shown)
{
	struct tracks l[NR_TRACKS_OF];
	const struct strip_tracks tracks = { .of = { &l[0], &l[1] }, .name = put_name };
	const struct strip_shown what = { .tracks = &tracks,
					  .event = "cycles",
					  .command = put_command };
	struct typed_term t;
	struct ui ui;
	int ret;

	count(l);
	typed_term_open(&t, &ui, keys, 8, COLS, utf8);
	ret = strip_view(&ui, &what, time);
	*shown = typed_term_close(&t, &ui);
	for (enum tracks_of k = 0; k < NR_TRACKS_OF; k++)
		tracks_release(&l[k]);
	return ret;
}

static void check_screen(const char *keys, bool utf8, const char *want)
{
	struct strbuf time = STRBUF_INIT, shown;

	assert_int_equal(type(keys, utf8, &time, &shown), VIEW_QUIT);
	assert_string_equal(strbuf_str(&shown), want);
	assert_int_equal(time.len, 0);
	strbuf_release(&shown);
}

/* A single sample is drawn, however small its share. Tracks have one scale, their sum its own. */
static void test_screen(void **state)
{
	check_screen("", true,
		     "Samples of event 'cycles' over\n"
		     "all     █         ▁        ▁\n"
		     "cpu1    █\n"
		     "cpu3    ▄         ▁        ▁\n"
		     "\n\n"
		     "        0.000001  0.00000104\n"
		     "0.000001,0.000001001 (2ns): a\n");
	check_screen("\t\033[B>", false,
		     "Samples of event 'cycles' over\n"
		     "all     #         .        .\n"
		     "tid10   #\n"
		     "tid30   =\n"
		     "tid31             .        .\n"
		     "\n"
		     "        0.000001  0.00000104\n"
		     "0.000001016,0.000001017 (2ns)\n");
}

static void test_ranges(void **state)
{
	static const struct {
		const char *keys, *range; /* NULL: none is chosen */
	} rows[] = {
		{ "\r", "0.000001,0.000001001" },
		{ "\033[D\r", "0.000001,0.000001001" },
		{ "\033[C\r", "0.000001002,0.000001003" },
		{ "\033[F\r", "0.000001038,0.000001039" },
		{ "\033[F\033[C\r", "0.000001038,0.000001039" },
		{ "\033[F\033[H\r", "0.000001,0.000001001" },
		{ " \033[F\r", "0.000001,0.000001039" },
		{ "> >\r", "0.000001016,0.000001033" },
		{ "> <\r", "0.000001,0.000001017" },
		{ "> > \r", "0.000001032,0.000001033" },
		{ "> >\033\r", "0.000001032,0.000001033" },
		{ ">\t\r", "0.000001016,0.000001017" },
		{ "\033", NULL },
		{ " \033\033", NULL },
		{ "q", NULL },
		/* the mouse: columns and lines of terminals begin with 1 */
		{ "\033[<0;19;3M\r", "0.00000102,0.000001021" },
		{ "\033[<0;19;3M\033[<0;19;3m\033[<0;21;3M\r", "0.00000102,0.000001025" },
		{ "\033[<0;19;3M\033[<0;11;3M\033[<0;15;2M", "0.000001004,0.000001021" },
		{ "\033[<0;11;3M\033[<0;13;3M\033[<0;19;3M\r", "0.00000102,0.000001021" },
		{ "\033[<0;3;3M\033[<0;29;3M\033[<0;9;7M\033[<2;19;3M\r", "0.000001,0.000001001" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf time = STRBUF_INIT, shown;
		int ret = type(rows[i].keys, false, &time, &shown);

		assert_string_equal(strbuf_str(&time), rows[i].range ? rows[i].range : "");
		assert_int_equal(ret == STRIP_CHOSEN, rows[i].range != NULL);
		strbuf_release(&time);
		strbuf_release(&shown);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_screen),
		cmocka_unit_test(test_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
