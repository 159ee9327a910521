// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the frames of samples from each source: recorded, calls of a branch stack, ends of branches
 * in front, an unwound stack. Leaf callers need an object with rules: shell tests have those. */
#include "base/compat.h"
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

static bool unwind(void *ctx, u32 epoch, const struct sample *s, struct callchain *out)
{
	static const u64 ips[] = { USER, 0x77 };

	if (epoch != *(u32 *)ctx)
		return false;
	*out = (struct callchain){ .ips = (const u64_una *)ips, .nr = 2 };
	return true;
}

static void test_unwound(void **state)
{
	u32 epoch = 5;
	const struct callchain_conf conf = { .unwind = unwind, .unwind_ctx = &epoch };
	struct callchain_maker m = { .conf = &conf };
	struct sample s = sample(0);
	struct callchain c;

	callchain_make(&m, false, 5, &s, &c);
	assert_int_equal(c.nr, 2);
	assert_int_equal(c.ips[1], 0x77);
	callchain_make(&m, false, 6, &s, &c); /* nothing to unwind */
	check(&c, recorded, ARRAY_SIZE(recorded));
	callchain_maker_release(&m);
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
