// SPDX-License-Identifier: GPL-2.0-or-later
/* Test runs without the kernel's events: what options make of targets and events, counts that are
 * handed in, intervals, ends of all kinds. What is counted is time alone, which perf measures
 * itself. */
#include "base/compat.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "events/parse.h"
#include "statrun/monitor.h"
#include "statrun/run-internal.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <unistd.h>

#include <cmocka.h>

#define MS 1000000ULL

struct bench {
	struct sysroot sr;
	struct evlist l;
	struct stat_options o;
	struct stat_listener to;
	struct stat_run *run;
	struct err err;
	struct strbuf notes;
	u64 times[16]; /* of intervals */
	double values[16];
	size_t nr_intervals, nr_runs;
};

static void put(const struct bench *b, const char *path, const char *text)
{
	tree_put(b->sr.prefix, path, text);
}

/* Four CPUs, two of each core, and a process of two threads. */
static void make_machine(const struct bench *b)
{
	put(b, "sys/devices/system/cpu/online", "0-3\n");
	for (int cpu = 0; cpu < 4; cpu++) {
		char *dir = xasprintf("sys/devices/system/cpu/cpu%d/topology", cpu);
		char *core = xasprintf("%s/core_id", dir),
		     *socket = xasprintf("%s/physical_package_id", dir);

		put(b, core, cpu & 1 ? "1\n" : "0\n");
		put(b, socket, "0\n");
		free(core);
		free(socket);
		free(dir);
	}
	put(b, "proc/77/comm", "boss\n");
	put(b, "proc/78/comm", "worker\n");
	put(b, "proc/77/task/77/comm", "boss\n");
	put(b, "proc/77/task/78/comm", "worker\n");
}

static void on_interval(void *ctx, u64 time)
{
	struct bench *b = ctx;

	b->times[b->nr_intervals % 16] = time;
	b->values[b->nr_intervals % 16] = stat_value_at(&b->run->results.last, 0, 0)->val;
	b->nr_intervals++;
}

static void on_run_end(void *ctx)
{
	struct bench *b = ctx;

	b->nr_runs++;
}

static void take_note(void *ctx, const char *text)
{
	strbuf_addstr(ctx, text);
}

static int setup(void **state)
{
	struct bench *b = xzalloc(sizeof(*b));

	b->sr.prefix = tmp_dir();
	make_machine(b);
	b->o = (struct stat_options){ .sysroot = &b->sr, .scale = true, .repeat = 1 };
	b->to = (struct stat_listener){ .ctx = b,
					.interval = on_interval,
					.run_end = on_run_end,
					.notes = { take_note, &b->notes },
					.counts = { take_note, &b->notes } };
	*state = b;
	return 0;
}

static int teardown(void **state)
{
	struct bench *b = *state;

	stat_run_free(b->run);
	evlist_release(&b->l);
	strbuf_release(&b->notes);
	tmp_remove((char *)(uintptr_t)b->sr.prefix);
	free(b);
	return 0;
}

static void parse(struct bench *b, const char *text)
{
	const struct parse_env env = { .sr = &b->sr };
	struct parse_error pe;

	assert_int_equal(parse_events(&b->l, text, &env, &pe), 0);
}

static int open_run(struct bench *b)
{
	b->run = stat_run_new(&b->o, &b->l, &b->to, &b->err);
	return b->run ? 0 : b->err.code;
}

/* --- options to what is opened ---------------------------------------------------------- */

static void check_on_exec(bool want, const char *cpus, int delay)
{
	static char *const words[] = { (char *)(uintptr_t) "true", NULL };
	struct bench *b;

	setup((void **)&b);
	parse(b, "faults");
	b->o.command = words;
	b->o.target.cpus = cpus;
	b->o.delay = delay;
	assert_int_equal(open_run(b), 0);
	assert_int_equal(b->l.evsels[0]->attr.enable_on_exec, want);
	assert_int_equal(b->run->enable_on_exec, want);
	assert_true(b->l.evsels[0]->attr.disabled);
	teardown((void **)&b);
}

static void test_on_exec(void **state)
{
	(void)state;
	check_on_exec(true, NULL, 0);
	check_on_exec(false, "1-2", 0);
	check_on_exec(false, NULL, 5);
	check_on_exec(false, NULL, -1);
}

static void test_cpus(void **state)
{
	struct bench *b = *state;

	parse(b, "faults");
	b->o.target.cpus = "1,3";
	b->o.mode = AGGR_CORE;
	assert_int_equal(open_run(b), 0);
	assert_int_equal(b->run->table.cpus.nr, 2);
	assert_int_equal(b->run->table.cpus.v[1], 3);
	assert_int_equal(b->run->table.places[1].core, 1);
	assert_int_equal(b->run->table.ids.nr, 1);
	assert_int_equal(b->run->results.nr_cpus, 2);
}

static void test_all_cpus(void **state)
{
	struct bench *b = *state;

	parse(b, "faults");
	b->o.target.all_cpus = true;
	b->o.mode = AGGR_NONE;
	assert_int_equal(open_run(b), 0);
	assert_int_equal(b->run->table.cpus.nr, 4);
	assert_int_equal(b->run->table.ids.nr, 4);
}

static void test_threads(void **state)
{
	struct bench *b = *state;

	parse(b, "faults");
	b->o.target.pids = "77";
	b->o.mode = AGGR_THREAD;
	assert_int_equal(open_run(b), 0);
	assert_int_equal(b->run->table.tids.nr, 2);
	assert_int_equal(b->run->results.threads[1].tid, 78);
	assert_string_equal(b->run->results.threads[1].comm, "worker");
	assert_int_equal(b->run->table.counts.nr_threads, 2);
}

static void test_no_target(void **state)
{
	struct bench *b = *state;

	b->o.target.pids = "4711";
	assert_int_equal(open_run(b), -ESRCH);
	b->o.target.pids = "x";
	assert_int_equal(open_run(b), -EINVAL);
}

static void test_no_cache(void **state)
{
	struct bench *b = *state;

	b->o.target.cpus = "2";
	b->o.mode = AGGR_CACHE;
	b->o.cache_level = 3;
	assert_int_equal(open_run(b), -ENOENT);
	assert_non_null(strstr(b->err.msg, "CPU 2 has no cache of level 3 "));
}

static void test_by_bpf(void **state)
{
	static char *const words[] = { (char *)(uintptr_t) "true", NULL };
	struct bench *b = *state;

	b->o.command = words;
	b->o.bpf.counters = true;
	assert_int_equal(open_run(b), 0);
	assert_false(b->run->enable_on_exec);
}

/* --- counts that are handed in ---------------------------------------------------------- */

static void count(struct bench *b, int cpu, u64 val, u64 enabled, u64 running)
{
	const struct kfd k = { .cpu = cpu, .tid = -1 };
	const struct kcount c = { val, enabled, running };

	stat_take_count(b->run, &k, &c);
}

/* Two CPUs of a core are one, and a count is scaled up. */
static void test_aggregation(void **state)
{
	struct bench *b = *state;
	const struct stat_result *r;

	parse(b, "faults");
	b->o.target.all_cpus = true;
	b->o.mode = AGGR_CORE;
	assert_int_equal(open_run(b), 0);
	count(b, 0, 10, 100, 100);
	count(b, 2, 20, 100, 100);
	count(b, 1, 7, 100, 50);
	count(b, 3, 0, 0, 0);
	stat_sum_up(b->run);
	r = &stat_run_results(b->run)->last;
	assert_int_equal(r->ids->nr, 2);
	assert_true(stat_value_at(r, 0, 0)->val == 30);
	assert_true(stat_value_at(r, 0, 1)->val == 14);
}

/* Counts that are read at the same place twice are of several threads; -vv tells of each. */
static void test_same_place(void **state)
{
	struct bench *b = *state;

	parse(b, "faults");
	b->o.target.pids = "77";
	b->o.verbose = 2;
	assert_int_equal(open_run(b), 0);
	count(b, -1, 3, 10, 10);
	count(b, -1, 4, 10, 10);
	stat_sum_up(b->run);
	assert_true(stat_value_at(&b->run->results.last, 0, 0)->val == 7);
	assert_string_equal(strbuf_str(&b->notes),
			    "faults: -1: 3 10 10\nfaults: -1: 4 10 10\nfaults: 7 20 20\n");
}

/* --- runs ------------------------------------------------------------------------------- */

static char *shell[] = { (char *)(uintptr_t) "/bin/sh", (char *)(uintptr_t) "-c", NULL, NULL };

static int run_shell(struct bench *b, const char *text)
{
	shell[2] = (char *)(uintptr_t)text;
	b->o.command = shell;
	parse(b, "duration_time,user_time");
	assert_int_equal(open_run(b), 0);
	return stat_run_all(b->run, &b->err);
}

static void test_status(void **state)
{
	struct bench *b = *state;
	const struct stat_results *res;

	b->o.repeat = 3;
	assert_int_equal(run_shell(b, "exit 3"), 0);
	res = stat_run_results(b->run);
	assert_int_equal(res->status, 3);
	assert_int_equal(res->why, STAT_ENDED);
	assert_int_equal(b->nr_runs, 3);
	assert_int_equal(res->nr_walls, 3);
	assert_int_equal(res->runs.duration.nr, 3);
	/* the means of all runs */
	assert_true(stat_value_at(&res->last, 0, 0)->val > 0);
	assert_true((u64)stat_value_at(&res->last, 0, 0)->val <= res->last.duration + 1);
}

static void test_killed(void **state)
{
	struct bench *b = *state;

	assert_int_equal(run_shell(b, "kill -9 $$"), 0);
	assert_int_equal(b->run->results.status, 128 + 9);
	assert_string_equal(strbuf_str(&b->notes), "/bin/sh: Killed\n");
}

static void test_no_command(void **state)
{
	static char *const words[] = { (char *)(uintptr_t) "/no/such/command", NULL };
	struct bench *b = *state;

	b->o.command = words;
	assert_int_equal(open_run(b), 0);
	assert_true(stat_run_all(b->run, &b->err) < 0);
	assert_string_equal(b->err.msg, "Workload failed: No such file or directory");
	assert_true(stat_run_opened(b->run));
}

/* Each interval has what came in it, none comes early, and that they are enough is no failure. */
static void test_intervals(void **state)
{
	struct bench *b = *state;

	b->o.interval = 20;
	b->o.interval_count = 3;
	assert_int_equal(run_shell(b, "exec sleep 60"), 0);
	assert_int_equal(b->nr_intervals, 3);
	assert_int_equal(b->run->results.why, STAT_TIMEOUT);
	assert_int_equal(b->run->results.status, 0);
	for (size_t i = 0; i < 3; i++) {
		u64 before = i ? b->times[i - 1] : 0;

		assert_true(b->times[i] >= (i + 1) * 20 * MS);
		assert_true(b->values[i] == (double)(b->times[i] - before));
	}
}

/* The rest of the last interval is told when the command ends. */
static void test_last_interval(void **state)
{
	struct bench *b = *state;

	b->o.interval = 60000;
	assert_int_equal(run_shell(b, "exit 0"), 0);
	assert_int_equal(b->nr_intervals, 1);
	assert_true(b->times[0] == b->run->results.times.wall);
	assert_int_equal(b->run->results.why, STAT_ENDED);
}

static void test_timeout(void **state)
{
	struct bench *b = *state;

	b->o.timeout = 30;
	assert_int_equal(run_shell(b, "exec sleep 60"), 0);
	assert_int_equal(b->run->results.why, STAT_TIMEOUT);
	assert_int_equal(b->run->results.status, 0);
	assert_true(b->run->results.times.wall >= 30 * MS);
	assert_true(b->run->results.times.wall < 50000 * MS);
}

/* The time of the delay does not count. */
static void test_delay(void **state)
{
	struct bench *b = *state;
	u64 since = clock_ns(CLOCK_MONOTONIC);

	b->o.delay = 30;
	assert_int_equal(run_shell(b, "exec sleep 0.2"), 0);
	assert_string_equal(strbuf_str(&b->notes), "Events disabled\nEvents enabled\n");
	assert_true(b->run->results.times.wall + 30 * MS <= clock_ns(CLOCK_MONOTONIC) - since);
}

static void test_pre_post(void **state)
{
	struct bench *b = *state;

	b->o.repeat = 3;
	b->o.post = "false";
	assert_int_equal(run_shell(b, "exit 0"), 0);
	assert_string_equal(strbuf_str(&b->notes), "'false' failed\n");
	assert_int_equal(b->run->results.status, 255);
	assert_int_equal(b->nr_runs, 1);

	stat_run_free(b->run);
	b->o.pre = "exit 1";
	assert_int_equal(open_run(b), 0);
	assert_int_equal(stat_run_all(b->run, &b->err), -ECHILD);
	assert_string_equal(b->err.msg, "'exit 1' failed");
}

/* --- what others watch on the loop ------------------------------------------------------- */

static int on_pipe(void *ctx, int fd, u32 events, struct err *err)
{
	char c;

	(void)!read(fd, &c, 1);
	return *(enum stat_stop *)ctx;
}

static void end_by(struct bench *b, enum stat_stop why)
{
	int p[2];

	assert_int_equal(pipe(p), 0);
	assert_int_equal(write(p[1], "x", 1), 1);
	shell[2] = (char *)(uintptr_t) "exec sleep 60";
	b->o.command = shell;
	b->o.repeat = 2;
	b->o.interval = 60000;
	parse(b, "duration_time");
	assert_int_equal(open_run(b), 0);
	assert_int_equal(
		event_loop_watch(stat_run_loop(b->run), p[0], EPOLLIN, on_pipe, &why, &b->err), 0);
	assert_int_equal(stat_run_all(b->run, &b->err), 0);
	assert_int_equal(b->run->results.why, why);
	assert_int_equal(b->run->results.status, 0);
	close(p[0]);
	close(p[1]);
}

static void test_quit(void **state)
{
	struct bench *b = *state;

	end_by(b, STAT_QUIT);
	assert_int_equal(b->nr_runs, 1);
	assert_int_equal(b->nr_intervals, 0);
}

static void test_stopped(void **state)
{
	struct bench *b = *state;

	end_by(b, STAT_STOPPED);
	assert_int_equal(b->nr_runs, 2);
	assert_int_equal(b->nr_intervals, 2);
}

static int on_pipe_signal(void *ctx, int fd, u32 events, struct err *err)
{
	struct bench *b = ctx;

	return stat_run_signal(b->run, SIGQUIT);
}

static void test_signal(void **state)
{
	struct bench *b = *state;
	int p[2];

	assert_int_equal(pipe(p), 0);
	close(p[1]);
	shell[2] = (char *)(uintptr_t) "exec sleep 60";
	b->o.command = shell;
	b->o.repeat = 0;
	assert_int_equal(open_run(b), 0);
	assert_int_equal(event_loop_watch(stat_run_loop(b->run), p[0], EPOLLIN, on_pipe_signal, b,
					  &b->err),
			 0);
	assert_int_equal(stat_run_all(b->run, &b->err), 0);
	assert_int_equal(b->run->results.signal, SIGQUIT);
	assert_int_equal(b->nr_runs, 1);
	close(p[0]);
}

/* Counts since the start go on over runs. */
static void test_monitor(void **state)
{
	struct bench *b = *state;
	struct stat_monitor m;

	parse(b, "faults");
	b->o.target.pids = "77";
	assert_int_equal(open_run(b), 0);
	stat_monitor_init(&m, b->run);
	count(b, -1, 5, 10, 10);
	counts_mark(&b->run->table.counts);
	stat_monitor_take(&m);
	assert_true(stat_value_at(&m.result, 0, 0)->val == 5);
	stat_monitor_next_run(&m);
	stat_run_forget(b->run);
	count(b, -1, 2, 10, 10);
	stat_monitor_take(&m);
	assert_true(stat_value_at(&m.result, 0, 0)->val == 7);
	stat_monitor_release(&m);
}

/* --- comparison -------------------------------------------------------------------------- */

static void compare(struct bench *b, const char *first, const char *second)
{
	b->o.compare = (struct stat_compare_options){
		{ (char *)(uintptr_t)first, (char *)(uintptr_t)second }, 2, 1
	};
	b->o.repeat = 3;
	parse(b, "duration_time");
	assert_int_equal(open_run(b), 0);
	assert_int_equal(b->run->results.compared.nr_rows, 4);
	assert_int_equal(stat_run_all(b->run, &b->err), 0);
}

static void test_compare(void **state)
{
	struct bench *b = *state;
	const struct compare_table *t;

	compare(b, "true", "sleep 0.05");
	t = &b->run->results.compared;
	assert_int_equal(b->nr_runs, 8);
	assert_int_equal(t->runs[0], 3);
	assert_int_equal(t->runs[1], 3);
	assert_string_equal(t->rows[1].name, "elapsed");
	assert_true(t->rows[1].of[1].min >= 0.05);
	assert_int_equal(t->rows[0].of[0].nr, 3);
}

static void test_compare_fails(void **state)
{
	struct bench *b = *state;

	compare(b, "true", "exit 4;");
	assert_int_equal(b->run->results.status, 4);
	assert_string_equal(strbuf_str(&b->notes), "'exit 4;' failed with status 4\n");
	assert_int_equal(b->run->results.compared.runs[1], 0);
}

static void test_compare_add(void **state)
{
	struct stat_compare_options c = { 0 };
	struct err err = { 0 };

	assert_int_equal(stat_compare_add(&c, " \t", &err), -EINVAL);
	assert_string_equal(err.msg, "--compare: a command is empty");
	for (size_t i = 0; i < COMPARE_MOST; i++)
		assert_int_equal(stat_compare_add(&c, "true", &err), 0);
	assert_int_equal(stat_compare_add(&c, "true", &err), -E2BIG);
	assert_string_equal(err.msg, "no more than 26 commands can be compared");
	assert_int_equal(c.nr, COMPARE_MOST);
}

int main(void)
{
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_on_exec),   TEST(test_cpus),          TEST(test_all_cpus),
		TEST(test_threads),   TEST(test_no_target),     TEST(test_no_cache),
		TEST(test_by_bpf),    TEST(test_aggregation),   TEST(test_same_place),
		TEST(test_status),    TEST(test_killed),        TEST(test_no_command),
		TEST(test_intervals), TEST(test_last_interval), TEST(test_timeout),
		TEST(test_delay),     TEST(test_pre_post),      TEST(test_quit),
		TEST(test_stopped),   TEST(test_signal),        TEST(test_monitor),
		TEST(test_compare),   TEST(test_compare_fails), cmocka_unit_test(test_compare_add),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
