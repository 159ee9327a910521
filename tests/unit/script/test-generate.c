// SPDX-License-Identifier: GPL-2.0-or-later
/* Test generated scripts: the order of events, where lines are broken, how values are shown. */
#include "base/compat.h"
#include "script/generate.h"

#include <setjmp.h>
#include <cmocka.h>

#define COMMON                                                                                     \
	"format:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"            \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define NUMBER(name, at) "\tfield:int " name ";\toffset:" #at ";\tsize:4;\tsigned:1;\n"
#define SEVEN                                                                                      \
	"name: seven\nID: 9\n" COMMON NUMBER("a", 8) NUMBER("b", 12) NUMBER("c", 16)               \
		NUMBER("d", 20) NUMBER("e", 24) "\tfield:char f[4];\toffset:28;\tsize:4;"          \
						"\tsigned:0;\n\tfield:u64 g;\toffset:32;\tsize:8;" \
						"\tsigned:0;\n\nprint fmt: \"%s %s\", "            \
						"__print_symbolic(REC->c, { 1, \"ONE\" }), "       \
						"__print_flags(REC->a, \"|\", { 1, \"X\" })\n"
#define FOUR                                                                                       \
	"name: four\nID: 3\n" COMMON NUMBER("a", 8) NUMBER("b", 12) NUMBER("c", 16)                \
		NUMBER("d", 20) "\nprint fmt: \"%d\", REC->a\n"

typedef void generate_fn(const struct tracefmt *tf, struct strbuf *out);

static void generate(generate_fn *language, const char *const *formats, struct strbuf *out)
{
	struct tracefmt *tf = tracefmt_new(false, 8);

	for (; *formats; formats++)
		assert_non_null(tracefmt_add(tf, "sys", *formats, strlen(*formats), NULL));
	language(tf, out);
	tracefmt_free(tf);
}

static void has(const struct strbuf *text, const char *part)
{
	if (!strstr(strbuf_str(text), part))
		fail_msg("not in the script: %s", part);
}

static void test_handlers(void **state)
{
	static const char *const formats[] = { SEVEN, FOUR, NULL };
	struct strbuf out = STRBUF_INIT;

	generate(generate_python, formats, &out);
	has(&out, "def sys__seven(event_name, context, common_cpu,\n"
		  "\tcommon_secs, common_nsecs, common_pid, common_comm,\n"
		  "\tcommon_callchain, a, b, c, d, \n\te, f, g, perf_sample_dict):\n");
	has(&out, "print(\"a=%s, b=%d, c=%s, \" \\\n\t\t\"d=%d, e=%d, f=%s, \" \\\n"
		  "\t\t\"g=%u\" % \\\n");
	has(&out, "(flag_str(\"sys__seven\", \"a\", a), b, \n"
		  "\t\tsymbol_str(\"sys__seven\", \"c\", c), \n\t\td, e, f, g))\n");
	has(&out, "common_callchain, a, b, c, d, \n\t\tperf_sample_dict):\n");
	/* by their ids */
	assert_true(strstr(out.buf, "def sys__four(") < strstr(out.buf, "def sys__seven("));
	strbuf_release(&out);
}

static void test_perl_handlers(void **state)
{
	static const char *const formats[] = { SEVEN, FOUR, NULL };
	struct strbuf out = STRBUF_INIT;

	generate(generate_perl, formats, &out);
	has(&out, "sub sys::seven\n{\n"
		  "\tmy ($event_name, $context, $common_cpu, $common_secs, $common_nsecs,\n"
		  "\t    $common_pid, $common_comm, $common_callchain,\n"
		  "\t    $a, $b, $c, $d, \n\t    $e, $f, $g) = @_;\n");
	has(&out, "\tprintf(\"a=%s, b=%d, c=%s, d=%d, \".\n\t       \"e=%d, f=%s, g=%u\\n\",\n");
	has(&out, "\t       flag_str(\"sys::seven\", \"a\", $a), $b, \n"
		  "\t       symbol_str(\"sys::seven\", \"c\", $c), \n\t       $d, $e, $f, $g);\n");
	has(&out, "$a, $b, $c, $d) = @_;\n");
	/* by their ids */
	assert_true(strstr(out.buf, "sub sys::four\n") < strstr(out.buf, "sub sys::seven\n"));
	assert_null(strstr(out.buf, "use lib \"."));
	strbuf_release(&out);
}

static void test_no_events(void **state)
{
	struct strbuf out = STRBUF_INIT;

	generate_python(NULL, &out);
	has(&out, "def trace_begin():\n");
	has(&out, "def trace_unhandled(event_name, context, event_fields_dict, "
		  "perf_sample_dict):\n");
	assert_null(strstr(out.buf, "common_callchain"));
	strbuf_release(&out);
	generate_perl(NULL, &out);
	has(&out, "sub trace_begin\n{\n");
	has(&out, "sub trace_unhandled\n{\n");
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_handlers),
		cmocka_unit_test(test_perl_handlers),
		cmocka_unit_test(test_no_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
