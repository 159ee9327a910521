// SPDX-License-Identifier: GPL-2.0-or-later
/* Test why tracing files of probes cannot be opened, which lines are written to them, and what the
 * kernel says of a line that it refuses, on made-up machines. */
#include "base/compat.h"
#include "base/alloc.h"
#include "kernel/probe-files.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <unistd.h>

#include <cmocka.h>

static struct sysroot sr;

static int setup(void **state)
{
	(void)state;
	sr.prefix = tmp_dir();
	tree_put(sr.prefix, "sys/kernel/tracing/events/enable", "0\n");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tmp_remove((char *)sr.prefix);
	sr.prefix = NULL;
	return 0;
}

static void refused(enum probe_file which, int code, const char *words)
{
	struct err err = { 0 };

	assert_int_equal(probe_file_refused(&sr, which, code, &err), code);
	assert_non_null(strstr(err.msg, words));
}

static void test_refused(void **state)
{
	struct err err = { 0 };

	(void)state;
	refused(PROBE_FILE_KERNEL, -ENOENT, "rebuild kernel with CONFIG_KPROBE_EVENTS=y");
	refused(PROBE_FILE_USER, -ENOENT, "rebuild kernel with CONFIG_UPROBE_EVENTS=y");
	refused(PROBE_FILE_USER, -EACCES, "probes are made by root");
	refused(PROBE_FILE_KERNEL, -EPERM, "probes are made by root");
	tree_put(sr.prefix, "sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	refused(PROBE_FILE_KERNEL, -EPERM, "locked down");
	refused(PROBE_FILE_KERNEL, -EPERM, "forbids kprobes");
	refused(PROBE_FILE_USER, -EPERM, "forbids reading its memory");
	assert_int_equal(probe_file_open(&sr, PROBE_FILE_KERNEL, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "kprobe_events does not exist"));
}

/* A line is written as it is; what is more than one line, or none, is not. */
static void test_put(void **state)
{
	struct strbuf text = STRBUF_INIT;
	char *longest = xmalloc(4097);
	int fd;

	(void)state;
	memset(longest, 'x', 4096);
	longest[4096] = 0;
	tree_put(sr.prefix, "sys/kernel/tracing/uprobe_events", "");
	fd = probe_file_open(&sr, PROBE_FILE_USER, NULL);
	assert_true(fd >= 0);
	assert_int_equal(probe_file_put(fd, "p:a/b /bin/x:0x10"), 0);
	assert_int_equal(probe_file_put(fd, ""), -EINVAL);
	assert_int_equal(probe_file_put(fd, "p:a/b /bin/x:0x10\n-:*"), -EINVAL);
	assert_int_equal(probe_file_put(fd, "p:a/b\t/bin/x:0x10"), -EINVAL);
	assert_int_equal(probe_file_put(fd, longest), -EINVAL);
	close(fd);
	assert_int_equal(probe_file_read(&sr, PROBE_FILE_USER, &text), 0);
	assert_string_equal(strbuf_str(&text), "p:a/b /bin/x:0x10");
	strbuf_release(&text);
	free(longest);
}

/* The kernel tells of the line that it refused last, of functions that it keeps free of probes, and
 * of the words that it knows. */
static void test_told(void **state)
{
	struct strbuf why = STRBUF_INIT;

	(void)state;
	probe_file_why(&sr, &why);
	assert_string_equal(strbuf_str(&why), "");
	tree_put(sr.prefix, "sys/kernel/tracing/error_log",
		 "[  10.1] trace_kprobe: error: Invalid probed address or symbol\n"
		 "  Command: p:a/b nosuch\n              ^\n"
		 "[  11.2] trace_uprobe: error: Unknown type is specified\n"
		 "  Command: p:a/b /bin/x:0x10 a=%di:u7\n                                ^\n");
	probe_file_why(&sr, &why);
	assert_string_equal(strbuf_str(&why), "Unknown type is specified");
	strbuf_release(&why);

	assert_false(probe_file_forbids(&sr, "int3"));
	tree_put(sr.prefix, "sys/kernel/debug/kprobes/blacklist",
		 "0xffffffff81000000-0xffffffff81000010\tint3\n"
		 "0xffffffff81000010-0xffffffff81000020\tint3_more\n");
	assert_true(probe_file_forbids(&sr, "int3"));
	assert_true(probe_file_forbids(&sr, "int3_more"));
	assert_false(probe_file_forbids(&sr, "int"));

	assert_false(probe_kernel_knows(&sr, "symstr"));
	tree_put(sr.prefix, "sys/kernel/tracing/README", "\ttype: s8/16/32/64, symbol, symstr\n");
	assert_true(probe_kernel_knows(&sr, "symstr"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(test_put, setup, teardown),
		cmocka_unit_test_setup_teardown(test_told, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
