// SPDX-License-Identifier: GPL-2.0-or-later
/* Test programs by the machine number of their files: whose they are, what they look like, where
 * they run. */
#include "base/compat.h"
#include "arch/arch.h"
#include "arch/elf.h"
#include "arch/syscalls.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void programs_by_machine(void **state)
{
	static const struct {
		u16 machine;
		bool narrow;
		u8 header, entry;
	} t[] = {
		{ EM_X86_64, false, 16, 16 },  { EM_386, true, 16, 16 },
		{ EM_AARCH64, false, 32, 16 }, { EM_ARM, true, 20, 12 },
		{ EM_RISCV, false, 32, 16 },   { EM_S390, false, 32, 32 },
		{ EM_PPC, true, 0, 0 },        { EM_PPC64, false, 0, 0 },
		{ EM_MIPS, true, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const struct arch_elf *e = arch_elf_of(t[i].machine);

		assert_int_equal(e->machine, t[i].machine);
		assert_int_equal(e->narrow, t[i].narrow);
		assert_int_equal(e->plt_header, t[i].header);
		assert_int_equal(e->plt_entry, t[i].entry);
	}
	assert_int_equal(arch_elf_of(EM_SPARC)->machine, EM_NONE);
	assert_int_equal(arch_elf_of(0x10000 + EM_386)->machine, EM_NONE);
	assert_null(arch_elf_of(EM_SPARC)->operand);
}

static void marks_of_code_and_data(void **state)
{
	assert_null(arch_elf_of(EM_X86_64)->marks);
	assert_non_null(arch_elf_of(EM_AARCH64)->marks);
	assert_false(arch_elf_of(EM_AARCH64)->marks_any_tail);
	assert_true(arch_elf_of(EM_RISCV)->marks_any_tail);
	assert_true(arch_elf_of(EM_ARM)->thumb);
	assert_false(arch_elf_of(EM_AARCH64)->thumb);
}

static void system_calls(void **state)
{
	static const struct {
		u16 machine;
		u32 nr;
		const char *name; /* NULL: none has that number */
	} t[] = {
		{ EM_X86_64, 0, "read" },
		{ EM_X86_64, 39, "getpid" },
		{ EM_X86_64, 257, "openat" },
		{ EM_X86_64, 334, "rseq" },
		{ EM_X86_64, 335, NULL },
		{ EM_X86_64, 423, NULL },
		{ EM_X86_64, 435, "clone3" },
		{ EM_X86_64, 462, "mseal" },
		{ EM_X86_64, 4000, NULL },
		{ EM_X86_64, UINT32_MAX, NULL },
		{ EM_386, 0, "restart_syscall" },
		{ EM_386, 3, "read" },
		{ EM_386, 222, NULL },
		{ EM_386, 403, "clock_gettime64" },
		{ EM_386, 435, "clone3" },
		{ EM_AARCH64, 63, "read" },
		{ EM_AARCH64, 172, "getpid" },
		{ EM_RISCV, 56, "openat" },
		{ EM_LOONGARCH, 79, "newfstatat" },
		{ EM_SPARC, 0, NULL },
		{ EM_SPARC, 435, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		size_t len = 0;
		const char *name = syscall_name(t[i].machine, t[i].nr, &len);

		assert_int_equal(!name, !t[i].name);
		if (!name)
			continue;
		assert_int_equal(len, strlen(t[i].name));
		assert_memory_equal(name, t[i].name, len);
		assert_int_equal(syscall_number(t[i].machine, t[i].name), t[i].nr);
	}
	assert_int_equal(syscall_number(EM_X86_64, "rea"), -1);
	assert_int_equal(syscall_number(EM_X86_64, "readx"), -1);
	assert_int_equal(syscall_number(EM_X86_64, ""), -1);
	assert_int_equal(syscall_number(EM_SPARC, "read"), -1);
}

static void programs_that_run(void **state)
{
	assert_true(arch_runs(arch_of("x86_64"), EM_X86_64));
	assert_true(arch_runs(arch_of("x86_64"), EM_386));
	assert_false(arch_runs(arch_of("x86_64"), EM_AARCH64));
	assert_true(arch_runs(arch_of("aarch64"), EM_ARM));
	assert_false(arch_runs(arch_of("armv7l"), EM_AARCH64));
	assert_true(arch_runs(arch_of("ppc64le"), EM_PPC64));
	assert_false(arch_runs(arch_of("s390x"), EM_NONE));
	/* of a machine that is not known nothing is known to be foreign */
	assert_true(arch_runs(arch_of("sparc64"), EM_SPARC));
	assert_false(arch_runs(arch_of("sparc64"), EM_NONE));
}

/* Parts of a register are fetched as the whole of it. */
static void operands_of_x86(void **state)
{
	static const struct {
		const char *operand, *uprobe; /* NULL: none */
	} t[] = {
		{ "%rdx", "%dx" },
		{ "%r8d", "%r8" },
		{ "%ah", "%ax" },
		{ "8(%rsp)", "+8(%sp)" },
		{ "-20(%rbp)", "-20(%bp)" },
		{ "(%rax)", "+0(%ax)" },
		{ "%xmm0", "%xmm0" },
		{ "$5", NULL },
		{ "16(%rax,%rbx,8)", NULL },
		{ "var(%rip)", NULL },
		{ "0x10(%rdi)", NULL },
		{ "%", NULL },
		{ "(%", NULL },
		{ "8(%rsp", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct strbuf sb = STRBUF_INIT;
		const char *p = t[i].operand;
		bool is = arch_elf_of(EM_386)->operand(p, strlen(p), &sb);

		assert_int_equal(is, t[i].uprobe != NULL);
		if (is)
			assert_string_equal(strbuf_str(&sb), t[i].uprobe);
		strbuf_release(&sb);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_by_machine), cmocka_unit_test(marks_of_code_and_data),
		cmocka_unit_test(system_calls),        cmocka_unit_test(programs_that_run),
		cmocka_unit_test(operands_of_x86),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
