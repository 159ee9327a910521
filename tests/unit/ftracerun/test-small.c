// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the verbs that read single files of the tracing folder, on a folder that is made here. */
#include "base/compat.h"
#include "ftracerun/ftracerun.h"
#include "tests/lib/tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

#define FOLDER "sys/kernel/tracing/"

static char *tree;
static struct sysroot sr;
static struct strbuf out;
static struct err err;

static int set_up(void **state)
{
	tree = tmp_dir();
	sr = (struct sysroot){ .prefix = tree };
	strbuf_reset(&out);
	return 0;
}

static int tear_down(void **state)
{
	tmp_remove(tree);
	strbuf_release(&out);
	return 0;
}

static void test_list(void **state)
{
	tree_put(tree, FOLDER "available_tracers", "blk nop\n");
	tree_put(tree, FOLDER "trace_clock", "local [mono] x86-tsc\n");
	tree_put(tree, FOLDER "trace_options", "markers\nnoraw\n");
	assert_int_equal(ftrace_list(&sr, true, &out, &err), 0);
	assert_string_equal(strbuf_str(&out),
			    "{\"tracers\":[\"blk\",\"nop\"],"
			    "\"clocks\":[\"local\",\"mono\",\"x86-tsc\"],\"clock\":\"mono\","
			    "\"options\":[\"markers\",\"noraw\"]}\n");
	strbuf_reset(&out);
	assert_int_equal(ftrace_list(&sr, false, &out, &err), 0);
	assert_string_equal(strbuf_str(&out), "Tracers:\n  blk nop\n"
					      "Clocks (the usual one in brackets):\n"
					      "  local [mono] x86-tsc\n"
					      "Options (no in front of a name: it is off):\n"
					      "  markers noraw \n");
}

static void test_stack(void **state)
{
	static const char text[] = "        Depth    Size   Location    (2 entries)\n"
				   "        -----    ----   --------\n"
				   "  0)     4208     160   stack_trace_call+0x3/0x10\n"
				   " 11)       80      80   \"odd\"+0x1/0x2 [mod]\n";

	assert_int_equal(ftrace_stack(&sr, true, &out, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "stack_trace, which this kernel does not have"));
	tree_put(tree, FOLDER "stack_trace", text);
	assert_int_equal(ftrace_stack(&sr, false, &out, &err), 0);
	assert_string_equal(strbuf_str(&out), text);
	strbuf_reset(&out);
	assert_int_equal(ftrace_stack(&sr, true, &out, &err), 0);
	assert_string_equal(
		strbuf_str(&out),
		"[{\"depth\":4208,\"size\":160,\"function\":\"stack_trace_call+0x3/0x10\"},\n"
		"{\"depth\":80,\"size\":80,\"function\":\"\\\"odd\\\"+0x1/0x2 [mod]\"}]\n");
}

static void test_probes(void **state)
{
	tree_put(tree, FOLDER "kprobe_profile", "  open   7   1\n");
	tree_put(tree, FOLDER "uprobe_profile", "  /bin/a main   3\n");
	assert_int_equal(ftrace_probes(&sr, true, &out, &err), 0);
	assert_string_equal(strbuf_str(&out),
			    "[{\"probe\":\"open\",\"kind\":\"kprobe\",\"hits\":7,\"misses\":1},\n"
			    "{\"probe\":\"main\",\"kind\":\"uprobe\",\"hits\":3,\"misses\":0}]\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_list, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_stack, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_probes, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
