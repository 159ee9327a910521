// SPDX-License-Identifier: GPL-2.0-or-later
/* From a frame to its caller: expressions, registers, the ends of stacks. */
#include "base/compat.h"

#include "unwind/step.h"

#include <setjmp.h>
#include <cmocka.h>

#define STACK 0x7000

/* x86-64. */
static const struct arch_frames *frames(void)
{
	return arch_of("x86_64")->frames;
}

static struct unw_memory memory(const u64 *words, size_t nr)
{
	return (struct unw_memory){
		.bytes = (const u8 *)words, .start = STACK, .size = nr * 8, .word = 8
	};
}

static struct unw_frame frame(void)
{
	struct unw_frame f = { .pc = 0x1000, .interrupted = true, .known = 0x1ffff };

	for (u32 i = 0; i < 17; i++)
		f.reg[i] = 0x100 + i;
	f.reg[7] = STACK;
	return f;
}

static void check_eval(const char *ops, size_t len, enum unw_step want, u64 value)
{
	const u64 words[] = { 0x1122334455667788, 5 };
	struct unw_memory m = memory(words, 2);
	struct unw_frame f = frame();
	u64 first = 0x40, v = 0;

	assert_int_equal(
		unw_eval((struct unw_expr){ (const u8 *)ops, (u32)len }, &f, &m, &first, &v), want);
	if (want == UNW_CALLER)
		assert_true(v == value);
}
#define EVAL(ops, value) check_eval(ops, sizeof(ops) - 1, UNW_CALLER, value)
#define FAILS(ops, why) check_eval(ops, sizeof(ops) - 1, why, 0)

static void test_eval(void **state)
{
	EVAL("", 0x40);
	EVAL("\x77\x08\x06", 5);                        /* *(rsp + 8) */
	EVAL("\x77\x00\x94\x02", 0x7788);               /* the two low bytes of *rsp */
	EVAL("\x23\x08", 0x48);                         /* + 8 */
	EVAL("\x31\x3a\x22", 11);                       /* 1 + 10 */
	EVAL("\x35\x33\x1c", 2);                        /* 5 - 3 */
	EVAL("\x35\x33\x16\x1c", (u64)-2);              /* swapped */
	EVAL("\x09\xff\x19", 1);                        /* |-1| */
	EVAL("\x35\x32\x24", 20);                       /* 5 << 2 */
	EVAL("\x09\xf0\x32\x26", (u64)-4);              /* -16 >> 2 */
	EVAL("\x35\x33\x2a", 1);                        /* 5 >= 3 */
	EVAL("\x31\x28\x01\x00\x30\x33", 3);            /* a branch over an instruction */
	EVAL("\x31\x32\x33\x17\x13\x1c", (u64)(3 - 1)); /* rot, drop */
	EVAL("\x92\x07\x00", STACK);
	EVAL("\x37\x34\x1b", 1); /* 7 / 4 */
	EVAL("\x37\x34\x1d", 3); /* 7 % 4 */
	/* what a PLT has: rsp + 8 + (((rip & 15) >= 11) << 3) */
	EVAL("\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22", STACK + 8);
	FAILS("\x35\x30\x1b", UNW_LOST); /* division by zero */
	FAILS("\x13\x13", UNW_LOST);     /* too few values */
	FAILS("\x2f\xfd\xff", UNW_LOST); /* a loop without an end */
	FAILS("\x2f\x10\x00", UNW_LOST); /* a jump out of it */
	FAILS("\x50", UNW_LOST);         /* no such operation here */
	FAILS("\x92\x7f\x00", UNW_LOST); /* no such register */
	FAILS("\x0c\x01", UNW_LOST);     /* an operand that is cut off */
	FAILS("\x77\x10\x06", UNW_BEYOND);
}

/* CFA = rsp + 16; rbp at CFA-16, the return address at CFA-8. */
static const struct unw_rules pushed = {
	.valid = true,
	.cfa_reg = 7,
	.cfa_offset = 16,
	.ra = 16,
	.nr = 2,
	.rule = { { 6, UNW_AT_CFA, -16, { 0 } }, { 16, UNW_AT_CFA, -8, { 0 } } },
};

static void test_caller(void **state)
{
	const u64 words[] = { 0xb9, 0x2004, 0 };
	struct unw_memory m = memory(words, 3);
	struct unw_frame f = frame();

	assert_int_equal(unw_step(&pushed, frames(), &m, &f), UNW_CALLER);
	assert_true(f.pc == 0x2004 && !f.interrupted);
	assert_true(f.reg[7] == STACK + 16 && f.reg[6] == 0xb9);
	/* Registers that functions need not give back are unknown. */
	assert_true(f.known == 0xf0c8);
	assert_true(f.reg[3] == 0x103);
}

static void test_ends(void **state)
{
	const u64 words[] = { 0xb9, 0, 0 };
	struct unw_memory m = memory(words, 1);
	struct unw_rules r = pushed;
	struct unw_frame f = frame();

	assert_int_equal(unw_step(&r, frames(), &m, &f), UNW_BEYOND);
	assert_true(m.missing == STACK + 8 && f.pc == 0x1000);
	m = memory(words, 3);
	assert_int_equal(unw_step(&r, frames(), &m, &f), UNW_ROOT);
	r.rule[1].how = UNW_UNDEFINED;
	assert_int_equal(unw_step(&r, frames(), &m, &f), UNW_ROOT);
	f.known &= ~(1ULL << 7);
	assert_int_equal(unw_step(&r, frames(), &m, &f), UNW_LOST);
	r.ra = 200;
	assert_int_equal(unw_step(&r, frames(), &m, &f), UNW_LOST);
}

/* A leaf function of arm64 leaves the return address in x30, signed by the processor. */
static void test_link_register(void **state)
{
	const struct arch_frames *a = arch_of("aarch64")->frames;
	const struct unw_rules leaf = { .valid = true, .cfa_reg = 31, .ra = 30 };
	struct unw_memory m = memory(NULL, 0);
	struct unw_frame f = { .pc = 0x1000, .interrupted = true, .known = (1ULL << 33) - 1 };

	f.reg[30] = 0x35000000002004;
	f.reg[31] = STACK;
	assert_int_equal(unw_step(&leaf, a, &m, &f), UNW_CALLER);
	assert_true(f.pc == 0x2004 || f.pc == (0x35000000002004 & a->address));
	/* A frame that is its own caller would go on for ever. */
	f.pc = f.reg[30] & a->address;
	assert_int_equal(unw_step(&leaf, a, &m, &f), UNW_LOST);
}

static void test_foreign(void **state)
{
	const u64 words[] = { __builtin_bswap64(0x1234) };
	struct unw_memory m = memory(words, 1);
	u64 v = 0;

	m.swap = true;
	assert_true(unw_read(&m, STACK, &v) && v == 0x1234);
	m.word = 4;
	assert_true(unw_read(&m, STACK + 4, &v) && v == 0x1234);
	assert_false(unw_read(&m, STACK + 5, &v));
	assert_false(unw_read(&m, UINT64_MAX, &v));
	assert_true(m.missing == STACK + 5);
}

/* At the end of a function registers were popped: their slots are below the stack pointer,
 * and they have the values of the caller. In a frame that has called that makes no sense. */
static void test_given_back(void **state)
{
	const u64 words[] = { 0x2004, 0 };
	struct unw_rules r = pushed;
	struct unw_memory m = memory(words, 2);
	struct unw_frame f = frame();

	r.cfa_offset = 8;
	assert_int_equal(unw_step(&r, frames(), &m, &f), UNW_CALLER);
	assert_true(f.pc == 0x2004 && f.known >> 6 & 1 && f.reg[6] == 0x106 && !m.missing);
	f = frame();
	f.interrupted = false;
	assert_int_equal(unw_step(&r, frames(), &m, &f), UNW_CALLER);
	assert_false(f.known >> 6 & 1);
	f = frame();
	f.known &= ~(1ULL << 6);
	assert_int_equal(unw_step(&r, frames(), &m, &f), UNW_CALLER);
	assert_false(f.known >> 6 & 1);
}

/* Check that the short way does with @words of stack what the long one does. */
static void check_short_way(const struct unw_rules *r, const struct arch_frames *a,
			    const struct unw_frame *from, const u64 *words, size_t nr)
{
	struct unw_memory m = memory(words, nr), n = m;
	struct unw_frame f = *from, g = *from;
	struct unw_rules plain = *r;

	unw_settle(&plain, a);
	assert_true(plain.plain);
	assert_int_equal(unw_step(&plain, a, &n, &g), unw_step(r, a, &m, &f));
	assert_true(n.missing == m.missing);
	assert_true(g.pc == f.pc && g.known == f.known && g.interrupted == f.interrupted);
	for (u32 i = 0; i < UNW_REGS; i++)
		assert_true(!(f.known >> i & 1) || g.reg[i] == f.reg[i]);
}

static void test_short_way(void **state)
{
	static const u64 words[] = { 0xb9, 0x2004, 0, 0x1000, STACK };
	const struct arch_frames *arm = arch_of("aarch64")->frames;
	struct unw_rules r = pushed, pair = { .valid = true,
					      .cfa_reg = 29,
					      .ra = 30,
					      .nr = 2,
					      .rule = { { 29, UNW_AT_CFA, 0, { 0 } },
							{ 30, UNW_AT_CFA, 8, { 0 } } } };
	struct unw_frame f = frame();

	for (size_t nr = 0; nr <= ARRAY_SIZE(words); nr++)
		check_short_way(&pushed, frames(), &f, words, nr);
	r.cfa_offset = 24; /* the return address is zero */
	check_short_way(&r, frames(), &f, words, 5);
	r.cfa_offset = 0; /* the frame is its own caller */
	r.rule[1].offset = 24;
	check_short_way(&r, frames(), &f, words, 5);
	r = pushed;
	r.rule[0].offset = -64; /* what one register was is not in the copy */
	check_short_way(&r, frames(), &f, words, 5);
	f.interrupted = false;
	check_short_way(&r, frames(), &f, words, 5);
	f.known &= ~(1ULL << 7);
	check_short_way(&pushed, frames(), &f, words, 5);
	f = (struct unw_frame){ .pc = 0x1000, .known = (1ULL << 33) - 1 };
	f.reg[29] = STACK;
	for (size_t nr = 0; nr <= ARRAY_SIZE(words); nr++)
		check_short_way(&pair, arm, &f, words, nr);
}

/* Rules for which there is no short way. */
static void test_long_way(void **state)
{
	struct unw_rules r = pushed;

	r.signal = true;
	unw_settle(&r, frames());
	assert_false(r.plain);
	r = pushed;
	r.cfa_is_expr = true;
	unw_settle(&r, frames());
	assert_false(r.plain);
	r = pushed;
	r.rule[0].how = UNW_REGISTER;
	unw_settle(&r, frames());
	assert_false(r.plain);
	r = pushed;
	r.rule[0].reg = 7; /* the stack pointer itself */
	unw_settle(&r, frames());
	assert_false(r.plain);
	r = pushed;
	r.nr = 1; /* nothing says where the return address is */
	unw_settle(&r, frames());
	assert_false(r.plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_eval),      cmocka_unit_test(test_caller),
		cmocka_unit_test(test_ends),      cmocka_unit_test(test_link_register),
		cmocka_unit_test(test_foreign),   cmocka_unit_test(test_given_back),
		cmocka_unit_test(test_short_way), cmocka_unit_test(test_long_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
