// SPDX-License-Identifier: GPL-2.0-or-later
/* Counted trouble: the first records of each kind, joined from parts that are read in parallel. */
#include "base/compat.h"
#include "base/diag.h"

#include <setjmp.h>
#include <cmocka.h>

static void expect(const struct diag *d, enum diag_kind kind, const u64 *at, u8 nr)
{
	assert_int_equal(d->nr_notes[kind], nr);
	for (u8 i = 0; i < nr; i++) {
		assert_int_equal(d->notes[kind][i].offset, at[i]);
		assert_int_equal(d->notes[kind][i].type, at[i] / 10);
	}
}

/* Records come in any order; those of the lowest offsets stay. */
static void test_notes(void **state)
{
	static const u64 at[] = { 50, 30, 70, 40, 90, 20 };
	const u64 *lowest = (const u64[]){ 20, 30, 40 };
	struct diag d = { 0 };

	diag_record(&d, DIAG_BAD_RECORD, 5, 50);
	expect(&d, DIAG_BAD_RECORD, at, 1);
	for (size_t i = 1; i < ARRAY_SIZE(at); i++)
		diag_record(&d, DIAG_BAD_RECORD, (u32)(at[i] / 10), at[i]);
	expect(&d, DIAG_BAD_RECORD, lowest, 3);
	assert_int_equal(d.count[DIAG_BAD_RECORD], ARRAY_SIZE(at));
	expect(&d, DIAG_BAD_SIZE, NULL, 0);
}

static void test_merge(void **state)
{
	struct diag a = { 0 }, b = { 0 }, c = { 0 };

	diag_record(&a, DIAG_BAD_SIZE, 3, 30);
	diag_record(&a, DIAG_BAD_SIZE, 1, 10);
	diag_record(&b, DIAG_BAD_SIZE, 2, 20);
	diag_record(&b, DIAG_BAD_SIZE, 4, 40);
	diag_add(&b, DIAG_TRUNCATED, 1, 99);
	diag_merge(&a, &b);
	expect(&a, DIAG_BAD_SIZE, (const u64[]){ 10, 20, 30 }, 3);
	assert_int_equal(a.count[DIAG_BAD_SIZE], 4);
	assert_int_equal(a.first[DIAG_BAD_SIZE], 10);
	/* what is counted without a record is remembered as one, and not counted again */
	expect(&a, DIAG_TRUNCATED, NULL, 0);
	diag_note(&c, DIAG_TRUNCATED, 8, 80);
	diag_merge(&a, &c);
	expect(&a, DIAG_TRUNCATED, (const u64[]){ 80 }, 1);
	assert_int_equal(a.count[DIAG_TRUNCATED], 1);
}

static void test_incomplete(void **state)
{
	static const bool missing[DIAG_MAX] = {
		[DIAG_TRUNCATED] = true,   [DIAG_BAD_SIZE] = true,       [DIAG_BAD_RECORD] = true,
		[DIAG_BAD_FEATURE] = true, [DIAG_BAD_COMPRESSED] = true,
	};

	for (int i = 0; i < DIAG_MAX; i++) {
		struct diag d = { 0 };

		assert_false(diag_incomplete(&d));
		diag_add(&d, (enum diag_kind)i, 1, 0);
		assert_int_equal(diag_incomplete(&d), missing[i]);
		assert_non_null(diag_reason((enum diag_kind)i));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_incomplete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
