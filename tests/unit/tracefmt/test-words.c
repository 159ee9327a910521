// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the words that print formats have for values of fields. */
#include "base/compat.h"
#include "tracefmt/tracefmt.h"

#include <setjmp.h>
#include <cmocka.h>

#define FORMAT                                                                                     \
	"name: probe\nID: 77\nformat:\n"                                                           \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"                   \
	"\tfield:unsigned int flags;\toffset:8;\tsize:4;\tsigned:0;\n"                             \
	"\tfield:int kind;\toffset:12;\tsize:4;\tsigned:1;\n"                                      \
	"\tfield:int plain;\toffset:16;\tsize:4;\tsigned:1;\n\n"                                   \
	"print fmt: "

static void note(void *ctx, const struct tf_words *w)
{
	struct strbuf *out = ctx;

	strbuf_addf(out, "%s %s '%.*s':", w->field->name, w->flags ? "flags" : "names",
		    (int)w->delim_len, w->delim ? w->delim : "");
	for (u32 i = 0; i < w->nr_syms; i++)
		strbuf_addf(out, " %" PRIx64 "=%.*s", w->syms[i].value, (int)w->syms[i].len,
			    w->syms[i].str);
	strbuf_addch(out, '\n');
}

/* Check what is found in a print format. */
static void check(const char *print_fmt, const char *expected)
{
	struct tracefmt *tf = tracefmt_new(false, 8);
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	const struct tf_event *ev;

	strbuf_addf(&text, "%s%s\n", FORMAT, print_fmt);
	ev = tracefmt_add(tf, "sys", text.buf, text.len, NULL);
	assert_non_null(ev);
	tf_walk_words(ev, note, &out);
	assert_string_equal(strbuf_str(&out), expected);
	strbuf_release(&text);
	strbuf_release(&out);
	tracefmt_free(tf);
}

static void test_words(void **state)
{
	check("\"%d\", REC->plain", "");
	check("\"%s\", __print_symbolic(REC->kind, { 0, \"HI\" }, { -1, \"LO\" })",
	      "kind names '': 0=HI ffffffffffffffff=LO\n");
	check("\"%s %d %s\", __print_flags(REC->flags, \"|\", { 1, \"A\" }, { 0x10, \"B\" }), "
	      "REC->plain, __print_symbolic(REC->kind, { 7, \"X\" })",
	      "flags flags '|': 1=A 10=B\nkind names '': 7=X\n");
}

static void test_inside(void **state)
{
	check("\"%s\", REC->plain ? __print_flags((unsigned long)(REC->flags & 3), \"\", { 2, "
	      "\"T\" }) : \"none\"",
	      "flags flags '': 2=T\n");
}

/* A print format that nobody understands has none. */
static void test_failed(void **state)
{
	check("\"%s\", __print_flags(REC->flags, \"|\", { 1, ", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_inside),
		cmocka_unit_test(test_failed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
