// SPDX-License-Identifier: GPL-2.0-or-later
/* Test lines and tables of perf trace against the layout of perf 6.1. */
#include "base/compat.h"
#include "tracetext/trace-json.h"
#include "tracetext/trace-line.h"
#include "tracetext/trace-rows.h"
#include "tracetext/trace-summary.h"

#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

static struct sysargs *calls(void)
{
	const struct sysargs_abi abi = { .machine = EM_X86_64 };
	struct err err = { 0 };
	struct sysargs *sa = sysargs_new(&abi, &err);

	assert_non_null(sa);
	return sa;
}

#define LOOK                                                                                       \
	.timestamp = true, .duration = true, .threads = true, .comm = true, .blank_duration = true

static const struct {
	struct trace_look look;
	struct trace_head head;
	const char *text;
} heads[] = {
	{ { LOOK }, { true, 171499, true, 10500, 7, "true" }, "     0.171 ( 0.011 ms): true/7 " },
	{ { LOOK }, { true, 0, false, 0, 7, "true" }, "     0.000 (         ): true/7 " },
	{ { LOOK }, { .tid = 7, .comm = "true" }, "         ? (         ): true/7 " },
	{ { LOOK },
	  { true, 62581115768000, true, 12714000123, 7,
	    "a\x1b"
	    "b" },
	  "62581115.768 (12714.000 ms): a\\x1bb/7 " },
	{ { LOOK },
	  { true, 1, false, 0, 7, "a-long-name-of-task" },
	  "     0.000 (         ): a-long-name-of/7 " },
	{ { .timestamp = true, .threads = true },
	  { true, 999600, true, 1, 7, "x" },
	  "     1.000 7 " },
	{ { .duration = true }, { true, 5, true, 1500000, 7, "x" }, "( 1.500 ms): " },
	{ { .threads = true, .comm = true }, { .tid = 7 }, "/7 " },
	{ { 0 }, { true, 5, true, 1500000, 7, "x" }, "" },
	{ { .threads = true, .cpu = true }, { .tid = 7, .cpu = 3 }, "[003] 7 " },
	{ { .threads = true, .cpu = true }, { .tid = 7, .cpu = UINT32_MAX }, "[  ?] 7 " },
};

static void test_heads(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		struct strbuf out = STRBUF_INIT;

		trace_line_head(&out, &heads[i].look, &heads[i].head);
		if (strcmp(strbuf_str(&out), heads[i].text))
			fail_msg("%zu: '%s'", i, strbuf_str(&out));
		strbuf_release(&out);
	}
}

static const struct {
	struct syscall_call call;
	u32 alignment;
	const char *text;
} lines[] = {
	{ { .state = SYSCALL_DONE, .begun = true, .nr = 3, .args = { 4 } },
	  20,
	  "close(fd: 4)        = 0\n" },
	{ { .state = SYSCALL_DONE, .begun = true, .nr = 3, .args = { 4 }, .ret = -EBADF },
	  0,
	  "close(fd: 4) = -1 EBADF (Bad file descriptor)\n" },
	{ { .state = SYSCALL_DONE, .begun = true, .resumed = true, .nr = 3, .args = { 4 } },
	  40,
	  " ... [continued]: close())              = 0\n" },
	{ { .state = SYSCALL_DONE, .nr = 3 }, 40, " ... [continued]: close())              = 0\n" },
	{ { .state = SYSCALL_GOES_ON, .begun = true, .nr = 3, .args = { 4 } },
	  20,
	  "close(fd: 4)     ...\n" },
	{ { .state = SYSCALL_GOES_ON, .begun = true, .nr = 3, .args = { 4 } },
	  0,
	  "close(fd: 4) ...\n" },
	{ { .state = SYSCALL_LAST, .begun = true, .nr = 231, .args = { 1 } },
	  30,
	  "exit_group(error_code: 1)     = ?\n" },
	{ { .state = SYSCALL_DONE, .begun = true, .nr = 99999, .args = { 1 }, .ret = 5 },
	  0,
	  "syscall_99999(0x1, 0x0, 0x0, 0x0, 0x0, 0x0) = 5\n" },
};

static void test_calls(void **state)
{
	struct sysargs *sa = calls();

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct trace_look look = { .view = SYSARGS_VIEW_DEFAULT };
		struct strbuf out = STRBUF_INIT;

		look.view.args_alignment = lines[i].alignment;
		trace_line_call(&out, &look, sa, &lines[i].call);
		if (strcmp(strbuf_str(&out), lines[i].text))
			fail_msg("%zu: '%s'", i, strbuf_str(&out));
		strbuf_release(&out);
	}
	sysargs_free(sa);
}

static void test_json(void **state)
{
	static const struct {
		struct trace_head head;
		struct syscall_call call;
		const char *text;
	} rows[] = {
		{ { true, 171499, true, 10500, 7, "a\"b", 5, 3 },
		  { .begun = true, .nr = 8, .args = { 4, 9, 2 }, .ret = 9 },
		  "{\"time_ns\": 171499, \"duration_ns\": 10500, \"comm\": \"a\\\"b\", \"pid\": 5, "
		  "\"tid\": 7, \"cpu\": 3, \"call\": \"lseek\", \"nr\": 8, \"args\": {\"fd\": \"4\", "
		  "\"offset\": \"9\", \"whence\": \"END\"}, \"ret\": 9, \"result\": \"9\"}\n" },
		{ { .pid = 5, .tid = 5, .cpu = UINT32_MAX },
		  { .nr = 3, .ret = -EBADF },
		  "{\"pid\": 5, \"tid\": 5, \"call\": \"close\", \"nr\": 3, \"ret\": -9, "
		  "\"result\": \"-1 EBADF (Bad file descriptor)\", \"errno\": \"EBADF\"}\n" },
		{ { true, 1, .pid = 5, .tid = 5, .cpu = 0 },
		  { .state = SYSCALL_LAST, .begun = true, .nr = 99999 },
		  "{\"time_ns\": 1, \"pid\": 5, \"tid\": 5, \"cpu\": 0, \"call\": \"syscall_99999\", "
		  "\"nr\": 99999}\n" },
	};
	const struct sysargs_view v = SYSARGS_VIEW_DEFAULT;
	struct sysargs *sa = calls();
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		strbuf_reset(&out);
		trace_json_call(&out, &rows[i].head, sa, &rows[i].call, &v);
		assert_string_equal(strbuf_str(&out), rows[i].text);
	}
	strbuf_reset(&out);
	trace_json_event(&out, &rows[1].head, "a:b", "x\n", 2);
	trace_json_lost(&out, 3);
	assert_string_equal(strbuf_str(&out),
			    "{\"pid\": 5, \"tid\": 5, \"event\": \"a:b\", \"text\": \"x\\n\"}\n"
			    "{\"lost\": 3}\n");
	strbuf_release(&out);
	sysargs_free(sa);
}

static void test_faults(void **state)
{
	static const struct {
		struct trace_fault fault;
		const char *text;
	} rows[] = {
		{ { false, "memset", 0x32, "/lib/libc.so", 0x1d4868, false },
		  "minfault [memset+0x32] => /lib/libc.so@0x1d4868 (d.)\n" },
		{ { true, NULL, 0x2600, NULL, 0x5560, false },
		  "majfault [0x2600] => 0x5560 (?k)\n" },
		{ { false, "a\nb", 0, "[kernel]", 0x1, true },
		  "minfault [a\\x0ab+0x0] => [kernel]@0x1 (xk)\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf out = STRBUF_INIT;

		trace_line_fault(&out, &rows[i].fault);
		if (strcmp(strbuf_str(&out), rows[i].text))
			fail_msg("%zu: '%s'", i, strbuf_str(&out));
		strbuf_release(&out);
	}
}

static const char *name(void *ctx, const struct syscall_group *g)
{
	return g->key == 7 ? "cat" : NULL;
}

static void fill(struct syscall_sums *s)
{
	size_t g = syscall_sums_group(s, 7, 7);

	syscall_sums_event(s, g, 1);
	syscall_sums_event(s, g, 2);
	syscall_sums_event(s, g, 3);
	syscall_sums_call(s, g, 3);
	syscall_sums_return(s, g, 3, true, 6000, 0);
	syscall_sums_call(s, g, 3);
	syscall_sums_return(s, g, 3, true, 24000, -EBADF);
	syscall_sums_call(s, g, 0);
	s->groups[g].faults_minor = 2;
	s->groups[g].runtime = 1500000;
	syscall_sums_event(s, syscall_sums_group(s, 9, 9), 4);
	syscall_sums_sort(s);
}

#define HEAD                                                                                       \
	"   syscall            calls  errors  total       min       avg       max       stddev\n"  \
	"                                     (msec)    (msec)    (msec)    (msec)        (%)\n"   \
	"   --------------- --------  ------ -------- --------- --------- ---------     ------\n"

static void test_tables(void **state)
{
	static const struct {
		struct trace_summary t;
		const char *text;
	} rows[] = {
		{ { .errnos = true, .runtime = true, .name = name },
		  "\n Summary of events:\n\n"
		  " cat (7), 3 events, 75.0%, 2 minfaults, 1.500 msec\n\n" HEAD
		  "   close                  2      1     0.030     0.006     0.015     0.024     60.00%\n"
		  "\t\t\t\tEBADF: 1\n"
		  "   read                   1      0     0.000     0.000     0.000     0.000      0.00%\n"
		  "\n\n ? (9), 1 events, 25.0%, 0.000 msec\n\n\n\n" },
		{ { .most = 1, .mode = TRACE_BY_TOTAL, .name = name },
		  "\n Summary of events:\n\n total, 3 events, 2 minfaults\n\n" HEAD
		  "   close                  2      1     0.030     0.006     0.015     0.024     60.00%\n"
		  "\n\n total, 1 events\n\n\n\n" },
	};
	struct sysargs *sa = calls();
	struct syscall_sums s;

	syscall_sums_init(&s, 10);
	fill(&s);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf out = STRBUF_INIT;

		trace_summary(&out, &rows[i].t, sa, &s);
		if (strcmp(strbuf_str(&out), rows[i].text))
			fail_msg("%zu: '%s'", i, strbuf_str(&out));
		strbuf_release(&out);
	}
	syscall_sums_release(&s);
	sysargs_free(sa);
}

static void test_distribution(void **state)
{
	const struct trace_summary t = { .mode = TRACE_BY_TOTAL,
					 .name = name,
					 .quantiles = { 500000, 999000 },
					 .nr_quantiles = 2,
					 .hist = true,
					 .hist_of = { 3, -1 } };
	struct sysargs *sa = calls();
	struct strbuf out = STRBUF_INIT;
	struct syscall_sums s;

	syscall_sums_init(&s, 10);
	s.steps = true;
	fill(&s);
	trace_summary(&out, &t, sa, &s);
	assert_non_null(strstr(strbuf_str(&out), "       stddev       p50     p99.9\n"));
	assert_non_null(strstr(strbuf_str(&out), "     60.00%     0.006     0.024\n"));
	assert_non_null(strstr(strbuf_str(&out), "\n   close (msec):\n"
						 "          0.004 -        0.008        1 |"
						 "########################################|\n"
						 "          0.008 -        0.016        0 |"
						 "                                        |\n"
						 "          0.016 -        0.033        1 |"
						 "########################################|\n"));
	strbuf_release(&out);
	syscall_sums_release(&s);
	sysargs_free(sa);
}

static void test_wall(void **state)
{
	const struct trace_summary t = { .mode = TRACE_BY_TOTAL,
					 .name = name,
					 .wall = true,
					 .wall_ns = 120000,
					 .interval = true,
					 .from_ns = 2500000 };
	struct sysargs *sa = calls();
	struct strbuf out = STRBUF_INIT;
	struct syscall_sums s;

	syscall_sums_init(&s, 10);
	fill(&s);
	trace_summary(&out, &t, sa, &s);
	assert_memory_equal(strbuf_str(&out), "\n From 2.500 ms on:\n\n Summary", 28);
	assert_non_null(strstr(strbuf_str(&out), "       stddev      wall\n"));
	assert_non_null(strstr(strbuf_str(&out), "        (%)       (%)\n"));
	assert_non_null(strstr(strbuf_str(&out), "     ------ ---------\n"));
	assert_non_null(strstr(strbuf_str(&out), "     60.00%    25.00%\n"));
	strbuf_release(&out);
	syscall_sums_release(&s);
	sysargs_free(sa);
}

/* Rows for programs have all that tables have. */
static void test_rows(void **state)
{
	static const struct {
		enum table_form form;
		struct trace_summary t;
		const char *text;
	} rows[] = {
		{ TABLE_CSV,
		  { .errnos = true, .runtime = true, .name = name },
		  "comm,tid,events,majfaults,minfaults,runtime_ns,call,calls,errors,total_ns,min_ns,"
		  "avg_ns,max_ns,stddev_percent,errnos\n"
		  "cat,7,3,0,2,1500000,close,2,1,30000,6000,15000.000,24000,60.000,EBADF:1\n"
		  "cat,7,3,0,2,1500000,read,1,0,0,0,0.000,0,0.000,\n"
		  ",9,1,0,0,0,,,,,,,,,\n" },
		{ TABLE_JSON,
		  { .mode = TRACE_BY_TOTAL,
		    .name = name,
		    .most = 1,
		    .wall = true,
		    .wall_ns = 120000,
		    .interval = true,
		    .from_ns = 5,
		    .quantiles = { 500000 },
		    .nr_quantiles = 1,
		    .hist = true,
		    .hist_of = { 3, -1 } },
		  "{\"from_ns\":5,\"events\":3,\"majfaults\":0,\"minfaults\":2,\"call\":\"close\","
		  "\"calls\":2,\"errors\":1,\"total_ns\":30000,\"min_ns\":6000,\"avg_ns\":15000.000,"
		  "\"max_ns\":24000,\"stddev_percent\":60.000,\"wall_percent\":25.000,"
		  "\"hist\":\"4096:1 16384:1\",\"p50_ns\":6143}\n"
		  "{\"from_ns\":5,\"events\":1,\"majfaults\":0,\"minfaults\":0}\n" },
	};
	struct sysargs *sa = calls();
	struct syscall_sums s;

	syscall_sums_init(&s, 10);
	s.steps = true;
	fill(&s);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf out = STRBUF_INIT;

		trace_rows_head(&out, rows[i].form, &rows[i].t);
		trace_rows(&out, rows[i].form, &rows[i].t, sa, &s);
		if (strcmp(strbuf_str(&out), rows[i].text))
			fail_msg("%zu: '%s'", i, strbuf_str(&out));
		strbuf_release(&out);
	}
	syscall_sums_release(&s);
	sysargs_free(sa);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heads),  cmocka_unit_test(test_calls),
		cmocka_unit_test(test_faults), cmocka_unit_test(test_json),
		cmocka_unit_test(test_tables), cmocka_unit_test(test_distribution),
		cmocka_unit_test(test_wall),   cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
