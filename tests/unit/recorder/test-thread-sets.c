// SPDX-License-Identifier: GPL-2.0-or-later
/* Test which thread empties the rings of which CPUs, on made-up machines. */
#include "base/compat.h"
#include "recorder/thread-sets.h"

#include "base/alloc.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct sysroot sr;

/* Four CPUs in two nodes; CPUs 0 and 2, 1 and 3 are threads of a core. */
static int machine(void **state)
{
	static const char *const core[] = { "0,2", "1,3", "0,2", "1,3" };

	sr.prefix = tmp_dir();
	tree_put(sr.prefix, "sys/devices/system/cpu/online", "0-3\n");
	tree_put(sr.prefix, "sys/devices/system/node/online", "0-1\n");
	tree_put(sr.prefix, "sys/devices/system/node/node0/cpulist", "0-1\n");
	tree_put(sr.prefix, "sys/devices/system/node/node1/cpulist", "2-3\n");
	for (size_t i = 0; i < ARRAY_SIZE(core); i++) {
		char *path = xasprintf("sys/devices/system/cpu/cpu%zu/topology/core_cpus_list", i);

		tree_put(sr.prefix, path, core[i]);
		free(path);
		/* the name that older kernels have */
		path = xasprintf("sys/devices/system/cpu/cpu%zu/topology/core_siblings_list", i);
		tree_put(sr.prefix, path, "0-3\n");
		free(path);
	}
	return 0;
}

static int gone(void **state)
{
	tmp_remove((char *)sr.prefix);
	return 0;
}

static int parse(struct thread_sets *t, const char *text, const char *cpus, struct err *err)
{
	struct int_list l = { 0 };
	int rc;

	memset(t, 0, sizeof(*t));
	assert_int_equal(cpu_list_parse(&l, cpus), 0);
	rc = thread_sets_parse(t, &sr, text, &l, err);
	int_list_release(&l);
	return rc;
}

/* The number of the set that has the ring of @cpu, -1: none. */
static int set_of(const struct thread_sets *t, int cpu)
{
	const struct thread_set *s = thread_set_of(t, cpu);

	return s ? (int)(s - t->v) : -1;
}

static void test_topology(void **state)
{
	struct thread_sets t;
	struct err err = { 0 };

	assert_int_equal(parse(&t, "cpu", "0-3", &err), 0);
	assert_int_equal(t.nr, 4);
	assert_int_equal(set_of(&t, 3), 3);
	assert_int_equal(set_of(&t, 4), -1);
	assert_int_equal(set_of(&t, -1), -1);
	thread_sets_release(&t);

	assert_int_equal(parse(&t, "core", "0-3", &err), 0);
	assert_int_equal(t.nr, 2);
	assert_int_equal(set_of(&t, 2), set_of(&t, 0));
	assert_int_equal(set_of(&t, 3), set_of(&t, 1));
	thread_sets_release(&t);

	assert_int_equal(parse(&t, "package", "0-3", &err), 0);
	assert_int_equal(t.nr, 1);
	thread_sets_release(&t);

	assert_int_equal(parse(&t, "numa", "0-3", &err), 0);
	assert_int_equal(t.nr, 2);
	assert_int_equal(set_of(&t, 1), set_of(&t, 0));
	assert_int_not_equal(set_of(&t, 2), set_of(&t, 0));
	thread_sets_release(&t);
}

/* A CPU that is not recorded has no ring, but a thread may run there. */
static void test_recorded(void **state)
{
	struct thread_sets t;
	struct err err = { 0 };

	assert_int_equal(parse(&t, "core", "0-1", &err), 0);
	assert_int_equal(t.nr, 2);
	assert_int_equal(set_of(&t, 2), -1);
	assert_true(CPU_ISSET(2, &t.v[0].run));
	assert_false(CPU_ISSET(2, &t.v[0].maps));
	thread_sets_release(&t);
}

static void test_lists(void **state)
{
	struct thread_sets t;
	struct err err = { 0 };

	assert_int_equal(parse(&t, "0-1/3:2/0", "0-3", &err), 0);
	assert_int_equal(t.nr, 2);
	assert_int_equal(set_of(&t, 1), 0);
	assert_int_equal(set_of(&t, 2), 1);
	assert_int_equal(set_of(&t, 3), -1);
	assert_true(CPU_ISSET(3, &t.v[0].run));
	assert_int_equal(CPU_COUNT(&t.v[0].run), 1);
	thread_sets_release(&t);

	assert_int_equal(parse(&t, "0-1/3:1/0", "0-3", &err), -EINVAL);
	assert_string_equal(err.msg, "--threads: CPU 1 is in two sets");
	thread_sets_release(&t);
	assert_int_not_equal(parse(&t, "some", "0-3", &err), 0);
	thread_sets_release(&t);
	assert_int_not_equal(parse(&t, "7/7", "0-3", &err), 0);
	thread_sets_release(&t);
}

/* A topology that sysfs does not tell. */
static void test_unknown(void **state)
{
	struct thread_sets t;
	struct err err = { 0 };

	assert_int_not_equal(parse(&t, "core", "0-5", &err), 0);
	assert_non_null(strstr(err.msg, "the topology of CPU 4 is not in sysfs"));
	thread_sets_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_topology),
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, machine, gone);
}
