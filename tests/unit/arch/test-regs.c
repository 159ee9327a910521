// SPDX-License-Identifier: GPL-2.0-or-later
/* Test registers: what they are called, and which numbers perf and debug information give them. */
#include "arch/arch.h"
#include "base/compat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <sys/utsname.h>

/* Numbers of asm/perf_regs.h: first, something in the middle, last, and behind it. */
static void names_by_number(void **state)
{
	static const struct {
		const char *arch;
		unsigned int nr;
		const char *name;
	} t[] = {
		{ "x86_64", 0, "AX" },       { "x86_64", 8, "IP" },
		{ "x86_64", 23, "R15" },     { "x86_64", 24, "unknown" },
		{ "x86_64", 63, "XMM15" },   { "i686", 7, "SP" },
		{ "i386", 33, "XMM0" },      { "armv7l", 15, "pc" },
		{ "armv7l", 16, "unknown" }, { "aarch64", 30, "lr" },
		{ "arm64", 32, "pc" },       { "aarch64", 46, "vg" },
		{ "s390x", 16, "FP0" },      { "s390x", 33, "PC" },
		{ "ppc64le", 32, "nip" },    { "ppc", 58, "siar" },
		{ "powerpc", 0, "r0" },      { "riscv64", 31, "t6" },
		{ "mips64", 25, "$25" },     { "mips", 26, "unknown" },
		{ "mips", 28, "$28" },       { "csky", 6, "a0" },
		{ "csky", 37, "dcsr" },      { "loongarch64", 31, "%r31" },
		{ "ia64", 0, "unknown" },    { "i", 0, "unknown" },
		{ "sparc64", 1, "unknown" }, { "", 0, "unknown" },
		{ "x86_64", 64, "unknown" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		assert_string_equal(arch_reg_name(arch_of(t[i].arch), t[i].nr), t[i].name);
}

/* The number of a register by its name; UINT32_MAX: there is none. */
static u32 number_of(const struct arch *a, const char *name)
{
	for (u32 i = 0; i < ARCH_REGS_MAX; i++)
		if (!strcmp(arch_reg_name(a, i), name))
			return i;
	return UINT32_MAX;
}

/* Numbers of the psABI documents. */
static void dwarf_numbers(void **state)
{
	static const struct {
		const char *arch, *name;
		int dwarf;
	} t[] = {
		{ "x86_64", "DX", 1 },     { "x86_64", "BX", 3 },    { "x86_64", "SP", 7 },
		{ "x86_64", "IP", 16 },    { "x86_64", "R15", 15 },  { "x86_64", "XMM15", 32 },
		{ "i686", "DX", 2 },       { "i686", "SP", 4 },      { "i686", "IP", 8 },
		{ "i686", "R8", -1 },      { "aarch64", "x29", 29 }, { "aarch64", "lr", 30 },
		{ "aarch64", "sp", 31 },   { "armv7l", "lr", 14 },   { "s390x", "R15", 15 },
		{ "s390x", "FP2", 17 },    { "s390x", "FP15", 31 },  { "s390x", "PC", 65 },
		{ "ppc64le", "link", 65 }, { "ppc64le", "r1", 1 },   { "ppc64le", "nip", -1 },
		{ "riscv64", "ra", 1 },    { "riscv64", "s2", 18 },  { "riscv64", "t6", 31 },
		{ "riscv64", "pc", -1 },   { "mips", "$31", 31 },    { "loongarch64", "%r1", 1 },
		{ "csky", "lr", 15 },      { "csky", "a0", 0 },      { "csky", "exregs14", 30 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const struct arch *a = arch_of(t[i].arch);

		assert_int_not_equal(number_of(a, t[i].name), UINT32_MAX);
		assert_int_equal(arch_reg_dwarf(a, number_of(a, t[i].name)), t[i].dwarf);
	}
	assert_int_equal(arch_reg_dwarf(arch_of("x86_64"), 24), -1);
	assert_int_equal(arch_reg_dwarf(arch_of("mips"), 26), -1);
	assert_int_equal(arch_reg_dwarf(arch_of("sparc64"), 0), -1);
}

/* Registers that are recorded exist, and those that unwinding needs are recorded. */
static void masks_name_registers(void **state)
{
	static const char *const archs[] = { "x86_64", "i386",    "aarch64", "arm",  "s390x",
					     "ppc",    "riscv64", "csky",    "mips", "loongarch64" };

	for (size_t k = 0; k < ARRAY_SIZE(archs); k++) {
		const struct arch *a = arch_of(archs[k]);

		assert_true(a->nr_regs && a->nr_regs <= ARCH_REGS_MAX);
		assert_int_equal(a->unwind_regs & ~a->sample_regs, 0);
		for (u32 i = 0; i < ARCH_REGS_MAX; i++)
			if (a->sample_regs >> i & 1)
				assert_string_not_equal(arch_reg_name(a, i), "unknown");
	}
}

static void link_registers(void **state)
{
	const struct arch *a = arch_of("aarch64");

	assert_string_equal(arch_reg_name(a, a->link_reg), "lr");
	assert_true(a->sample_regs >> a->link_reg & 1);
	assert_int_equal(arch_of("x86_64")->link_reg, 0);
	assert_int_equal(arch_of("sparc64")->link_reg, 0);
}

/* A recording that does not say is taken to be of this machine, and this machine is one we know. */
static void no_architecture_is_this_one(void **state)
{
	struct utsname u;

	assert_ptr_equal(arch_of(NULL), arch_host());
	assert_int_equal(uname(&u), 0);
	if (sizeof(long) == 8) /* a kernel may run programs that are narrower than itself */
		assert_ptr_equal(arch_host(), arch_of(u.machine));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_by_number),
		cmocka_unit_test(dwarf_numbers),
		cmocka_unit_test(masks_name_registers),
		cmocka_unit_test(link_registers),
		cmocka_unit_test(no_architecture_is_this_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
