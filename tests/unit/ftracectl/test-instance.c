// SPDX-License-Identifier: GPL-2.0-or-later
/* Test instances and what is put back, in a made up tracefs. */
#include "base/compat.h"

#include "base/alloc.h"
#include "ftracectl/instance.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#define T "/sys/kernel/tracing/"

struct box {
	char *root;
	struct sysroot sr;
};

static void box_init(struct box *b)
{
	*b = (struct box){ .root = tmp_dir() };
	b->sr.prefix = b->root;
	tree_put(b->root, T "available_tracers", "function_graph function nop\n");
	tree_put(b->root, T "current_tracer", "nop\n");
	tree_put(b->root, T "tracing_on", "1\n");
	tree_put(b->root, T "set_ftrace_pid", "no pid\n");
	tree_put(b->root, T "set_ftrace_filter", "#### all functions enabled ####\n");
	tree_put(b->root, T "buffer_size_kb", "7 (expanded: 1408)\n");
	tree_put(b->root, T "trace_clock", "[local] global mono\n");
	tree_put(b->root, T "events/header_page", "\n");
	tree_put(b->root, "/proc/1/stat",
		 "1 (a b) c) S 0 1 1 0 -1 4 1 1 1 1 1 1 1 1 20 0 1 0 77 1\n");
}

static void box_release(struct box *b)
{
	tmp_remove(b->root);
}

static void check(const struct box *b, const char *file, const char *want)
{
	struct strbuf text = STRBUF_INIT;

	assert_int_equal(sysroot_read(&b->sr, &text, T "%s", file), 0);
	assert_string_equal(strbuf_str(&text), want);
	strbuf_release(&text);
}

static void test_top(void **state)
{
	struct box b;
	struct ftrace_instance in;
	struct err err = { 0 };

	box_init(&b);
	assert_int_equal(ftrace_instance_open(&in, &b.sr, true, &err), 0);
	assert_true(ftrace_has_word(&in, "available_tracers", "function"));
	assert_true(ftrace_has_word(&in, "available_tracers", "nop"));
	assert_false(ftrace_has_word(&in, "available_tracers", "funct"));
	assert_int_equal(ftrace_put(&in, "current_tracer", "function", "-t", &err), 0);
	assert_int_equal(ftrace_put(&in, "tracing_on", "0", "-t", &err), 0);
	assert_int_equal(ftrace_put(&in, "set_ftrace_pid", "12", "-p", &err), 0);
	assert_int_equal(ftrace_add(&in, "set_ftrace_pid", " 13", "-p", &err), 0);
	assert_int_equal(ftrace_put(&in, "set_ftrace_filter", "a*", "-T", &err), 0);
	assert_int_equal(ftrace_put(&in, "buffer_size_kb", "4", "-m", &err), 0);
	assert_int_equal(ftrace_put(&in, "trace_clock", "mono", "-k", &err), 0);
	check(&b, "set_ftrace_pid", "12 13");
	check(&b, "current_tracer", "function");
	assert_int_equal(ftrace_put(&in, "max_graph_depth", "4", "--graph-opts depth", &err),
			 -ENOENT);
	assert_non_null(strstr(err.msg, "--graph-opts depth needs "));
	assert_non_null(strstr(err.msg, "max_graph_depth, which this kernel does not have"));
	assert_int_equal(ftrace_instance_close(&in), 0);
	check(&b, "current_tracer", "nop\n");
	check(&b, "tracing_on", "1\n");
	check(&b, "set_ftrace_pid", "");
	check(&b, "set_ftrace_filter", "");
	check(&b, "buffer_size_kb", "1408");
	check(&b, "trace_clock", "local");
	box_release(&b);
}

static bool exists(const struct box *b, const char *path)
{
	char *whole = xasprintf("%s%s", b->root, path);
	const bool there = !access(whole, F_OK);

	free(whole);
	return there;
}

static void make(const struct box *b, const char *name)
{
	char *whole = xasprintf("%s" T "instances/%s", b->root, name);

	assert_int_equal(mkdir(whole, 0700), 0);
	free(whole);
}

static void test_left(void **state)
{
	struct box b;
	struct ftrace_instance in;
	struct err err = { 0 };
	char *dir;

	box_init(&b);
	assert_true(ftrace_instance_open(&in, &b.sr, false, &err) < 0);
	assert_non_null(strstr(err.msg, "no tracing files"));
	tree_put(b.root, T "instances/x", "");
	make(&b, "somebody");
	make(&b, "perf-ftrace-1-77"); /* it runs */
	make(&b, "perf-ftrace-1-78"); /* another process of that number */
	make(&b, "perf-ftrace-2-77");
	make(&b, "perf-ftrace-");
	assert_int_equal(ftrace_instance_open(&in, &b.sr, false, &err), 0);
	assert_true(exists(&b, T "instances/somebody"));
	assert_true(exists(&b, T "instances/perf-ftrace-1-77"));
	assert_false(exists(&b, T "instances/perf-ftrace-1-78"));
	assert_false(exists(&b, T "instances/perf-ftrace-2-77"));
	assert_false(exists(&b, T "instances/perf-ftrace-"));
	dir = xstrdup(in.dir);
	assert_int_equal(access(dir, F_OK), 0);
	assert_int_equal(ftrace_instance_close(&in), 0);
	assert_int_not_equal(access(dir, F_OK), 0);
	free(dir);
	box_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_top),
		cmocka_unit_test(test_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
