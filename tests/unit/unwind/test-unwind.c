// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Test whole stacks, by the tables and by each library that is here: a function of an object that
 * calls itself, from its start of a stack on.
 *
 *	offset	what happens there		CFA
 *	0	the function begins		rsp + 8
 *	1	rbx was pushed			rsp + 16
 *	0x10	the frame is complete		rsp + 32
 *	0x30	there is no caller: the return address is undefined
 */
#include "base/compat.h"
#include "unwind/unwind.h"

#include "base/alloc.h"
#include "cfi-build.h"
#include "state-build.h"
#include "tmp-tree.h"

#include <linux/perf_event.h>
#include <setjmp.h>
#include <cmocka.h>

#define PID 7
#define BASE 0x7f0000400000
#define CODE (BASE + JIT_CODE_OFFSET)
#define STACK 0x7ffd00001000

/* The registers of x86-64 by their numbers in perf: all but segments and flags. */
#define REGISTERS 0xff01ff
#define NR_BP 6
#define NR_SP 7
#define NR_IP 8

static const char program[] = "\x41\x0e\x10\x83\x02\x4f\x0e\x20\x60\x07\x10";

struct bench {
	char *dir, *path;
	struct machine *m;
	struct symbols *syms;
	u64 regs[17];
	u64 words[32];
	struct sample sample;
	struct unwind_thread thread;
};

static int setup(void **state)
{
	const struct symconf conf = { .buildid_dir = "" };
	struct bench *t = xzalloc(sizeof(*t));

	t->dir = tmp_dir();
	t->path = xasprintf("%s/object", t->dir);
	t->m = machine_new();
	t->syms = symbols_new(&conf);
	t->sample = (struct sample){
		.pid = PID,
		.tid = PID,
		.user_regs = { PERF_SAMPLE_REGS_ABI_64, REGISTERS, (const u64_una *)t->regs },
		.user_stack = t->words,
		.user_stack_size = sizeof(t->words),
		.user_stack_dyn = sizeof(t->words),
	};
	t->regs[NR_SP] = STACK;
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	struct bench *t = *state;

	unwind_thread_release(&t->thread);
	symbols_free(t->syms);
	machine_free(t->m);
	tmp_remove(t->dir);
	free(t->path);
	free(t);
	return 0;
}

/* @program: NULL: the object has no tables */
static void map_object(struct bench *t, const char *rules, size_t len)
{
	static u8 code[64];
	const struct cb_object o = {
		.code = code, .size = sizeof(code), .program = rules, .program_len = len
	};

#ifndef HAVE_LIBELF
	skip();
#endif
	memset(code, 0x90, sizeof(code));
	cb_write(&o, t->path);
	st_mmap(t->m, 1, PID, PID, BASE, 0x1000, 0, t->path);
	machine_seal(t->m);
}

/* Unwind, and compare the addresses with @want, 0 at the end. */
static void check(struct bench *t, enum unwind_style style, const u64 *want)
{
	struct unwinder *u = unwinder_new(t->m, t->syms, "x86_64", false, style);
	struct thread_at at;
	size_t nr = 0;

	assert_non_null(u);
	machine_thread_at(t->m, PID, PID, 2, &at);
	assert_true(unwind_sample(u, &t->thread, at.epoch, &t->sample));
	assert_true(t->thread.ips[0] == (u64)PERF_CONTEXT_USER);
	while (want[nr])
		nr++;
	assert_int_equal(t->thread.nr, nr + 1);
	for (size_t i = 0; i < nr; i++)
		assert_true(t->thread.ips[i + 1] == want[i]);
	unwinder_free(u);
}

/* ---- by each style ---- */

/* Interrupted with a complete frame, called from there, called from where the stack begins. */
static void check_style(struct bench *t, const char *name)
{
	static const u64 want[] = { CODE + 0x20, CODE + 0x28 - 1, CODE + 0x38 - 1, 0 };
	enum unwind_style style;
	struct err err = { 0 };

	if (unwind_style_parse(name, &style, &err) || !unwind_style_takes(style, "x86_64", false)) {
		print_message("%s is not here\n", name);
		skip();
	}
	map_object(t, program, sizeof(program) - 1);
	t->regs[NR_IP] = CODE + 0x20;
	t->words[3] = CODE + 0x28;
	t->words[4 + 3] = CODE + 0x38;
	check(t, style, want);
	assert_int_equal(t->thread.counts.stacks, 1);
	assert_int_equal(t->thread.counts.root, 1);
	assert_int_equal(t->thread.counts.guessed, 0);
}

static void test_tables(void **state)
{
	check_style(*state, "tables");
}

static void test_libdw(void **state)
{
	check_style(*state, "libdw");
}

static void test_libunwind(void **state)
{
	check_style(*state, "libunwind");
}

/* ---- ends of stacks ---- */

static const struct unwind_ends *end_of(const struct bench *t)
{
	assert_int_equal(t->thread.counts.root, 0);
	assert_true(t->thread.counts.nr > 0);
	return &t->thread.counts.ends[t->thread.counts.nr - 1];
}

static void test_beyond(void **state)
{
	static const u64 want[] = { CODE + 0x20, CODE + 0x28 - 1, 0 };
	struct bench *t = *state;

	map_object(t, program, sizeof(program) - 1);
	t->regs[NR_IP] = CODE + 0x20;
	t->words[3] = CODE + 0x28;
	t->sample.user_stack_dyn = 4 * sizeof(u64);
	check(t, UNWIND_TABLES, want);
	for (size_t i = 0; i + 1 < t->thread.counts.nr; i++)
		assert_int_equal(t->thread.counts.ends[i].beyond, 0);
	assert_int_equal(end_of(t)->beyond, 1);
	assert_int_equal(t->thread.counts.need, 8 * sizeof(u64));
}

static void test_nothing_mapped(void **state)
{
	static const u64 want[] = { CODE + 0x20, 0 };
	struct bench *t = *state;

	map_object(t, program, sizeof(program) - 1);
	t->regs[NR_IP] = CODE + 0x20;
	t->words[3] = 0x1234;
	check(t, UNWIND_TABLES, want);
	assert_true(t->thread.unknown);
	assert_int_equal(end_of(t)->lost, 1);
}

/* ---- code without tables ---- */

/* Frames by frame pointers in memory without a file: marked as guessed, and as made at run time. */
static void test_guessed(void **state)
{
	static const u64 want[] = { CODE + 0x20, CODE + 0x28 - 1, CODE + 0x38 - 1, 0 };
	struct bench *t = *state;

	st_mmap(t->m, 1, PID, PID, BASE, 0x1000, 0, "//anon");
	machine_seal(t->m);
	t->regs[NR_IP] = CODE + 0x20;
	t->regs[NR_BP] = STACK + 16;
	t->words[2] = STACK + 48;
	t->words[3] = CODE + 0x28;
	t->words[6] = 0; /* the first function has none */
	t->words[7] = CODE + 0x38;
	check(t, UNWIND_TABLES, want);
	assert_true(t->thread.made);
	assert_int_equal(t->thread.counts.guessed, 1);
	assert_int_equal(t->thread.counts.root, 1);
}

/* A guess that does not lead up the stack, or not to code, is none. */
static void test_bad_guesses(void **state)
{
	static const u64 want[] = { CODE + 0x20, 0 };
	struct bench *t = *state;

	st_mmap(t->m, 1, PID, PID, BASE, 0x1000, 0, "//anon");
	machine_seal(t->m);
	t->regs[NR_IP] = CODE + 0x20;
	t->regs[NR_BP] = STACK + 16;
	t->words[2] = STACK + 48;
	t->words[3] = 0x1234; /* no code */
	check(t, UNWIND_TABLES, want);
	t->words[3] = CODE + 0x28;
	t->regs[NR_BP] = 0x10; /* elsewhere */
	check(t, UNWIND_TABLES, want);
	t->regs[NR_SP] = STACK + 64; /* the frame is below the stack pointer */
	t->regs[NR_BP] = STACK + 16;
	check(t, UNWIND_TABLES, want);
	assert_int_equal(t->thread.counts.root, 0);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_tables),      CASE(test_libdw),          CASE(test_libunwind),
		CASE(test_beyond),      CASE(test_nothing_mapped), CASE(test_guessed),
		CASE(test_bad_guesses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
