// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what accesses count as, by the data sources of processors of each maker. */
#include "base/compat.h"
#include "wire/access.h"

#include <linux/perf_event.h>
#include <setjmp.h>
#include <cmocka.h>

#define B(count) ACCESS_BIT(ACCESS_##count)
#define OP(x) ((u64)PERF_MEM_OP_##x)
#define L(x) ((u64)PERF_MEM_LVL_##x << 5)
#define HIT L(HIT)
#define SNP(x) ((u64)PERF_MEM_SNOOP_##x << 19)
#define NUM(x) ((u64)(x) << 33)
#define REMOTE (1ULL << 37)
#define PEER (2ULL << 38)
#define HOPS(x) ((u64)(x) << 43)

static const struct {
	u64 source, addr;
	u32 set;
} cases[] = {
	/* levels as bits */
	{ OP(LOAD) | HIT | L(L1), 1, B(LOAD) | B(LD_L1) },
	{ OP(LOAD) | HIT | L(LFB), 1, B(LOAD) | B(LD_FILL_BUFFER) },
	{ OP(LOAD) | HIT | L(L2) | SNP(NONE), 1, B(LOAD) | B(LD_L2) },
	{ OP(LOAD) | HIT | L(L3) | SNP(HIT), 1, B(LOAD) | B(LD_LLC) },
	{ OP(LOAD) | HIT | L(L3) | SNP(HITM), 1, B(LOAD) | B(LCL_HITM) },
	{ OP(LOAD) | HIT | L(LOC_RAM), 1, B(LOAD) | B(LCL_DRAM) | B(LD_EXCLUSIVE) },
	{ OP(LOAD) | HIT | L(LOC_RAM) | SNP(HIT), 1, B(LOAD) | B(LCL_DRAM) | B(LD_SHARED) },
	{ OP(LOAD) | HIT | L(REM_RAM1), 1, B(LOAD) | B(RMT_DRAM) | B(LD_EXCLUSIVE) },
	{ OP(LOAD) | HIT | L(REM_CCE1) | SNP(HITM), 1, B(LOAD) | B(RMT_HITM) },
	{ OP(LOAD) | HIT | L(REM_CCE2) | SNP(HIT), 1, B(LOAD) | B(RMT_HIT) },
	{ OP(LOAD) | HIT | L(UNC), 1, B(LOAD) | B(LD_UNCACHED) },
	{ OP(LOAD) | HIT | L(IO), 1, B(LOAD) | B(LD_IO) },
	{ OP(LOAD) | L(MISS) | L(L3), 1, B(LOAD) | B(LD_MISS) },
	{ OP(LOAD) | HIT | L(L1), 0, B(LOAD) | B(LD_NO_ADDRESS) },
	/* Intel: a number besides, and a mark for what is remote */
	{ OP(LOAD) | HIT | L(L3) | SNP(HITM) | NUM(3), 1, B(LOAD) | B(LCL_HITM) },
	{ OP(LOAD) | HIT | L(REM_CCE1) | SNP(HITM) | NUM(3) | REMOTE, 1, B(LOAD) | B(RMT_HITM) },
	{ OP(LOAD) | HIT | L(REM_RAM1) | NUM(13) | REMOTE, 1,
	  B(LOAD) | B(RMT_DRAM) | B(LD_EXCLUSIVE) },
	{ OP(LOAD) | SNP(HITM) | NUM(11) | REMOTE, 1, B(LOAD) | B(RMT_HITM) },
	{ OP(LOAD) | NUM(13), 1, B(LOAD) | B(LCL_DRAM) | B(LD_EXCLUSIVE) },
	{ OP(LOAD) | NUM(9), 1, B(LOAD) | B(RMT_DRAM) | B(LD_EXCLUSIVE) },
	{ OP(LOAD) | L(NA) | NUM(1), 1, B(LOAD) | B(LD_L1) },
	{ OP(LOAD) | L(NA) | NUM(12), 1, B(LOAD) | B(LD_FILL_BUFFER) },
	{ OP(LOAD) | L(NA) | NUM(15), 1, B(LOAD) },
	{ OP(LOAD) | HIT | L(L1) | 3ULL << 40, 1, B(LOAD) | B(LD_L1) | B(BLOCKED_DATA) },
	{ OP(LOAD) | HIT | L(L1) | 6ULL << 40 | 2ULL << 24, 1,
	  B(LOAD) | B(LD_L1) | B(BLOCKED_DATA) | B(BLOCKED_ADDRESS) | B(LOCKED) },
	{ OP(LOAD) | HIT | L(L3) | SNP(HITM) | NUM(3) | REMOTE, 1, B(LOAD) | B(RMT_HITM) },
	{ OP(LOAD) | HIT | L(LOC_RAM) | REMOTE, 1, B(LOAD) | B(RMT_DRAM) | B(LD_EXCLUSIVE) },
	{ OP(LOAD) | HIT | L(UNC) | SNP(HIT) | REMOTE, 1,
	  B(LOAD) | B(LD_UNCACHED) | B(RMT_HIT) | B(RMT_DRAM) | B(LD_SHARED) },
	/* Arm: another core has served it */
	{ OP(LOAD) | HIT | L(L3) | PEER, 1, B(LOAD) | B(LD_LLC) | B(LCL_PEER) },
	{ OP(LOAD) | HIT | L(L2) | PEER, 1, B(LOAD) | B(LD_L2) | B(LCL_PEER) },
	{ OP(LOAD) | HIT | L(REM_CCE1) | PEER | NUM(11) | REMOTE, 1,
	  B(LOAD) | B(RMT_HIT) | B(RMT_PEER) },
	/* POWER: hops */
	{ OP(LOAD) | HIT | L(REM_CCE1) | SNP(HITM) | REMOTE | HOPS(2), 1, B(LOAD) | B(RMT_HITM) },
	{ OP(LOAD) | HIT | L(REM_CCE2) | SNP(HIT) | REMOTE | HOPS(3), 1, B(LOAD) | B(RMT_HIT) },
	/* stores */
	{ OP(STORE) | HIT | L(L1), 1, B(STORE) | B(ST_L1_HIT) },
	{ OP(STORE) | L(MISS) | L(L1), 1, B(STORE) | B(ST_L1_MISS) },
	{ OP(STORE) | L(NA), 1, B(STORE) | B(ST_NO_LEVEL) },
	{ OP(STORE) | HIT | L(UNC), 1, B(STORE) | B(ST_UNCACHED) },
	{ OP(STORE) | HIT | L(L1), 0, B(STORE) | B(ST_NO_ADDRESS) },
	/* neither */
	{ OP(NA) | L(NA), 1, B(UNKNOWN) },
	{ OP(EXEC) | HIT | L(L1), 1, B(UNKNOWN) },
	{ 0, 1, B(UNKNOWN) },
};

static void test_sets(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		u32 set = access_of(cases[i].source, cases[i].addr);

		if (set != cases[i].set)
			print_error("case %zu\n", i);
		assert_int_equal(set, cases[i].set);
	}
}

#define C(class) (1u << CLASS_##class)
#define TLB(x) ((u64)PERF_MEM_TLB_##x << 26)
#define REST (C(MEMORY_OTHER) | C(TLB_OTHER) | C(SNOOP_OTHER))

static void test_classes(void **state)
{
	static const struct {
		u64 source;
		u32 set;
	} classes[] = {
		{ 0, C(OP_OTHER) | C(CACHE_OTHER) | REST },
		{ OP(LOAD) | HIT | L(L1), C(OP_LOAD) | C(CACHE_L1) | REST },
		{ OP(STORE) | L(MISS) | L(L1), C(OP_STORE) | C(CACHE_OTHER) | REST },
		{ OP(PFETCH) | HIT | L(L2), C(OP_OTHER) | C(CACHE_L2) | REST },
		{ OP(LOAD) | HIT | L(LFB), C(OP_LOAD) | C(CACHE_BUFFER) | REST },
		{ OP(LOAD) | NUM(4), C(OP_LOAD) | C(CACHE_L3) | REST },
		{ OP(LOAD) | HIT | L(L3) | NUM(3) | REMOTE, C(OP_LOAD) | C(CACHE_REMOTE) | REST },
		{ OP(LOAD) | HIT | L(L1) | TLB(HIT) | TLB(L1) | TLB(L2) | SNP(HITM),
		  C(OP_LOAD) | C(CACHE_L1) | C(MEMORY_OTHER) | C(TLB_ANY) | C(SNOOP_HITM) },
		{ OP(LOAD) | NUM(13) | TLB(HIT) | TLB(L2) | SNP(MISS),
		  C(OP_LOAD) | C(CACHE_OTHER) | C(MEMORY_RAM) | C(TLB_L2) | C(SNOOP_MISS) },
		{ OP(LOAD) | NUM(13) | REMOTE | TLB(HIT) | TLB(WK) | PEER,
		  C(OP_LOAD) | C(CACHE_OTHER) | C(MEMORY_REMOTE) | C(TLB_MISS) | C(SNOOP_HIT) },
		{ OP(LOAD) | NUM(14) | TLB(HIT) | TLB(L1) | SNP(NONE),
		  C(OP_LOAD) | C(CACHE_OTHER) | C(MEMORY_PERSISTENT) | C(TLB_L1) | C(SNOOP_NONE) },
		{ OP(LOAD) | NUM(9) | TLB(MISS) | SNP(HIT),
		  C(OP_LOAD) | C(CACHE_OTHER) | C(MEMORY_CXL) | C(TLB_MISS) | C(SNOOP_HIT) },
		{ OP(STORE) | NUM(8), C(OP_STORE) | C(CACHE_OTHER) | C(MEMORY_UNCACHED) |
					      C(TLB_OTHER) | C(SNOOP_OTHER) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		assert_int_equal(access_classes(classes[i].source), classes[i].set);
	/* whatever there is, it is of one class of each part */
	for (u64 i = 0, x = 1; i < 100000;
	     i++, x = x * 6364136223846793005ULL + 1442695040888963407ULL)
		assert_int_equal(__builtin_popcount(access_classes(x ^ x >> 29)), 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_sets),
					    cmocka_unit_test(test_classes) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
