// SPDX-License-Identifier: GPL-2.0-or-later
/* Test header features of machines that are not here: their /proc and /sys are made up. */
#include "base/compat.h"
#include "file/feature.h"

#include <ftw.h>
#include <setjmp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char root[64];
static struct sysroot sr = { root };

static void put(const char *path, const char *text)
{
	char full[512];
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (char *p = full + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = 0;
		mkdir(full, 0700);
		*p = '/';
	}
	f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int rm_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static int new_root(void **state)
{
	snprintf(root, sizeof(root), "/tmp/test-host-XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int end_root(void **state)
{
	return nftw(root, rm_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* --- taking bodies apart ------------------------------------------------------ */

struct body {
	struct strbuf sb;
	size_t at;
};

static struct body body_of(u32 bit)
{
	struct body b = { .sb = STRBUF_INIT };

	assert_int_equal(feature_host(&sr, bit, &b.sb), 0);
	return b;
}

static void take(struct body *b, void *to, size_t n)
{
	assert_true(b->sb.len - b->at >= n);
	memcpy(to, b->sb.buf + b->at, n);
	b->at += n;
}

static void want_u32(struct body *b, u32 want)
{
	u32 v;

	take(b, &v, sizeof(v));
	assert_int_equal(v, want);
}

static void want_u64(struct body *b, u64 want)
{
	u64 v;

	take(b, &v, sizeof(v));
	assert_int_equal(v, want);
}

static void want_str(struct body *b, const char *want)
{
	char text[256];
	u32 len;

	take(b, &len, sizeof(len));
	assert_true(len && len % 64 == 0 && len <= sizeof(text));
	take(b, text, len);
	assert_string_equal(text, want);
}

static void want_end(struct body *b)
{
	assert_int_equal(b->at, b->sb.len);
	strbuf_release(&b->sb);
}

/* --- arm64: two clusters of two, one core offline ------------------------------- */

#define CPU "sys/devices/system/cpu/"
#define PMU "sys/bus/event_source/devices/"

static void put_arm_cpu(int cpu, const char *cluster, const char *midr)
{
	char path[128], text[32];

#define CPU_FILE(name, value)                                                                      \
	(snprintf(path, sizeof(path), CPU "cpu%d/" name, cpu), put(path, value))
	snprintf(text, sizeof(text), "%d\n", cpu);
	CPU_FILE("topology/core_id", text);
	CPU_FILE("topology/core_cpus_list", text);
	CPU_FILE("topology/physical_package_id", cpu < 2 ? "0\n" : "1\n");
	CPU_FILE("topology/package_cpus_list", cluster);
	CPU_FILE("regs/identification/midr_el1", midr);
	CPU_FILE("cache/index0/type", "Data\n");
	CPU_FILE("cache/index0/level", "1\n");
	CPU_FILE("cache/index0/coherency_line_size", "64\n");
	CPU_FILE("cache/index0/number_of_sets", "256\n");
	CPU_FILE("cache/index0/ways_of_associativity", "4\n");
	CPU_FILE("cache/index0/size", "64K\n");
	CPU_FILE("cache/index0/shared_cpu_list", text);
	CPU_FILE("cache/index1/type", "Unified\n");
	CPU_FILE("cache/index1/level", "2\n");
	CPU_FILE("cache/index1/size", "1024K\n");
	CPU_FILE("cache/index1/shared_cpu_list", cluster);
#undef CPU_FILE
}

static int setup_arm64(void **state)
{
	new_root(state);
	put("proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd\n"
			    "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\n"
			    "CPU part\t: 0xd0c\nCPU revision\t: 1\n\n");
	put("proc/meminfo", "MemTotal:       16318712 kB\nMemFree:         1234 kB\n");
	put(CPU "present", "0-3\n");
	put(CPU "online", "0,2-3\n");
	put_arm_cpu(0, "0-1\n", "0x00000000413fd0c1\n");
	put_arm_cpu(1, "0-1\n", "0x00000000413fd0c1\n");
	put_arm_cpu(2, "2-3\n", "0x00000000412fd050\n");
	put_arm_cpu(3, "2-3\n", "0x00000000412fd050\n");
	put(PMU "armv8_pmuv3_0/type", "8\n");
	put(PMU "armv8_pmuv3_0/cpus", "0-1\n");
	put(PMU "armv8_pmuv3_0/caps/slots", "0x00000008\n");
	put("sys/devices/system/node/online", "0-1\n");
	put("sys/devices/system/node/has_memory", "1\n");
	put("sys/devices/system/node/node0/cpulist", "0-3\n");
	put("sys/devices/system/node/node0/meminfo",
	    "Node 0 MemTotal: 100 kB\nNode 0 MemFree: 40 kB\n");
	put("sys/devices/system/node/node1/cpulist", "\n");
	put("sys/devices/system/node/node1/meminfo",
	    "Node 1 MemTotal: 300 kB\nNode 1 MemFree: 7 kB\n");
	put("sys/devices/system/node/node1/memory2/state", "online\n");
	put("sys/devices/system/node/node1/memory70/state", "online\n");
	put("sys/devices/system/memory/block_size_bytes", "8000000\n");
	return 0;
}

static void test_arm64_cpus(void **state)
{
	struct strbuf none = STRBUF_INIT;
	struct body b = body_of(HEADER_NRCPUS);

	want_u32(&b, 4);
	want_u32(&b, 3);
	want_end(&b);
	/* the identification register as event tables know it; cpuinfo has no name of the model */
	b = body_of(HEADER_CPUID);
	want_str(&b, "0x00000000410fd0c0");
	want_end(&b);
	assert_true(feature_host(&sr, HEADER_CPUDESC, &none) < 0);
	strbuf_release(&none);
	b = body_of(HEADER_TOTAL_MEM);
	want_u64(&b, 16318712);
	want_end(&b);
}

static void test_arm64_topology(void **state)
{
	struct body b = body_of(HEADER_CPU_TOPOLOGY);

	want_u32(&b, 2); /* packages, of the CPUs that are online */
	want_str(&b, "0-1");
	want_str(&b, "2-3");
	want_u32(&b, 3); /* cores */
	want_str(&b, "0");
	want_str(&b, "2");
	want_str(&b, "3");
	for (u32 i = 0; i < 4; i++) {
		want_u32(&b, i);
		want_u32(&b, i / 2);
	}
	/* no dies, and no word of them */
	want_end(&b);
}

static void test_arm64_caches(void **state)
{
	static const char *const maps[] = { "0", "1", "2", "3", "0-1", "2-3" };
	struct body b = body_of(HEADER_CACHE);

	want_u32(&b, 1);
	want_u32(&b, ARRAY_SIZE(maps));
	for (size_t i = 0; i < ARRAY_SIZE(maps); i++) {
		want_u32(&b, i < 4 ? 1 : 2);
		want_u32(&b, i < 4 ? 64 : 0);
		want_u32(&b, i < 4 ? 256 : 0);
		want_u32(&b, i < 4 ? 4 : 0);
		want_str(&b, i < 4 ? "Data" : "Unified");
		want_str(&b, i < 4 ? "64K" : "1024K");
		want_str(&b, maps[i]);
	}
	want_end(&b);
}

static void test_arm64_memory(void **state)
{
	struct body b = body_of(HEADER_NUMA_TOPOLOGY);

	want_u32(&b, 2);
	want_u32(&b, 0);
	want_u64(&b, 100);
	want_u64(&b, 40);
	want_str(&b, "0-3");
	want_u32(&b, 1);
	want_u64(&b, 300);
	want_u64(&b, 7);
	want_str(&b, "");
	want_end(&b);
	b = body_of(HEADER_MEM_TOPOLOGY);
	want_u64(&b, 1);
	want_u64(&b, 0x8000000);
	want_u64(&b, 1); /* only node 1 has memory: blocks 2 and 70 */
	want_u64(&b, 1);
	want_u64(&b, 71);
	want_u64(&b, 71);
	want_u64(&b, 1ULL << 2);
	want_u64(&b, 1ULL << (70 - 64));
	want_end(&b);
}

static void test_arm64_pmus(void **state)
{
	struct strbuf none = STRBUF_INIT;
	struct body b = body_of(HEADER_PMU_MAPPINGS);

	want_u32(&b, 1);
	want_u32(&b, 8);
	want_str(&b, "armv8_pmuv3_0");
	want_end(&b);
	b = body_of(HEADER_PMU_CAPS);
	want_u32(&b, 1);
	want_u32(&b, 1);
	want_str(&b, "slots");
	want_str(&b, "0x00000008");
	want_str(&b, "armv8_pmuv3_0");
	want_end(&b);
	/* a PMU with CPUs of its own does not make the machine a hybrid one */
	assert_true(feature_host(&sr, HEADER_HYBRID_TOPOLOGY, &none) < 0);
	assert_true(feature_host(&sr, HEADER_CPU_PMU_CAPS, &none) < 0);
	strbuf_release(&none);
}

/* --- x86-64: cores of two kinds --------------------------------------------------- */

static int setup_hybrid(void **state)
{
	new_root(state);
	put("proc/cpuinfo",
	    "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 151\n"
	    "model name\t: A Core\nstepping\t: 2\n\nprocessor\t: 1\n");
	put(PMU "cpu_core/cpus", "0-1\n");
	put(PMU "cpu_core/caps/pmu_name", "alderlake_hybrid\n");
	put(PMU "cpu_atom/cpus", "2\n");
	put(PMU "cpu_none/cpus", "\n");
	put(PMU "cpu/caps/max_precise", "3\n");
	return 0;
}

static void test_hybrid(void **state)
{
	bool core_first;
	struct body b = body_of(HEADER_CPUID);

	want_str(&b, "GenuineIntel,6,151,2");
	want_end(&b);
	b = body_of(HEADER_CPUDESC);
	want_str(&b, "A Core");
	want_end(&b);
	b = body_of(HEADER_HYBRID_TOPOLOGY);
	want_u32(&b, 2);
	core_first = !strcmp(b.sb.buf + 8, "cpu_core");
	for (int i = 0; i < 2; i++) {
		bool core = core_first == !i;

		want_str(&b, core ? "cpu_core" : "cpu_atom");
		want_str(&b, core ? "0-1" : "2");
	}
	want_end(&b);
	b = body_of(HEADER_PMU_CAPS);
	want_u32(&b, 1);
	want_u32(&b, 1);
	want_str(&b, "pmu_name");
	want_str(&b, "alderlake_hybrid");
	want_str(&b, "cpu_core");
	want_end(&b);
	b = body_of(HEADER_CPU_PMU_CAPS);
	want_u32(&b, 1);
	want_str(&b, "max_precise");
	want_str(&b, "3");
	want_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_arm64_cpus, setup_arm64, end_root),
		cmocka_unit_test_setup_teardown(test_arm64_topology, setup_arm64, end_root),
		cmocka_unit_test_setup_teardown(test_arm64_caches, setup_arm64, end_root),
		cmocka_unit_test_setup_teardown(test_arm64_memory, setup_arm64, end_root),
		cmocka_unit_test_setup_teardown(test_arm64_pmus, setup_arm64, end_root),
		cmocka_unit_test_setup_teardown(test_hybrid, setup_hybrid, end_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
