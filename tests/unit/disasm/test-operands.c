// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what instructions are said to do: of x86-64, i386 and arm64. */
#include "base/compat.h"
#include "arch/arch.h"
#include "disasm/operands.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define NO INSN_NO_REG
#define OTHER INSN_OTHER_REG
#define AT 0x1000 /* where the instructions run */

/* An instruction, and what is expected of it; what is not named is 0, and registers are none. */
static const struct {
	const char *arch;
	bool narrow;
	const char *code;
	u32 size;
	enum insn_action action;
	u8 nr_mems;
	struct insn_address mem, value;
	s16 dst, src;
	u8 width;
	bool stack;
} cases[] = {
	/* movq 0x10(%rdi,%rax,8), %rdx */
	{ "x86_64",
	  false,
	  "\x48\x8b\x54\xc7\x10",
	  5,
	  INSN_LOAD,
	  1,
	  { 5, 0, 8, 0, 0x10 },
	  .dst = 1,
	  .src = NO,
	  .width = 8 },
	/* movl %ecx, -8(%rbp) */
	{ "x86_64",
	  false,
	  "\x89\x4d\xf8",
	  3,
	  INSN_STORE,
	  1,
	  { 6, NO, 1, 0, -8 },
	  .dst = NO,
	  .src = 2,
	  .width = 4 },
	/* leaq 0x20(%rip), %rax: an address */
	{ "x86_64", false, "\x48\x8d\x05\x20\x00\x00\x00", 7, INSN_COMPUTE, 0,
	  .value = { NO, NO, 1, 0, AT + 0x27, true }, .dst = 0, .src = NO, .width = 8 },
	/* movq %rbx, %rsi */
	{ "x86_64", false, "\x48\x89\xde", 3, INSN_COMPUTE, 0, .value = { 3, NO, 1, 0, 0 },
	  .dst = 4, .src = NO, .width = 8 },
	/* addq $-16, %r8 */
	{ "x86_64", false, "\x49\x83\xc0\xf0", 4, INSN_COMPUTE, 0, .value = { 8, NO, 1, 0, -16 },
	  .dst = 8, .src = NO, .width = 8 },
	/* addq 8(%rbx), %rax */
	{ "x86_64",
	  false,
	  "\x48\x03\x43\x08",
	  4,
	  INSN_ADD,
	  1,
	  { 3, NO, 1, 0, 8 },
	  .value = { 0, OTHER, 1, 0, 0 },
	  .dst = 0,
	  .src = NO,
	  .width = 8 },
	/* xorl %eax, %eax */
	{ "x86_64", false, "\x31\xc0", 2, INSN_COMPUTE, 0, .value = { NO, NO, 1, 0, 0 }, .dst = 0,
	  .src = NO, .width = 4 },
	/* subq %fs:0x28, %rdx */
	{ "x86_64",
	  false,
	  "\x64\x48\x2b\x14\x25\x28\x00\x00\x00",
	  9,
	  INSN_OTHER,
	  1,
	  { NO, NO, 1, SEGMENT_FS, 0x28 },
	  .dst = NO,
	  .src = NO },
	/* shlq $4, %rax; imulq $24, %rdx, %rcx; movslq %edx, %rax */
	{ "x86_64", false, "\x48\xc1\xe0\x04", 4, INSN_COMPUTE, 0, .value = { NO, 0, 16, 0, 0 },
	  .dst = 0, .src = NO, .width = 8 },
	{ "x86_64", false, "\x48\x6b\xca\x18", 4, INSN_COMPUTE, 0, .value = { NO, 1, 24, 0, 0 },
	  .dst = 2, .src = NO, .width = 8 },
	{ "x86_64", false, "\x48\x63\xc2", 3, INSN_COMPUTE, 0, .value = { 1, NO, 1, 0, 0 },
	  .dst = 0, .src = NO, .width = 4 },
	/* pushq %rbx; popq %rbx */
	{ "x86_64",
	  false,
	  "\x53",
	  1,
	  INSN_STORE,
	  1,
	  { 7, NO, 1, 0, -8 },
	  .dst = NO,
	  .src = 3,
	  .width = 8,
	  .stack = true },
	{ "x86_64",
	  false,
	  "\x5b",
	  1,
	  INSN_LOAD,
	  1,
	  { 7, NO, 1, 0, 0 },
	  .dst = 3,
	  .src = NO,
	  .width = 8,
	  .stack = true },
	/* jmp *%rax; ret; nopw (%rax,%rax); incq (%rdi) */
	{ "x86_64", false, "\xff\xe0", 2, INSN_JUMP, 0, .dst = NO, .src = 0 },
	{ "x86_64", false, "\xc3", 1, INSN_RETURN, 0, .dst = NO, .src = NO, .stack = true },
	{ "x86_64", false, "\x66\x0f\x1f\x04\x00", 5, INSN_NOTHING, 0, .dst = NO, .src = NO },
	{ "x86_64",
	  false,
	  "\x48\xff\x07",
	  3,
	  INSN_OTHER,
	  1,
	  { 5, NO, 1, 0, 0 },
	  .dst = NO,
	  .src = NO },
	/* movl 4(%ecx), %ebp, whose registers have other numbers */
	{ "x86_64",
	  true,
	  "\x8b\x69\x04",
	  3,
	  INSN_LOAD,
	  1,
	  { 1, NO, 1, 0, 4 },
	  .dst = 5,
	  .src = NO,
	  .width = 4 },
	/* ldr x1, [x0, #8]; ldrsw x2, [x3, x4, lsl #2] */
	{ "aarch64",
	  false,
	  "\x01\x04\x40\xf9",
	  4,
	  INSN_LOAD,
	  1,
	  { 0, NO, 1, 0, 8 },
	  .dst = 1,
	  .src = NO,
	  .width = 8 },
	{ "aarch64",
	  false,
	  "\x62\x78\xa4\xb8",
	  4,
	  INSN_LOAD,
	  1,
	  { 3, 4, 4, 0, 0 },
	  .dst = 2,
	  .src = NO,
	  .width = 4 },
	/* stp x29, x30, [sp, #-32]!; add x0, x1, #1, lsl #12; adrp x0, . */
	{ "aarch64",
	  false,
	  "\xfd\x7b\xbe\xa9",
	  4,
	  INSN_STORE,
	  1,
	  { 31, NO, 1, 0, -32 },
	  .dst = NO,
	  .src = 29,
	  .width = 8 },
	{ "aarch64", false, "\x20\x04\x40\x91", 4, INSN_COMPUTE, 0,
	  .value = { 1, NO, 1, 0, 0x1000 }, .dst = 0, .src = NO, .width = 8 },
	{ "aarch64", false, "\x00\x00\x00\x90", 4, INSN_COMPUTE, 0,
	  .value = { NO, NO, 1, 0, AT, true }, .dst = 0, .src = NO, .width = 8 },
	/* add x0, x1, x2, lsl #3; lsl x0, x1, #4 */
	{ "aarch64", false, "\x20\x0c\x02\x8b", 4, INSN_COMPUTE, 0, .value = { 1, 2, 8, 0, 0 },
	  .dst = 0, .src = NO, .width = 8 },
	{ "aarch64", false, "\x20\xec\x7c\xd3", 4, INSN_COMPUTE, 0, .value = { NO, 1, 16, 0, 0 },
	  .dst = 0, .src = NO, .width = 8 },
	{ "aarch64", false, "\xc0\x03\x5f\xd6", 4, INSN_RETURN, 0, .dst = NO, .src = NO },
};

static void same_address(const struct insn_address *a, const struct insn_address *b)
{
	assert_int_equal(a->base, b->base);
	assert_int_equal(a->index, b->index);
	if (a->index != NO)
		assert_int_equal(a->scale, b->scale);
	assert_int_equal(a->segment, b->segment);
	assert_int_equal(a->offset, b->offset);
	assert_int_equal(a->relative, b->relative);
}

static struct disasm *open_or_skip(const char *arch, bool wide)
{
	struct disasm *d = disasm_open_operands(arch_of(arch), wide);

	if (!d) /* no library */
		skip();
	return d;
}

static void actions(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct disasm *d = open_or_skip(cases[i].arch, !cases[i].narrow);
		struct insn_operands op;

		assert_true(disasm_operands(d, (const u8 *)cases[i].code, cases[i].size, AT, &op));
		assert_int_equal(op.len, cases[i].size);
		assert_int_equal(op.action, cases[i].action);
		assert_int_equal(op.nr_mems, cases[i].nr_mems);
		assert_int_equal(op.dst, cases[i].dst);
		assert_int_equal(op.src, cases[i].src);
		assert_int_equal(op.width, cases[i].width);
		assert_int_equal(op.stack, cases[i].stack);
		if (op.nr_mems)
			same_address(&op.mem[0].at, &cases[i].mem);
		if (op.action == INSN_COMPUTE)
			same_address(&op.value, &cases[i].value);
		disasm_close(d);
	}
}

/* Registers that change, targets, and what pushes and writes back move. */
static void effects(void **state)
{
	struct disasm *d = open_or_skip("x86_64", true);
	struct insn_operands op;

	assert_true(disasm_operands(d, (const u8 *)"\xe8\x10\x00\x00\x00", 5, AT, &op));
	assert_int_equal(op.action, INSN_CALL);
	assert_true(op.has_target);
	assert_int_equal(op.target, AT + 0x15);
	assert_true(disasm_operands(d, (const u8 *)"\x74\xfe", 2, AT, &op));
	assert_int_equal(op.action, INSN_BRANCH);
	assert_int_equal(op.target, AT);
	assert_true(disasm_operands(d, (const u8 *)"\x48\xf7\xe1", 3, AT, &op)); /* mulq %rcx */
	assert_int_equal(op.written, 1 << 0 | 1 << 1);
	assert_true(disasm_operands(d, (const u8 *)"\x55", 1, AT, &op));
	assert_int_equal(op.moved, 7);
	assert_int_equal(op.moved_by, -8);
	assert_false(disasm_operands(d, (const u8 *)"\x48\x8b", 2, AT, &op));
	assert_int_equal(op.nr_mems, 0);
	disasm_close(d);
	d = open_or_skip("aarch64", true);
	assert_true(disasm_operands(d, (const u8 *)"\x20\x84\x40\xf8", 4, AT, &op));
	assert_int_equal(op.moved, 1); /* ldr x0, [x1], #8 */
	assert_int_equal(op.moved_by, 8);
	assert_int_equal(op.mem[0].at.offset, 0);
	assert_true(disasm_operands(d, (const u8 *)"\xfd\x7b\xc2\xa8", 4, AT, &op));
	assert_int_equal(op.dst, 29); /* ldp x29, x30, [sp], #32 */
	assert_int_equal(op.dst2, 30);
	assert_int_equal(op.moved_by, 32);
	assert_true(disasm_operands(d, (const u8 *)"\x20\x0c\x02\x9b", 4, AT, &op));
	assert_int_equal(op.value.base, 3); /* madd x0, x1, x2, x3 */
	assert_int_equal(op.value.index, 1);
	assert_int_equal(op.factor, 2);
	disasm_close(d);
	assert_null(disasm_open_operands(arch_of("sparc64"), true));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(actions), cmocka_unit_test(effects) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
