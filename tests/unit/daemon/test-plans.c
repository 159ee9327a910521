// SPDX-License-Identifier: GPL-2.0-or-later
/* Test when sessions start again, count and dump, and which dumps are kept. */
#include "base/compat.h"
#include "daemon/dumps.h"
#include "daemon/session.h"
#include "tests/lib/tmp-tree.h"

#include <setjmp.h>
#include <cmocka.h>

#define SECOND 1000000000ULL

static void test_pauses(void **state)
{
	static const u64 want[] = { 60, 1, 2, 4, 8, 16, 32, 60, 60 };

	for (u32 i = 0; i < ARRAY_SIZE(want); i++)
		assert_int_equal(session_pause(i), want[i] * SECOND);
	assert_int_equal(session_pause(UINT32_MAX), 60 * SECOND);
}

static void test_windows(void **state)
{
	u64 change;

	assert_true(session_window(0, 0, 5, &change));
	assert_int_equal(change, UINT64_MAX);
	assert_true(session_window(60, 10, 0, &change));
	assert_int_equal(change, 10);
	assert_true(session_window(60, 10, 69, &change));
	assert_int_equal(change, 70);
	assert_false(session_window(60, 10, 70, &change));
	assert_int_equal(change, 120);
}

static size_t kept(struct daemon_keep k)
{
	struct dump v[] = { { (char *)"a", 10, 100 },
			    { (char *)"b", 20, 300 },
			    { (char *)"c", 30, 200 } };

	return dumps_kept(v, ARRAY_SIZE(v), &k, 310);
}

static void test_dumps(void **state)
{
	assert_int_equal(kept((struct daemon_keep){ 0 }), 3);
	assert_int_equal(kept((struct daemon_keep){ .files = 2 }), 2);
	assert_int_equal(kept((struct daemon_keep){ .bytes = 50 }), 2);
	assert_int_equal(kept((struct daemon_keep){ .bytes = 19 }), 1);
	assert_int_equal(kept((struct daemon_keep){ .bytes = 19, .age = 5 }), 0);
	assert_int_equal(kept((struct daemon_keep){ .age = 110 }), 2);
	assert_int_equal(kept((struct daemon_keep){ .files = 3, .age = 50 }), 1);
}

/* Look at a trigger; it must be what @want says. */
static void look(const char *text, struct trigger_watch *w, const struct sysroot *sr, int want)
{
	struct trigger t;

	assert_int_equal(trigger_parse(&t, text, NULL), 0);
	assert_int_equal(trigger_look(&t, w, sr, 0, NULL), want);
}

static void test_reasons(void **state)
{
	char *tree = tmp_dir();
	struct trigger_watch psi = { 0 }, load = { 0 }, file = { 0 }, cgroup = { 0 };
	struct sysroot sr = { .prefix = tree };

	tree_put(tree, "proc/pressure/memory", "some avg10=9.00 avg60=0 avg300=0 total=1\n");
	tree_put(tree, "proc/loadavg", "5.00 1 1 1/1 1\n");
	look("psi:memory>10", &psi, &sr, 0);
	look("load>4", &load, &sr, 0); /* it held before anybody looked */
	look("file:/run/x", &file, &sr, 0);
	tree_put(tree, "proc/pressure/memory", "some avg10=11.5 avg60=0 avg300=0 total=1\n");
	tree_put(tree, "run/x", "1");
	look("psi:memory>10", &psi, &sr, 1);
	look("psi:memory>10", &psi, &sr, 0);
	look("load>4", &load, &sr, 0);
	look("file:/run/x", &file, &sr, 1);
	look("file:/run/x", &file, &sr, 0);
	look("cgroup:/a.slice", &cgroup, &sr, 0);
	tree_put(tree, "sys/fs/cgroup/a.slice/cgroup.procs", "1");
	look("cgroup:/a.slice", &cgroup, &sr, 1);
	look("cgroup:/a.slice", &cgroup, &sr, 0);
	trigger_watch_release(&psi);
	trigger_watch_release(&load);
	trigger_watch_release(&file);
	tmp_remove(tree);
}

static void keep_line(void *ctx, const char *line)
{
	struct strbuf *all = ctx;

	strbuf_addf(all, "%s\n", line);
}

/* A session whose directory cannot be made has never run: its pauses grow all the same, and no
 * output of it is named. */
static void test_never_ran(void **state)
{
	const struct daemon_session_config c = { .name = (char *)"a", .run = (char *)"-a" };
	static const u64 want[] = { 1, 2, 4, 8, 16, 32, 60 };
	struct daemon_session *s = session_new("/proc/none", &c);
	struct strbuf text = STRBUF_INIT;
	const struct daemon_teller t = { keep_line, &text };
	const struct sysroot sr = { 0 };
	u64 now = 1000 * SECOND;

	for (u32 i = 0; i < ARRAY_SIZE(want); i++) {
		session_tick(s, &sr, now, &t);
		assert_int_equal(s->failures, i + 1);
		assert_int_equal(s->due - now, want[i] * SECOND);
		now = s->due;
	}
	assert_non_null(strstr(strbuf_str(&text), "cannot use the directory /proc/none/session-a"));
	assert_non_null(strstr(strbuf_str(&text), "session 'a' is started again in 60 s\n"));
	strbuf_release(&text);
	session_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pauses),    cmocka_unit_test(test_windows),
		cmocka_unit_test(test_dumps),     cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_never_ran),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
