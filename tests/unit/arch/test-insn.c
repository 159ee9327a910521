// SPDX-License-Identifier: GPL-2.0-or-later
/* Test lengths of x86 instructions: what the assembler makes, cut off anywhere. */
#include "base/compat.h"

#include "arch/insn.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const struct {
	const char *code;
	u32 size;
	bool narrow, branch;
} cases[] = {
	{ "\x90", 1, false, false },
	{ "\xc3", 1, false, true },
	{ "\xe8\xb4\xff\xff\xff", 5, false, true },
	{ "\x66\xe8\x01\x00", 4, true, true },
	{ "\x66\xe9\x01\x00\x00\x00", 6, false, true },
	{ "\x75\xec", 2, false, true },
	{ "\x0f\x84\x01\x02\x03\x04", 6, false, true },
	{ "\x0f\x05", 2, false, true },
	{ "\xff\xe0", 2, false, true },
	{ "\xff\x15\x01\x02\x03\x04", 6, false, true },
	{ "\xff\xc0", 2, false, false },
	{ "\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08", 10, false, false },
	{ "\x66\xb8\x01\x02", 4, false, false },
	{ "\xa1\x01\x02\x03\x04\x05\x06\x07\x08", 9, false, false },
	{ "\x67\xa1\x01\x02\x03\x04", 6, false, false },
	{ "\xa1\x01\x02\x03\x04", 5, true, false },
	{ "\xc7\x45\xfc\x00\x00\x00\x00", 7, false, false },
	{ "\x66\xc7\x45\xfc\x00\x00", 6, false, false },
	{ "\xf6\xc1\x01", 3, false, false },
	{ "\xf6\xd1", 2, false, false },
	{ "\xf7\x84\x24\x01\x02\x03\x04\x05\x06\x07\x08", 11, false, false },
	{ "\x8b\x04\x25\x01\x02\x03\x04", 7, false, false },
	{ "\x8b\x05\x01\x02\x03\x04", 6, false, false },
	{ "\x67\x8b\x46\x01", 4, true, false },
	{ "\x67\x8b\x06\x01\x02", 5, true, false },
	{ "\x66\x0f\x1f\x44\x00\x00", 6, false, false },
	{ "\x0f\x38\x00\xc1", 4, false, false },
	{ "\x66\x0f\x3a\x0f\xc1\x08", 6, false, false },
	{ "\xc5\xf8\x77", 3, false, false },
	{ "\xc5\xf9\x70\xc1\x01", 5, false, false },
	{ "\xc4\xe2\x7d\x18\x05\x01\x02\x03\x04", 9, false, false },
	{ "\xc4\xe3\x7d\x19\xc1\x01", 6, false, false },
	{ "\xc5\x01", 2, true, false }, /* lds */
	{ "\x62\xf1\x7c\x48\x28\x05\x01\x02\x03\x04", 10, false, false },
	{ "\x8f\xe8\x78\xc0\xc1\x01", 6, false, false },
	{ "\x40", 1, true, false },
	{ "\xc8\x01\x02\x03", 4, false, false },
	{ "\x9a\x01\x02\x03\x04\x05\x06", 7, true, true },
};

static void lengths(void **state)
{
	const struct arch *x86 = arch_of("x86_64");

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const u8 *p = (const u8 *)cases[i].code;
		struct insn insn;

		assert_int_equal(insn_decode(x86, p, cases[i].size, !cases[i].narrow, &insn), 0);
		assert_int_equal(insn.len, cases[i].size);
		assert_int_equal(insn.branch, cases[i].branch);
		for (u32 n = 0; n < cases[i].size; n++) /* cut off anywhere */
			assert_int_equal(insn_decode(x86, p, n, !cases[i].narrow, &insn), -EINVAL);
	}
}

static void none_at_all(void **state)
{
	static const u8 prefixes[32] = { [0 ... 31] = 0x66 };
	const struct arch *x86 = arch_of("i686");
	struct insn insn;

	assert_int_equal(insn_decode(x86, prefixes, sizeof(prefixes), true, &insn), -EINVAL);
	assert_int_equal(insn_decode(x86, (const u8 *)"\x06", 1, true, &insn), -EINVAL);
	assert_int_equal(insn_decode(x86, (const u8 *)"\x06", 1, false, &insn), 0);
	assert_int_equal(insn_decode(x86, (const u8 *)"\xea\0\0\0\0\0\0", 7, true, &insn), -EINVAL);
}

static void known_of_x86_alone(void **state)
{
	struct insn insn = { 1, true };

	assert_true(insn_known(arch_of("x86_64")));
	assert_false(insn_known(arch_of("aarch64")));
	assert_int_equal(insn_decode(arch_of("aarch64"), (const u8 *)"\xc3", 1, true, &insn),
			 -ENOSYS);
	assert_int_equal(insn.len, 0);
	assert_false(insn.branch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths),
		cmocka_unit_test(none_at_all),
		cmocka_unit_test(known_of_x86_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
