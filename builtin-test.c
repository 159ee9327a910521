// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf test: run the suites that ship in the binary (tests/suites), each case in a process of its
 * own, and the built-in workloads (tests/workloads).
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "builtin.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"
#include "codec/junit.h"
#include "tests/suites/suites.h"
#include "tests/workloads/workloads.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* A case that takes longer is ended by SIGALRM and has failed. */
#define CASE_SECONDS 120

struct test_opts {
	bool dont_fork, list_workloads;
	int verbose;
	const char *skip, *workload, *junit;
	int argc; /* numbers and name fragments */
	const char **argv;
};

struct outcome {
	const char *suite, *name; /* borrowed from the tables */
	int result;               /* enum test_result */
	double seconds;
	char reason[128];
};

struct outcomes {
	struct outcome *v;
	size_t nr, cap;
	size_t failed;
};

static bool is_number(const char *s)
{
	return *s && strspn(s, "0123456789") == strlen(s);
}

static bool has_fragment(const char *name, const char *fragment)
{
	size_t n = strlen(fragment);

	for (; *name; name++)
		if (!strncasecmp(name, fragment, n))
			return true;
	return !n;
}

/* Does a word name the suite of number @nr? A number, or a part of its name or of a case's name. */
static bool suite_matches(const struct test_suite *s, size_t nr, const char *word)
{
	if (is_number(word))
		return strtoul(word, NULL, 10) == nr;
	for (size_t i = 0; i < s->nr_cases; i++)
		if (s->nr_cases > 1 && has_fragment(s->cases[i].name, word))
			return true;
	return has_fragment(s->name, word);
}

static bool chosen(const struct test_suite *s, size_t nr, int argc, const char **argv)
{
	for (int i = 0; i < argc; i++)
		if (suite_matches(s, nr, argv[i]))
			return true;
	return argc == 0;
}

/* --skip takes words as on the command line, separated by commas. */
static bool skipped(const struct test_suite *s, size_t nr, const char *list)
{
	bool found = false;

	while (list && *list && !found) {
		size_t n = strcspn(list, ",");
		char *word = xstrndup(list, n);

		found = n && suite_matches(s, nr, word);
		free(word);
		list += n + (list[n] == ',');
	}
	return found;
}

static int name_width(void)
{
	size_t width = 0;

	for (size_t i = 0; i < nr_test_suites; i++) {
		width = MAX(width, strlen(test_suites[i]->name));
		for (size_t j = 0; test_suites[i]->nr_cases > 1 && j < test_suites[i]->nr_cases;
		     j++)
			width = MAX(width, strlen(test_suites[i]->cases[j].name));
	}
	return (int)width;
}

static int list_suites(int argc, const char **argv)
{
	for (size_t i = 0; i < nr_test_suites; i++) {
		const struct test_suite *s = test_suites[i];

		if (!chosen(s, i + 1, argc, argv))
			continue;
		fprintf(stderr, "%3zu: %s\n", i + 1, s->name);
		for (size_t j = 0; s->nr_cases > 1 && j < s->nr_cases; j++)
			fprintf(stderr, "%3zu:%zu: %s\n", i + 1, j + 1, s->cases[j].name);
	}
	return 0;
}

static int list_workloads(void)
{
	for (size_t i = 0; i < nr_workloads; i++)
		puts(workloads[i].name);
	return 0;
}

static int run_workload(const struct test_opts *o)
{
	const struct workload *w = workload_find(o->workload);

	if (w)
		return w->run(o->argc, o->argv);
	fprintf(stderr, "No workload found: %s\n", o->workload);
	return -1;
}

/* In the child. Status 0, 1 and 2 carry the result; all else is a crash. */
static void child(const struct test_case *c, const struct test_opts *o, struct test_ctx *ctx)
{
	int null, result;

	if (!o->verbose) {
		null = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (null < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
			_exit(1);
	}
	alarm(CASE_SECONDS);
	result = c->run(ctx);
	fflush(NULL);
	_exit(-result);
}

static int result_of_status(int status, struct test_ctx *ctx, bool verbose)
{
	if (WIFSIGNALED(status)) {
		int sig = WTERMSIG(status);

		if (sig == SIGALRM)
			snprintf(ctx->reason, sizeof(ctx->reason), "no end after %d s",
				 CASE_SECONDS);
		else
			snprintf(ctx->reason, sizeof(ctx->reason), "ended by signal %d", sig);
		if (verbose)
			fprintf(stderr, "test child %s\n", ctx->reason);
		return TEST_FAIL;
	}
	if (verbose)
		fprintf(stderr, "test child finished with %d\n", -WEXITSTATUS(status));
	switch (WEXITSTATUS(status)) {
	case 0:
		return TEST_OK;
	case -TEST_SKIP:
		return TEST_SKIP;
	default:
		return TEST_FAIL;
	}
}

/* Run a case in a child (or right here with -F); the reason for a skip comes back in @ctx. */
static int run_case(const struct test_case *c, const struct test_opts *o, struct test_ctx *ctx)
{
	int status;
	pid_t pid;

	if (o->dont_fork)
		return c->run(ctx);
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		snprintf(ctx->reason, sizeof(ctx->reason), "fork: %s", err_str(-errno));
		return TEST_FAIL;
	}
	if (pid == 0)
		child(c, o, ctx);
	if (o->verbose)
		fprintf(stderr, "test child forked, pid %d\n", pid);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return result_of_status(status, ctx, o->verbose);
}

static void print_result(const struct outcome *oc)
{
	bool color = isatty(STDERR_FILENO);

	if (oc->result == TEST_OK) {
		fputs(" Ok\n", stderr);
		return;
	}
	fputs(!color ? "" : oc->result == TEST_SKIP ? "\033[33m" : "\033[31m", stderr);
	fputs(oc->result == TEST_SKIP ? " Skip" : " FAILED!", stderr);
	if (*oc->reason)
		fprintf(stderr, " (%s)", oc->reason);
	fputs(color ? "\033[m\n" : "\n", stderr);
}

static struct outcome *add_outcome(struct outcomes *all, const struct test_suite *s,
				   const char *name)
{
	struct outcome *oc;

	VEC_GROW(all->v, all->nr + 1, all->cap);
	oc = &all->v[all->nr++];
	memset(oc, 0, sizeof(*oc));
	oc->suite = s->name;
	oc->name = name;
	return oc;
}

/* One case, behind the "  1: name :" that is already on the line. @sub: its number in the suite, or
 * 0. */
static void run_and_print(const struct test_suite *s, size_t sub, const struct test_opts *o,
			  struct test_ctx *ctx, struct outcomes *all)
{
	const struct test_case *c = &s->cases[sub ? sub - 1 : 0];
	struct outcome *oc = add_outcome(all, s, sub ? c->name : s->name);
	u64 start = clock_ns(CLOCK_MONOTONIC);

	memset(ctx, 0, sizeof(*ctx));
	if (o->verbose)
		fputs("\n--- start ---\n", stderr);
	oc->result = run_case(c, o, ctx);
	oc->seconds = (double)(clock_ns(CLOCK_MONOTONIC) - start) / 1e9;
	memcpy(oc->reason, ctx->reason, sizeof(oc->reason));
	oc->reason[sizeof(oc->reason) - 1] = '\0';
	if (oc->result != TEST_OK && oc->result != TEST_SKIP)
		all->failed++;
	if (o->verbose && sub)
		fprintf(stderr, "---- end ----\n%s subtest %zu:", s->name, sub);
	else if (o->verbose)
		fprintf(stderr, "---- end ----\n%s:", s->name);
	print_result(oc);
}

static void run_suite(size_t i, const struct test_opts *o, struct test_ctx *ctx,
		      struct outcomes *all)
{
	const struct test_suite *s = test_suites[i];
	int width = name_width();

	fprintf(stderr, "%3zu: %-*s:", i + 1, width, s->name);
	if (skipped(s, i + 1, o->skip)) {
		struct outcome *oc = add_outcome(all, s, s->name);

		oc->result = TEST_SKIP;
		snprintf(oc->reason, sizeof(oc->reason), "user override");
		print_result(oc);
		return;
	}
	if (s->nr_cases == 1) {
		run_and_print(s, 0, o, ctx, all);
		return;
	}
	fputc('\n', stderr);
	for (size_t j = 1; j <= s->nr_cases; j++) {
		fprintf(stderr, "%3zu.%zu: %-*s:", i + 1, j, width, s->cases[j - 1].name);
		run_and_print(s, j, o, ctx, all);
	}
}

/* Write the results as JUnit XML to the file of --junit. Return: 0, or -1 after a message. */
static int write_junit(const char *path, const struct outcomes *all)
{
	struct junit_case *cases = xcalloc(all->nr + 1, sizeof(*cases));
	struct strbuf sb = STRBUF_INIT;
	FILE *f = fopen(path, "we");
	bool ok;

	for (size_t i = 0; i < all->nr; i++) {
		const struct outcome *oc = &all->v[i];

		cases[i] = (struct junit_case){
			.suite = oc->suite,
			.name = oc->name,
			.verdict = oc->result == TEST_OK     ? JUNIT_PASSED
				   : oc->result == TEST_SKIP ? JUNIT_SKIPPED
							     : JUNIT_FAILED,
			.seconds = oc->seconds,
			.reason = oc->reason,
		};
	}
	junit_text("perf", cases, all->nr, &sb);
	ok = f && fwrite(sb.buf, 1, sb.len, f) == sb.len;
	if (f && fclose(f))
		ok = false;
	strbuf_release(&sb);
	free(cases);
	if (!ok)
		error("cannot write '%s': %s", path, err_str(-errno));
	return ok ? 0 : -1;
}

static int run_suites(const struct test_opts *o)
{
	struct outcomes all = { 0 };
	/* shared with the children: the reason they give */
	struct test_ctx *ctx =
		mmap(NULL, sizeof(*ctx), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int ret = 0;

	if (ctx == MAP_FAILED) {
		error("cannot map a page: %s", err_str(-errno));
		return -1;
	}
	for (size_t i = 0; i < nr_test_suites; i++)
		if (chosen(test_suites[i], i + 1, o->argc, o->argv))
			run_suite(i, o, ctx, &all);
	if (o->junit)
		ret = write_junit(o->junit, &all);
	munmap(ctx, sizeof(*ctx));
	free(all.v);
	return all.failed ? 1 : ret;
}

int cmd_test(int argc, const char **argv)
{
	struct test_opts o = { 0 };
	const struct option options[] = {
		OPT_STRING('s', "skip", &o.skip, "tests", "tests to skip"),
		OPT_INCR('v', "verbose", &o.verbose, "be more verbose (show symbol address, etc)"),
		OPT_BOOLEAN('F', "dont-fork", &o.dont_fork, "Do not fork for testcase"),
		OPT_STRING('w', "workload", &o.workload, "work", "workload to run for testing"),
		OPT_BOOLEAN(0, "list-workloads", &o.list_workloads,
			    "list the workloads that -w runs"),
		OPT_STRING(0, "junit", &o.junit, "file",
			   "write the results to a file as JUnit XML"),
		OPT_END(),
	};
	static const char *const usage[] = {
		"perf test [<options>] [{list <test-name-fragment>|[<test-name-fragments>|<test-numbers>]}]",
		NULL,
	};

	o.argc = parse_options(argc, argv, options, usage, PARSE_OPT_STOP_AT_NON_OPTION);
	o.argv = argv;
	if (o.list_workloads)
		return list_workloads();
	if (o.workload)
		return run_workload(&o);
	if (o.argc && !strcmp(o.argv[0], "list"))
		return list_suites(o.argc - 1, o.argv + 1);
	return run_suites(&o);
}
