// SPDX-License-Identifier: GPL-2.0-or-later
/* The collection numa: its options, its suite of tests, and its text. */
#include "base/compat.h"
#include "bench/numa-internal.h"

#include "bench/team.h"

#include <errno.h>
#include <math.h>

#define MB ((u64)1 << 20)

/* The values of options as they were given. */
struct given {
	const char *global, *process, *locked, *thread, *cpus, *nodes;
	bool all, details_given, quiet, show_convergence, measure_convergence;
	int details;
	const char *name; /* of the test of the suite; "main" */
};

static u64 megabytes(const char *text)
{
	char *end;
	double v = text ? strtod(text, &end) : 0;

	if (!text)
		return 0;
	return end == text || *end || !(v >= 0) || v > 1e9 ? UINT64_MAX : (u64)(v * MB) & ~7ULL;
}

static int settle(struct numa_options *o, const struct given *g, struct err *err)
{
	const struct {
		const char *name, *text;
		u64 *to;
	} sizes[] = {
		{ "mb_global", g->global, &o->global },
		{ "mb_proc", g->process, &o->process },
		{ "mb_proc_locked", g->locked, &o->locked },
		{ "mb_thread", g->thread, &o->thread },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		*sizes[i].to = megabytes(sizes[i].text);
		if (*sizes[i].to == UINT64_MAX)
			return bench_invalid(err, "--%s %s is no number of megabytes",
					     sizes[i].name, sizes[i].text);
	}
	if (!o->procs || !o->threads || o->procs > NUMA_MOST_TASKS ||
	    o->threads > NUMA_MOST_TASKS / o->procs)
		return bench_invalid(
			err,
			"%u processes of %u threads: there must be 1 of each at least, "
			"and %d together at most",
			o->procs, o->threads, NUMA_MOST_TASKS);
	if ((g->cpus && numa_list_parse(&o->cpus, g->cpus)) ||
	    (g->nodes && numa_list_parse(&o->nodes, g->nodes)))
		return bench_invalid(
			err, "--cpus and --memnodes take numbers and ranges, such as 0,2-3, "
			     "1-7#2 (in steps of 2) and 0x4 (four times)");
	o->convergence = g->measure_convergence;
	return 0;
}

/* ---- the text ---- */

static void tell_value(struct bench *b, const struct given *g, double value, const char *unit,
		       const char *name, const char *sentence, bool more)
{
	char figure[80], comma[16];

	snprintf(figure, sizeof(figure), "%s: %s", g->name, name);
	bench_result(b, figure, unit, more, value);
	snprintf(comma, sizeof(comma), "%s,", unit);
	if (g->quiet)
		bench_say(b, " %14.3f %s%s%s\n", value, unit, *sentence == '/' ? "" : " ",
			  sentence);
	else
		bench_say(b, " %s,%*s%15.3f, %-15s %s\n", g->name,
			  MAX(0, 30 - (int)strlen(g->name)), "", value, comma, name);
}

static void tell_tasks(struct bench *b, const struct numa_options *o, const struct numa_result *r)
{
	char name[64];
	unsigned int i;

	for (i = 0; i < r->nr; i++) {
		const struct numa_task *t = &r->tasks[i];

		snprintf(name, sizeof(name), "process%u:thread%u", i / o->threads, i % o->threads);
		bench_say(b, " %-30s %15.3f, %-15s %s\n", name,
			  (double)t->bytes / (double)MAX(t->ns, (u64)1), "GB/sec", "thread-speed");
	}
}

static void tell_result(struct bench *b, const struct numa_options *o, const struct given *g,
			const struct numa_result *r)
{
	double max = 0, min = INFINITY, sum = 0, bytes = 0;
	unsigned int i;

	for (i = 0; i < r->nr; i++) {
		double secs = (double)r->tasks[i].ns / 1e9;

		max = fmax(max, secs);
		min = fmin(min, secs);
		sum += secs;
		bytes += (double)r->tasks[i].bytes;
	}
	max = fmax(max, 1e-9);
	bytes = fmax(bytes, 1);
	if (g->measure_convergence)
		tell_value(b, g, (double)r->converged_ns / 1e9, "secs", "NUMA-convergence-latency",
			   "latency to NUMA-converge", false);
	tell_value(b, g, max, "secs", "runtime-max/thread", "slowest (max) thread-runtime", false);
	tell_value(b, g, min, "secs", "runtime-min/thread", "fastest (min) thread-runtime", false);
	tell_value(b, g, sum / r->nr, "secs", "runtime-avg/thread", "average thread-runtime",
		   false);
	tell_value(b, g, 50 * (max - min) / max, "%", "spread-runtime/thread",
		   "difference between max/avg runtime", false);
	tell_value(b, g, bytes / r->nr / 1e9, "GB", "data/thread", "data processed, per thread",
		   true);
	tell_value(b, g, bytes / 1e9, "GB", "data-total", "data processed, total", true);
	tell_value(b, g, max * 1e9 / (bytes / r->nr), "nsecs", "runtime/byte/thread",
		   "/byte/thread runtime", false);
	tell_value(b, g, bytes / r->nr / 1e9 / max, "GB/sec", "thread-speed", "/thread speed",
		   true);
	tell_value(b, g, bytes / 1e9 / max, "GB/sec", "total-speed", "total speed", true);
	if (g->details && !g->quiet)
		tell_tasks(b, o, r);
}

static void tell_head(struct bench *b, const struct numa_options *o, const struct given *g)
{
	unsigned int nodes = numa_nodes(), tasks = o->procs * o->threads;
	struct int_list cpus = bench_cpus();
	int loops = o->loops ? (int)o->loops : -1;

	bench_say(b, " ###\n # %u %s will execute (on %u nodes, %zu CPUs):\n", tasks,
		  tasks == 1 ? "task" : "tasks", nodes, cpus.nr);
	if (nodes == 1)
		bench_say(b, " # This machine has one NUMA node: everything runs on node 0.\n");
	bench_say(b, " # %10dx %5" PRIu64 "MB global  shared mem operations\n", loops,
		  o->global / MB);
	bench_say(b, " # %10dx %5" PRIu64 "MB process shared mem operations\n", loops,
		  o->process / MB);
	bench_say(b, " # %10dx %5" PRIu64 "MB thread  local  mem operations\n ###\n\n", loops,
		  o->thread / MB);
	int_list_release(&cpus);
}

static int run_once(struct bench *b, struct numa_options *o, const struct given *g, struct err *err)
{
	struct numa_result r;
	int ret = settle(o, g, err);

	if (!ret && !g->quiet)
		tell_head(b, o, g);
	if (!ret)
		ret = numa_run(o, &r, err);
	if (!ret) {
		if (!g->quiet)
			bench_say(b,
				  " ###\n #\n # Startup synchronization: ... threads initialized "
				  "in %.6f seconds.\n #\n",
				  (double)r.setup_ns / 1e9);
		if (!g->quiet && g->show_convergence)
			bench_say(b, " # %s (%.1fs)\n",
				  r.converged_ns ? "converged" : "not watched for convergence",
				  (double)r.converged_ns / 1e9);
		if (!g->quiet)
			bench_say(b, " ###\n\n");
		tell_result(b, o, g, &r);
		numa_result_release(&r);
	}
	int_list_release(&o->cpus);
	int_list_release(&o->nodes);
	return ret;
}

/* ---- the suite ---- */

struct suite_test {
	const char *name;
	unsigned int procs, threads, secs;
	const char *process, *thread; /* megabytes */
	const char *cpus, *nodes;
	int thp;
	bool zero; /* otherwise until it has converged, or the time is over */
};

static const struct suite_test suite[] = {
	{ "RAM-bw-local", 1, 1, 20, "1024", NULL, "0", "0", 1, true },
	{ "RAM-bw-local-NOTHP", 1, 1, 20, "1024", NULL, "0", "0", -1, true },
	{ "RAM-bw-remote", 1, 1, 20, "1024", NULL, "0", "1", 1, true },
	{ "RAM-bw-local-2x", 2, 1, 20, "1024", NULL, "0,2", "0x2", 1, true },
	{ "RAM-bw-remote-2x", 2, 1, 20, "1024", NULL, "0,2", "1x2", 1, true },
	{ "RAM-bw-cross", 2, 1, 20, "1024", NULL, "0,8", "1,0", 1, true },
	{ "1x3-convergence", 1, 3, 100, "512", NULL, NULL, NULL, 1, false },
	{ "1x4-convergence", 1, 4, 100, "512", NULL, NULL, NULL, 1, false },
	{ "1x6-convergence", 1, 6, 100, "1020", NULL, NULL, NULL, 1, false },
	{ "2x3-convergence", 2, 3, 100, "1020", NULL, NULL, NULL, 1, false },
	{ "3x3-convergence", 3, 3, 100, "1020", NULL, NULL, NULL, 1, false },
	{ "4x4-convergence", 4, 4, 100, "512", NULL, NULL, NULL, 1, false },
	{ "4x4-convergence-NOTHP", 4, 4, 100, "512", NULL, NULL, NULL, -1, false },
	{ "4x6-convergence", 4, 6, 100, "1020", NULL, NULL, NULL, 1, false },
	{ "4x8-convergence", 4, 8, 100, "512", NULL, NULL, NULL, 1, false },
	{ "8x4-convergence", 8, 4, 100, "512", NULL, NULL, NULL, 1, false },
	{ "8x4-convergence-NOTHP", 8, 4, 100, "512", NULL, NULL, NULL, -1, false },
	{ "3x1-convergence", 3, 1, 100, "512", NULL, NULL, NULL, 1, false },
	{ "4x1-convergence", 4, 1, 100, "512", NULL, NULL, NULL, 1, false },
	{ "8x1-convergence", 8, 1, 100, "512", NULL, NULL, NULL, 1, false },
	{ "16x1-convergence", 16, 1, 100, "256", NULL, NULL, NULL, 1, false },
	{ "32x1-convergence", 32, 1, 100, "128", NULL, NULL, NULL, 1, false },
	{ "2x1-bw-process", 2, 1, 20, "1024", NULL, NULL, NULL, 1, true },
	{ "3x1-bw-process", 3, 1, 20, "1024", NULL, NULL, NULL, 1, true },
	{ "4x1-bw-process", 4, 1, 20, "1024", NULL, NULL, NULL, 1, true },
	{ "8x1-bw-process", 8, 1, 20, "512", NULL, NULL, NULL, 1, true },
	{ "8x1-bw-process-NOTHP", 8, 1, 20, "512", NULL, NULL, NULL, -1, true },
	{ "16x1-bw-process", 16, 1, 20, "256", NULL, NULL, NULL, 1, true },
	{ "1x4-bw-thread", 1, 4, 20, NULL, "256", NULL, NULL, 1, true },
	{ "1x8-bw-thread", 1, 8, 20, NULL, "256", NULL, NULL, 1, true },
	{ "1x16-bw-thread", 1, 16, 20, NULL, "128", NULL, NULL, 1, true },
	{ "1x32-bw-thread", 1, 32, 20, NULL, "64", NULL, NULL, 1, true },
	{ "2x3-bw-process", 2, 3, 20, "512", NULL, NULL, NULL, 1, true },
	{ "4x4-bw-process", 4, 4, 20, "512", NULL, NULL, NULL, 1, true },
	{ "4x6-bw-process", 4, 6, 20, "512", NULL, NULL, NULL, 1, true },
	{ "4x8-bw-process", 4, 8, 20, "512", NULL, NULL, NULL, 1, true },
	{ "4x8-bw-process-NOTHP", 4, 8, 20, "512", NULL, NULL, NULL, -1, true },
	{ "3x3-bw-process", 3, 3, 20, "512", NULL, NULL, NULL, 1, true },
	{ "5x5-bw-process", 5, 5, 20, "512", NULL, NULL, NULL, 1, true },
	{ "2x16-bw-process", 2, 16, 20, "512", NULL, NULL, NULL, 1, true },
	{ "1x32-bw-process", 1, 32, 20, "2048", NULL, NULL, NULL, 1, true },
};

/* Run one test of the suite; what this machine has not the CPUs, nodes or memory for is told. */
static void run_test(struct bench *b, const struct suite_test *t, const struct given *given)
{
	struct numa_options o = { .procs = t->procs,
				  .threads = t->threads,
				  .secs = t->secs,
				  .thp = t->thp,
				  .reads = true,
				  .writes = true,
				  .backwards = true,
				  .zero = t->zero,
				  .init_zero = true };
	struct given g = { .process = t->process,
			   .thread = t->thread,
			   .cpus = t->cpus,
			   .nodes = t->nodes,
			   .quiet = given->quiet,
			   .measure_convergence = !t->zero,
			   .name = t->name };
	struct err err = { 0 };

	bench_say(b, "\n # Running %s, \"perf bench numa mem\"\n", t->name);
	if (run_once(b, &o, &g, &err))
		bench_say(b, " # %s was left out: %s\n", t->name, err.msg);
}

static int numa_mem(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench numa <options>", NULL };
	struct numa_options o = { .procs = 1,
				  .threads = 1,
				  .secs = 5,
				  .reads = true,
				  .writes = true,
				  .backwards = true,
				  .random_walk = true,
				  .init_random = true,
				  .serialize = true };
	struct given g = { .global = "1", .all = b->argc == 1, .name = "main" };
	const struct option options[] = {
		OPT_UINTEGER('p', "nr_proc", &o.procs, "number of processes"),
		OPT_UINTEGER('t', "nr_threads", &o.threads, "number of threads per process"),
		OPT_STRING('G', "mb_global", &g.global, "MB", "global  memory (MBs)"),
		OPT_STRING('P', "mb_proc", &g.process, "MB", "process memory (MBs)"),
		OPT_STRING('L', "mb_proc_locked", &g.locked, "MB",
			   "process serialized/locked memory access (MBs), <= process_memory"),
		OPT_STRING('T', "mb_thread", &g.thread, "MB", "thread  memory (MBs)"),
		OPT_UINTEGER('l', "nr_loops", &o.loops,
			     "max number of loops to run (default: unlimited)"),
		OPT_UINTEGER('s', "nr_secs", &o.secs,
			     "max number of seconds to run (default: 5 secs)"),
		OPT_UINTEGER('u', "usleep", &o.sleep_us, "usecs to sleep per loop iteration"),
		OPT_BOOLEAN('R', "data_reads", &o.reads,
			    "access the data via reads (can be mixed with -W)"),
		OPT_BOOLEAN('W', "data_writes", &o.writes,
			    "access the data via writes (can be mixed with -R)"),
		OPT_BOOLEAN('B', "data_backwards", &o.backwards,
			    "access the data backwards as well"),
		OPT_BOOLEAN('Z', "data_zero_memset", &o.zero,
			    "access the data via glibc bzero only"),
		OPT_BOOLEAN('r', "data_rand_walk", &o.random_walk,
			    "access the data with random (32bit LFSR) walk"),
		OPT_BOOLEAN('z', "init_zero", &o.init_zero, "bzero the initial allocations"),
		OPT_BOOLEAN('I', "init_random", &o.init_random,
			    "randomize the contents of the initial allocations"),
		OPT_BOOLEAN('0', "init_cpu0", &o.init_cpu0, "do the initial allocations on CPU#0"),
		OPT_UINTEGER('x', "perturb_secs", &o.perturb_secs,
			     "perturb thread 0/0 every X secs, to test convergence stability"),
		OPT_INCR('d', "show_details", &g.details, "Show details"),
		OPT_BOOLEAN('a', "all", &g.all, "Run all tests in the suite"),
		OPT_INTEGER('H', "thp", &o.thp, "MADV_NOHUGEPAGE < 0 < MADV_HUGEPAGE"),
		OPT_BOOLEAN('c', "show_convergence", &g.show_convergence,
			    "show convergence details, convergence is reached when each process "
			    "(all its threads) is running on a single NUMA node."),
		OPT_BOOLEAN('m', "measure_convergence", &g.measure_convergence,
			    "measure convergence latency"),
		OPT_BOOLEAN('q', "quiet", &g.quiet,
			    "quiet mode (do not show any warnings or messages)"),
		OPT_BOOLEAN('S', "serialize-startup", &o.serialize, "serialize thread startup"),
		OPT_STRING('C', "cpus", &g.cpus, "cpu[,cpu2,...cpuN]",
			   "bind the first N tasks to these specific cpus (the rest is unbound)"),
		OPT_STRING('M', "memnodes", &g.nodes, "node[,node2,...nodeN]",
			   "bind the first N tasks to these specific memory nodes (the rest is "
			   "unbound)"),
		OPT_END(),
	};
	int i;

	b->parse(b, options, usage);
	if (g.all) {
		for (i = 0; i < (int)ARRAY_SIZE(suite); i++)
			run_test(b, &suite[i], &g);
		return 0;
	}
	bench_say(b, "\n # Running main, \"perf bench numa numa-mem");
	for (i = 1; i < b->argc; i++)
		bench_say(b, " %s", b->given[i]);
	bench_say(b, g.quiet ? "\"\n" : "\"\n#\n#\n\n");
	return run_once(b, &o, &g, err);
}

static const struct benchmark list[] = {
	{ "mem", "Benchmark for NUMA workloads", numa_mem },
	{ NULL },
};

const struct bench_collection bench_numa = { "numa", "NUMA scheduling and MM benchmarks", list,
					     "Run all NUMA benchmarks" };
