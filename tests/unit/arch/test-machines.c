// SPDX-License-Identifier: GPL-2.0-or-later
/* Test which architecture a name means, and facts that are asked of all of them. */
#include "base/compat.h"
#include "arch/arch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Names of one machine mean the same, names of different ones do not. */
static void names_of_machines(void **state)
{
	static const char *const same[][3] = {
		{ "x86_64", "x86_64", "x86" },        { "i386", "i686", "i586" },
		{ "aarch64", "arm64", "aarch64_be" }, { "armv7l", "arm", "armv6l" },
		{ "s390", "s390x", "s390x" },         { "ppc", "ppc64le", "powerpc" },
		{ "riscv32", "riscv64", "riscv" },    { "csky", "csky", "csky" },
		{ "mips", "mips64", "mips64el" },     { "loongarch64", "loongarch", "loongarch32" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(same); i++) {
		assert_true(arch_of(same[i][0])->nr_regs > 0);
		assert_ptr_equal(arch_of(same[i][0]), arch_of(same[i][1]));
		assert_ptr_equal(arch_of(same[i][0]), arch_of(same[i][2]));
		for (size_t k = 0; k < i; k++)
			assert_ptr_not_equal(arch_of(same[i][0]), arch_of(same[k][0]));
	}
}

static void names_of_none(void **state)
{
	static const char *const none[] = { "", "i", "i86", "ia64", "sparc64", "X86_64" };

	for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
		assert_int_equal(arch_of(none[i])->nr_regs, 0);
		assert_int_equal(arch_of(none[i])->nr_elf, 0);
	}
}

static void pmus_of_cores(void **state)
{
	assert_true(arch_core_pmu("cpu"));
	assert_true(arch_core_pmu("armv8_pmuv3_0"));
	assert_true(arch_core_pmu("armv7_cortex_a15"));
	assert_false(arch_core_pmu("cpu_core"));
	assert_false(arch_core_pmu("uncore_imc_0"));
}

static void stages_of_the_pipeline(void **state)
{
	assert_true(arch_of("ppc64le")->stage_cycles);
	assert_false(arch_of("x86_64")->stage_cycles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_machines),
		cmocka_unit_test(names_of_none),
		cmocka_unit_test(pmus_of_cores),
		cmocka_unit_test(stages_of_the_pipeline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
