// SPDX-License-Identifier: GPL-2.0-or-later
/* Check what is told of memory accesses. */
#include "base/compat.h"

#include "made.h"
#include "suites.h"

#include <sys/mman.h>

/* A meaning of a memory access: bits of PERF_MEM_*. */
static u64 source(u64 op, u64 level, u64 snoop)
{
	return op << PERF_MEM_OP_SHIFT | level << PERF_MEM_LVL_SHIFT |
	       snoop << PERF_MEM_SNOOP_SHIFT | (u64)PERF_MEM_LOCK_NA << PERF_MEM_LOCK_SHIFT |
	       (u64)(PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1) << PERF_MEM_TLB_SHIFT;
}

#define LINE 0x7f0000001000ULL
#define CODE 0x400000ULL

static const struct {
	u32 tid;
	u64 at, op, level, snoop, weight;
	int times;
} accesses[] = {
	/* One thread stores to a line; another one loads from it and finds it modified. */
	{ 101, LINE + 0x10, PERF_MEM_OP_STORE, PERF_MEM_LVL_HIT | PERF_MEM_LVL_L1,
	  PERF_MEM_SNOOP_NA, 0, 6 },
	{ 102, LINE + 0x18, PERF_MEM_OP_LOAD, PERF_MEM_LVL_HIT | PERF_MEM_LVL_L3,
	  PERF_MEM_SNOOP_HITM, 100, 4 },
	/* This line is its own. */
	{ 102, LINE + 0x1000, PERF_MEM_OP_LOAD, PERF_MEM_LVL_HIT | PERF_MEM_LVL_L1,
	  PERF_MEM_SNOOP_NONE, 7, 2 },
};

static void make(struct made *m)
{
	u64 load, store, time = 1000000000;

	made_init(m, PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT |
			     PERF_SAMPLE_DATA_SRC);
	load = made_event(m, PERF_TYPE_RAW, 0x1cd, "cpu/mem-loads,ldlat=30/P");
	store = made_event(m, PERF_TYPE_RAW, 0x82d0, "cpu/mem-stores/P");
	made_mmap(m, &(struct rec_mmap){ .pid = 100,
					 .tid = 100,
					 .start = CODE,
					 .len = 0x1000,
					 .prot = PROT_READ | PROT_EXEC,
					 .filename = "/made/program" });
	made_mmap(m, &(struct rec_mmap){ .pid = 100,
					 .tid = 100,
					 .start = LINE,
					 .len = 0x10000,
					 .prot = PROT_READ | PROT_WRITE,
					 .filename = "//anon" });
	made_task(m, 100, 101, "writer");
	made_task(m, 100, 102, "reader");
	for (size_t i = 0; i < ARRAY_SIZE(accesses); i++)
		for (int k = 0; k < accesses[i].times; k++)
			made_sample(m, &(struct sample){
					       .misc = PERF_RECORD_MISC_USER,
					       .id = accesses[i].op == PERF_MEM_OP_STORE ? store
											 : load,
					       .pid = 100,
					       .tid = accesses[i].tid,
					       .cpu = accesses[i].tid % 2,
					       .time = time += 1000,
					       .ip = CODE + i * 16,
					       .addr = accesses[i].at,
					       .period = 1,
					       .weight = accesses[i].weight,
					       .data_src = source(accesses[i].op, accesses[i].level,
								  accesses[i].snoop),
				       });
}

static int test_mem(struct test_ctx *ctx __unused)
{
	struct made m;

	make(&m);
	return MADE_TELLS(&m,
			  "96.62% 4 L3 hit HitM 100\n3.38% 2 L1 hit None 7\n100.00% 6 L1 hit N/A 0",
			  "mem", "report", "--stdio", "-s", "mem,snoop,local_weight");
}

static int test_mem_dump(struct test_ctx *ctx __unused)
{
	struct made m;

	make(&m);
	return MADE_TELLS(&m,
			  "100 101 0x400000 0x7f0000001010 0 0x29080144 /made/program:???\n"
			  "100 102 0x400010 0x7f0000001018 100 0x29800842 /made/program:???",
			  "mem", "-D", "report");
}

static int test_c2c(struct test_ctx *ctx __unused)
{
	struct made m;

	make(&m);
	return MADE_TELLS(&m,
			  "Load Local HITM : 4\n"
			  "Store Operations : 6\n"
			  "Total Shared Cache Lines : 1\n"
			  "0 0 4 6 0 0 0x7f0000001000\n"
			  "0.00% 0.00% 100.00% 0.00% 0.00% 0x10 N/A 0 0x400000 "
			  "0 0 0 6 1 [.] 0x0000000000000000 program program[0]\n"
			  "0.00% 100.00% 0.00% 0.00% 0.00% 0x18 N/A 0 0x400010 "
			  "0 100 0 4 1 [.] 0x0000000000000010 program program[10]",
			  "c2c", "report", "--stdio");
}

static const struct test_case cases[] = {
	{ "accesses by where the data were", test_mem },
	{ "each access as a line", test_mem_dump },
	{ "lines that threads contend for", test_c2c },
};
TEST_SUITE(suite_accesses, "Memory accesses", cases, "mem lines linestext");
