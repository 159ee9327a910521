// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the frames of samples from each source: recorded, calls of a branch stack, ends of branches
 * in front, an unwound stack. Leaf callers need an object with rules: shell tests have those. */
#include "base/compat.h"
#include "mapped.h"
#include "resolve/callchain.h"

#include <setjmp.h>
#include <cmocka.h>

#define KERNEL ((u64)PERF_CONTEXT_KERNEL)
#define USER ((u64)PERF_CONTEXT_USER)

static const u64 recorded[] = { KERNEL, 0xffff1000, 0xffff2000, USER, 0x1000, 0x2008, 0x3000 };
/* from, to, flags; the last branch first */
static const u64 branches[] = { 0x2004, 0x1000, 2, 0x3100, 0x2000, 0, 0x4100, 0x3000, 0 };

static struct sample sample(u64 nr_branches)
{
	return (struct sample){
		.callchain = (const u64_una *)recorded,
		.nr_callchain = ARRAY_SIZE(recorded),
		.branches = (const u64_una *)branches,
		.nr_branches = nr_branches,
	};
}

static void check(const struct callchain *c, const u64 *want, u64 nr)
{
	assert_int_equal(c->nr, nr);
	for (u64 i = 0; i < nr; i++)
		assert_int_equal(c->ips[i], want[i]);
}

static void test_recorded(void **state)
{
	const struct callchain_conf conf = { .call_stacks = true, .branches = true };
	struct callchain_maker m = { .conf = &conf };
	struct sample s = sample(0);
	struct callchain c;

	callchain_make(&m, true, 0, &s, &c);
	assert_ptr_equal(c.ips, s.callchain); /* nothing was copied */
	check(&c, recorded, ARRAY_SIZE(recorded));
	assert_false(c.calls);
	assert_int_equal(c.nr_branch_ends, 0);
	callchain_maker_release(&m);
}

static void test_call_stack(void **state)
{
	static const u64 want[] = { KERNEL, 0xffff1000, 0xffff2000, USER, 0x1000, 0x2004, 0x3100 };
	const struct callchain_conf conf = { .call_stacks = true }, none = { 0 };
	struct callchain_maker m = { .conf = &conf };
	struct sample s = sample(2);
	struct callchain c;

	callchain_make(&m, true, 0, &s, &c);
	check(&c, want, ARRAY_SIZE(want));
	assert_true(c.calls);
	/* Branches of another type are no calls, and nobody has to want them. */
	callchain_make(&m, false, 0, &s, &c);
	check(&c, recorded, ARRAY_SIZE(recorded));
	assert_false(c.calls);
	m.conf = &none;
	callchain_make(&m, true, 0, &s, &c);
	check(&c, recorded, ARRAY_SIZE(recorded));
	callchain_maker_release(&m);
}

/* The frames that branches tell of already, here 0xffff1000 which is where the sample was, stay: no
 * branch came from just before them. */
static void test_branches_in_front(void **state)
{
	static const u64 want[] = { BRANCH_CONTEXT_ANY, 0x1000, 0x2004, KERNEL, 0xffff1000,
				    0xffff2000,         USER,   0x1000, 0x2008, 0x3000 };
	static const u64 user[] = { USER, 0x2008, 0x3104, 0x9000 };
	static const u64 known[] = {
		BRANCH_CONTEXT_ANY, 0x1000, 0x2004, 0x2000, 0x3100, USER, 0x9000
	};
	const struct callchain_conf conf = { .branches = true, .in_front = { .max = 127 } };
	struct callchain_maker m = { .conf = &conf };
	struct sample s = sample(1);
	struct callchain c;

	callchain_make(&m, false, 0, &s, &c);
	check(&c, want, ARRAY_SIZE(want));
	assert_int_equal(c.nr_branch_ends, 2);
	/* Return addresses just behind the calls that the branches were are not told twice. */
	s = sample(2);
	s.callchain = (const u64_una *)user;
	s.nr_callchain = ARRAY_SIZE(user);
	callchain_make(&m, false, 0, &s, &c);
	check(&c, known, ARRAY_SIZE(known));
	assert_int_equal(c.nr_branch_ends, 4);
	callchain_maker_release(&m);
}

static void test_branch_marks(void **state)
{
	const struct callchain_conf conf = { .branches = true,
					     .in_front = { .marks = true, .max = 1 } };
	struct callchain_maker m = { .conf = &conf };
	struct sample s = sample(3);
	struct callchain c;

	s.nr_callchain = 0;
	callchain_make(&m, false, 0, &s, &c);
	assert_int_equal(c.nr, 5);
	assert_int_equal(c.ips[0], BRANCH_CONTEXT_MARKS);
	assert_int_equal(c.ips[1], 0x1000);
	assert_int_equal(c.ips[2], BRANCH_MARK | BRANCH_MARK_TO | BRANCH_MARK_PREDICTED);
	assert_int_equal(c.ips[3], 0x2004);
	assert_int_equal(c.ips[4], BRANCH_MARK);
	callchain_maker_release(&m);
}

/* A stack is copied: its frames, behind the kernel's part of what was recorded. Code without a file
 * keeps frame pointers. */
static void test_unwound(void **state)
{
	static const u64 stack[] = { 0x7010, 0x2008, 0, 0x3004 };
	static const u64 regs[] = { 0x7000, 0x6ff0, 0x1000 }; /* bp, sp, ip */
	static const u64 want[] = { KERNEL, 0xffff1000, 0xffff2000, USER, 0x1000, 0x2007, 0x3003 };
	struct callchain_source from = { .arch = "x86_64", .copies = true };
	struct callchain_conf conf = { 0 };
	struct callchain_maker m = { .conf = &conf };
	struct sample s = sample(0);
	struct thread_at at;
	struct callchain c;
	struct mapped w;
	u64 copied[6] = { 0 };

	mapped_open(&w);
	mapped_process(&w, 42, "prog", "1000 100 f\n");
	mapped_seal(&w);
	machine_thread_at(w.m, 42, 42, 1, &at);
	from.machine = w.m;
	from.symbols = w.symbols;
	callchain_conf_open(&conf, &from);
	memcpy(copied + 2, stack, sizeof(stack));
	s.user_regs = (struct wire_regs){ PERF_SAMPLE_REGS_ABI_64, 7 << 6, (const u64_una *)regs };
	s.user_stack = copied;
	s.user_stack_size = s.user_stack_dyn = sizeof(copied);
	callchain_make(&m, false, at.epoch, &s, &c);
	check(&c, want, ARRAY_SIZE(want));
	assert_true(c.calls);
	assert_int_equal(m.unwound.counts.stacks, 1);
	assert_int_equal(m.unwound.counts.root, 1); /* the last frame pointer is zero */
	assert_int_equal(m.unwound.counts.guessed, 1);
	s.user_stack_dyn = 0; /* there is nothing to unwind */
	callchain_make(&m, false, at.epoch, &s, &c);
	check(&c, recorded, ARRAY_SIZE(recorded));
	callchain_maker_release(&m);
	callchain_conf_close(&conf);
	mapped_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recorded),          cmocka_unit_test(test_call_stack),
		cmocka_unit_test(test_branches_in_front), cmocka_unit_test(test_branch_marks),
		cmocka_unit_test(test_unwound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
