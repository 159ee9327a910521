// SPDX-License-Identifier: GPL-2.0-or-later
/* Check the analysis of scheduling with a recording whose delays are known. */
#include "base/compat.h"

#include "made.h"
#include "schedstat/schedstat.h"
#include "suites.h"

/*
 * On one CPU: "first" runs for 2 ms, in the middle of which it wakes "second", which so waits for
 * 1 ms, runs for 3 ms, and sleeps. "first", which was preempted, has waited these 3 ms.
 */
static const char recording[] =
	"event sched:sched_switch char prev_comm[16]; pid_t prev_pid; int prev_prio; "
	"long prev_state; char next_comm[16]; pid_t next_pid; int next_prio\n"
	"event sched:sched_waking char comm[16]; pid_t pid; int prio; int target_cpu\n"
	"event sched:sched_wakeup char comm[16]; pid_t pid; int prio; int target_cpu\n"
	"event sched:sched_stat_runtime char comm[16]; pid_t pid; u64 runtime\n"
	"task 101 101 first\n"
	"task 102 102 second\n"
	"1000000 0 0 sched:sched_switch swapper/0 0 120 0 first 101 120\n"
	"1001000 0 101 sched:sched_waking second 102 120 0\n"
	"1001000 0 101 sched:sched_wakeup second 102 120 0\n"
	"1002000 0 101 sched:sched_stat_runtime first 101 2000000\n"
	"1002000 0 101 sched:sched_switch first 101 120 0 second 102 120\n"
	"1005000 0 102 sched:sched_stat_runtime second 102 3000000\n"
	"1005000 0 102 sched:sched_switch second 102 120 1 first 101 120\n"
	"1006000 0 101 sched:sched_stat_runtime first 101 1000000\n"
	"1006000 0 101 sched:sched_switch first 101 120 1 swapper/0 0 120\n";

static int test_latency(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(recording,
			   "first:101 | 3.000 ms | 2 | avg: 1.500 ms | max: 3.000 ms | "
			   "max start: 1.002000 s | max end: 1.005000 s\n"
			   "second:102 | 3.000 ms | 1 | avg: 1.000 ms | max: 1.000 ms | "
			   "max start: 1.001000 s | max end: 1.002000 s\n"
			   "TOTAL: | 6.000 ms | 3 |",
			   "sched", "latency");
}

static int test_timehist(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(recording,
			   "1.002000 [0000] first[101] 0.000 0.000 2.000\n"
			   "1.005000 [0000] second[102] 0.000 1.000 3.000\n"
			   "1.006000 [0000] first[101] 3.000 0.000 1.000",
			   "sched", "timehist");
}

static int test_map(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(recording,
			   "*A0 1.000000 secs A0 => first:101\n"
			   "*B0 1.002000 secs B0 => second:102\n"
			   "*A0 1.005000 secs\n"
			   "*. 1.006000 secs . => swapper:0",
			   "sched", "map");
}

static int test_why(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(recording,
			   "1. 3.000 ms first[101] waited for CPU 0 from 1.002000 to 1.005000 s\n"
			   "CPU: second[102] 3.000 ms\n"
			   "it had been preempted",
			   "sched", "why", "first");
}

static int test_replay(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(recording,
			   "nr_run_events: 3\n"
			   "nr_sleep_events: 2\n"
			   "nr_wakeup_events: 2\n"
			   "task 1 ( first: 101), nr_events: 4\n"
			   "task 2 ( second: 102), nr_events: 2",
			   "sched", "replay", "-r", "1");
}

static const struct test_case delays[] = {
	{ "sums and longest delays of tasks", test_latency },
	{ "each run with the delay before it", test_timehist },
	{ "who had the CPU when", test_map },
	{ "why a task had to wait", test_why },
	{ "a replay does what was recorded", test_replay },
};
TEST_SUITE(suite_sched, "Delays of the scheduler", delays, "analyze analysis schedtext schedrun");

/* --- the time of programs and of CPUs ------------------------------------------------------ */

static int test_triage(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(recording,
			   "# the machine, 6.00ms, 2 programs\n"
			   "1. 50 % of the time of `first` is waiting for a CPU in the run queue, "
			   "the longest while it was taken by `second`\n"
			   "3.00ms in 1 waits, the longest 3.00ms; sure",
			   "triage", "-i", "perf.data");
}

static const struct test_case verdicts[] = {
	{ "the worst wait comes first", test_triage },
};
TEST_SUITE(suite_triage, "Where time goes", verdicts, "triage triagetext");

static int test_chart(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(recording,
			   "<text x=\"4\" y=\"123\">first:101 (3.00ms)</text>\n"
			   "<text x=\"4\" y=\"153\">second:102 (3.00ms)</text>\n"
			   "</svg>",
			   "timechart", "-o", "/dev/stdout");
}

static int test_heatmap(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(recording,
			   "# pairs 1, 1000000 ns in all\n"
			   "# maximum 1.00ms, until 1.002000000\n"
			   "# ends without a start: 3",
			   "report", "--pair", "sched:sched_waking,sched:sched_switch", "--key",
			   "cpu", "--heatmap", "map.svg");
}

static const struct test_case over_time[] = {
	{ "a picture of tasks", test_chart },
	{ "latencies of pairs of events", test_heatmap },
};
TEST_SUITE(suite_timelines, "Timelines", over_time, "timeline timechart");

/* --- the kernel's own counters ------------------------------------------------------------- */

/* /proc/schedstat of version 15, twice. */
static const char *const counters[] = {
	"version 15\ntimestamp 1000\ncpu0 0 0 100 40 30 20 5000000 2000000 60\n",
	"version 15\ntimestamp 1500\ncpu0 3 0 300 90 80 50 9000000 3000000 210\n",
};

static int test_stats(struct test_ctx *ctx __unused)
{
	struct made m;

	made_init(&m, 0);
	made_event(&m, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, "dummy");
	for (size_t i = 0; i < ARRAY_SIZE(counters); i++) {
		struct schedstat s = { 0 };
		struct err err = { 0 };

		TEST_CHECK(!schedstat_parse(&s, counters[i], &err), "%s", err.msg);
		schedstat_put_records(&s, &m.records);
		schedstat_release(&s);
	}
	return MADE_TELLS(&m,
			  "Time elapsed (in jiffies) : 500\n"
			  "calls of schedule() : 200\n"
			  "calls of schedule() that left the CPU idle : 50 ( 25.00% )\n"
			  "time that tasks ran (ns) : 4000000\n",
			  "sched", "stats", "report");
}

static const struct test_case stats[] = {
	{ "what was counted between two moments", test_stats },
};
TEST_SUITE(suite_schedstat, "Counters of the scheduler", stats, "schedstat schedtext");
