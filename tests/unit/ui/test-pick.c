// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the event picker on a terminal that is made up: keys, the command they give, the screen. */
#include "base/compat.h"

#include "typed-term.h"
#include "ui/views/pick.h"

#include <setjmp.h>
#include <cmocka.h>

static void about(void *ctx, const struct pick_item *it, bool all, struct strbuf *out)
{
	strbuf_addf(out, "%s of %s\nwords that need another line as they are long",
		    all ? "all" : "some", it->name);
}

static const struct pick_item items[] = {
	{ .name = "cpu-cycles", .alias = "cycles", .heading = "Hardware", .argument = "cpu-cycles" },
	{ .name = "faults", .heading = "Software", .argument = "faults" },
	{ .name = "clock", .heading = "Software", .argument = "clock" },
	{ .name = "sched:sched_switch", .heading = "sched", .argument = "sched:sched_switch" },
	{ .name = "sched:a?b\033[2J", .heading = "sched", .argument = "'sched:a?b'" },
};

/* Show the first @nr items. Return: what pick_view() does; the caller releases both texts. */
static bool type(const char *keys, size_t nr, struct strbuf *command, struct strbuf *shown)
{
	const struct pick_shown what = {
		.items = items, .nr = nr, .command = "perf record", .about = about
	};
	struct typed_term t;
	struct ui ui;
	bool done;

	typed_term_open(&t, &ui, keys, 12, 40, true);
	done = pick_view(&ui, &what, command);
	*shown = typed_term_close(&t, &ui);
	return done;
}

static void test_commands(void **state)
{
	static const struct {
		const char *keys, *command; /* NULL: the picker is left without */
	} rows[] = {
		{ "\r", "perf record -e cpu-cycles" },
		{ " \r", "perf record -e cpu-cycles" },
		{ " \033[B\033[B \r", "perf record -e cpu-cycles -e faults" },
		{ "\033[F \033[H\033[B \r", "perf record -e 'sched:a?b' -e cpu-cycles" },
		{ " \033[B\033[B \033[A\033[A \r", "perf record -e faults" },
		{ "  \033[B\033[B\r", "perf record -e faults" },
		{ " \033[Bc\033[B\r", "perf record -e faults" },
		{ "\t\r", "perf record -e faults" },
		{ "\t\t\t\t\r", "perf record -e sched:sched_switch" },
		{ "\t\t\033[Z\r", "perf record -e faults" },
		{ "\033[F\033[Z\r", "perf record -e sched:sched_switch" },
		{ "\033[Z\r", "perf record -e cpu-cycles" },
		{ "/SWI\r\r", "perf record -e sched:sched_switch" },
		{ "/cyclesx\x7f\r\r", "perf record -e cpu-cycles" },
		{ "/clo\033[B \r\r", "perf record -e clock" },
		{ "/nosuch\033\r", "perf record -e cpu-cycles" },
		{ "/sched\r\033\r", "perf record -e cpu-cycles" },
		{ "/nosuch\r\r", NULL },
		{ "/nosuch\r \tf\033[A\r", NULL },
		{ " q", NULL },
		{ " \033", NULL },
		{ "/q\x03", NULL },
		{ "\033[A\r", NULL }, /* on a heading */
		{ "", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf command = STRBUF_INIT, shown;

		assert_int_equal(type(rows[i].keys, ARRAY_SIZE(items), &command, &shown),
				 rows[i].command != NULL);
		assert_string_equal(strbuf_str(&command), rows[i].command ? rows[i].command : "");
		strbuf_release(&command);
		strbuf_release(&shown);
	}
}

#define TEN "──────────"
#define LINE TEN TEN TEN TEN "\n"

static void check_screen(const char *keys, size_t nr, const char *want)
{
	struct strbuf command = STRBUF_INIT, shown;

	type(keys, nr, &command, &shown);
	/* The line of help below is up to the view. */
	assert_int_equal(strncmp(strbuf_str(&shown), want, strlen(want)), 0);
	strbuf_release(&command);
	strbuf_release(&shown);
}

static void test_screen(void **state)
{
	check_screen(" ", 3,
		     "Events: 3 of 3, 1 chosen\nperf record -e cpu-cycles\n"
		     "Hardware\n[x] cpu-cycles OR cycles\nSoftware\n[ ] faults\n[ ] clock\n\n" LINE
		     "some of cpu-cycles\nwords that need another line as they are\n");
	check_screen("/ault", 3,
		     "Events: 1 of 3, 0 chosen  Filter: ault_\nperf record -e faults\n"
		     "Software\n[ ] faults\n\n\n\n\n" LINE
		     "some of faults\nwords that need another line as they are\n");
	check_screen("/nosuch\r ", 3,
		     "Events: 0 of 3, 0 chosen  Filter: nosuch\nperf record\n"
		     "\n\n\n\n\n\n" LINE "\n\n");
	/* A long command has its first and its last event, and a bad name controls nothing. */
	check_screen(" \033[B\033[B \033[B \033[B\033[B ", ARRAY_SIZE(items) - 1,
		     "Events: 4 of 4, 4 chosen\nperf record -e cpu-");
	check_screen("/a?b", ARRAY_SIZE(items),
		     "Events: 1 of 5, 0 chosen  Filter: a?b_\nperf record -e 'sched:a?b'\n"
		     "sched\n[ ] sched:a?b\\x1b[2J\n");
	check_screen("", 0, "Events: 0 of 0, 0 chosen\nperf record\n\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_screen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
