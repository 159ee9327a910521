// SPDX-License-Identifier: GPL-2.0-or-later
/* Check the analyses of events while they happen, with something that is known to happen. */
#include "base/compat.h"

#include "suites.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

/* --- what is not allowed everywhere -------------------------------------------------------- */

/*
 * A run has failed. Find out whether that is no fault of perf.
 * @event: a tracepoint that it needs, "lock/contention_begin"
 * @bpf: it counts with BPF programs
 * Return: TEST_SKIP if so, otherwise TEST_FAIL.
 */
static int failed(struct test_ctx *ctx, const char *event, bool bpf, const struct test_run *run)
{
	static const char *const tops[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	bool found = false;
	char path[128];

	for (size_t i = 0; i < ARRAY_SIZE(tops) && !found; i++) {
		snprintf(path, sizeof(path), "%s/events/%s/id", tops[i], event);
		found = !access(path, R_OK);
	}
	if (!found)
		return test_skip(ctx, "the event %s is not here, or not for this user", event);
	if (geteuid())
		return test_skip(ctx, "this user may not look at the whole machine");
	if (bpf && suite_bpf.cases->run(ctx) == TEST_SKIP)
		return TEST_SKIP;
	test_say("it ended with status %d:\n%.2000s", run->status, strbuf_str(&run->out));
	return TEST_FAIL;
}

/* Find a line that has a text. Return: its beginning, or NULL. */
static const char *line_with(const struct test_run *run, const char *text)
{
	const char *start = strbuf_str(&run->out), *at = strstr(start, text);

	if (!at)
		test_say("no line has '%s' of:\n%.2000s", text, start);
	while (at && at > start && at[-1] != '\n')
		at--;
	return at;
}

/* --- two busy threads ---------------------------------------------------------------------- */

#define NAME "map-changer"

/* Threads of a process that change its mappings wait for each other. */
static void *change_mappings(void *arg)
{
	atomic_bool *stop = arg;

	while (!*stop) {
		void *p = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

		if (p != MAP_FAILED)
			munmap(p, 1 << 16);
	}
	return NULL;
}

/* Run perf while two threads do that. Return: as test_perf(). */
static int run_beside(struct test_run *run, const char *const *argv)
{
	pthread_t threads[2];
	atomic_bool stop = false;
	int ret;

	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		TEST_EQ(pthread_create(&threads[i], NULL, change_mappings, &stop), 0);
		pthread_setname_np(threads[i], NAME);
	}
	ret = test_perf(run, NULL, 0, argv);
	stop = true;
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_join(threads[i], NULL);
	return ret;
}

/* The busier one is above the other. A row is "PID SHARE% TIME ms NAME". */
static int busy_row(const struct test_run *run)
{
	const char *line = line_with(run, " " NAME);
	double share = 0, ms = 0;

	TEST_CHECK(line, "the busy threads have no row");
	TEST_CHECK(sscanf(line, "%*d %lf%% %lf ms", &share, &ms) == 2, "%.80s", line);
	TEST_CHECK(share > 0 && ms >= 1 && ms < 60000, "%.80s", line);
	return TEST_OK;
}

static int test_kwork(struct test_ctx *ctx)
{
	static const char *const argv[] = { "kwork",   "top",  "-b", "/proc/self/exe", "test", "-w",
					    "noploop", "0.05", NULL };
	struct test_run run;
	int ret = run_beside(&run, argv);

	if (!ret)
		ret = run.status ? failed(ctx, "sched/sched_switch", true, &run) : busy_row(&run);
	strbuf_release(&run.out);
	return ret;
}

/* One of the threads has waited. A row is "COUNT TOTAL us MAX us AVERAGE us TID NAME". */
static int waits_row(const struct test_run *run)
{
	const char *line = line_with(run, " " NAME);

	TEST_CHECK(line, "nobody has waited");
	TEST_CHECK(strtoul(line, NULL, 10) > 0, "%.80s", line);
	return TEST_OK;
}

static int test_lock(struct test_ctx *ctx)
{
	static const char *const argv[] = { "lock", "contention", "-a",          "-b",
					    "-t",   "--output",   "/dev/stdout", "/proc/self/exe",
					    "test", "-w",         "noploop",     "0.05",
					    NULL };
	struct test_run run;
	int ret;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return test_skip(ctx, "on one CPU hardly anybody waits for a lock");
	ret = run_beside(&run, argv);
	if (!ret)
		ret = run.status ? failed(ctx, "lock/contention_begin", true, &run)
				 : waits_row(&run);
	strbuf_release(&run.out);
	return ret;
}

/* --- system calls -------------------------------------------------------------------------- */

static int test_trace(struct test_ctx *ctx)
{
	struct test_run run;
	int ret = TEST_PERF(&run, "trace", "-e", "write", "-o", "/dev/stdout", "/proc/self/exe",
			    "version");

	if (!ret && run.status)
		ret = failed(ctx, "raw_syscalls/sys_enter", false, &run);
	else if (!ret)
		ret = line_with(&run, " write(fd: 1") ? TEST_OK : TEST_FAIL;
	strbuf_release(&run.out);
	return ret;
}

/* --- the scheduler ------------------------------------------------------------------------- */

/* Read tables until one has ended, and have no more of them. */
static void read_table(int fd, pid_t perf, struct strbuf *out)
{
	char buf[4096];
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		strbuf_add(out, buf, (size_t)n);
		if (strstr(strbuf_str(out), "\n  TOTAL:"))
			kill(perf, SIGINT);
	}
}

/* Tasks have been put on CPUs: "TOTAL: | TIME ms | TIMES |". */
static int switches(const struct test_run *run)
{
	const char *line = line_with(run, "  TOTAL:");
	double ms = 0;
	unsigned long nr = 0;

	TEST_CHECK(line, "there is no table");
	TEST_CHECK(sscanf(line, " TOTAL: | %lf ms | %lu |", &ms, &nr) == 2, "%.80s", line);
	TEST_CHECK(ms > 0 && nr > 0, "%.80s", line);
	return TEST_OK;
}

static int test_latency(struct test_ctx *ctx)
{
	static const char *const argv[] = { "sched", "latency", "--live", "--refresh", "50", NULL };
	struct test_run run = { 0 };
	int fds[2], ret;
	pid_t perf;

	TEST_CHECK(!pipe2(fds, O_CLOEXEC), "pipe: %s", strerror(errno));
	perf = test_start(-1, fds[1], argv);
	close(fds[1]);
	TEST_CHECK(perf > 0, "perf was not started");
	read_table(fds[0], perf, &run.out);
	close(fds[0]);
	run.status = test_wait(perf);
	ret = run.status ? failed(ctx, "sched/sched_switch", false, &run) : switches(&run);
	strbuf_release(&run.out);
	return ret;
}

static const struct test_case cases[] = {
	{ "delays: a table while tasks run", test_latency },
	{ "shares of CPUs: of busy threads", test_kwork },
	{ "locks: threads that wait for each other", test_lock },
	{ "calls: of a command", test_trace },
};
TEST_SUITE(suite_live_analysis, "Analyses while things happen", cases,
	   "analysislive kworkrun lockrun tracerun");
