// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The metrics that need no file. They use events for which the kernel has names on every processor,
 * or which sysfs names if the processor has them. They are sorted by name, regardless of case.
 */
#include "base/compat.h"
#include "metric/metric.h"

/*
 * Level 1 of top-down analysis, in three variants: processors with counters for the four shares
 * (which count only with "slots" in front of them); processors that count slots by their outcome;
 * and arm64, which counts the slots that were stalled.
 */
#define SHARES                                                                                     \
	"topdown\\-retiring + topdown\\-bad\\-spec + topdown\\-fe\\-bound + topdown\\-be\\-bound"
#define SHARE(what)                                                                                \
	"d_ratio(" what ", " SHARES ") + 0 * slots if has_event(topdown\\-be\\-bound) else "
#define OF_SLOTS(what)                                                                             \
	"(" what ") / topdown\\-total\\-slots if has_event(topdown\\-total\\-slots) else "

static const struct vendor_metric builtins[] = {
	{
		.name = "backend_cycles_idle",
		.groups = "Default;Pipeline",
		.expr = "stalled\\-cycles\\-backend / cycles",
		.unit = "100%",
		.desc = "Share of cycles in which execution waited for units or data",
		.threshold = "backend_cycles_idle > 0.2",
	},
	{
		.name = "branch_frequency",
		.groups = "Branches;Default",
		.expr = "branches / task\\-clock",
		.unit = "1000M/sec",
		.desc = "Branches per second of processor time",
	},
	{
		.name = "branch_miss_rate",
		.groups = "Branches;Default",
		.expr = "branch\\-misses / branches",
		.unit = "100%",
		.desc = "Share of branches that were predicted wrong",
		.threshold = "branch_miss_rate > 0.05",
	},
	{
		.name = "branch_mpki",
		.groups = "Branches",
		.expr = "1000 * branch\\-misses / instructions",
		.desc = "Wrongly predicted branches per thousand instructions",
	},
	{
		.name = "cache_miss_rate",
		.groups = "Cache",
		.expr = "cache\\-misses / cache\\-references",
		.unit = "100%",
		.desc = "Share of accesses to the last cache that missed it",
	},
	{
		.name = "cache_mpki",
		.groups = "Cache",
		.expr = "1000 * cache\\-misses / instructions",
		.desc = "Misses of the last cache per thousand instructions",
	},
	{
		.name = "CPI",
		.groups = "Pipeline;Summary",
		.expr = "cycles / instructions",
		.desc = "Cycles per instruction",
	},
	{
		.name = "CPUs_utilized",
		.groups = "Default;Summary",
		.expr = "task\\-clock / (1e9 * duration_time)",
		.unit = "1CPUs",
		.desc = "Processors in use on average while it was measured",
	},
	{
		.name = "cs_per_second",
		.groups = "Default;Scheduling",
		.expr = "1e9 * context\\-switches / task\\-clock",
		.unit = "1cs/sec",
		.desc = "Context switches per second of processor time",
	},
	{
		.name = "cycles_frequency",
		.groups = "Default;Pipeline",
		.expr = "cycles / task\\-clock",
		.unit = "1GHz",
		.desc = "Cycles per nanosecond of processor time",
	},
	{
		.name = "dtlb_miss_rate",
		.groups = "TLB",
		.expr = "dTLB\\-load\\-misses / dTLB\\-loads",
		.unit = "100%",
		.desc = "Share of loads whose address the data TLB did not have",
		.threshold = "dtlb_miss_rate > 0.05",
	},
	{
		.name = "frontend_cycles_idle",
		.groups = "Default;Pipeline",
		.expr = "stalled\\-cycles\\-frontend / cycles",
		.unit = "100%",
		.desc = "Share of cycles in which nothing was there to be executed",
		.threshold = "frontend_cycles_idle > 0.1",
	},
	{
		.name = "insn_per_cycle",
		.groups = "Default;Pipeline",
		.expr = "instructions / cycles",
		.unit = "1instructions",
		.desc = "Instructions per cycle",
		.threshold = "insn_per_cycle < 1",
	},
	{
		.name = "IPC",
		.groups = "Pipeline;Summary",
		.expr = "instructions / cycles",
		.desc = "Instructions per cycle",
	},
	{
		.name = "itlb_miss_rate",
		.groups = "TLB",
		.expr = "iTLB\\-load\\-misses / iTLB\\-loads",
		.unit = "100%",
		.desc = "Share of instruction fetches whose address the instruction TLB did not have",
		.threshold = "itlb_miss_rate > 0.05",
	},
	{
		.name = "l1d_miss_rate",
		.groups = "Cache",
		.expr = "L1\\-dcache\\-load\\-misses / L1\\-dcache\\-loads",
		.unit = "100%",
		.desc = "Share of loads that missed the first data cache",
		.threshold = "l1d_miss_rate > 0.05",
	},
	{
		.name = "l1d_mpki",
		.groups = "Cache",
		.expr = "1000 * L1\\-dcache\\-load\\-misses / instructions",
		.desc = "Loads that missed the first data cache per thousand instructions",
	},
	{
		.name = "l1i_miss_rate",
		.groups = "Cache",
		.expr = "L1\\-icache\\-load\\-misses / L1\\-icache\\-loads",
		.unit = "100%",
		.desc = "Share of fetches that missed the first instruction cache",
		.threshold = "l1i_miss_rate > 0.05",
	},
	{
		.name = "llc_miss_rate",
		.groups = "Cache",
		.expr = "LLC\\-load\\-misses / LLC\\-loads",
		.unit = "100%",
		.desc = "Share of loads reaching the last cache that missed it",
		.threshold = "llc_miss_rate > 0.05",
	},
	{
		.name = "migrations_per_second",
		.groups = "Default;Scheduling",
		.expr = "1e9 * cpu\\-migrations / task\\-clock",
		.unit = "1migrations/sec",
		.desc = "Moves to another processor per second of processor time",
	},
	{
		.name = "page_faults_per_second",
		.groups = "Default;Scheduling",
		.expr = "1e9 * page\\-faults / task\\-clock",
		.unit = "1faults/sec",
		.desc = "Page faults per second of processor time",
	},
	{
		.name = "stalled_cycles_per_instruction",
		.groups = "Default;Pipeline",
		.expr = "max(stalled\\-cycles\\-frontend, stalled\\-cycles\\-backend) / instructions",
		.desc = "Stalled cycles, of the worse end of the pipeline, per instruction",
	},
	{
		.name = "topdown_backend_bound",
		.groups = "TopdownL1",
		/*
		 * the second form names all events of the four metrics, so that one group contains
		 * them
		 */
		.expr = SHARE("topdown\\-be\\-bound") "1 - topdown_frontend_bound - "
						      "topdown_bad_speculation - topdown_retiring "
						      "if has_event(topdown\\-total\\-slots) else "
						      "stall_slot_backend / (#slots * cpu_cycles)",
		.unit = "100%",
		.desc = "Share of pipeline slots lost to waiting for units or data",
		.threshold = "topdown_backend_bound > 0.2",
	},
	{
		.name = "topdown_bad_speculation",
		.groups = "TopdownL1",
		.expr = SHARE("topdown\\-bad\\-spec") OF_SLOTS(
			"topdown\\-slots\\-issued - topdown\\-slots\\-retired + topdown\\-recovery\\-bubbles") "max(1 - topdown_backend_bound - topdown_frontend_bound - "
													       "topdown_retiring, 0)",
		.unit = "100%",
		.desc = "Share of pipeline slots spent on what was thrown away",
		.threshold = "topdown_bad_speculation > 0.15",
	},
	{
		.name = "topdown_frontend_bound",
		.groups = "TopdownL1",
		.expr = SHARE("topdown\\-fe\\-bound") OF_SLOTS(
			"topdown\\-fetch\\-bubbles") "stall_slot_frontend / (#slots * cpu_cycles)",
		.unit = "100%",
		.desc = "Share of pipeline slots with nothing to execute",
		.threshold = "topdown_frontend_bound > 0.15",
	},
	{
		.name = "topdown_retiring",
		.groups = "TopdownL1",
		.expr = SHARE("topdown\\-retiring") OF_SLOTS(
			"topdown\\-slots\\-retired") "(op_retired / op_spec) * (1 - stall_slot / (#slots * cpu_cycles))",
		.unit = "100%",
		.desc = "Share of pipeline slots whose work was kept",
		.threshold = "topdown_retiring > 0.7",
	},
};

const struct vendor_metric *metric_builtins(size_t *nr)
{
	*nr = ARRAY_SIZE(builtins);
	return builtins;
}
