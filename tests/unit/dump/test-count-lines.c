// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts of a recording as lines: the latest of each event, CPU and thread at each round. */
#include "base/compat.h"
#include "dump/count-lines.h"
#include "drive.h"
#include "pdata-build.h"

#include <setjmp.h>
#include <cmocka.h>

struct world {
	struct session s;
	struct pb file;
	struct count_lines lines;
	struct strbuf out;
};

static void start(struct world *w)
{
	const struct pb_event ev[] = {
		{ .attr = { .type = PERF_TYPE_SOFTWARE }, .ids = { 7 }, .nr_ids = 1 },
		{ .attr = { .type = PERF_TYPE_SOFTWARE, .config = 1 }, .ids = { 8 }, .nr_ids = 1 },
	};

	*w = (struct world){ .out = STRBUF_INIT };
	pb_start(&w->file, false, false, ev, 2);
	pb_finish(&w->file);
	session_open_built(&w->s, &w->file);
}

static void stop(struct world *w)
{
	count_lines_release(&w->lines);
	strbuf_release(&w->out);
	session_close(&w->s);
	pb_release(&w->file);
}

/* The record that @b has been building since @at. */
static void give(struct world *w, struct pb *b, size_t at)
{
	struct session_event ev = { 0 };

	pb_end(b, at);
	ev.hdr = (const wire_header *)b->out.buf;
	count_lines_put(&w->lines, &w->s, &ev, &w->out);
	pb_release(b);
}

static void give_maps(struct world *w)
{
	struct pb b;
	size_t at;

	pb_init(&b, false);
	at = pb_begin(&b, PERF_RECORD_CPU_MAP, 0);
	pb_u16(&b, 0); /* a list of CPUs */
	pb_u16(&b, 2);
	pb_u16(&b, 0);
	pb_u16(&b, 3);
	give(w, &b, at);
	pb_init(&b, false);
	at = pb_begin(&b, PERF_RECORD_THREAD_MAP, 0);
	pb_u64(&b, 1);
	pb_u64(&b, 42);
	pb_bytes(&b, "a\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
	give(w, &b, at);
}

static void give_count(struct world *w, u64 id, u32 cpu, u64 value)
{
	struct pb b;
	size_t at;

	pb_init(&b, false);
	at = pb_begin(&b, PERF_RECORD_STAT, 0);
	pb_u64(&b, id);
	pb_u32(&b, cpu);
	pb_u32(&b, 0);
	pb_u64(&b, value);
	pb_u64(&b, 100);
	pb_u64(&b, 50);
	give(w, &b, at);
}

static void give_round(struct world *w, u64 time)
{
	struct pb b;
	size_t at;

	pb_init(&b, false);
	at = pb_begin(&b, PERF_RECORD_STAT_ROUND, 0);
	pb_u64(&b, 1);
	pb_u64(&b, time);
	give(w, &b, at);
}

/* Return: how often @what occurs in what was written. */
static int occurs(const struct world *w, const char *what)
{
	const char *p = strbuf_str(&w->out);
	int n = 0;

	for (; (p = strstr(p, what)) != NULL; p += strlen(what))
		n++;
	return n;
}

static void test_rounds(void **state)
{
	struct world w;

	start(&w);
	give_maps(&w);
	give_count(&w, 7, 0, 11);
	give_count(&w, 8, 3, 22);
	give_count(&w, 99, 0, 33); /* of no event there is */
	give_round(&w, 5000);
	assert_int_equal(occurs(&w, "CPU   THREAD"), 1);
	assert_int_equal(occurs(&w, "\n"), 1 + 2 * 2);
	assert_int_equal(occurs(&w, "  0       42              11             100              50"
				    "            5000 cpu-clock"),
			 1);
	assert_int_equal(occurs(&w, "  3       42              22             100              50"
				    "            5000 task-clock"),
			 1);
	assert_int_equal(occurs(&w, " 33 "), 0);
	strbuf_reset(&w.out);
	give_count(&w, 7, 0, 44);
	give_round(&w, 6000);
	assert_int_equal(occurs(&w, "THREAD"), 0); /* the title stands once */
	assert_int_equal(occurs(&w, " 44 "), 1);
	assert_int_equal(occurs(&w, " 22 "), 1);
	stop(&w);
}

/* Without maps there is nothing to make a table of. */
static void test_without_maps(void **state)
{
	struct world w;

	start(&w);
	give_count(&w, 7, 0, 11);
	give_round(&w, 5000);
	assert_int_equal(w.out.len, 0);
	stop(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rounds),
		cmocka_unit_test(test_without_maps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
