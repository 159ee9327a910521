// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs during which the kernel's counters are read, on a /proc that is made up. */
#include "base/compat.h"
#include "schedrun/stats.h"

#include "base/strbuf.h"

#include <errno.h>
#include <setjmp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define CPU "version 17\ntimestamp 5\ncpu0 1 2 3 4 5 6 7 8 9\n"
#define SWITCH "proc/sys/kernel/sched_schedstats"

static char root[64];
static struct sysroot sr = { root };

static char *path_of(const char *name)
{
	return sysroot_path(&sr, "/%s", name);
}

static void put(const char *name, const char *text)
{
	char *path = path_of(name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	free(path);
}

static void has(const char *name, const char *text)
{
	struct strbuf sb = STRBUF_INIT;

	assert_int_equal(sysroot_read(&sr, &sb, "/%s", name), 0);
	assert_string_equal(strbuf_str(&sb), text);
	strbuf_release(&sb);
}

static void drop(const char *name)
{
	char *path = path_of(name);

	unlink(path);
	rmdir(path);
	free(path);
}

static const char *const folders[] = { "proc", "proc/sys", "proc/sys/kernel" };

static int new_root(void **state)
{
	snprintf(root, sizeof(root), "/tmp/test-stats-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		char *path = path_of(folders[i]);

		mkdir(path, 0700);
		free(path);
	}
	return 0;
}

static int end_root(void **state)
{
	drop("proc/schedstat");
	drop(SWITCH);
	for (size_t i = ARRAY_SIZE(folders); i-- > 0;)
		drop(folders[i]);
	return rmdir(root);
}

/* Run a command of the shell, in which $0 is the folder with proc. */
static int run(const char *script, struct stats_counted *out, struct err *err)
{
	char *command[] = { "sh", "-c", (char *)script, root, NULL };
	const struct int_list all = { 0 };
	const struct stats_run r = { &sr, command, &all, WORKLOAD_OUTPUT_OURS };

	*out = (struct stats_counted){ 0 };
	*err = (struct err){ 0 };
	return stats_count(&r, out, err);
}

static void test_switched(void **state)
{
	struct stats_counted c;
	struct err err;

	put("proc/schedstat", CPU);
	put(SWITCH, "0\n");
	assert_int_equal(
		run("grep -qx 1 $0/" SWITCH " && sed -i s/5/8/ $0/proc/schedstat", &c, &err), 0);
	assert_int_equal(c.signal, 0);
	assert_int_equal(c.before.jiffies, 5);
	assert_int_equal(c.after.jiffies, 8);
	has(SWITCH, "0\n");
	stats_counted_release(&c);
	put(SWITCH, "1\n");
	assert_int_equal(run("true", &c, &err), 0);
	has(SWITCH, "1\n");
	stats_counted_release(&c);
}

/* A kernel that counts always has no switch. */
static void test_without_switch(void **state)
{
	struct stats_counted c;
	struct err err;

	put("proc/schedstat", CPU);
	drop(SWITCH);
	assert_int_equal(run("true", &c, &err), 0);
	assert_int_equal(c.after.nr_cpus, 1);
	stats_counted_release(&c);
}

static void test_failures(void **state)
{
	struct stats_counted c;
	struct err err;

	put(SWITCH, "0\n");
	drop("proc/schedstat");
	assert_int_equal(run("true", &c, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "built without CONFIG_SCHEDSTATS"));
	has(SWITCH, "0\n");
	/* The kernel's counters become others, or go away, during the run. */
	put("proc/schedstat", CPU);
	assert_int_equal(run("echo version 18 >$0/proc/schedstat", &c, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "version 18"));
	has(SWITCH, "0\n");
	assert_null(c.before.cpus);
	put("proc/schedstat", CPU);
	assert_int_equal(run("rm $0/proc/schedstat", &c, &err), -ENOENT);
	has(SWITCH, "0\n");
}

static void test_signal(void **state)
{
	struct stats_counted c;
	struct err err;

	put("proc/schedstat", CPU);
	put(SWITCH, "0\n");
	assert_int_equal(run("kill -TERM $PPID; sleep 100", &c, &err), 0);
	assert_int_equal(c.signal, SIGTERM);
	has(SWITCH, "0\n");
	stats_counted_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_switched),
		cmocka_unit_test(test_without_switch),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_signal),
	};

	return cmocka_run_group_tests(tests, new_root, end_root);
}
