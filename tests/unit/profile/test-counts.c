// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what a profile counts beside its rows: kinds of branches, the quality of stacks. */
#include "base/compat.h"
#include "profile/branch-kinds.h"
#include "profile/quality.h"

#include <setjmp.h>
#include <cmocka.h>

#define KIND(k) ((u64)(k) << 20) /* where the flags of a branch have its kind */

static void test_branch_kinds(void **state)
{
	struct branch_kinds a = { { 0 } }, b = { { 0 } };
	struct strbuf out = STRBUF_INIT;

	branch_kinds_text(&a, &out);
	assert_int_equal(out.len, 0);
	branch_kinds_add(&a, 0x1000, 0x1010, KIND(1));     /* forward */
	branch_kinds_add(&a, 0x1010, 0x1000, KIND(1));     /* back */
	branch_kinds_add(&a, 0x1000, 0x3000, KIND(2));     /* into another page */
	branch_kinds_add(&b, 0x1000, 0x40000000, KIND(3)); /* and another large one */
	branch_kinds_add(&b, 0x1000, 0x2000, 0);           /* of no kind: counts nowhere */
	branch_kinds_add(&b, 0, 0x2000, KIND(3));          /* from nowhere: likewise */
	branch_kinds_merge(&a, &b);
	branch_kinds_text(&a, &out);
	assert_string_equal(strbuf_str(&out), "\n#\n# Branch Statistics:\n#"
					      "\nCOND_FWD:  25.0%"
					      "\nCOND_BWD:  25.0%"
					      "\nCROSS_4K:  25.0%"
					      "\nCROSS_2M:  25.0%"
					      "\n    COND:  50.0%"
					      "\n  UNCOND:  25.0%"
					      "\n     IND:  25.0%\n");
	strbuf_release(&out);
}

/* A chain as long as was allowed is cut; one frame less, or the marks of contexts, is not. */
static void test_quality(void **state)
{
	u64 chain[200];
	struct sample s = { .callchain = chain };
	struct quality a = { 0 }, b = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(chain); i++)
		chain[i] = 0x1000 + i;
	s.nr_callchain = 16;
	quality_note(&a, &s, 16);
	s.nr_callchain = 15;
	quality_note(&a, &s, 16);
	chain[0] = (u64)PERF_CONTEXT_USER;
	s.nr_callchain = 16;
	quality_note(&a, &s, 16);
	s.nr_callchain = 200;
	quality_note(&b, &s, 0); /* the kernel's default, 127 */
	assert_int_equal(a.stacks, 3);
	assert_int_equal(a.cut, 1);
	assert_int_equal(b.cut, 1);
	quality_merge(&a, &b);
	assert_int_equal(a.stacks, 4);
	assert_int_equal(a.cut, 2);
	assert_int_equal(a.deepest_cut, 199);
	s = (struct sample){ .user_stack_size = 4096, .user_stack_dyn = 4096 };
	quality_note(&a, &s, 0);
	s.user_stack_dyn = 100;
	quality_note(&a, &s, 0);
	assert_int_equal(a.dumps, 2);
	assert_int_equal(a.full, 1);
	assert_int_equal(a.dump_size, 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_branch_kinds),
		cmocka_unit_test(test_quality),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
