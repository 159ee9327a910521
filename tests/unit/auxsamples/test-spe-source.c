// SPDX-License-Identifier: GPL-2.0-or-later
/* Test where data came from, as records of Arm SPE tell it by numbers or by events. */
#include "base/compat.h"
#include "auxsamples/spe-source.h"
#include "wire/access.h"

#include <linux/perf_event.h>
#include <setjmp.h>
#include <cmocka.h>

static u64 source_of(u8 op, u64 events, u64 source, bool numbered)
{
	const struct spe_record r = {
		.op_class = SPE_OP_MEMORY, .op = op, .events = events, .source = source
	};

	return spe_data_src(&r, numbered);
}

static u32 counts_as(u8 op, u64 events, u64 source, bool numbered)
{
	return access_of(source_of(op, events, source, numbered), 0x1000);
}

static void test_processors(void **state)
{
	assert_true(spe_numbers_sources("0x00000000413fd0c1"));  /* N1 */
	assert_true(spe_numbers_sources("410fd401"));            /* V1 */
	assert_true(spe_numbers_sources("0x00000000410fd490"));  /* N2 */
	assert_true(spe_numbers_sources("0x00000000410fd4f0"));  /* V2 */
	assert_false(spe_numbers_sources("0x00000000410fd080")); /* an older core */
	assert_false(spe_numbers_sources("0x00000000483fd0c1")); /* another maker */
	assert_false(spe_numbers_sources(""));
	assert_false(spe_numbers_sources("GenuineIntel-6-55-4"));
	assert_false(spe_numbers_sources(NULL));
}

static void test_numbers(void **state)
{
	static const struct {
		u64 source;
		u32 counts;
	} rows[] = {
		{ 0x0, ACCESS_BIT(ACCESS_LD_L1) },
		{ 0x8, ACCESS_BIT(ACCESS_LD_L2) },
		{ 0x9, ACCESS_BIT(ACCESS_LD_L2) | ACCESS_BIT(ACCESS_LCL_PEER) },
		{ 0xa, ACCESS_BIT(ACCESS_LD_LLC) | ACCESS_BIT(ACCESS_LCL_PEER) },
		{ 0xb, ACCESS_BIT(ACCESS_LD_LLC) },
		{ 0xc, ACCESS_BIT(ACCESS_LD_LLC) | ACCESS_BIT(ACCESS_LCL_PEER) },
		{ 0xe, ACCESS_BIT(ACCESS_LCL_DRAM) },
	};

	const u32 always = ACCESS_BIT(ACCESS_LOAD) | ACCESS_BIT(ACCESS_LD_EXCLUSIVE);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(counts_as(0, 0, rows[i].source, true) & ~always, rows[i].counts);
	assert_true(counts_as(0, 0, 0xd, true) & ACCESS_BIT(ACCESS_RMT_PEER));
	/* numbers without a meaning, and those that are none of the table */
	assert_int_equal(source_of(0, 0, 0x5, true), PERF_MEM_OP_LOAD);
	assert_int_equal(source_of(0, 0, ~0ull, true), PERF_MEM_OP_LOAD);
	assert_true(counts_as(SPE_OP_STORE, 0, 0, true) & ACCESS_BIT(ACCESS_ST_NO_LEVEL));
}

static void test_events(void **state)
{
	const u32 load = ACCESS_BIT(ACCESS_LOAD);

	assert_int_equal(counts_as(0, SPE_EV_L1D_ACCESS, 9, false),
			 load | ACCESS_BIT(ACCESS_LD_L1));
	assert_int_equal(counts_as(0, SPE_EV_L1D_ACCESS | SPE_EV_L1D_REFILL | SPE_EV_LLC_ACCESS, 0,
				   false),
			 load | ACCESS_BIT(ACCESS_LD_LLC));
	assert_true(counts_as(SPE_OP_STORE, SPE_EV_L1D_ACCESS | SPE_EV_L1D_REFILL, 0, false) &
		    ACCESS_BIT(ACCESS_ST_L1_MISS));
	assert_true(counts_as(SPE_OP_STORE, SPE_EV_L1D_ACCESS, 0, false) &
		    ACCESS_BIT(ACCESS_ST_L1_HIT));
	assert_int_equal(source_of(0, SPE_EV_TLB_ACCESS | SPE_EV_TLB_REFILL, 0, false) >>
				 PERF_MEM_TLB_SHIFT,
			 PERF_MEM_TLB_WK | PERF_MEM_TLB_MISS);
	assert_int_equal(source_of(0, SPE_EV_TLB_ACCESS, 0, true) >> PERF_MEM_TLB_SHIFT &
				 (PERF_MEM_TLB_HIT | PERF_MEM_TLB_MISS),
			 PERF_MEM_TLB_HIT);
	assert_int_equal(source_of(0, 0, 0, false), PERF_MEM_OP_LOAD);
}

static void test_other_operations(void **state)
{
	struct spe_record r = { .op_class = SPE_OP_BRANCH, .events = ~0ull, .source = 8 };

	assert_int_equal(spe_data_src(&r, true), 0);
	r.op_class = SPE_OP_OTHER;
	assert_int_equal(spe_data_src(&r, false), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_processors),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_other_operations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
