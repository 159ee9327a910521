// SPDX-License-Identifier: GPL-2.0-or-later
/* List the names of the kernel's generic events. Source of the numbers: linux/perf_event.h. */
#include "base/compat.h"
#include "events/names.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <strings.h>

#define HW PERF_TYPE_HARDWARE
#define SW PERF_TYPE_SOFTWARE

static const struct event_symbol symbols[] = {
	{ "cycles", "cpu-cycles", HW, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", NULL, HW, PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-references", NULL, HW, PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", NULL, HW, PERF_COUNT_HW_CACHE_MISSES },
	{ "branches", "branch-instructions", HW, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", NULL, HW, PERF_COUNT_HW_BRANCH_MISSES },
	{ "bus-cycles", NULL, HW, PERF_COUNT_HW_BUS_CYCLES },
	{ "stalled-cycles-frontend", "idle-cycles-frontend", HW,
	  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", "idle-cycles-backend", HW,
	  PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "ref-cycles", NULL, HW, PERF_COUNT_HW_REF_CPU_CYCLES },
	{ "cpu-clock", NULL, SW, PERF_COUNT_SW_CPU_CLOCK },
	{ "task-clock", NULL, SW, PERF_COUNT_SW_TASK_CLOCK },
	{ "page-faults", "faults", SW, PERF_COUNT_SW_PAGE_FAULTS },
	{ "context-switches", "cs", SW, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", "migrations", SW, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "minor-faults", NULL, SW, PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", NULL, SW, PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "alignment-faults", NULL, SW, PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", NULL, SW, PERF_COUNT_SW_EMULATION_FAULTS },
	{ "dummy", NULL, SW, PERF_COUNT_SW_DUMMY },
	{ "bpf-output", NULL, SW, PERF_COUNT_SW_BPF_OUTPUT },
	{ "cgroup-switches", NULL, SW, PERF_COUNT_SW_CGROUP_SWITCHES },
};

/* The first spelling is the one that is printed. */
static const char *const cache_names[PERF_COUNT_HW_CACHE_MAX][5] = {
	{ "L1-dcache", "l1-d", "l1d", "L1-data", NULL },
	{ "L1-icache", "l1-i", "l1i", "L1-instruction", NULL },
	{ "LLC", "L2", NULL },
	{ "dTLB", "d-tlb", "Data-TLB", NULL },
	{ "iTLB", "i-tlb", "Instruction-TLB", NULL },
	{ "branch", "branches", "bpu", "btb", "bpc" },
	{ "node", NULL },
};
static const char *const cache_ops[PERF_COUNT_HW_CACHE_OP_MAX][5] = {
	{ "load", "loads", "read", NULL },
	{ "store", "stores", "write", NULL },
	{ "prefetch", "prefetches", "speculative-read", "speculative-load", NULL },
};
static const char *const cache_results[PERF_COUNT_HW_CACHE_RESULT_MAX][5] = {
	{ "refs", "Reference", "ops", "access", NULL },
	{ "misses", "miss", NULL },
};

const struct event_symbol *event_symbols(size_t *nr)
{
	*nr = ARRAY_SIZE(symbols);
	return symbols;
}

static bool same(const char *a, const char *name, size_t len)
{
	return a && strlen(a) == len && !memcmp(a, name, len);
}

const struct event_symbol *event_symbol_find(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		if (same(symbols[i].name, name, len) || same(symbols[i].alias, name, len))
			return &symbols[i];
	return NULL;
}

static const char *by_config(u32 type, u64 config)
{
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		if (symbols[i].type == type && symbols[i].config == config)
			return symbols[i].name;
	return NULL;
}

const char *event_hw_name(u64 config)
{
	return by_config(HW, config);
}

const char *event_sw_name(u64 config)
{
	return by_config(SW, config);
}

bool event_cache_valid(u32 cache, u32 op)
{
	/* bit n: operation n exists */
	static const u8 ops[PERF_COUNT_HW_CACHE_MAX] = { 7, 5, 7, 7, 1, 1, 7 };

	return cache < ARRAY_SIZE(ops) && op < PERF_COUNT_HW_CACHE_OP_MAX && (ops[cache] & 1 << op);
}

void event_cache_name(u64 config, struct strbuf *out)
{
	u32 cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (cache >= PERF_COUNT_HW_CACHE_MAX || op >= PERF_COUNT_HW_CACHE_OP_MAX ||
	    result >= PERF_COUNT_HW_CACHE_RESULT_MAX) {
		strbuf_addf(out, "unknown-ext-hardware-cache-%s",
			    cache >= PERF_COUNT_HW_CACHE_MAX   ? "type"
			    : op >= PERF_COUNT_HW_CACHE_OP_MAX ? "op"
							       : "result");
		return;
	}
	if (!event_cache_valid(cache, op)) {
		strbuf_addstr(out, "invalid-cache");
		return;
	}
	/* "L1-dcache-loads" but "L1-dcache-load-misses" */
	if (result)
		strbuf_addf(out, "%s-%s-%s", cache_names[cache][0], cache_ops[op][0],
			    cache_results[result][0]);
	else
		strbuf_addf(out, "%s-%s", cache_names[cache][0], cache_ops[op][1]);
}

void event_cache_near(struct near *n)
{
	for (u32 i = 0; i < PERF_COUNT_HW_CACHE_MAX * PERF_COUNT_HW_CACHE_OP_MAX * 2; i++) {
		u32 cache = i / 6, op = i / 2 % 3;
		struct strbuf sb = STRBUF_INIT;

		if (!event_cache_valid(cache, op))
			continue;
		event_cache_name(cache | op << 8 | (i & 1) << 16, &sb);
		near_add(n, strbuf_str(&sb));
		strbuf_release(&sb);
	}
}

static const char *const tools[TOOL_NR] = { [TOOL_DURATION_TIME] = "duration_time",
					    [TOOL_USER_TIME] = "user_time",
					    [TOOL_SYSTEM_TIME] = "system_time",
					    [TOOL_CORE_WIDE] = "core_wide",
					    [TOOL_HAS_PMEM] = "has_pmem",
					    [TOOL_NUM_CORES] = "num_cores",
					    [TOOL_NUM_CPUS] = "num_cpus",
					    [TOOL_NUM_CPUS_ONLINE] = "num_cpus_online",
					    [TOOL_NUM_DIES] = "num_dies",
					    [TOOL_NUM_PACKAGES] = "num_packages",
					    [TOOL_SLOTS] = "slots",
					    [TOOL_SMT_ON] = "smt_on",
					    [TOOL_SYSTEM_TSC_FREQ] = "system_tsc_freq",
					    [TOOL_TARGET_CPU] = "target_cpu" };

const char *event_tool_name(enum tool_event t)
{
	return tools[t];
}

enum tool_event event_tool_find(const char *name)
{
	for (int t = TOOL_NONE + 1; t < TOOL_NR; t++)
		if (!strcmp(tools[t], name))
			return (enum tool_event)t;
	return TOOL_NONE;
}

/*
 * Return the index of the longest spelling that @name starts with and that is followed by the end
 * or by '-'; UINT32_MAX when there is none.
 */
static u32 match(const char *const table[][5], size_t rows, const char *name, size_t len,
		 size_t *used)
{
	u32 found = UINT32_MAX;

	*used = 0;
	for (size_t i = 0; i < rows; i++) {
		for (size_t j = 0; j < 5 && table[i][j]; j++) {
			size_t n = strlen(table[i][j]);

			if (n <= *used || n > len || strncasecmp(name, table[i][j], n))
				continue;
			if (n < len && name[n] != '-')
				continue;
			found = (u32)i;
			*used = n;
		}
	}
	return found;
}

size_t event_cache_known(const char *name)
{
	size_t len = strlen(name), known, used;

	match(cache_names, ARRAY_SIZE(cache_names), name, len, &known);
	for (used = known; used && known < len; known += used ? used + 1 : 0) {
		const char *part = name + known + 1;

		if (match(cache_ops, ARRAY_SIZE(cache_ops), part, len - known - 1, &used) ==
		    UINT32_MAX)
			match(cache_results, ARRAY_SIZE(cache_results), part, len - known - 1,
			      &used);
	}
	return known;
}

int event_cache_parse(const char *name, size_t len, u64 *config)
{
	size_t used;
	u32 cache = match(cache_names, ARRAY_SIZE(cache_names), name, len, &used);
	u32 op = UINT32_MAX, result = UINT32_MAX;

	if (cache == UINT32_MAX)
		return -ENOENT;
	/* operation and result may be in any order; of two of a kind the first one counts */
	for (int part = 0; used < len; part++) {
		u32 v;

		name += used + 1;
		len -= used + 1;
		if (part == 2)
			return -ENOENT;
		v = match(cache_ops, ARRAY_SIZE(cache_ops), name, len, &used);
		if (v != UINT32_MAX) {
			op = op == UINT32_MAX ? v : op;
			continue;
		}
		v = match(cache_results, ARRAY_SIZE(cache_results), name, len, &used);
		if (v == UINT32_MAX)
			return -ENOENT;
		result = result == UINT32_MAX ? v : result;
	}
	op = op == UINT32_MAX ? PERF_COUNT_HW_CACHE_OP_READ : op;
	result = result == UINT32_MAX ? PERF_COUNT_HW_CACHE_RESULT_ACCESS : result;
	if (!event_cache_valid(cache, op))
		return -EINVAL;
	*config = cache | (u64)op << 8 | (u64)result << 16;
	return 0;
}
