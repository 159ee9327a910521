// SPDX-License-Identifier: GPL-2.0-or-later
/* Test aggregation ids of machines that are made up. */
#include "base/compat.h"

#include "stat/aggr.h"
#include "tmp-tree.h"

#include <setjmp.h>
#include <cmocka.h>

#define CPU "sys/devices/system/cpu/cpu%d/"

static void put(const char *root, int cpu, const char *file, int value)
{
	char path[128], text[16];

	snprintf(path, sizeof(path), CPU "%s", cpu, file);
	snprintf(text, sizeof(text), "%d\n", value);
	tree_put(root, path, text);
}

static void put_cache(const char *root, int cpu, int index, int level, const char *shared)
{
	char path[128];

	snprintf(path, sizeof(path), "cache/index%d/level", index);
	put(root, cpu, path, level);
	snprintf(path, sizeof(path), CPU "cache/index%d/shared_cpu_list", cpu, index);
	tree_put(root, path, shared);
}

/* Two sockets of two dies of two clusters of two cores, numbered across: neighbours in number are
 * in different sockets. */
static char *big_machine(struct cpu_place places[16])
{
	char *root = tmp_dir(), shared[32];
	struct sysroot sr = { root };

	for (int i = 0; i < 16; i++) {
		int socket = i % 2, in = i / 2;

		put(root, i, "topology/physical_package_id", socket);
		put(root, i, "topology/die_id", in / 4);
		put(root, i, "topology/cluster_id", in / 2 * 10);
		put(root, i, "topology/core_id", in);
		put(root, i, "online", 1);
		put_cache(root, i, 0, 1, "0");
		snprintf(shared, sizeof(shared), "%d,%d\n", (in / 2) * 4 + socket,
			 (in / 2) * 4 + 2 + socket);
		put_cache(root, i, 1, 2, shared);
		put_cache(root, i, 2, 3, socket ? "1,3,5" : "0,2,4");
		snprintf(shared, sizeof(shared), "node%d/cpumap", 3 - socket);
		put(root, i, shared, 0);
	}
	for (int i = 0; i < 16; i++)
		cpu_place_read(&sr, i, 0, &places[i]);
	return root;
}

static void check_name(const struct aggr_map *m, size_t id, const char *want)
{
	struct strbuf sb = STRBUF_INIT;

	aggr_id_name(m, id, &sb);
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

static void test_modes(void **state)
{
	static const struct {
		enum aggr_mode mode;
		size_t nr;
		u32 cpus;
		const char *first, *second, *last;
	} modes[] = {
		{ AGGR_NONE, 16, 1, "CPU0", "CPU1", "CPU15" },
		{ AGGR_CORE, 16, 1, "S0-D0-C0", "S0-D0-C1", "S1-D1-C7" },
		{ AGGR_CLUSTER, 8, 2, "S0-D0-CLS0", "S0-D0-CLS10", "S1-D1-CLS30" },
		{ AGGR_CACHE, 4, 4, "S0-D0-L3-ID0", "S0-D1-L3-ID0", "S1-D1-L3-ID1" },
		{ AGGR_DIE, 4, 4, "S0-D0", "S0-D1", "S1-D1" },
		{ AGGR_SOCKET, 2, 8, "S0", "S1", "S1" },
		{ AGGR_NODE, 2, 8, "N2", "N3", "N3" },
	};
	struct cpu_place places[16];
	char *root = big_machine(places);

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		struct aggr_map m;

		aggr_map_init(&m, modes[i].mode, places, 16, 1);
		assert_int_equal(m.nr, modes[i].nr);
		for (size_t id = 0; id < m.nr; id++)
			assert_int_equal(m.ids[id].nr, modes[i].cpus);
		check_name(&m, 0, modes[i].first);
		check_name(&m, 1, modes[i].second);
		check_name(&m, m.nr - 1, modes[i].last);
		aggr_map_release(&m);
	}
	tmp_remove(root);
}

/* Each CPU is in the id that has its place. */
static void test_of_cpu(void **state)
{
	struct cpu_place places[16];
	char *root = big_machine(places);
	struct aggr_map m;

	aggr_map_init(&m, AGGR_DIE, places, 16, 1);
	for (int i = 0; i < 16; i++) {
		assert_int_equal(m.ids[m.of_cpu[i]].at.socket, i % 2);
		assert_int_equal(m.ids[m.of_cpu[i]].at.die, i / 8);
	}
	aggr_map_release(&m);
	tmp_remove(root);
}

static void test_cache_level(void **state)
{
	struct cpu_place places[16], p;
	char *root = big_machine(places);
	struct sysroot sr = { root };

	cpu_place_read(&sr, 6, 2, &p);
	assert_int_equal(p.cache_level, 2);
	assert_int_equal(p.cache, 4);
	cpu_place_read(&sr, 6, 0, &p);
	assert_int_equal(p.cache_level, 3);
	assert_int_equal(p.cache, 0);
	cpu_place_read(&sr, 6, 7, &p);
	assert_int_equal(p.cache, -1);
	tmp_remove(root);
}

/* A CPU that is offline, or a kernel that says nothing: all is -1 but the die. */
static void test_offline(void **state)
{
	char *root = tmp_dir();
	struct sysroot sr = { root };
	struct cpu_place p[2];
	struct aggr_map m;

	cpu_place_read(&sr, 5, 0, &p[0]);
	assert_int_equal(p[0].cpu, 5);
	assert_int_equal(p[0].socket, -1);
	assert_int_equal(p[0].die, 0);
	assert_int_equal(p[0].core, -1);
	assert_int_equal(p[0].node, -1);
	put(root, 6, "topology/physical_package_id", 1);
	put(root, 6, "topology/core_id", 3);
	cpu_place_read(&sr, 6, 0, &p[1]);
	aggr_map_init(&m, AGGR_CORE, p, 2, 1);
	assert_int_equal(m.nr, 2);
	check_name(&m, 0, "S-1-D0-C-1");
	check_name(&m, 1, "S1-D0-C3");
	aggr_map_release(&m);
	tmp_remove(root);
}

static void test_without_places(void **state)
{
	struct aggr_map m;

	aggr_map_init(&m, AGGR_GLOBAL, NULL, 7, 3);
	assert_int_equal(m.nr, 1);
	assert_int_equal(m.ids[0].nr, 7);
	check_name(&m, 0, "");
	aggr_map_release(&m);
	aggr_map_init(&m, AGGR_THREAD, NULL, 1, 3);
	assert_int_equal(m.nr, 3);
	assert_int_equal(m.ids[2].thread, 2);
	assert_null(m.of_cpu);
	aggr_map_release(&m);
}

static void test_cache_text(void **state)
{
	assert_int_equal(cache_level_parse(NULL), 0);
	assert_int_equal(cache_level_parse("L2"), 2);
	assert_int_equal(cache_level_parse("l9"), 9);
	assert_int_equal(cache_level_parse("3"), 3);
	assert_true(cache_level_parse("L0") < 0);
	assert_true(cache_level_parse("L10") < 0);
	assert_true(cache_level_parse("") < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cache_text), cmocka_unit_test(test_modes),
		cmocka_unit_test(test_of_cpu),     cmocka_unit_test(test_cache_level),
		cmocka_unit_test(test_offline),    cmocka_unit_test(test_without_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
