// SPDX-License-Identifier: GPL-2.0-or-later
/* Test markers of programs as text for uprobes: which arguments, where, grouped how. */
#include "base/compat.h"
#include "symbol/sdt.h"

#include <elf.h>

#include <setjmp.h>
#include <cmocka.h>

static void probe(u16 machine, char *args, u64 semaphore, const char *want)
{
	struct sdt_note note = { .provider = (char *)"p",
				 .name = (char *)"n",
				 .args = args,
				 .at = 0x1129,
				 .semaphore = semaphore };
	struct sdt_notes notes = { .v = &note, .nr = 1, .machine = machine };
	struct strbuf out = STRBUF_INIT;

	sdt_probe_text(&notes, &note, "/bin/x", &out);
	assert_string_equal(strbuf_str(&out), want);
	strbuf_release(&out);
}

#define ARGS(args, want) probe(EM_X86_64, (char *)args, 0, "p:sdt_p/n /bin/x:0x1129" want)

static void test_arguments(void **state)
{
	(void)state;
	ARGS("", "");
	ARGS("8@%rdx -8@%rax", " arg1=%dx:u64 arg2=%ax:s64");
	ARGS("4@%edi -4@%r8d 2@%cx", " arg1=%di:u32 arg2=%r8:s32 arg3=%cx:u16");
	ARGS("-2@%r9w 1@%bl -1@%sil 1@%ah", " arg1=%r9:s16 arg2=%bx:u8 arg3=%si:s8 arg4=%ax:u8");
	ARGS("8@8(%rsp) -4@-20(%rbp) 4@(%rax)",
	     " arg1=+8(%sp):u64 arg2=-20(%bp):s32 arg3=+0(%ax):u32");
	/* An argument that cannot be fetched keeps its number: the others are not renumbered. */
	ARGS("-4@$5 8@%rdx 8@16(%rax,%rbx,8) 8@var(%rip) 8@0x10(%rdi) 8@%rcx",
	     " arg2=%dx:u64 arg6=%cx:u64");
	ARGS("%rdx f@%rax 3@%rax", " arg1=%dx arg2=%ax arg3=%ax");
	ARGS("8@ @ 8@% 8@( 8@(% 8@8(%rsp", "");
	probe(EM_AARCH64, (char *)"8@x0", 0, "p:sdt_p/n /bin/x:0x1129");
	probe(EM_X86_64, (char *)"8@%rdx", 0x3018, "p:sdt_p/n /bin/x:0x1129(0x3018) arg1=%dx:u64");
}

static void test_grouped(void **state)
{
	struct sdt_note v[] = {
		{ .provider = (char *)"p", .name = (char *)"a", .args = (char *)"", .at = 1 },
		{ .provider = (char *)"p", .name = (char *)"b", .args = (char *)"", .at = 2 },
		{ .provider = (char *)"p", .name = (char *)"a", .args = (char *)"", .at = 3 },
		{ .provider = (char *)"q", .name = (char *)"a", .args = (char *)"", .at = 4 },
		{ .provider = (char *)"p", .name = (char *)"a", .args = (char *)"", .at = 5 },
	};
	struct sdt_notes notes = { .v = v, .nr = 5, .machine = EM_X86_64 };
	struct strbuf out = STRBUF_INIT;

	(void)state;
	sdt_cache_text(&notes, "/x", &out);
	assert_string_equal(strbuf_str(&out),
			    "%sdt_p:a=a\np:sdt_p/a /x:0x1\np:sdt_p/a /x:0x3\np:sdt_p/a /x:0x5\n"
			    "%sdt_p:b=b\np:sdt_p/b /x:0x2\n%sdt_q:a=a\np:sdt_q/a /x:0x4\n");
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_grouped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
