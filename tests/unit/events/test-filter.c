// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the two languages of --filter: what is taken, where the caret stands when it is not; and
 * that the kernel judges tracepoint filters as we do. */
#include "base/compat.h"
#include "base/alloc.h"
#include "events/filter.h"
#include "events/parse.h"
#include "kernel/open.h"

#include <errno.h>
#include <setjmp.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

static const char sched_switch[] =
	"name: sched_switch\nID: 372\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
	"\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"%d\", REC->prev_pid\n";
static const char openat[] =
	"name: sys_enter_openat\nID: 782\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:int dfd;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:const char * filename;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:int flags;\toffset:32;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"%d\", REC->dfd\n";
static const char exec[] =
	"name: sched_process_exec\nID: 365\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:__data_loc char[] filename;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\tfield:pid_t old_pid;\toffset:16;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"%d\", REC->pid\n";
static const char cpumask[] =
	"name: ipi_send_cpumask\nID: 200\nformat:\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:__data_loc cpumask_t cpumask;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:void * callsite;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:void * callback;\toffset:24;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"%p\", REC->callsite\n";

enum { SWITCH, OPENAT, EXEC, CPUMASK };
static const struct {
	const char *system, *name, *format;
} events[] = {
	[SWITCH] = { "sched", "sched_switch", sched_switch },
	[OPENAT] = { "syscalls", "sys_enter_openat", openat },
	[EXEC] = { "sched", "sched_process_exec", exec },
	[CPUMASK] = { "ipi", "ipi_send_cpumask", cpumask },
};

/* @why: part of the message, NULL when the filter is good. @at: where the caret stands. */
static const struct trace_case {
	u8 event;
	const char *filter, *why;
	size_t at;
} trace_cases[] = {
	{ SWITCH, "prev_pid == 0", NULL, 0 },
	{ SWITCH, "prev_pid==0", NULL, 0 },
	{ SWITCH, " prev_pid   >=   0x10 ", NULL, 0 },
	{ SWITCH, "prev_pid == -1", NULL, 0 },
	{ SWITCH, "prev_state & 3 && next_pid != 0", NULL, 0 },
	{ SWITCH, "(prev_prio < 100 || next_prio < 100) && !(prev_pid == 0)", NULL, 0 },
	{ SWITCH, "!prev_pid == 0", NULL, 0 },
	{ SWITCH, "prev_comm == \"bash\"", NULL, 0 },
	{ SWITCH, "prev_comm != 'bash' || next_comm ~ \"k*\"", NULL, 0 },
	{ SWITCH, "prev_comm ~ \"[ab]?*\"", NULL, 0 },
	{ SWITCH, "common_pid == 1", NULL, 0 },
	{ SWITCH, "common_pid != 1 && common_flags & 1", NULL, 0 },
	{ SWITCH, "CPU == 1", NULL, 0 },
	{ SWITCH, "cpu < 2", NULL, 0 },
	{ SWITCH, "comm == \"x\"", NULL, 0 },
	{ SWITCH, "COMM ~ \"x*\"", NULL, 0 },
	{ EXEC, "filename ~ \"*/true\" && pid > 1", NULL, 0 },
	{ EXEC, "filename == \"\"", NULL, 0 },
	{ OPENAT, "filename.ustring ~ \"*passwd*\"", NULL, 0 },
	{ OPENAT, "flags & 0100", NULL, 0 },
	{ OPENAT, "dfd == 0xffffff9c", NULL, 0 },
	{ OPENAT, "common_preempt_count == 0", NULL, 0 },

	{ SWITCH, "nope == 1", "no field 'nope'", 0 },
	{ SWITCH, "prev_pids == 1", "did you mean 'prev_pid'?", 0 },
	{ SWITCH, "prev_pid == 1 && next_cmm ~ \"x\"", "did you mean 'next_comm'?", 17 },
	{ SWITCH, "prev_pid => 1", "use '>='", 9 },
	{ SWITCH, "prev_pid =< 1", "use '<='", 9 },
	{ SWITCH, "prev_pid = 1", "use '=='", 9 },
	{ SWITCH, "prev_pid === 1", "use '=='", 9 },
	{ SWITCH, "prev_pid <> 1", "use '!='", 9 },
	{ SWITCH, "prev_pid eq 1", "use '=='", 9 },
	{ SWITCH, "prev_comm =~ \"a\"", "use '~'", 10 },
	{ SWITCH, "prev_comm !~ \"a\"", "use !(FIELD ~ ", 10 },
	{ SWITCH, "prev_pid && next_pid", "one of == != < <= > >= & is expected", 9 },
	{ SWITCH, "prev_pid", "one of == != < <= > >= & is expected", 8 },
	{ SWITCH, "prev_pid ~ \"a\"", "for bits of a number use '&'", 9 },
	{ SWITCH, "prev_pid ~ 1", "'~' does not apply to the number 'prev_pid'", 9 },
	{ SWITCH, "prev_comm < \"a\"", "'<' does not apply to the string 'prev_comm'", 10 },
	{ SWITCH, "prev_comm & \"a\"", "use '~' with a pattern", 10 },
	{ SWITCH, "prev_comm == bash", "strings stand in quotes: \"bash\"", 13 },
	{ SWITCH, "prev_comm == 1", "a string in quotes is expected here: \"1\"", 13 },
	{ SWITCH, "prev_comm == \"bash", "no closing", 13 },
	{ SWITCH, "prev_pid == \"1\"", "a number is expected", 12 },
	{ SWITCH, "prev_pid == 1x", "'1x' is no number", 12 },
	{ SWITCH, "prev_pid == 08", "'08' is no number", 12 },
	{ SWITCH, "prev_state == TASK_RUNNING", "'TASK_RUNNING' is no number", 14 },
	{ SWITCH, "prev_pid == 99999999999999999999", "too large", 12 },
	{ SWITCH, "prev_pid == 1 and next_pid == 2", "joined by '&&'", 14 },
	{ SWITCH, "prev_pid == 1, next_pid == 2", "',' does not join conditions", 13 },
	{ SWITCH, "prev_pid == 1 | next_pid == 2", "joined by '||'", 14 },
	{ SWITCH, "(prev_pid == 1", "not closed", 0 },
	{ SWITCH, "prev_pid == 1)", "no parenthesis is open", 13 },
	{ SWITCH, "", "ends where a field name", 0 },
	{ SWITCH, "prev_pid ==", "ends where a value", 11 },
	{ SWITCH, "prev_pid.ustring == \"x\"", "'.ustring' is for strings", 8 },
	{ SWITCH, "== 1", "a field name is expected", 0 },
	{ OPENAT, "dfd == -100", "no sign", 7 },
	{ OPENAT, "filename == 0", "a string in quotes is expected", 12 },
	{ OPENAT, "filename > 0", "'>' does not apply to the string", 9 },
};

static const struct tf_event *event_of(struct tracefmt *tf, u8 which)
{
	const struct tf_event *ev = tracefmt_find(tf, events[which].system, events[which].name);

	if (!ev)
		ev = tracefmt_add(tf, events[which].system, events[which].format,
				  strlen(events[which].format), NULL);
	assert_non_null(ev);
	return ev;
}

static void test_trace(void **state)
{
	struct tracefmt *tf = tracefmt_new(false, 8);
	struct filter_error fe;

	for (size_t i = 0; i < ARRAY_SIZE(trace_cases); i++) {
		const struct trace_case *c = &trace_cases[i];
		int rc = tracefilter_check(c->filter, event_of(tf, c->event), &fe);

		if (!c->why && rc)
			fail_msg("%s: %s at %zu", c->filter, fe.text, fe.at);
		if (c->why && (!rc || !strstr(fe.text, c->why) || fe.at != c->at))
			fail_msg("%s: '%s' at %zu, not '%s' at %zu", c->filter, rc ? fe.text : "",
				 fe.at, c->why, c->at);
	}
	tracefmt_free(tf);
}

/* Sets of CPUs came with Linux 6.6, a kernel that runs this may not have them; and it forgives the
 * last. */
static void test_ours(void **state)
{
	static const struct trace_case cases[] = {
		{ CPUMASK, "cpumask & CPUS{0-1}", NULL, 0 },
		{ CPUMASK, "cpumask == CPUS{1}", NULL, 0 },
		{ CPUMASK, "callsite.function == schedule", NULL, 0 },
		{ SWITCH, "cpu & CPUS{0}", NULL, 0 },
		{ SWITCH, "next_prio & CPUS{0-1,3}", NULL, 0 },
		{ CPUMASK, "cpumask & 3", "CPUS{3}", 10 },
		{ CPUMASK, "cpumask < CPUS{1}", "'<' does not apply to the set of CPUs", 8 },
		{ SWITCH, "next_prio < CPUS{1}", "is compared with '&'", 12 },
		{ SWITCH, "next_prio & CPUS{1", "no closing }", 12 },
		{ SWITCH, "next_prio & CPUS{}", "a list of CPUs is expected", 17 },
		{ SWITCH, "next_prio & CPUS{a}", "a list of CPUs is expected", 17 },
		{ SWITCH, "prev_pid == 1 &&", "ends where a field name", 16 },
	};
	struct tracefmt *tf = tracefmt_new(false, 8);
	struct filter_error fe;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct trace_case *c = &cases[i];
		int rc = tracefilter_check(c->filter, event_of(tf, c->event), &fe);

		if (!c->why != !rc || (c->why && (!strstr(fe.text, c->why) || fe.at != c->at)))
			fail_msg("%s: '%s' at %zu", c->filter, rc ? fe.text : "", fe.at);
	}
	tracefmt_free(tf);
}

static void test_remark(void **state)
{
	struct tracefmt *tf = tracefmt_new(false, 8);
	struct filter_error fe;

	assert_int_equal(tracefilter_check("filename ~ \"*x\"", event_of(tf, OPENAT), &fe), 0);
	assert_non_null(strstr(fe.remark, "filename.ustring"));
	assert_int_equal(tracefilter_check("filename.ustring ~ \"*x\"", event_of(tf, OPENAT), &fe),
			 0);
	assert_string_equal(fe.remark, "");
	assert_int_equal(tracefilter_check("filename ~ \"*x\"", event_of(tf, EXEC), &fe), 0);
	assert_string_equal(fe.remark, "");
	tracefmt_free(tf);
}

static void test_depth(void **state)
{
	struct tracefmt *tf = tracefmt_new(false, 8);
	struct strbuf sb = STRBUF_INIT;
	struct filter_error fe;

	for (int i = 0; i < 100000; i++)
		strbuf_addch(&sb, i & 1 ? '!' : '(');
	assert_int_equal(tracefilter_check(strbuf_str(&sb), event_of(tf, SWITCH), &fe), -EINVAL);
	assert_non_null(strstr(fe.text, "levels of parentheses"));
	strbuf_release(&sb);
	tracefmt_free(tf);
}

/* Ask the running kernel whether it takes a filter. Return: 0, -EINVAL. */
static int ask_kernel(const struct tf_event *ev, const char *filter)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(a), .config = ev->id, .disabled = 1
	};
	int fd = (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0), rc;

	if (fd < 0)
		return -EACCES;
	rc = ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter) ? -errno : 0;
	close(fd);
	return rc;
}

static void test_kernel(void **state)
{
	const struct sysroot sr = { NULL };
	struct tracefmt *tf = tracefmt_new(false, sizeof(long));
	struct filter_error fe;

	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (!tracefmt_load(tf, &sr, events[i].system, events[i].name, NULL) && i < CPUMASK)
			skip();
	for (size_t i = 0; i < ARRAY_SIZE(trace_cases); i++) {
		const struct trace_case *c = &trace_cases[i];
		const struct tf_event *ev = event_of(tf, c->event);
		int theirs = ask_kernel(ev, c->filter);

		if (theirs == -EACCES)
			skip();
		if (!theirs != !tracefilter_check(c->filter, ev, &fe))
			fail_msg("%s: the kernel says %d, we: %s", c->filter, theirs, fe.text);
	}
	tracefmt_free(tf);
}

/* --- samples ------------------------------------------------------------------- */

/* Run the program made of a filter on pid, cpu and data_src. Return: whether it keeps the
 * sample. */
static bool keeps(const struct compiled_filter *f, u64 pid, u64 cpu, u64 src)
{
	size_t at = 0;

	while (at < f->nr) {
		const struct filter_node *n = &f->nodes[at];
		u64 v = n->term == FT_PID   ? pid
			: n->term == FT_CPU ? cpu
					    : src >> n->shift & n->mask;
		bool yes = n->op == FO_EQ   ? v == n->value
			   : n->op == FO_NE ? v != n->value
			   : n->op == FO_GT ? v > n->value
			   : n->op == FO_GE ? v >= n->value
			   : n->op == FO_LT ? v < n->value
			   : n->op == FO_LE ? v <= n->value
					    : v & n->value;

		at = yes ? n->yes : n->no;
	}
	return at == FILTER_KEEP;
}

static void test_sample_filter(void **state)
{
	/* what is kept of pid 1 cpu 0, pid 1 cpu 1, pid 2 cpu 0, pid 2 cpu 1: one bit each */
	static const struct {
		const char *text;
		u8 kept;
	} cases[] = {
		{ "pid == 1", 0x3 },
		{ "PID==0x1", 0x3 },
		{ "pid != 1", 0xc },
		{ "pid > 1", 0xc },
		{ "pid >= 1", 0xf },
		{ "pid < 2", 0x3 },
		{ "pid <= 2", 0xf },
		{ "pid & 2", 0xc },
		{ "pid == 1, cpu == 1", 0x2 },
		{ "pid == 1 || cpu == 1", 0xb },
		{ "pid == 1 || pid == 2, cpu == 0", 0x5 },
		{ "cpu == 0, pid == 1 || pid == 2", 0x5 },
		{ "pid == 1 && cpu == 1 || pid == 2 && cpu == 0", 0x6 },
		{ "!(pid == 1, cpu == 1)", 0xd },
		{ "!pid == 1", 0xc },
		{ "!!pid == 1", 0x3 },
		{ "!(pid == 1 || cpu == 1)", 0x4 },
		{ "(pid == 1, cpu == 0) || (pid == 2, cpu == 1)", 0x9 },
		{ "pid == 1, pid == 2", 0 },
	};
	struct filter_error fe;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct compiled_filter f;
		u8 kept = 0;

		if (compiled_filter_parse(&f, cases[i].text, &fe))
			fail_msg("%s: %s", cases[i].text, fe.text);
		for (u64 k = 0; k < 4; k++)
			kept |= (u8)(keeps(&f, 1 + k / 2, k % 2, 0) << k);
		if (kept != cases[i].kept)
			fail_msg("%s keeps %#x, not %#x", cases[i].text, kept, cases[i].kept);
		compiled_filter_release(&f);
	}
}

static void test_sample_filter_memory(void **state)
{
	/* a load that hit the L2, hit modified elsewhere, walked pages */
	const u64 src = PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVLNUM, L2) | PERF_MEM_S(SNOOP, HITM) |
			PERF_MEM_S(TLB, WK) | PERF_MEM_S(LOCK, LOCKED);
	static const struct {
		const char *text;
		bool kept;
	} cases[] = {
		{ "mem_op == load", true },        { "mem_op == STORE", false },
		{ "mem_lvl == l2", true },         { "mem_lvl > l1", true },
		{ "mem_lvl == ram", false },       { "mem_snoop == hitm", true },
		{ "mem_snoop == hit", false },     { "mem_dtlb & walk", true },
		{ "mem_dtlb == fault", false },    { "mem_lock == locked", true },
		{ "mem_remote == remote", false },
	};
	struct filter_error fe;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct compiled_filter f;

		assert_int_equal(compiled_filter_parse(&f, cases[i].text, &fe), 0);
		assert_int_equal(compiled_filter_types(&f), PERF_SAMPLE_DATA_SRC);
		if (keeps(&f, 0, 0, src) != cases[i].kept)
			fail_msg("%s", cases[i].text);
		compiled_filter_release(&f);
	}
}

static void test_sample_filter_errors(void **state)
{
	static const struct {
		const char *text, *why;
		size_t at;
	} cases[] = {
		{ "perid > 1", "did you mean 'period'?", 0 },
		{ "cpu == 1, perid > 1", "did you mean 'period'?", 10 },
		{ "comm == 1", "no field 'comm'", 0 },
		{ "", "ends where the name", 0 },
		{ "cpu == 1,", "ends where the name", 9 },
		{ "cpu", "is expected here", 3 },
		{ "cpu ==", "ends where a value", 6 },
		{ "cpu = 1", "use '=='", 4 },
		{ "cpu => 1", "use '>='", 4 },
		{ "cpu <> 1", "use '!='", 4 },
		{ "cpu && 1", "is expected here", 4 },
		{ "cpu ~ 1", "'~' is for strings", 4 },
		{ "cpu =~ 1", "'~' is for strings", 4 },
		{ "cpu == x", "a number is expected", 7 },
		{ "cpu == 1x", "'1x' is no number", 7 },
		{ "cpu == 99999999999999999999", "too large", 7 },
		{ "mem_op == laod", "did you mean 'load'?", 10 },
		{ "mem_op == l1", "no value of mem_op", 10 },
		{ "(cpu == 1", "not closed", 0 },
		{ "cpu == 1)", "no parenthesis is open", 8 },
		{ "cpu == 1 and pid == 1", "joined by ','", 9 },
		{ "cpu == 1 | pid == 1", "joined by '||'", 9 },
		{ "cpu == 1 pid == 1", "or the end is expected", 9 },
		{ "cgroup ==", "the path of a cgroup", 9 },
	};
	struct strbuf sb = STRBUF_INIT;
	struct filter_error fe;
	struct compiled_filter f;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (!compiled_filter_parse(&f, cases[i].text, &fe) ||
		    !strstr(fe.text, cases[i].why) || fe.at != cases[i].at)
			fail_msg("%s: '%s' at %zu", cases[i].text, fe.text, fe.at);
	for (int i = 0; i < 65; i++)
		strbuf_addf(&sb, "%scpu == %d", i ? "," : "", i);
	assert_int_equal(compiled_filter_parse(&f, strbuf_str(&sb), &fe), -EINVAL);
	assert_non_null(strstr(fe.text, "at most 64"));
	strbuf_reset(&sb);
	for (int i = 0; i < 100000; i++)
		strbuf_addch(&sb, i & 1 ? '!' : '(');
	assert_int_equal(compiled_filter_parse(&f, strbuf_str(&sb), &fe), -EINVAL);
	strbuf_release(&sb);
}

static void test_sample_filter_cgroup(void **state)
{
	struct filter_error fe;
	struct compiled_filter f;

	assert_int_equal(compiled_filter_parse(&f, "cgroup != /a/b-c.slice||cgroup == 17", &fe), 0);
	assert_int_equal(f.nr, 2);
	assert_string_equal(f.nodes[0].cgroup, "/a/b-c.slice");
	assert_null(f.nodes[1].cgroup);
	assert_int_equal(f.nodes[1].value, 17);
	compiled_filter_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trace),
		cmocka_unit_test(test_ours),
		cmocka_unit_test(test_remark),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_sample_filter),
		cmocka_unit_test(test_sample_filter_memory),
		cmocka_unit_test(test_sample_filter_errors),
		cmocka_unit_test(test_sample_filter_cgroup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
