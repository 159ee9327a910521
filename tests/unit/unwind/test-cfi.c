// SPDX-License-Identifier: GPL-2.0-or-later
/* Call frame information from bytes: entries, rules at each instruction, damaged sections. */
#include "base/compat.h"

#include "cfi-build.h"
#include "unwind/cfi.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

#define SECTION 0x5000
#define CODE 0x1000

struct bench {
	struct pb b;
	struct cfi_section s;
	size_t fde_at;
};

static void put_cie(struct bench *t, const char *letters)
{
	cb_cie(&t->b, letters);
}

static void put_fde(struct bench *t, const void *program, size_t len)
{
	t->fde_at = cb_fde(&t->b, SECTION, CODE, 0x40, program, len);
	t->s = (struct cfi_section){ .bytes = (const u8 *)t->b.out.buf,
				     .size = t->b.out.len,
				     .addr = SECTION,
				     .wide = true };
}

static int setup(void **state)
{
	static struct bench bench;

	bench = (struct bench){ 0 };
	pb_init(&bench.b, false);
	*state = &bench;
	return 0;
}

static int teardown(void **state)
{
	struct bench *t = *state;

	pb_release(&t->b);
	return 0;
}

static struct unw_rules rules_at(const struct bench *t, u64 pc)
{
	struct unw_rules r = { 0 };
	struct cfi_fde f;

	assert_int_equal(cfi_entry(&t->s, t->fde_at, &f), 1);
	assert_true(f.start == CODE && f.end == CODE + 0x40);
	cfi_rules(&t->s, &f, pc, &r);
	return r;
}

static const struct unw_rule *rule_of(const struct unw_rules *r, u8 reg)
{
	for (u8 i = 0; i < r->nr; i++)
		if (r->rule[i].reg == reg)
			return &r->rule[i];
	return NULL;
}

static void check(const struct bench *t, u64 offset, u8 cfa_reg, s64 cfa_offset, s32 rbp)
{
	struct unw_rules r = rules_at(t, CODE + offset);
	const struct unw_rule *fp = rule_of(&r, 6);

	assert_true(r.valid && !r.signal && !r.cfa_is_expr);
	assert_int_equal(r.ra, 16);
	assert_int_equal(rule_of(&r, 16)->how, UNW_AT_CFA);
	assert_int_equal(rule_of(&r, 16)->offset, -8);
	assert_int_equal(r.cfa_reg, cfa_reg);
	assert_true(r.cfa_offset == cfa_offset);
	assert_int_equal(fp != NULL, rbp != 0);
	if (fp)
		assert_int_equal(fp->offset, rbp);
}

/* push %rbp; mov %rsp,%rbp; ...; pop %rbp; ret; and code behind, as before the pop */
#define FRAME "\x41\x0e\x10\x86\x02\x43\x0d\x06\x5c\x0a\xc6\x0c\x07\x08\x41\x0b"

static void test_rows(void **state)
{
	struct bench *t = *state;

	put_cie(t, "zR");
	put_fde(t, FRAME, sizeof(FRAME) - 1);
	check(t, 0, 7, 8, 0);
	check(t, 1, 7, 16, -16);
	check(t, 3, 7, 16, -16);
	check(t, 4, 6, 16, -16);
	check(t, 0x1f, 6, 16, -16);
	check(t, 0x20, 7, 8, 0);
	check(t, 0x21, 6, 16, -16);
	check(t, 0x3f, 6, 16, -16);
}

static void test_signal_and_expressions(void **state)
{
	/* CFA: *(rsp + 160); the register 3 at the value of an expression, 16 too */
	static const u8 program[] = { 0x0f, 4,    0x77, 0xa0, 1,  0x06, 0x10, 3,
				      2,    0x77, 0x10, 0x16, 16, 2,    0x77, 0x20 };
	struct bench *t = *state;
	struct unw_rules r;

	put_cie(t, "zRS");
	put_fde(t, program, sizeof(program));
	r = rules_at(t, CODE);
	assert_true(r.valid && r.signal && r.cfa_is_expr);
	assert_int_equal(r.cfa.len, 4);
	assert_int_equal(r.cfa.ops[3], 0x06);
	assert_int_equal(rule_of(&r, 3)->how, UNW_AT_EXPR);
	assert_int_equal(rule_of(&r, 16)->how, UNW_IS_EXPR);
	assert_int_equal(rule_of(&r, 16)->expr.len, 2);
}

static void test_other_rules(void **state)
{
	/* undefined 16; 3 is the same; 12 in 13; 14 at CFA-24 (_sf 3); 15 is CFA-8 */
	static const u8 program[] = { 0x07, 16, 0x08, 3,  0x09, 12,   13,  0x11,
				      14,   3,  0x14, 15, 1,    0x2e, 0x20 };
	struct bench *t = *state;
	struct unw_rules r;

	put_cie(t, "zR");
	put_fde(t, program, sizeof(program));
	r = rules_at(t, CODE);
	assert_true(r.valid);
	assert_int_equal(rule_of(&r, 16)->how, UNW_UNDEFINED);
	assert_null(rule_of(&r, 3));
	assert_int_equal(rule_of(&r, 12)->how, UNW_REGISTER);
	assert_int_equal(rule_of(&r, 12)->offset, 13);
	assert_int_equal(rule_of(&r, 14)->offset, -24);
	assert_int_equal(rule_of(&r, 15)->how, UNW_IS_CFA);
}

/* Programs that make no sense say nothing. */
static void test_wrong_programs(void **state)
{
	static const char *const wrong[] = {
		"\x0b",         /* nothing was remembered */
		"\x3f",         /* no such instruction */
		"\x0e",         /* the operand is missing */
		"\x0f\x20\x77", /* the block is longer than what is left */
		"\x0c\x7f\x08", /* a register that nobody needs */
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct bench *t;

		setup(state);
		t = *state;
		put_cie(t, "zR");
		put_fde(t, wrong[i], strlen(wrong[i]));
		/* Without the filling, which some of them would take as their operand. */
		if (i == 2 || i == 3) {
			struct cfi_fde f;
			struct unw_rules r;

			assert_int_equal(cfi_entry(&t->s, t->fde_at, &f), 1);
			f.own.len = (u32)strlen(wrong[i]);
			cfi_rules(&t->s, &f, CODE, &r);
			assert_false(r.valid);
		} else {
			assert_false(rules_at(t, CODE).valid);
		}
		teardown(state);
	}
	setup(state);
}

static void test_walk(void **state)
{
	struct bench *t = *state;
	struct cfi_fde f;

	put_cie(t, "zR");
	put_fde(t, FRAME, sizeof(FRAME) - 1);
	assert_int_equal(cfi_entry(&t->s, 0, &f), 0);
	assert_int_equal(f.next, t->fde_at);
	assert_int_equal(cfi_entry(&t->s, t->fde_at, &f), 1);
	assert_int_equal(f.next, t->s.size);
	assert_int_equal(cfi_entry(&t->s, t->s.size, &f), -ENOENT);
	t->s.size--;
	assert_int_equal(cfi_entry(&t->s, t->fde_at, &f), -EINVAL);
}

/* Any bit may be wrong: nothing is read beyond the section, and every walk ends. */
static void test_damage(void **state)
{
	struct bench *t = *state;
	u8 *copy;

	put_cie(t, "zPLR");
	put_fde(t, FRAME, sizeof(FRAME) - 1);
	copy = (u8 *)t->b.out.buf;
	for (size_t i = 0; i < t->s.size; i++) {
		for (u32 bit = 0; bit < 8; bit++) {
			struct unw_rules r;
			struct cfi_fde f;
			size_t at = 0;
			u32 steps = 0;

			copy[i] ^= (u8)(1U << bit);
			for (int ret; (ret = cfi_entry(&t->s, at, &f)) >= 0; at = f.next) {
				assert_true(f.next > at);
				if (ret)
					cfi_rules(&t->s, &f, f.start, &r);
				steps++;
			}
			assert_true(steps <= t->s.size / 4);
			copy[i] ^= (u8)(1U << bit);
		}
	}
}

/* A .debug_frame: absolute addresses, and ids that are offsets. */
static void test_debug_frame(void **state)
{
	struct bench *t = *state;
	struct unw_rules r;
	struct cfi_fde f;
	size_t at = cb_begin(&t->b);

	pb_u32(&t->b, 0xffffffff);
	pb_u8(&t->b, 4);
	pb_u8(&t->b, 0);
	pb_u8(&t->b, 8);
	pb_u8(&t->b, 0);
	pb_bytes(&t->b, "\x01\x78\x10\x0c\x07\x08\x90\x01", 8);
	cb_end(&t->b, at);
	t->fde_at = t->b.out.len;
	at = cb_begin(&t->b);
	pb_u32(&t->b, 0);
	pb_u64(&t->b, CODE);
	pb_u64(&t->b, 0x40);
	pb_bytes(&t->b, "\x41\x0e\x10", 3);
	cb_end(&t->b, at);
	t->s = (struct cfi_section){
		.bytes = (const u8 *)t->b.out.buf, .size = t->b.out.len, .debug = true, .wide = true
	};
	assert_int_equal(cfi_entry(&t->s, t->fde_at, &f), 1);
	cfi_rules(&t->s, &f, CODE + 1, &r);
	assert_true(r.valid && r.cfa_offset == 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows, setup, teardown),
		cmocka_unit_test_setup_teardown(test_signal_and_expressions, setup, teardown),
		cmocka_unit_test_setup_teardown(test_other_rules, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wrong_programs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_walk, setup, teardown),
		cmocka_unit_test_setup_teardown(test_damage, setup, teardown),
		cmocka_unit_test_setup_teardown(test_debug_frame, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
