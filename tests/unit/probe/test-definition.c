// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what definitions of probes mean, and what is said of wrong ones. */
#include "base/compat.h"
#include "probe/definition.h"

#include <errno.h>

#include <setjmp.h>
#include <cmocka.h>

/* Parse @text and write it again: the place, then the arguments. */
static void round_trip(const char *text, const char *want)
{
	struct probe_definition d;
	struct strbuf out = STRBUF_INIT;
	struct err err = { 0 };

	if (probe_definition_parse(&d, text, &err))
		fail_msg("%s: %s", text, err.msg);
	probe_point_text(&d, &out);
	for (size_t i = 0; i < d.nr_args; i++) {
		strbuf_addch(&out, ' ');
		probe_arg_text(&d.args[i], &out);
	}
	assert_string_equal(strbuf_str(&out), want);
	strbuf_release(&out);
	probe_definition_release(&d);
}

#define SAME(text) round_trip(text, text)

static void test_places(void **state)
{
	(void)state;
	SAME("func");
	SAME("func%return");
	SAME("func+16");
	round_trip("func+0x10", "func+16");
	SAME("func:12");
	SAME("func@dir/file.c:12");
	SAME("func@file.c+4");
	SAME("file.c:12");
	SAME("func;a=b*");
	round_trip("func;a\\ =b", "func;a =b");
	SAME("file.c;x:y@z+1%");
	SAME("ta*s[kx]");
	SAME("0x1139");
	SAME("0x1139%return");
	round_trip("%sdt_prov:mark", "%mark");
	round_trip("sdt_prov:mark", "%mark");
	SAME("%ma*k");
	round_trip("  func   %return ", "func%return");
	round_trip("ns::f", "ns::f");
	round_trip("ns::f:3", "ns::f:3");
	round_trip("get\\@GLIBC_2.2.5", "get@GLIBC_2.2.5");
}

static void test_arguments(void **state)
{
	(void)state;
	SAME("f a b=c");
	round_trip("f a->b", "f b=a->b");
	round_trip("f x=a->b.c[2]->d[-1]", "f x=a->b.c[2]->d[-1]");
	round_trip("f a[3]", "f a[3]");
	round_trip("f a.b[3]:u8", "f b=a.b[3]:u8");
	round_trip("f a[1-3] b.c[-2-0x2]", "f a[1-3] c=b.c[-2-2]");
	SAME("f n=%di:x64 %si $comm $stack4 @sys_call+8 @0x1234:u8 +8(-4(%di)):string \\7");
	SAME("f a:b4@3/32 b:u8[4] c:string@user d:symbol");
}

/* The names of the event, and where the definition ends. */
static void test_names(void **state)
{
	struct probe_definition d;

	(void)state;
	assert_int_equal(probe_definition_parse(&d, "grp:evt=func@f.c a=b", NULL), 0);
	assert_string_equal(d.group, "grp");
	assert_string_equal(d.event, "evt");
	assert_string_equal(d.function, "func");
	assert_string_equal(d.file, "f.c");
	assert_int_equal(d.nr_args, 1);
	probe_definition_release(&d);
	assert_int_equal(probe_definition_parse(&d, "%sdt_p:m@/bin/x", NULL), 0);
	assert_true(d.marker);
	assert_string_equal(d.group, "sdt_p");
	assert_string_equal(d.object, "/bin/x");
	probe_definition_release(&d);
	assert_int_equal(probe_definition_parse(&d, "0x10+0x8", NULL), 0);
	assert_true(d.absolute);
	assert_int_equal(d.address, 0x18);
	probe_definition_release(&d);
}

static void refused(const char *text, const char *why)
{
	struct probe_definition d;
	struct err err = { 0 };

	assert_true(probe_definition_parse(&d, text, &err) < 0);
	if (!strstr(err.msg, why))
		fail_msg("%s: %s", text, err.msg);
	probe_definition_release(&d);
}

static void test_refused(void **state)
{
	(void)state;
	refused("", "empty");
	refused("+4", "no function");
	refused("1evt=f", "C symbol-naming rule");
	refused("g-p:evt=f", "group name");
	refused("f%exit", "%exit is not supported");
	refused("f:x", "non-digit character in line number");
	refused("f+x", "non-digit character in offset");
	refused("f+1:2", "Offset can't be used with line number");
	refused("f:1%return", "can't be used with return probe");
	refused("f+4%return", "can't be used with return probe");
	refused("f:1;a", "Lazy pattern can't be used with line number");
	refused("f+1;a", "Lazy pattern can't be used with offset");
	refused("f@a.c@b.c", "SRC@SRC");
	refused("f a[x]", "Array index");
	refused("f a[3-1]", "at most 64 elements");
	refused("f a[0-64]", "at most 64 elements");
	refused("f a[1-2].b", "nothing behind");
	refused("f a[-9223372036854775808-9223372036854775807]", "at most 64 elements");
	refused("f a->", "no name of a member");
	refused("f a-b", "goes on with");
	refused("f a:u7", "Did you mean u8?");
	refused("f a:b9@0/8", "no type");
	refused("f +8(%di", "parentheses");
	refused("f 1x=a", "no name of an argument");
	refused("f a=", "no value");
	refused("f -V", "options stand before it");
	refused("f --force", "options stand before it");
	refused("%sdt_p:m%return", "must be an SDT name");
	refused("%sdt_p:", "lacks a name");
	refused("%a/b", "no name of a marker");
	refused("f%return a", "can't specify local variable");
	refused("f $retval", "only there where a function returns");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
