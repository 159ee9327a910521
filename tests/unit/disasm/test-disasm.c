// SPDX-License-Identifier: GPL-2.0-or-later
/* Test instructions as text, for each architecture in its own language. */
#include "base/compat.h"
#include "arch/arch.h"
#include "disasm/disasm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const struct {
	const char *arch;
	bool wide;
	const char *code;
	u32 size, step;
	const char *text;
} cases[] = {
	{ "x86_64", true, "\x89\xc2", 2, 1, "movl %eax, %edx" },
	{ "x86_64", true, "\x48\x89\xc2", 3, 1, "movq %rax, %rdx" },
	{ "x86_64", false, "\x40", 1, 1, "incl %eax" },
	{ "i686", false, "\xc3", 1, 1, "retl" },
	{ "aarch64", true, "\xc0\x03\x5f\xd6", 4, 4, "ret" },
};

static void languages(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct disasm *d = disasm_open(arch_of(cases[i].arch), cases[i].wide);
		struct strbuf sb = STRBUF_INIT;

		if (!d) /* no library */
			skip();
		assert_int_equal(disasm_text(d, (const u8 *)cases[i].code, cases[i].size, 0x1000,
					     &sb),
				 cases[i].size);
		assert_string_equal(strbuf_str(&sb), cases[i].text);
		assert_int_equal(disasm_step(d), cases[i].step);
		strbuf_release(&sb);
		disasm_close(d);
	}
}

static void cut_off(void **state)
{
	struct disasm *d = disasm_open(arch_of("x86_64"), true);
	struct strbuf sb = STRBUF_INIT;

	if (!d)
		skip();
	assert_int_equal(disasm_text(d, (const u8 *)"\x48\x89", 2, 0, &sb), 0);
	assert_int_equal(sb.len, 0);
	strbuf_release(&sb);
	disasm_close(d);
}

static void no_language(void **state)
{
	assert_null(disasm_open(arch_of("csky"), true));
	assert_null(disasm_open(arch_of("sparc64"), true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(languages),
		cmocka_unit_test(cut_off),
		cmocka_unit_test(no_language),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
