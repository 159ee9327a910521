// SPDX-License-Identifier: GPL-2.0-or-later
/* Test where frames are found from the code of their functions, as compilers and people
 * write. */
#include "base/compat.h"

#include "arch/frames.h"

#include <setjmp.h>
#include <cmocka.h>

struct want {
	size_t at;
	u8 base;
	s32 cfa;
	s32 fp; /* 0: it is not saved */
};

static void check(const struct arch_frames *a, const char *code, size_t len,
		  const struct want *want, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct arch_place p;

		assert_true(a->place((const u8 *)code, len, want[i].at, &p));
		assert_int_equal(p.base, want[i].base);
		assert_int_equal(p.cfa, want[i].cfa);
		assert_int_equal(p.fp_saved ? p.fp : 0, want[i].fp);
	}
}

/* endbr64; push %rbp; mov %rsp,%rbp; push %r12; sub $0x20,%rsp; nop; add $0x20,%rsp; pop %r12;
 * pop %rbp; ret */
static void test_frame_pointer(void **state)
{
	static const char code[] = "\xf3\x0f\x1e\xfa\x55\x48\x89\xe5\x41\x54\x48\x83\xec\x20\x90"
				   "\x48\x83\xc4\x20\x41\x5c\x5d\xc3";
	static const struct want want[] = {
		{ 0, 7, 8, 0 },     { 4, 7, 8, 0 },     { 5, 7, 16, -16 },  { 8, 6, 16, -16 },
		{ 10, 6, 16, -16 }, { 14, 6, 16, -16 }, { 15, 6, 16, -16 }, { 19, 6, 16, -16 },
		{ 21, 6, 16, -16 }, { 22, 7, 8, 0 },
	};

	check(arch_of("x86_64")->frames, code, sizeof(code) - 1, want, ARRAY_SIZE(want));
}

/* sub $0x1000,%rsp; mov %rsp,%rdi; lea 0x1000(%rsp),%rsp; ret: no frame pointer */
static void test_without(void **state)
{
	static const char code[] = "\x48\x81\xec\x00\x10\x00\x00\x48\x89\xe7"
				   "\x48\x8d\xa4\x24\x00\x10\x00\x00\xc3";
	static const struct want want[] = { { 7, 7, 0x1008, 0 },
					    { 10, 7, 0x1008, 0 },
					    { 18, 7, 8, 0 } };

	check(arch_of("x86_64")->frames, code, sizeof(code) - 1, want, ARRAY_SIZE(want));
}

/* push %rbp; mov %rsp,%rbp; and $-32,%rsp; nop; leave; ret: the frame pointer alone holds */
static void test_aligned(void **state)
{
	static const char code[] = "\x55\x48\x89\xe5\x48\x83\xe4\xe0\x90\xc9\xc3";
	static const struct want want[] = { { 8, 6, 16, -16 }, { 9, 6, 16, -16 } };
	struct arch_place p;

	check(arch_of("x86_64")->frames, code, sizeof(code) - 1, want, ARRAY_SIZE(want));
	/* and without it nothing is known: and $-32,%rsp */
	assert_false(
		arch_of("x86_64")->frames->place((const u8 *)"\x48\x83\xe4\xe0\x90", 5, 4, &p));
}

/* push %rbx; sub $0x20,%rsp; je 1f; add $0x20,%rsp; mov %ebx,%eax; pop %rbx; ret; 1: nop; and the
 * same with a jump to another function: the frame is there again behind both */
static void test_returns(void **state)
{
	static const char code[] =
		"\x53\x48\x83\xec\x20\x74\x08\x48\x83\xc4\x20\x89\xd8\x5b\xc3\x90"
		"\x48\x83\xc4\x20\x5b\xe9\x00\x00\x00\x00\x90";
	static const struct want want[] = { { 7, 7, 48, 0 },  { 11, 7, 16, 0 }, { 14, 7, 8, 0 },
					    { 15, 7, 48, 0 }, { 20, 7, 16, 0 }, { 21, 7, 8, 0 },
					    { 26, 7, 48, 0 } };

	check(arch_of("x86_64")->frames, code, sizeof(code) - 1, want, ARRAY_SIZE(want));
}

/* A function without a frame may return in its middle. push %rbp; mov %rsp,%rbp; push $1; call;
 * mov %rbp,%rsp; pop %rbp; ret; nop: what is called may take what was pushed from the stack. */
static void test_frameless_and_calls(void **state)
{
	static const char leaf[] = "\x74\x01\xc3\x90";
	static const char code[] =
		"\x55\x48\x89\xe5\x6a\x01\xe8\x00\x00\x00\x00\x48\x89\xec\x5d\xc3\x90";
	static const struct want in_leaf[] = { { 2, 7, 8, 0 }, { 3, 7, 8, 0 } };
	static const struct want want[] = {
		{ 11, 6, 16, -16 }, { 14, 6, 16, -16 }, { 15, 7, 8, 0 }, { 16, 6, 16, -16 }
	};

	check(arch_of("x86_64")->frames, leaf, sizeof(leaf) - 1, in_leaf, ARRAY_SIZE(in_leaf));
	check(arch_of("x86_64")->frames, code, sizeof(code) - 1, want, ARRAY_SIZE(want));
}

/* An entry of a PLT: jmp *0(%rip); push $1; jmp */
static void test_plt(void **state)
{
	static const char code[] = "\xff\x25\x00\x00\x00\x00\x68\x01\x00\x00\x00\xe9\x00\x00\x00"
				   "\x00";
	static const struct want want[] = { { 0, 7, 8, 0 }, { 6, 7, 8, 0 }, { 11, 7, 16, 0 } };

	check(arch_of("x86_64")->frames, code, sizeof(code) - 1, want, ARRAY_SIZE(want));
}

/* push %ebp; mov %esp,%ebp; push %ebx; sub $8,%esp */
static void test_narrow(void **state)
{
	static const char code[] = "\x55\x89\xe5\x53\x83\xec\x08\x90";
	static const struct want want[] = {
		{ 0, 4, 4, 0 }, { 1, 4, 8, -8 }, { 4, 5, 8, -8 }, { 7, 5, 8, -8 }
	};

	check(arch_of("i686")->narrow_frames, code, sizeof(code) - 1, want, ARRAY_SIZE(want));
	check(arch_of("x86_64")->narrow_frames, code, sizeof(code) - 1, want, ARRAY_SIZE(want));
}

/* stp x29,x30,[sp,#-48]!; mov x29,sp; nop */
static void test_arm64(void **state)
{
	static const char code[] = "\xfd\x7b\xbd\xa9\xfd\x03\x00\x91\x1f\x20\x03\xd5";
	static const struct want want[] = { { 0, 31, 0, 0 },
					    { 4, 31, 48, -48 },
					    { 8, 29, 48, -48 } };

	check(arch_of("aarch64")->frames, code, sizeof(code) - 1, want, ARRAY_SIZE(want));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frame_pointer), cmocka_unit_test(test_without),
		cmocka_unit_test(test_aligned),       cmocka_unit_test(test_plt),
		cmocka_unit_test(test_returns),       cmocka_unit_test(test_frameless_and_calls),
		cmocka_unit_test(test_narrow),        cmocka_unit_test(test_arm64),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
