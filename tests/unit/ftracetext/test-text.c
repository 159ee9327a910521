// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the text of events: lines, the function graph, histograms of times, tables of functions. */
#include "base/compat.h"

#include "ftracetext/durations.h"
#include "ftracetext/profile.h"

#include <setjmp.h>
#include <cmocka.h>

#define COMMON                                                                                     \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

#define FORMAT(name, id, fields, print)                                                            \
	"name: " name "\nID: " id "\nformat:\n" COMMON fields "\nprint fmt: " print "\n"
#define LONG_AT(name, at) "\tfield:unsigned long " name ";\toffset:" at ";\tsize:8;\tsigned:0;\n"

static const char entry[] =
	FORMAT("funcgraph_entry", "11",
	       LONG_AT("func", "8") "\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n",
	       "\"%ps\", (void *)REC->func");
static const char leave[] = FORMAT(
	"funcgraph_exit", "10",
	LONG_AT("func",
		"8") "\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n"
		     "\tfield:unsigned int overrun;\toffset:20;\tsize:4;\tsigned:0;\n" LONG_AT(
			     "calltime", "24") LONG_AT("rettime", "32"),
	"\"%ps\", (void *)REC->func");
static const char function[] = FORMAT("function", "1",
				      LONG_AT("ip", "8") LONG_AT("parent_ip", "16"),
				      "\" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip");
static const char call[] =
	FORMAT("sys_enter_read", "30",
	       "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n" LONG_AT("fd", "16")
		       LONG_AT("count", "24"),
	       "\"fd: 0x%08lx\", REC->fd");
static const char ret[] = FORMAT("sys_exit_read", "31",
				 "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
				 "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n",
				 "\"0x%lx\", REC->ret");
static const char number[] = FORMAT("number", "40",
				    "\tfield:unsigned int n;\toffset:8;\tsize:4;\tsigned:0;\n",
				    "\"n=%u\", REC->n");

static const char *name_of(void *ctx, u64 address, u64 *start)
{
	static const char *const names[] = { "zero", "one", "two", "three" };

	*start = address;
	return address < ARRAY_SIZE(names) ? names[address] : NULL;
}

struct box {
	struct ftext t;
	struct strbuf out;
};

static void add(struct box *b, const char *system, const char *text)
{
	struct err err = { 0 };

	assert_non_null(tracefmt_add(b->t.formats, system, text, strlen(text), &err));
}

static void box_init(struct box *b)
{
	*b = (struct box){ .t.migrate = true };
	b->t.formats = tracefmt_new(false, 8);
	b->t.printer.ksym = name_of;
	add(b, "ftrace", entry);
	add(b, "ftrace", leave);
	add(b, "ftrace", function);
	add(b, "syscalls", call);
	add(b, "syscalls", ret);
	add(b, "test", number);
	task_names_read(&b->t.names, "7 bash\n12 a very long name of a task\nx y\n13\n");
}

static void box_release(struct box *b)
{
	tracefmt_free(b->t.formats);
	ftext_release(&b->t);
	strbuf_release(&b->out);
}

/* One event as the ring has it. */
struct raw {
	u16 type;
	u8 flags, preempt;
	s32 pid;
	u64 words[4];
};

static struct fmerge_event event(const struct raw *r, u64 time, u32 cpu)
{
	return (struct fmerge_event){ { time, (const u8 *)r, sizeof(*r) }, cpu, false, 0 };
}

static void check(struct box *b, const char *want)
{
	assert_string_equal(strbuf_str(&b->out), want);
	strbuf_reset(&b->out);
}

static void test_lines(void **state)
{
	const struct raw number7 = { 40, 0, 0, 7, { 5 } }, f = { 1, 0x19, 0x21, 12, { 1, 2 } };
	const struct raw enter = { 30, 0x40, 0xf0, 0, { 0, 3, 100 } },
			 leave = { 31, 0x80, 2, 99, { 0, -2ull } };
	const struct raw unknown = { 99, 0x24, 0, 7, { 0 } };
	struct fmerge_event ev;
	struct box b;

	box_init(&b);
	ev = event(&number7, 1234567890500ull, 1);
	ftext_line(&b.t, &ev, &b.out);
	check(&b, "            bash-7       [001] .....  1234.567891: number: n=5\n");
	ev = event(&f, 999999, 123);
	ftext_line(&b.t, &ev, &b.out);
	check(&b, " a very long nam-12      [123] d.H12     0.001000: one <-two\n");
	ev = event(&enter, 0, 0);
	ev.lost = true;
	ev.nr_lost = 3;
	ftext_line(&b.t, &ev, &b.out);
	check(&b,
	      "CPU:0 [LOST 3 EVENTS]\n"
	      "          <idle>-0       [000] ..z.f     0.000000: sys_read(fd: 3, count: 0x64)\n");
	b.t.migrate = false;
	ev = event(&leave, 0, 0);
	ftext_line(&b.t, &ev, &b.out);
	check(&b,
	      "           <...>-99      [000] b..2     0.000000: sys_read -> 0xfffffffffffffffe\n");
	b.t.no_state = b.t.counter = true;
	ev = event(&unknown, 5, 0);
	ftext_line(&b.t, &ev, &b.out);
	check(&b, "            bash-7       [000]             5: Unknown type 99\n");
	assert_int_equal(b.t.unknown, 1);
	ev = event(&number7, 5, 1);
	ftext_json(&b.t, &ev, &b.out);
	check(&b, "{\"time\":5,\"cpu\":1,\"pid\":7,\"comm\":\"bash\",\"event\":\"test:number\","
		  "\"fields\":{\"n\":5}}\n");
	/* Events that are cut off print nothing, or what there is of them. */
	for (u32 size = 0; size < sizeof(f); size++) {
		ev = event(&f, 1, 0);
		ev.ev.size = size;
		ftext_line(&b.t, &ev, &b.out);
		ftext_json(&b.t, &ev, &b.out);
		assert_true(size >= 8 || !b.out.len);
	}
	box_release(&b);
}

static struct raw enters(s32 pid, u64 func, s32 depth)
{
	return (struct raw){ 11, 0, 0, pid, { func, (u32)depth } };
}

static struct raw returns(s32 pid, u64 func, s32 depth, u64 start, u64 end)
{
	return (struct raw){ 10, 0, 0, pid, { func, (u32)depth, start, end } };
}

static void line(struct fgraph *g, struct box *b, const struct raw *r)
{
	struct fmerge_event ev = event(r, 1000, 0);

	fgraph_line(g, NULL, &ev, &b->out);
}

static void test_graph(void **state)
{
	const struct fgraph_show show = { .nr_cpus = 2 },
				 tail = { .nr_cpus = 12, .tail = true, .times = true };
	const struct raw in1 = enters(7, 1, 0), in2 = enters(7, 2, 1), n = { 40, 0, 0, 7, { 5 } };
	const struct raw out2 = returns(7, 2, 1, 100, 12445),
			 out1 = returns(7, 1, 0, 0, 123456789012ull),
			 out3 = returns(12, 3, 0, 5, 6);
	struct fgraph *g;
	struct box b;

	box_init(&b);
	g = fgraph_new(&b.t, &show);
	line(g, &b, &in1);
	line(g, &b, &in2);
	line(g, &b, &n);
	line(g, &b, &out2);
	line(g, &b, &n);
	line(g, &b, &out1);
	check(&b, " 0)               |  one() {\n"
		  " 0)               |    two() {\n"
		  " 0)               |      /* number: n=5 */\n"
		  " 0) + 12.345 us   |    }\n"
		  " 0)               |  /* number: n=5 */\n"
		  " 0) $ 123456789 us |  }\n");
	line(g, &b, &out3);
	check(&b, " ------------------------------------------\n"
		  " 0)     bash-7     =>   a very -12  \n"
		  " ------------------------------------------\n\n"
		  " 0)   0.001 us    |  } /* three */\n");
	fgraph_free(g);
	g = fgraph_new(&b.t, &tail);
	line(g, &b, &in1);
	line(g, &b, &out1);
	check(&b, "    0.000001 |    0)               |  one() {\n"
		  "    0.000001 |    0) $ 123456789 us |  } /* one */\n");
	fgraph_free(g);
	box_release(&b);
}

/* An interrupt is between two arrows; the function that it begins with is "two". */
static void test_interrupts(void **state)
{
	const struct fgraph_show show = { .nr_cpus = 2, .irqs = 2, .irqs_end = 3 };
	const struct raw in = enters(7, 2, 1), inner = enters(7, 3, 2);
	const struct raw out = returns(7, 2, 1, 100, 12445), inner_out = returns(7, 3, 2, 5, 7);
	struct fmerge_event ev = event(&in, 1000, 0);
	struct fgraph *g;
	struct box b;

	box_init(&b);
	g = fgraph_new(&b.t, &show);
	ev.lost = true;
	ev.nr_lost = 2;
	fgraph_line(g, NULL, &ev, &b.out);
	line(g, &b, &inner);
	line(g, &b, &inner_out);
	line(g, &b, &out);
	check(&b, "CPU:0 [LOST 2 EVENTS]\n"
		  " 0)   ==========> |\n"
		  " 0)               |    two() {\n"
		  " 0)               |      three() {\n"
		  " 0)   0.002 us    |      }\n"
		  " 0) + 12.345 us   |    }\n"
		  " 0)   <========== |\n");
	fgraph_free(g);
	box_release(&b);
}

static bool name_args(void *ctx, u64 function, const unsigned long *regs, size_t nr,
		      struct strbuf *out)
{
	if (function != 1)
		return false;
	strbuf_addf(out, "a=%lu of %zu", regs[0], nr);
	return true;
}

static bool other_event(void *ctx, u16 type, const struct fmerge_event *ev, bool json,
			struct strbuf *out)
{
	if (type != 99)
		return false;
	strbuf_addstr(out, json ? "\"x\":1" : "other");
	return true;
}

/* Arguments are named where somebody knows them, and events without a format are shown. */
static void test_hooks(void **state)
{
	static const char with_args[] = FORMAT(
		"function", "41",
		LONG_AT("ip", "8") LONG_AT(
			"parent_ip",
			"16") "\tfield:unsigned long args[];\toffset:24;\tsize:0;\tsigned:0;\n",
		"\" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip");
	const struct raw known = { 41, 0, 0, 7, { 1, 2, 30, 0x40 } },
			 unknown = { 41, 0, 0, 7, { 2, 1, 30, 0x40 } };
	const struct raw foreign = { 99, 0, 0, 7, { 0 } };
	struct fmerge_event ev = event(&known, 0, 0);
	struct box b;

	box_init(&b);
	add(&b, "ftrace", with_args);
	b.t.args = name_args;
	b.t.other = other_event;
	ftext_event(&b.t, &ev, &b.out);
	check(&b, "one(a=30 of 2) <-two");
	ev = event(&unknown, 0, 0);
	ftext_event(&b.t, &ev, &b.out);
	check(&b, "two(0x1e, 0x40) <-one");
	ev = event(&foreign, 5, 1);
	ftext_event(&b.t, &ev, &b.out);
	check(&b, "other");
	ftext_json(&b.t, &ev, &b.out);
	check(&b, "{\"time\":5,\"cpu\":1,\"pid\":7,\"comm\":\"bash\",\"event\":\"ftrace:blk\","
		  "\"fields\":{\"x\":1}}\n");
	assert_int_equal(b.t.unknown, 0);
	box_release(&b);
}

static void test_profile(void **state)
{
	const struct fgraph_exit x[] = {
		{ 2, 100, 400, 7, 1 },  { 2, 500, 600, 7, 1 }, { 1, 0, 1000, 7, 0 },
		{ 3, 0, 50000, 12, 0 }, { 1, 0, 100, 12, 70 }, { 1, 9, 5, 12, -3 },
	};
	struct fprofile *p = fprofile_new(false);
	struct box b;

	box_init(&b);
	for (size_t i = 0; i < ARRAY_SIZE(x); i++)
		fprofile_add(p, &x[i]);
	fprofile_put(p, &b.t, "count", false, &b.out);
	check(&b, "# Total (us)   Avg (us)   Max (us)  Self (us)      Count   Function\n"
		  "       1.100      0.367      1.000      0.700          3   one\n"
		  "       0.400      0.200      0.300      0.400          2   two\n"
		  "      50.000     50.000     50.000     50.000          1   three\n");
	fprofile_put(p, &b.t, "total", true, &b.out);
	assert_non_null(
		strstr(b.out.buf, "[{\"function\":\"three\",\"count\":1,\"total_ns\":50000,"));
	fprofile_free(p);
	assert_true(fprofile_sort_check("self"));
	assert_false(fprofile_sort_check("selfish"));
	/* Many functions of many threads. */
	p = fprofile_new(true);
	for (u32 i = 0; i < 5000; i++)
		fprofile_add(p, &(struct fgraph_exit){ i, 0, 1, (s32)i, 0 });
	strbuf_reset(&b.out);
	fprofile_put(p, &b.t, "name", false, &b.out);
	assert_non_null(strstr(b.out.buf, "<...> 4999 "));
	fprofile_free(p);
	/* Sums of functions that somebody else has counted. */
	p = fprofile_new(false);
	fprofile_add_sum(p, 1, 2, 5000, 3000);
	fprofile_add_sum(p, 1, 1, 1000, 1000);
	fprofile_add_sum(p, 2, 0, 0, 0);
	strbuf_reset(&b.out);
	fprofile_put(p, &b.t, "total", false, &b.out);
	check(&b, "# Total (us)   Avg (us)   Max (us)  Self (us)      Count   Function\n"
		  "       6.000      2.000      3.000      6.000          3   one\n");
	fprofile_free(p);
	box_release(&b);
}

/* Steps that are counted elsewhere are those that are counted here. */
static void test_steps(void **state)
{
	const struct durations asked[] = {
		{ .nsec = true },
		{ .nsec = false },
		{ .range = 10, .min = 5, .max = 33 },
		{ .range = 7, .nsec = true, .max = 50 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(asked); i++) {
		struct durations d = asked[i], taken = asked[i];
		u64 ends[DURATION_STEPS], counts[DURATION_STEPS] = { 0 };
		const u32 nr = durations_ends(&d, ends);

		for (u64 ns = 0; ns < 100000; ns += 1 + ns / 7) {
			u32 step = 0;

			while (step + 1 < nr && ns >= ends[step])
				step++;
			counts[step]++;
			durations_add(&d, ns);
		}
		durations_take(&taken, counts, d.nr, d.sum, d.least, d.most);
		durations_take(&taken, counts, 0, 1, 2, 3);
		assert_memory_equal(&d, &taken, sizeof(d));
	}
}

static void test_durations(void **state)
{
	struct durations d = { 0 },
			 ranged = { .range = 10, .min = 5, .max = 30, .hide_empty = true };
	struct strbuf out = STRBUF_INIT;

	durations_put(&d, &out);
	assert_string_equal(strbuf_str(&out), "No data found\n");
	durations_add(&d, 0);
	durations_add(&d, 1000);
	durations_add(&d, 1023999);
	durations_add(&d, 1024000);
	durations_add(&d, ~0ull);
	for (size_t i = 0; i < DURATION_STEPS; i++)
		assert_int_equal(d.counts[i], i == 0 || i == 1 || i == 10 || i == 11 || i == 21);
	strbuf_reset(&out);
	durations_put(&d, &out);
	assert_non_null(strstr(out.buf, "\n     0 - 1    us |          1 | #########    "));
	assert_non_null(strstr(out.buf, "\n   512 - 1024 us |          1 | ####"));
	assert_non_null(strstr(out.buf, "\n     1 - 2    ms |          1 | ####"));
	assert_non_null(strstr(out.buf, "\n     1 - ...  s  |          1 | ####"));
	assert_int_equal(durations_check(&ranged, NULL), 0);
	for (u64 us = 0; us < 50; us++)
		durations_add(&ranged, us * 1000);
	assert_int_equal(ranged.counts[0], 5);
	assert_int_equal(ranged.counts[1], 10);
	assert_int_equal(ranged.counts[2], 10);
	assert_int_equal(ranged.counts[3], 5);
	assert_int_equal(ranged.counts[4], 20);
	strbuf_reset(&out);
	durations_put(&ranged, &out);
	assert_non_null(strstr(out.buf, "\n    25 - 30   us |          5 |"));
	assert_non_null(strstr(out.buf, "\n    30 - ...  us |         20 |"));
	strbuf_reset(&out);
	durations_json(&ranged, &out);
	assert_non_null(strstr(out.buf, "{\"from_ns\":30000,\"count\":20}]}"));
	ranged.range = 0;
	assert_true(durations_check(&ranged, NULL) < 0);
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),      cmocka_unit_test(test_graph),
		cmocka_unit_test(test_interrupts), cmocka_unit_test(test_hooks),
		cmocka_unit_test(test_profile),    cmocka_unit_test(test_durations),
		cmocka_unit_test(test_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
