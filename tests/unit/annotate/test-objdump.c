// SPDX-License-Identifier: GPL-2.0-or-later
/* The lines of objdump, taken over from its text, and what was counted at them. */
#include "base/compat.h"
#include "annotate/annotate-internal.h"
#include "arch/arch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const char text[] = "\n"
			   "prog:     file format elf64-x86-64\n"
			   "\n"
			   "\n"
			   "Disassembly of section .text:\n"
			   "\n"
			   "0000000000001000 <f>:\n"
			   "f():\n"
			   "/src/prog.c:6\n"
			   "\tint\ta; /* 1001:\tno */  \n"
			   "    1000:\tmov    %rsi,%rax\n"
			   "/src/prog.c:7 (discriminator 3)\n"
			   "    dead:\tfoo\n"
			   "    1003:\tje     1000 <f>\n"
			   "./rel/prog.c:8\n"
			   "    1005:\t48 89 f0 \tmov    %rax,%rsi\n"
			   "    1008:\t\n"
			   "    1009:\tjmp    2000 <g>\n"
			   "    100b:\tret";

static struct annotate_site sites[] = {
	{ 0x500, 0, { 3, 30 } }, { 0x501, 0, { 1, 10 } }, /* in the first instruction */
	{ 0x503, 1, { 2, 7 } },  { 0x50b, 0, { 4, 40 } },
	{ 0x50b, 2, { 9, 90 } }, /* an event that there is not */
};
static const struct annotate_function function = {
	.start = 0x500, .end = 0x50c, .sites = sites, .nr_sites = ARRAY_SIZE(sites)
};

static struct annotation *parsed(const char *s, size_t len)
{
	struct annotation *a = calloc(1, sizeof(*a));

	*a = (struct annotation){ .of = &function, .start = 0x1000, .end = 0x100c, .nr_events = 2 };
	annotation_put(a, "", 0);
	annotate_objdump_parse(a, arch_of("x86_64"), s, len);
	return a;
}

static void lines(void **state)
{
	static const struct {
		int kind;
		u32 number;
		u64 addr;
		const char *text;
	} want[] = {
		{ ANNOTATE_TEXT, 0, 0, "" },
		{ ANNOTATE_TEXT, 1, 0, "" },
		{ ANNOTATE_TEXT, 2, 0, "" },
		{ ANNOTATE_TEXT, 3, 0, "Disassembly of section .text:" },
		{ ANNOTATE_TEXT, 4, 0, "" },
		{ ANNOTATE_TEXT, 5, 0, "0000000000001000 <f>:" },
		{ ANNOTATE_TEXT, 6, 0, "f():" },
		{ ANNOTATE_TEXT, 6, 0, "int     a; /* 1001:     no */" },
		{ ANNOTATE_INSN, 0, 0x1000, "mov    %rsi,%rax" },
		{ ANNOTATE_TEXT, 7, 0, "dead:   foo" },
		{ ANNOTATE_INSN, 0, 0x1003, "je     1000 <f>" },
		{ ANNOTATE_TEXT, 9, 0, "./rel/prog.c:8" },
		{ ANNOTATE_INSN, 0, 0x1005, "48 89 f0        mov    %rax,%rsi" },
		{ ANNOTATE_INSN, 0, 0x1009, "jmp    2000 <g>" },
		{ ANNOTATE_INSN, 0, 0x100b, "ret" },
	};
	struct annotation *a = parsed(text, sizeof(text) - 1);

	assert_int_equal(a->nr, ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		assert_string_equal(annotation_text(a, a->lines[i].text), want[i].text);
		assert_int_equal(a->lines[i].kind, want[i].kind);
		assert_int_equal(a->lines[i].number, want[i].number);
		assert_int_equal(a->lines[i].addr, want[i].addr);
	}
	annotations_free(a, 1);
}

static void links(void **state)
{
	struct annotation *a = parsed(text, sizeof(text) - 1);

	annotate_link(a);
	assert_null(a->why);
	assert_int_equal(a->lines[8].jumps, 1);
	assert_int_equal(a->lines[10].flow, FLOW_JUMP);
	assert_true(a->lines[10].inside);
	assert_true(a->lines[13].has_target);
	assert_false(a->lines[13].inside);
	assert_int_equal(a->lines[14].flow, FLOW_RETURN);
	assert_int_equal(annotation_hits(a, 8, 0)->samples, 4);
	assert_int_equal(annotation_hits(a, 8, 0)->period, 40);
	assert_int_equal(annotation_hits(a, 10, 1)->period, 7);
	assert_int_equal(annotation_hits(a, 14, 0)->samples, 4);
	assert_int_equal(annotation_hits(a, 14, 1)->samples, 0);
	annotations_free(a, 1);
}

/* Each beginning of the text is taken, and none is read beyond its end. */
static void cut_off(void **state)
{
	for (size_t len = 0; len < sizeof(text); len++) {
		char *copy = malloc(len ? len : 1);
		struct annotation *a;

		memcpy(copy, text, len);
		a = parsed(copy, len);
		free(copy);
		annotations_free(a, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(links),
		cmocka_unit_test(cut_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
