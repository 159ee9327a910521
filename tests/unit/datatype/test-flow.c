// SPDX-License-Identifier: GPL-2.0-or-later
/* Test how values of registers and of the stack are followed through code without debug
 * information. */
#include "base/compat.h"
#include "datatype/datatype-internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define AT 0x1000 /* where the code is */
#define UNKNOWN                                                                                    \
	{                                                                                          \
		.kind = VALUE_UNKNOWN                                                              \
	}
#define NUMBER(n)                                                                                  \
	{                                                                                          \
		.kind = VALUE_NUMBER, .offset = n                                                  \
	}
#define FRAME(n)                                                                                   \
	{                                                                                          \
		.kind = VALUE_FRAME, .offset = n                                                   \
	}
enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R9 = 9 };

/* Code of x86-64, and the value of a register before its last instruction. */
struct program {
	const char *code;
	size_t size;
	int reg;
	struct value value;
};
#define CODE(bytes) bytes, sizeof(bytes) - 1

/* push %rbp; mov %rsp,%rbp; lea -16(%rbp),%rdi; sub $32,%rsp; mov %rdi,%rsi; add $8,%rsi; ret */
#define ADDRESSES                                                                                  \
	CODE("\x55\x48\x89\xe5\x48\x8d\x7d\xf0\x48\x83\xec\x20\x48\x89\xfe\x48\x83\xc6\x08\xc3")
/* mov $0x5000,%eax; test %ecx,%ecx; je 1f; mov $1,%edx; jmp 2f; 1: mov $2,%edx; 2: nop; ret */
#define BRANCHES                                                                                   \
	CODE("\xb8\x00\x50\x00\x00\x85\xc9\x74\x07\xba\x01\x00\x00\x00\xeb\x05\xba\x02\x00\x00"    \
	     "\x00\x90\xc3")
/* mov $0x5000,%ebx; mov %rbx,-24(%rsp); xor %ebx,%ebx; mov -24(%rsp),%rcx; movl $1,-20(%rsp);
 * mov -24(%rsp),%rdx; ret */
#define SPILLS                                                                                     \
	CODE("\xbb\x00\x50\x00\x00\x48\x89\x5c\x24\xe8\x31\xdb\x48\x8b\x4c\x24\xe8\xc7\x44\x24"    \
	     "\xec\x01\x00\x00\x00\x48\x8b\x54\x24\xe8\xc3")
/* mov $0x5000,%eax; mov $0x5000,%ebx; mov $0x5000,%r9d; call; ret */
#define CALLS                                                                                      \
	CODE("\xb8\x00\x50\x00\x00\xbb\x00\x50\x00\x00\x41\xb9\x00\x50\x00\x00\xe8\x00\x01\x00"    \
	     "\x00\xc3")
/* mov $0x5000,%eax; jmp 1f; nopl (%rax,%rax); 1: ret */
#define SPACE CODE("\xb8\x00\x50\x00\x00\xeb\x04\x0f\x1f\x04\x00\xc3")
/* lea TABLE(%rip),%rcx; movslq (%rcx,%rdx,4),%rax; mov $0x5000,%ebx; add %rcx,%rax; jmp *%rax;
 * ret: the only case */
#define CASES                                                                                      \
	CODE("\x48\x8d\x0d\xf9\x0f\x00\x00\x48\x63\x04\x91\xbb\x00\x50\x00\x00\x48\x01\xc8\xff"    \
	     "\xe0\xc3")
#define TABLE (AT + 0x1000)
#define CASE (AT + 21)
/* mov %fs:0x28,%rax; mov %rax,-8(%rsp); xor %eax,%eax; mov -8(%rsp),%rdx; sub %fs:0x28,%rdx; ret */
#define CANARY                                                                                     \
	CODE("\x64\x48\x8b\x04\x25\x28\x00\x00\x00\x48\x89\x44\x24\xf8\x31\xc0\x48\x8b\x54\x24"    \
	     "\xf8\x64\x48\x2b\x14\x25\x28\x00\x00\x00\xc3")

static const struct program programs[] = {
	{ ADDRESSES, RSP, FRAME(-48) },
	{ ADDRESSES, RBP, FRAME(-16) },
	{ ADDRESSES, RSI, FRAME(-24) },
	{ ADDRESSES, RAX, UNKNOWN },
	{ BRANCHES, RAX, NUMBER(0x5000) }, /* both ways agree */
	{ BRANCHES, RDX, UNKNOWN },        /* and here they do not */
	{ SPILLS, RCX, NUMBER(0x5000) },
	{ SPILLS, RBX, NUMBER(0) },
	{ SPILLS, RDX, UNKNOWN }, /* a part was overwritten */
	{ CALLS, RBX, NUMBER(0x5000) },
	{ CALLS, RAX, UNKNOWN },
	{ CALLS, R9, UNKNOWN },
	{ CALLS, RSP, FRAME(-8) },
	{ SPACE, RAX, NUMBER(0x5000) }, /* nobody comes from what fills the space */
	{ CASES, RBX, NUMBER(0x5000) },
	{ CANARY, RDX, UNKNOWN },
};

static size_t read_table(void *ctx, u64 addr, void *buf, size_t size)
{
	s32 first = CASE - TABLE, second = 1;

	if (size != sizeof(first) || addr < TABLE)
		return 0;
	memcpy(buf, addr == TABLE ? &first : &second, size);
	return size;
}

/* Look at a program. Return: false when there is no library to do so. */
static bool look(struct code *c, const struct program *p)
{
	const struct arch *arch = arch_of("x86_64");
	struct disasm *d = disasm_open_operands(arch, true);

	*c = (struct code){ .abi = arch->frames,
			    .wide = true,
			    .arch = arch->code,
			    .read = read_table,
			    .start = AT };
	if (!d)
		return false;
	code_decode(c, d, (const u8 *)p->code, p->size);
	code_follow(c);
	disasm_close(d);
	return true;
}

/* Compute what is known before instruction @i. */
static struct state before(const struct code *c, size_t i)
{
	const struct code_block *b = &c->blocks[c->insns[i].block];
	struct state s = b->in;

	for (size_t k = b->first; k < i; k++) {
		state_enter(c, k, &s);
		state_leave(c, k, &s);
	}
	state_enter(c, i, &s);
	return s;
}

static void values(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		const struct program *p = &programs[i];
		struct state s;
		struct code c;

		if (!look(&c, p))
			skip();
		s = before(&c, c.nr - 1);
		if (s.regs[p->reg].kind != p->value.kind ||
		    s.regs[p->reg].offset != p->value.offset)
			fail_msg("program %zu: kind %d, offset %" PRId64, i, s.regs[p->reg].kind,
				 s.regs[p->reg].offset);
		code_release(&c);
	}
}

static enum datatype_result result_at(const struct code *c, size_t i)
{
	struct state s = before(c, i);
	struct access_result found;

	access_find(&(struct place_in_code){ c, i, &s }, &found);
	return found.result;
}

/* Without debug information only what the compiler does for itself is known. */
static void accesses(void **state)
{
	static const struct program spills = { SPILLS, 0, UNKNOWN },
				    canary = { CANARY, 0, UNKNOWN },
				    addresses = { ADDRESSES, 0, UNKNOWN };
	struct code c;

	if (!look(&c, &spills))
		skip();
	assert_int_equal(result_at(&c, 0), DATATYPE_NO_MEM_OPS);
	assert_int_equal(result_at(&c, 1), DATATYPE_NO_DBGINFO);
	assert_int_equal(result_at(&c, c.nr - 1), DATATYPE_STACK);
	code_release(&c);
	look(&c, &canary);
	assert_int_equal(result_at(&c, 0), DATATYPE_CANARY);
	assert_int_equal(result_at(&c, 4), DATATYPE_CANARY);
	code_release(&c);
	look(&c, &addresses);
	assert_int_equal(result_at(&c, 0), DATATYPE_STACK);
	assert_int_equal(result_at(&c, 2), DATATYPE_NO_MEM_OPS); /* an address alone */
	code_release(&c);
}

/* Code that ends anywhere, and no code at all. */
static void cut_off(void **state)
{
	struct program p = { CASES, 0, UNKNOWN };
	struct code c;

	for (size_t size = 0; size < programs[14].size; size++) {
		p.size = size;
		if (!look(&c, &p))
			skip();
		assert_int_equal(code_insn_at(&c, AT + 1), SIZE_MAX);
		code_release(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(values), cmocka_unit_test(accesses),
					    cmocka_unit_test(cut_off) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
