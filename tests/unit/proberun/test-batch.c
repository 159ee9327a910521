// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Test sets of probes on made-up machines, whose tracing files are those of a folder: what is
 * written, what is taken back when a line is refused, and what is told. A file of this process that
 * takes numbers only, /proc/self/oom_score_adj, stands for a tracing file that refuses all lines.
 */
#include "base/compat.h"
#include "base/alloc.h"
#include "proberun/batch.h"
#include "proberun/cache.h"
#include "proberun/live.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <unistd.h>

#include <cmocka.h>

#define TRACING "sys/kernel/tracing/"

/* A machine, what is told, and the definitions of one run. */
struct machine {
	char *root;
	struct notices notices;
	struct strbuf told;
	struct probe_run run;
	struct probe_wants wants;
	struct err err;
};

static void hear(void *ctx, const char *text)
{
	strbuf_addstr(ctx, text);
}

static void put(struct machine *m, const char *path, const char *text)
{
	tree_put(m->root, path, text);
}

/* Make a machine that has probes. */
static int setup(void **state)
{
	struct machine *m = xzalloc(sizeof(*m));

	m->root = tmp_dir();
	m->notices = (struct notices){ hear, &m->told };
	m->run = (struct probe_run){ .sysroot = { .prefix = m->root },
				     .symfs = { .dir = m->root },
				     .notices = &m->notices,
				     .limits = { .points = 128 } };
	put(m, TRACING "events/enable", "0\n");
	put(m, TRACING "kprobe_events", "");
	put(m, TRACING "uprobe_events", "");
	put(m, "proc/kallsyms",
	    "ffffffff81000000 T _text\n"
	    "ffffffff81000100 T work\n"
	    "ffffffff81000200 T other\n"
	    "ffffffff81000300 T last\n");
	*state = m;
	return 0;
}

static int teardown(void **state)
{
	struct machine *m = *state;

	probe_wants_release(&m->wants);
	strbuf_release(&m->told);
	tmp_remove(m->root);
	free(m);
	return 0;
}

static void want(struct machine *m, const char *text, const char *exec)
{
	probe_wants_add(&m->wants, (struct probe_want){ .text = xstrdup(text), .exec = exec });
}

static void want_module(struct machine *m, const char *text, const char *module)
{
	probe_wants_add(&m->wants, (struct probe_want){ .text = xstrdup(text), .module = module });
}

/* Put the link to a file that refuses all lines where a tracing file is. */
static void refuse_lines(struct machine *m, const char *name)
{
	char *path = xasprintf("%s/" TRACING "%s", m->root, name);

	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("/proc/self/oom_score_adj", path), 0);
	free(path);
}

static void file_is(struct machine *m, const char *name, const char *text)
{
	struct strbuf have = STRBUF_INIT;

	assert_int_equal(sysroot_read(&m->run.sysroot, &have, "/" TRACING "%s", name), 0);
	assert_string_equal(strbuf_str(&have), text);
	strbuf_release(&have);
}

/* Add what is wanted. @text: what users are told of it; NULL: not of interest */
static int add(struct machine *m, const char *text)
{
	struct probe_batch *b = probe_batch_new(&m->run, &m->wants, &m->err);
	int rc = b ? probe_batch_add(b, &m->err) : m->err.code;
	struct strbuf out = STRBUF_INIT;

	if (!rc) {
		probe_batch_text(b, &out);
		if (text)
			assert_string_equal(strbuf_str(&out), text);
	}
	strbuf_release(&out);
	probe_batch_free(b);
	probe_wants_release(&m->wants);
	return rc;
}

static void fails(struct machine *m, int code, const char *words)
{
	assert_int_equal(add(m, NULL), code);
	assert_non_null(strstr(m->err.msg, words));
}

static void test_add(void **state)
{
	struct machine *m = *state;

	want(m, "work+4 a=%di", NULL);
	want(m, "g:e=other%return $retval", NULL);
	m->run.verbose = true;
	assert_int_equal(add(m, "Added new events:\n"
				"  probe:work           (on work+4 with a=%di)\n"
				"  g:e__return          (on other%return with $retval)\n\n"
				"You can now use it in all perf tools, such as:\n\n"
				"\tperf record -e g:e__return -aR sleep 1\n\n"),
			 0);
	file_is(m, "kprobe_events", "p:probe/work _text+260 a=%dir:g/e__return other+0 $retval");
	assert_string_equal(strbuf_str(&m->told), "Writing event: p:probe/work _text+260 a=%di\n"
						  "Writing event: r:g/e__return other+0 $retval\n");
	/* such a kernel takes functions that return by their distance, too */
	put(m, TRACING "README", "\t place (kretprobe): [<module>:]<symbol>[+<offset>]%return\n");
	put(m, TRACING "kprobe_events", "");
	want(m, "other%return", NULL);
	assert_int_equal(add(m, NULL), 0);
	file_is(m, "kprobe_events", "r:probe/other__return _text+512");
}

static void test_dry_run(void **state)
{
	struct machine *m = *state;

	m->run.dry_run = true;
	want(m, "work", NULL);
	assert_int_equal(add(m, NULL), 0);
	file_is(m, "kprobe_events", "");
}

static void test_names(void **state)
{
	struct machine *m = *state;

	put(m, TRACING "kprobe_events", "p:probe/work _text+256\n");
	want(m, "other", NULL);
	want(m, "work", NULL);
	fails(m, -EEXIST, "event \"work\" already exists");
	file_is(m, "kprobe_events", "p:probe/work _text+256\n");
	m->run.force = true;
	want(m, "work", NULL);
	assert_int_equal(add(m, NULL), 0);
	file_is(m, "kprobe_events", "p:probe/work _text+256\np:probe/work_1 _text+256");
}

/* Lines that were written are taken back when a later line is refused. */
static void test_taken_back(void **state)
{
	struct machine *m = *state;
	struct strbuf have = STRBUF_INIT;

	refuse_lines(m, "kprobe_events");
	want(m, "g:first=main", "/proc/self/exe");
	want(m, "g:second=main+1", "/proc/self/exe");
	want(m, "work", NULL);
	fails(m, -EINVAL, "The kernel refused probe:work: p:probe/work _text+256");
	assert_int_equal(sysroot_read(&m->run.sysroot, &have, "/" TRACING "uprobe_events"), 0);
	assert_non_null(strstr(strbuf_str(&have), "-:g/first-:g/second"));
	strbuf_release(&have);
}

static void test_refused(void **state)
{
	struct machine *m = *state;

	refuse_lines(m, "kprobe_events");
	put(m, TRACING "error_log",
	    "[ 1.2] trace_kprobe: error: Unknown type is specified\n  Command: p\n   ^\n");
	want(m, "work a=%di:symstr", NULL);
	fails(m, -EINVAL, "Unknown type is specified; this kernel does not have symstr");
	want(m, "work a=$arg1", NULL);
	fails(m, -EINVAL, "this kernel does not have $arg1");
	put(m, "sys/kernel/debug/kprobes/blacklist",
	    "0xffffffff81000100-0xffffffff81000200\twork\n");
	want(m, "work", NULL);
	fails(m, -ENOENT, "work is blacklisted function");
}

static void test_lacking(void **state)
{
	struct machine *m = *state;
	char *path = xasprintf("%s/" TRACING "kprobe_events", m->root);

	assert_int_equal(unlink(path), 0);
	free(path);
	want(m, "work", NULL);
	fails(m, -ENOENT, "rebuild kernel with CONFIG_KPROBE_EVENTS=y");
	want(m, "wrok", NULL);
	fails(m, -ENOENT, "Did you mean work?");
	put(m, "proc/kallsyms", "0000000000000000 T work\n");
	want(m, "work", NULL);
	fails(m, -EPERM, "kernel.kptr_restrict");
}

/* Definitions of the kernel are kept by its build-id, and found again without its symbols. */
static void test_cache(void **state)
{
	struct machine *m = *state;
	char *notes = xasprintf("%s/sys/kernel/notes", m->root);
	char *cache = xasprintf("%s/cache", m->root);
	struct strbuf out = STRBUF_INIT;
	u32 note[9] = { 4, 20, 3, 0, 1, 2, 3, 4, 5 };

	m->run.cache = true;
	m->run.cache_dir = cache;
	want(m, "work+4 a=%di", NULL);
	fails(m, -ENOENT, "kernel has no build-id");
	memcpy(&note[3], "GNU", 4);
	file_write(notes, note, sizeof(note));
	want(m, "work+4 a=%di", NULL);
	want(m, "g:e=other%return $retval", NULL);
	assert_int_equal(add(m, NULL), 0);
	assert_int_equal(probe_cache_list(&m->run, "", &out, &m->err), 0);
	assert_string_equal(strbuf_str(&out),
			    "[kernel.kallsyms] (0100000002000000030000000400000005000000):\n"
			    "work+4 a=%di\n"
			    "g:e=other%return $retval\n");
	put(m, "proc/kallsyms", "");
	put(m, TRACING "kprobe_events", "");
	want(m, "work+4 a=%di", NULL);
	want(m, "%e", NULL);
	assert_int_equal(probe_wants_markers(&m->wants, &m->run, &m->err), 0);
	assert_int_equal(add(m, NULL), 0);
	file_is(m, "kprobe_events", "p:probe/work _text+260 a=%dir:g/e__return other+0 $retval");
	assert_int_equal(probe_cache_remove(&m->run, (const char *[]){ "*" }, 1, &m->err), 0);
	strbuf_reset(&out);
	assert_int_equal(probe_cache_list(&m->run, "", &out, &m->err), 0);
	assert_string_equal(strbuf_str(&out), "");
	strbuf_release(&out);
	free(notes);
	free(cache);
}

/* A function that another part of the kernel has: the part is named. */
static void test_owners(void **state)
{
	struct machine *m = *state;

	put(m, "proc/kallsyms",
	    "ffffffff81000000 T _text\n"
	    "ffffffff81000100 T work\n"
	    "ffffffffc0000000 T load_one\t[one]\n"
	    "ffffffffc0010000 T load_two\t[two]\n");
	put(m, "proc/sys/kernel/osrelease", "6.1.0-test\n");
	put(m, "lib/modules/6.1.0-test/modules.symbols",
	    "# Aliases\nalias symbol:load_three_more four\nalias symbol:load_three three\n");
	want(m, "load_one", NULL);
	assert_int_equal(add(m, NULL), 0);
	file_is(m, "kprobe_events", "p:probe/load_one one:load_one+0");
	want(m, "load_three", NULL);
	fails(m, -ENOENT, "The module three, which is not loaded, has it");
	want(m, "load_tree", NULL);
	fails(m, -ENOENT, "Did you mean");
	want_module(m, "load_two", "one");
	fails(m, -ENOENT, "Failed to find symbol load_two in one\nThe module two has it");
	want_module(m, "work", "one");
	fails(m, -ENOENT, "The kernel itself has it");
	want_module(m, "load_three", "three");
	fails(m, -ENOENT, "Failed to find the module three: it is not loaded");
}

/* Names of definitions that are only shown do not depend on what there is. */
static void test_lines(void **state)
{
	struct machine *m = *state;
	struct strbuf out = STRBUF_INIT;
	struct probe_batch *b;

	put(m, TRACING "kprobe_events", "p:probe/work _text+256\n");
	m->run.definitions = true;
	want(m, "work", NULL);
	want(m, "work", NULL);
	b = probe_batch_new(&m->run, &m->wants, &m->err);
	assert_non_null(b);
	assert_int_equal(probe_batch_lines(b, false, &out, &m->err), 0);
	assert_string_equal(strbuf_str(&out), "p:probe/work _text+256\np:probe/work _text+256\n");
	probe_batch_free(b);
	strbuf_reset(&out);
	want(m, "main", "/proc/self/exe");
	b = probe_batch_new(&m->run, &m->wants, &m->err);
	assert_non_null(b);
	assert_int_equal(probe_batch_lines(b, true, &out, &m->err), -EINVAL);
	assert_string_equal(strbuf_str(&out), "");
	probe_batch_free(b);
	strbuf_release(&out);
}

static void test_remove(void **state)
{
	static const char *const of_group[] = { "g:*" }, *const of_name[] = { "w*", "nosuch" };
	struct machine *m = *state;

	put(m, TRACING "kprobe_events",
	    "p:probe/work _text+256\np:g/e _text+512\np:g/e _text+516\n");
	assert_int_equal(probe_live_remove(&m->run, of_group, 1, &m->err), 0);
	assert_string_equal(strbuf_str(&m->told), "Removed event: g:e\n");
	file_is(m, "kprobe_events",
		"p:probe/work _text+256\np:g/e _text+512\np:g/e _text+516\n-:g/e");
	assert_int_equal(probe_live_remove(&m->run, of_name, 2, &m->err), -ENOENT);
	assert_non_null(strstr(m->err.msg, "\"nosuch\" does not hit any event"));
	assert_string_equal(strbuf_str(&m->told),
			    "Removed event: g:e\nRemoved event: probe:work\n");
}

static void test_list(void **state)
{
	struct machine *m = *state;
	struct strbuf out = STRBUF_INIT;

	put(m, TRACING "kprobe_events", "p:probe/work _text+260 a=%di\np:g/e _text+512\n");
	put(m, TRACING "uprobe_events", "p:u/x /nosuch/file:0x0000000000000010\n");
	assert_int_equal(probe_live_list(&m->run, "", false, &out, &m->err), 0);
	assert_string_equal(strbuf_str(&out), "  g:e                  (on other)\n"
					      "  probe:work           (on work+4 with a)\n"
					      "  u:x                  (on 0x10 in /nosuch/file)\n");
	strbuf_reset(&out);
	assert_int_equal(probe_live_list(&m->run, "g:*", false, &out, &m->err), 0);
	assert_string_equal(strbuf_str(&out), "  g:e                  (on other)\n");
	strbuf_release(&out);
	m->run.sysroot.prefix = "/nosuch";
	assert_int_equal(probe_live_list(&m->run, "", false, &out, &m->err), -ENOENT);
	assert_non_null(strstr(m->err.msg, "CONFIG_UPROBE_EVENTS"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_add, setup, teardown),
		cmocka_unit_test_setup_teardown(test_dry_run, setup, teardown),
		cmocka_unit_test_setup_teardown(test_names, setup, teardown),
		cmocka_unit_test_setup_teardown(test_taken_back, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lacking, setup, teardown),
		cmocka_unit_test_setup_teardown(test_owners, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cache, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lines, setup, teardown),
		cmocka_unit_test_setup_teardown(test_remove, setup, teardown),
		cmocka_unit_test_setup_teardown(test_list, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
