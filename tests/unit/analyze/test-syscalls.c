// SPDX-License-Identifier: GPL-2.0-or-later
/* Test how events of system calls become calls, and what their numbers are read from. */
#include "base/compat.h"
#include "analyze/syscalls.h"

#include <setjmp.h>
#include <cmocka.h>

enum { READ = 0, WRITE = 1, EXECVE = 59, EXIT = 60, EXIT_GROUP = 231, EXECVEAT = 322 };

/* '<' begins a call, '>' returns from it, '|' is something else, '!' is the end of a thread. */
struct step {
	char what;
	u64 time;
	u32 pid, tid;
	s64 nr, ret;
};

struct got {
	char text[512];
	int kept;    /* calls that something is kept for */
	bool hidden; /* calls that go on are not shown */
};

static bool take(void *ctx, const struct syscall_call *c)
{
	struct got *g = ctx;
	size_t len = strlen(g->text);
	char *p = g->text + len;
	size_t room = sizeof(g->text) - len;

	if (c->state == SYSCALL_GOES_ON && g->hidden)
		return false;
	if (c->state == SYSCALL_DONE)
		snprintf(p, room, "%s%u:%d=%d", c->resumed ? "..." : "", c->tid, (int)c->nr,
			 (int)c->ret);
	else
		snprintf(p, room, "%u:%d%s", c->tid, (int)c->nr,
			 c->state == SYSCALL_LAST ? "=?" : "...");
	len = strlen(g->text);
	if (c->state == SYSCALL_DONE && c->begun)
		snprintf(g->text + len, sizeof(g->text) - len, "(%d) ", (int)(c->end - c->start));
	else
		snprintf(g->text + len, sizeof(g->text) - len, " ");
	return true;
}

static void *enter(void *ctx, const struct syscall_call *c)
{
	((struct got *)ctx)->kept++;
	return ctx;
}

static void forget(void *ctx, void *kept)
{
	((struct got *)kept)->kept--;
}

static void play(const struct step *steps, struct got *g)
{
	const struct syscalls_conf conf = {
		.call = take,
		.entered = enter,
		.forget = forget,
		.ctx = g,
		.special = { { EXIT, EXIT_GROUP, -1, -1 }, { EXECVE, EXECVEAT, -1, -1 } },
	};
	struct syscalls *s = syscalls_new(&conf);

	for (; steps->what; steps++) {
		const struct syscall_numbers n = { .nr = steps->nr, .ret = steps->ret };

		if (steps->what == '<')
			syscalls_enter(s, steps->pid, steps->tid, steps->time, &n);
		else if (steps->what == '>')
			syscalls_exit(s, steps->pid, steps->tid, steps->time, &n);
		else if (steps->what == '!')
			syscalls_task_end(s, steps->tid);
		else
			syscalls_between(s);
	}
	assert_int_equal((int)syscalls_open(s), g->kept);
	syscalls_free(s);
	assert_int_equal(g->kept, 0);
}

static const struct {
	const char *name;
	struct step steps[10];
	const char *text;
	bool hidden;
} rows[] = {
	{ "nothing", { { 0 } }, "" },
	{ "one call", { { '<', 5, 1, 1, READ }, { '>', 8, 1, 1, READ, 7 } }, "1:0=7(3) " },
	{ "an error", { { '<', 5, 1, 1, READ }, { '>', 8, 1, 1, READ, -2 } }, "1:0=-2(3) " },
	{ "it began before we did", { { '>', 8, 1, 1, READ, 7 } }, "1:0=7 " },
	{ "it never ends", { { '<', 8, 1, 1, READ } }, "" },
	{ "two threads",
	  { { '<', 1, 1, 1, READ },
	    { '<', 2, 1, 2, WRITE },
	    { '>', 3, 1, 2, WRITE, 1 },
	    { '>', 9, 1, 1, READ, 7 } },
	  "1:0... 2:1=1(1) ...1:0=7(8) " },
	{ "calls that go on are hidden",
	  { { '<', 1, 1, 1, READ },
	    { '<', 2, 1, 2, WRITE },
	    { '>', 3, 1, 2, WRITE, 1 },
	    { '>', 9, 1, 1, READ, 7 } },
	  "2:1=1(1) 1:0=7(8) ",
	  true },
	{ "another event in between",
	  { { '<', 1, 1, 1, READ }, { '|' }, { '|' }, { '>', 9, 1, 1, READ, 7 }, { '|' } },
	  "1:0... ...1:0=7(8) " },
	{ "a return without a number is of the call that began",
	  { { '<', 1, 1, 1, 15 }, { '>', 3, 1, 1, -1, 4 }, { '>', 4, 1, 1, -1, 4 } },
	  "1:15=4(2) " },
	{ "no call at all", { { '<', 1, 1, 1, -1 }, { '>', 3, 1, 1, -1, 4 } }, "" },
	{ "a return was lost",
	  { { '<', 1, 1, 1, READ }, { '<', 3, 1, 1, WRITE }, { '>', 4, 1, 1, WRITE, 1 } },
	  "1:0... 1:1=1(1) " },
	{ "a return and a begin were lost",
	  { { '<', 1, 1, 1, READ }, { '>', 4, 1, 1, WRITE, 1 } },
	  "1:0... 1:1=1 " },
	{ "exit",
	  { { '<', 1, 1, 2, EXIT }, { '!', 0, 1, 2 }, { '<', 2, 1, 1, EXIT_GROUP } },
	  "2:60=? 1:231=? " },
	{ "a thread ends inside a call",
	  { { '<', 1, 1, 2, READ }, { '!', 0, 1, 2 }, { '!', 0, 1, 2 }, { '!', 0, 1, 3 } },
	  "2:0... " },
	{ "its number is used again",
	  { { '<', 1, 1, 2, READ }, { '!', 0, 1, 2 }, { '>', 7, 9, 2, READ, 1 } },
	  "2:0... 2:0=1 " },
	{ "exec of a thread that is not the first",
	  { { '<', 1, 5, 5, READ },
	    { '<', 2, 5, 6, EXECVE },
	    { '>', 8, 5, 5, EXECVE, 0 },
	    { '<', 9, 5, 5, READ },
	    { '>', 10, 5, 5, READ, 1 } },
	  "5:0... 5:59=0(6) 5:0=1(1) " },
	{ "exec of the first thread",
	  { { '<', 2, 5, 5, EXECVE }, { '>', 8, 5, 5, EXECVE, 0 } },
	  "5:59=0(6) " },
	{ "exec that began before we did", { { '>', 8, 5, 5, EXECVE, 0 } }, "5:59=0 " },
};

static void test_rows(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct got got = { .hidden = rows[i].hidden };

		play(rows[i].steps, &got);
		if (strcmp(got.text, rows[i].text))
			fail_msg("%s: %s", rows[i].name, got.text);
	}
}

/* Places of threads that have ended are used again. */
static void test_many_threads(void **state)
{
	struct got got = { .hidden = true };
	const struct syscalls_conf conf = { .call = take,
					    .ctx = &got,
					    .special = { { -1, -1, -1, -1 }, { -1, -1, -1, -1 } } };
	struct syscalls *s = syscalls_new(&conf);
	const struct syscall_numbers n = { 0 };

	for (u32 tid = 1; tid < 5000; tid++) {
		got.text[0] = 0;
		syscalls_enter(s, tid, tid, tid, &n);
		if (tid % 3)
			syscalls_exit(s, tid, tid, tid + 1, &n);
		assert_int_equal(syscalls_open(s), tid % 3 ? 0 : 1);
		syscalls_task_end(s, tid);
	}
	assert_int_equal(syscalls_open(s), 0);
	syscalls_free(s);
}

/* ---- numbers in events ---- */

#define COMMON                                                                                     \
	"format:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"            \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char enter_all[] =
	"name: sys_enter\nID: 1\n" COMMON "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n\nprint fmt: \"\"\n";
static const char exit_all[] =
	"name: sys_exit\nID: 2\n" COMMON "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n\nprint fmt: \"\"\n";
static const char enter_dup[] = "name: sys_enter_dup2\nID: 3\n" COMMON
				"\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
				"\tfield:unsigned int old;\toffset:16;\tsize:8;\tsigned:0;\n"
				"\tfield:unsigned int new;\toffset:24;\tsize:8;\tsigned:0;\n\n"
				"print fmt: \"\"\n";
static const char broken[] = "name: sys_enter\nID: 4\n" COMMON
			     "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n\nprint fmt: \"\"\n";

static void test_numbers(void **state)
{
	static const struct {
		const char *name, *system, *format;
		bool swap, fails;
		u32 payload, nr_args;
	} kinds[] = {
		{ "raw_syscalls:sys_enter", "raw_syscalls", enter_all, false, false, 64, 6 },
		{ "raw_syscalls:sys_exit", "raw_syscalls", exit_all, true, false, 24, 0 },
		{ "syscalls:sys_enter_dup2", "syscalls", enter_dup, false, false, 32, 2 },
		{ "raw_syscalls:sys_enter", "raw_syscalls", broken, false, true, 0, 0 },
		{ "sched:sched_switch", "sched", enter_all, false, true, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct tracefmt *tf = tracefmt_new(false, 8);
		struct err err = { 0 };
		const struct tf_event *f = tracefmt_add(tf, kinds[i].system, kinds[i].format,
							strlen(kinds[i].format), &err);
		struct syscall_binding b;

		assert_non_null(f);
		if (syscall_bind(kinds[i].name, f, kinds[i].swap, &b) == kinds[i].fails)
			fail_msg("%zu: %s", i, kinds[i].name);
		if (!kinds[i].fails) {
			u64 raw[8] = { 0, kinds[i].swap ? __builtin_bswap64(9) : 9, 11, 12 };
			struct syscall_numbers n;

			assert_int_equal(b.payload, kinds[i].payload);
			assert_int_equal(b.nr_args, kinds[i].nr_args);
			assert_false(syscall_read(&b, raw, b.payload - 1, &n));
			assert_false(syscall_read(&b, NULL, 100, &n));
			assert_true(syscall_read(&b, raw, sizeof(raw), &n));
			assert_int_equal(n.nr, 9);
			if (b.side == SYSCALL_EXIT)
				assert_true(n.ret == (s64)__builtin_bswap64(11));
			else
				assert_int_equal(n.args[1], 12);
			if (b.nr_args == 2)
				assert_int_equal(n.args[2], 0);
		}
		tracefmt_free(tf);
	}
}

static void test_sides(void **state)
{
	const char *call;

	assert_int_equal(syscall_side_of("syscalls:sys_exit_read", &call), SYSCALL_EXIT);
	assert_string_equal(call, "read");
	assert_int_equal(syscall_side_of("raw_syscalls:sys_exit", &call), SYSCALL_EXIT);
	assert_null(call);
	assert_int_equal(syscall_side_of("raw_syscalls:sys_exits", &call), SYSCALL_NEITHER);
	assert_int_equal(syscall_side_of("syscalls:sys_enter_", &call), SYSCALL_NEITHER);
	assert_int_equal(syscall_side_of("sched:sched_switch", &call), SYSCALL_NEITHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_many_threads),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_sides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
