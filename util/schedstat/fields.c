// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables here name the counters and tell where each version of /proc/schedstat has them. */
#include "base/compat.h"
#include "schedstat/schedstat.h"

#include "file/feature.h"

#define WHOLE .part_of = -1

const struct schedstat_field schedstat_cpu_fields[SCHEDSTAT_CPU_COUNTERS] = {
	[SCHEDSTAT_YIELDS] = { "yld_count", "calls of sched_yield()", WHOLE },
	[SCHEDSTAT_LEGACY] = { "array_exp", "unused, always 0", WHOLE },
	[SCHEDSTAT_SCHEDULES] = { "sched_count", "calls of schedule()", WHOLE },
	[SCHEDSTAT_IDLES] = { "sched_goidle", "calls of schedule() that left the CPU idle",
			      SCHEDSTAT_SCHEDULES },
	[SCHEDSTAT_WAKEUPS] = { "ttwu_count", "wakeups of tasks", WHOLE },
	[SCHEDSTAT_LOCAL_WAKEUPS] = { "ttwu_local", "wakeups by the same CPU", SCHEDSTAT_WAKEUPS },
	[SCHEDSTAT_RUN_NS] = { "rq_cpu_time", "time that tasks ran (ns)", WHOLE },
	[SCHEDSTAT_WAIT_NS] = { "run_delay", "time that tasks waited for the CPU (ns)",
				SCHEDSTAT_RUN_NS },
	[SCHEDSTAT_SLICES] = { "pcount", "time slices that were run", WHOLE },
};

#define EVENT WHOLE, .event = true
#define BALANCE(state, name, when)                                                                 \
	[(state)*BALANCE_COUNTERS +                                                                \
		BALANCE_COUNT] = { name "_lb_count", "balancing while " when, EVENT },             \
		[(state)*BALANCE_COUNTERS + BALANCE_BALANCED] = { name "_lb_balanced",             \
								  "... found the load balanced",   \
								  EVENT },                         \
		[(state)*BALANCE_COUNTERS + BALANCE_FAILED] = { name "_lb_failed",                 \
								"... could not move any task",     \
								EVENT },                           \
		[(state)*BALANCE_COUNTERS + BALANCE_IMBALANCE] = { name "_lb_imbalance",           \
								   "sum of the imbalances found",  \
								   WHOLE },                        \
		[(state)*BALANCE_COUNTERS +                                                        \
			BALANCE_LOAD] = { name "_lb_imbalance_load", "imbalance of load", WHOLE }, \
		[(state)*BALANCE_COUNTERS + BALANCE_UTIL] = { name "_lb_imbalance_util",           \
							      "imbalance of utilization", WHOLE }, \
		[(state)*BALANCE_COUNTERS + BALANCE_TASK] = { name "_lb_imbalance_task",           \
							      "imbalance of the number of tasks",  \
							      WHOLE },                             \
		[(state)*BALANCE_COUNTERS +                                                        \
			BALANCE_MISFIT] = { name "_lb_imbalance_misfit",                           \
					    "imbalance by tasks too big for their CPU", WHOLE },   \
		[(state)*BALANCE_COUNTERS + BALANCE_GAINED] = { name "_lb_gained",                 \
								"tasks pulled to this CPU",        \
								WHOLE },                           \
		[(state)*BALANCE_COUNTERS + BALANCE_HOT_GAINED] = { name "_lb_hot_gained",         \
								    "... although cache-hot",      \
								    WHOLE },                       \
		[(state)*BALANCE_COUNTERS + BALANCE_NO_QUEUE] = { name "_lb_nobusyq",              \
								  "no busier queue was found",     \
								  EVENT },                         \
		[(state)*BALANCE_COUNTERS + BALANCE_NO_GROUP] = { name "_lb_nobusyg",              \
								  "no busier group was found",     \
								  EVENT }

const struct schedstat_field schedstat_domain_fields[SCHEDSTAT_DOMAIN_COUNTERS] = {
	BALANCE(SCHEDSTAT_BUSY, "busy", "the CPU was busy"),
	BALANCE(SCHEDSTAT_IDLE, "idle", "the CPU was idle"),
	BALANCE(SCHEDSTAT_NEWIDLE, "newidle", "the CPU became idle"),
	[SCHEDSTAT_ACTIVE] = { "alb_count", "active balancing", EVENT },
	[SCHEDSTAT_ACTIVE_FAILED] = { "alb_failed", "... could not move the task", EVENT },
	[SCHEDSTAT_ACTIVE_PUSHED] = { "alb_pushed", "... moved the task", EVENT },
	[SCHEDSTAT_EXEC] = { "sbe_count", "balancing at exec", WHOLE },
	[SCHEDSTAT_EXEC_BALANCED] = { "sbe_balanced", "... found the load balanced", WHOLE },
	[SCHEDSTAT_EXEC_PUSHED] = { "sbe_pushed", "... moved the task", WHOLE },
	[SCHEDSTAT_FORK] = { "sbf_count", "balancing at fork", WHOLE },
	[SCHEDSTAT_FORK_BALANCED] = { "sbf_balanced", "... found the load balanced", WHOLE },
	[SCHEDSTAT_FORK_PUSHED] = { "sbf_pushed", "... moved the task", WHOLE },
	[SCHEDSTAT_WAKE_REMOTE] = { "ttwu_wake_remote",
				    "wakeups by another CPU than the task's last", EVENT },
	[SCHEDSTAT_WAKE_AFFINE] = { "ttwu_move_affine", "... moved it to the waking CPU", EVENT },
	[SCHEDSTAT_WAKE_BALANCE] = { "ttwu_move_balance", "... began passive balancing", EVENT },
};

#define REST (SCHEDSTAT_DOMAIN_COUNTERS - SCHEDSTAT_ACTIVE)

bool schedstat_has(u32 version, u32 counter)
{
	u32 balance = counter % BALANCE_COUNTERS;

	if (counter >= SCHEDSTAT_ACTIVE)
		return true;
	if (version >= SCHEDSTAT_NAMES)
		return balance != BALANCE_IMBALANCE;
	return balance < BALANCE_LOAD || balance > BALANCE_MISFIT;
}

/* Return how many counters of balancing a state has. */
static u32 balance_counts(u32 version)
{
	return BALANCE_COUNTERS - (version >= SCHEDSTAT_NAMES ? 1 : 4);
}

u32 schedstat_domain_counts(u32 version)
{
	return schedstat_known(version) ? SCHEDSTAT_STATES * balance_counts(version) + REST : 0;
}

u32 schedstat_domain_at(u32 version, u32 i)
{
	static const u8 oldest_order[] = { SCHEDSTAT_IDLE, SCHEDSTAT_BUSY, SCHEDSTAT_NEWIDLE };
	u32 n = balance_counts(version), state = i / n, counter;

	if (state >= SCHEDSTAT_STATES)
		return SCHEDSTAT_ACTIVE + i - SCHEDSTAT_STATES * n;
	if (version == SCHEDSTAT_OLDEST)
		state = oldest_order[state];
	counter = i % n;
	if (counter >= BALANCE_IMBALANCE && version >= SCHEDSTAT_NAMES)
		counter++;
	else if (counter > BALANCE_IMBALANCE)
		counter += BALANCE_GAINED - BALANCE_LOAD;
	return state * BALANCE_COUNTERS + counter;
}
