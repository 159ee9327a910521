// SPDX-License-Identifier: GPL-2.0-or-later
/* Which names the bits of register masks have on each architecture. */
#include "base/compat.h"
#include "wire/regs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Numbers of asm/perf_regs.h: first, something in the middle, last, and behind it. */
static void known_architectures(void **state)
{
	static const struct {
		const char *arch;
		unsigned int bit;
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
		assert_string_equal(reg_name(reg_names_of(t[i].arch), t[i].bit), t[i].name);
}

static void no_architecture_is_this_one(void **state)
{
#if defined(__x86_64__)
	assert_string_equal(reg_name(reg_names_of(NULL), 8), "IP");
#else
	assert_non_null(reg_names_of(NULL));
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_architectures),
		cmocka_unit_test(no_architecture_is_this_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
