// SPDX-License-Identifier: GPL-2.0-or-later
/* Test which jumps and calls are read from the texts of instructions. */
#include "base/compat.h"
#include "annotate/annotate.h"
#include "annotate/flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const struct {
	enum arch_code code;
	const char *text;
	int kind;
	u64 target; /* 0: none */
	size_t at;
} cases[] = {
	{ ARCH_CODE_X86, "je     11f5 <inner+0x35>", FLOW_JUMP, 0x11f5, 7 },
	{ ARCH_CODE_X86, "jne 0x11d0", FLOW_JUMP, 0x11d0, 4 },
	{ ARCH_CODE_X86, "jmp    *%rax", FLOW_JUMP, 0, 0 },
	{ ARCH_CODE_X86, "jmp    *0x2f93(%rip)        # 404028 <sink>", FLOW_JUMP, 0, 0 },
	{ ARCH_CODE_X86, "bnd jmp 1030 <plt>", FLOW_JUMP, 0x1030, 8 },
	{ ARCH_CODE_X86, "notrack jmp *%rax", FLOW_JUMP, 0, 0 },
	{ ARCH_CODE_X86, "bnd", FLOW_NONE, 0, 0 },
	{ ARCH_CODE_X86, "jne,pt 4010", FLOW_JUMP, 0x4010, 7 },
	{ ARCH_CODE_X86, "call   401040 <strtoul@plt>", FLOW_CALL, 0x401040, 7 },
	{ ARCH_CODE_X86, "call   *0x38(%rbp)", FLOW_CALL, 0, 0 },
	{ ARCH_CODE_X86, "callq 0xffffffff81000000", FLOW_CALL, 0xffffffff81000000, 6 },
	{ ARCH_CODE_X86, "ret", FLOW_RETURN, 0, 0 },
	{ ARCH_CODE_X86, "repz ret", FLOW_RETURN, 0, 0 },
	{ ARCH_CODE_X86, "mov    %rsi,%rax", FLOW_NONE, 0, 0 },
	{ ARCH_CODE_X86, "", FLOW_NONE, 0, 0 },
	{ ARCH_CODE_X86, "j", FLOW_JUMP, 0, 0 },
	{ ARCH_CODE_ARM64, "b.ne   5f0 <f+0x10>  // b.any", FLOW_JUMP, 0x5f0, 7 },
	{ ARCH_CODE_ARM64, "cbz x0, #0x1234", FLOW_JUMP, 0x1234, 8 },
	{ ARCH_CODE_ARM64, "tbnz   w1, #3, 5f0 <f>", FLOW_JUMP, 0x5f0, 15 },
	{ ARCH_CODE_ARM64, "bl #0x1000", FLOW_CALL, 0x1000, 3 },
	{ ARCH_CODE_ARM64, "br     x17", FLOW_JUMP, 0, 0 },
	{ ARCH_CODE_ARM64, "blr    x1", FLOW_CALL, 0, 0 },
	{ ARCH_CODE_ARM64, "ret", FLOW_RETURN, 0, 0 },
	{ ARCH_CODE_ARM64, "bic x0, x1, x2", FLOW_NONE, 0, 0 },
	{ ARCH_CODE_UNKNOWN, "b 1000", FLOW_NONE, 0, 0 },
};

static void flows(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct flow f = flow_of(cases[i].code, cases[i].text);

		if (f.kind != cases[i].kind || f.has_target != (cases[i].target != 0) ||
		    f.target != cases[i].target * f.has_target ||
		    (f.has_target && f.at != cases[i].at))
			fail_msg("%s: kind %d, target %#" PRIx64 " at %zu", cases[i].text, f.kind,
				 f.target, f.at);
	}
}

static void data(void **state)
{
	s64 offset;

	assert_true(flow_data("movq %rax, 0x2f93(%rip)", &offset));
	assert_int_equal(offset, 0x2f93);
	assert_true(flow_data("leaq -0x109(%rip), %rcx", &offset));
	assert_int_equal(offset, -0x109);
	assert_true(flow_data("movq (%rip), %rcx", &offset));
	assert_int_equal(offset, 0);
	assert_true(flow_data("lea rcx, [rip - 0x109]", &offset));
	assert_int_equal(offset, -0x109);
	assert_true(flow_data("jmp qword ptr [rip + 0x10]", &offset));
	assert_int_equal(offset, 0x10);
	assert_false(flow_data("movq %rax, 8(%rbp)", &offset));
	assert_false(flow_data("mov rax, [rip", &offset));
	assert_false(flow_data("", &offset));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flows),
		cmocka_unit_test(data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
