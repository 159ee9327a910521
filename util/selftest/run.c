// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "selftest/selftest.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "codec/junit.h"
#include "selftest/choose.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- one case ---- */

/* Run a case in the child. Status 0, 1 and 2 carry the result; all else is a crash. */
static void child(const struct selftest *t, const struct test_case *c, struct test_ctx *ctx)
{
	int null, result;

	if (!t->verbose) {
		null = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (null < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
			_exit(1);
	}
	alarm(t->seconds);
	result = c->run(ctx);
	fflush(NULL);
	_exit(-result);
}

static int result_of_signal(const struct selftest *t, int sig, struct test_ctx *ctx)
{
	if (sig == SIGALRM)
		snprintf(ctx->reason, sizeof(ctx->reason), "no end after %u s", t->seconds);
	else
		snprintf(ctx->reason, sizeof(ctx->reason), "ended by signal %d", sig);
	if (t->verbose)
		notice(t->out, "test child %s\n", ctx->reason);
	return TEST_FAIL;
}

static int result_of_status(const struct selftest *t, int status, struct test_ctx *ctx)
{
	if (WIFSIGNALED(status))
		return result_of_signal(t, WTERMSIG(status), ctx);
	if (t->verbose)
		notice(t->out, "test child finished with %d\n", -WEXITSTATUS(status));
	if (WEXITSTATUS(status) == 0)
		return TEST_OK;
	return WEXITSTATUS(status) == -TEST_SKIP ? TEST_SKIP : TEST_FAIL;
}

/* Run a case. @ctx: receives the reason for a skip or a failure */
static int run_case(const struct selftest *t, const struct test_case *c, struct test_ctx *ctx)
{
	int status;
	pid_t pid;

	if (t->here)
		return c->run(ctx);
	fflush(NULL); /* or the child would print it once more */
	pid = fork();
	if (pid < 0) {
		snprintf(ctx->reason, sizeof(ctx->reason), "fork: %s", err_str(-errno));
		return TEST_FAIL;
	}
	if (pid == 0)
		child(t, c, ctx);
	if (t->verbose)
		notice(t->out, "test child forked, pid %d\n", pid);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return result_of_status(t, status, ctx);
}

/* ---- the run ---- */

static int name_width(const struct selftest *t)
{
	size_t width = 0;

	for (size_t i = 0; i < t->nr_suites; i++) {
		const struct test_suite *s = t->suites[i];

		width = MAX(width, strlen(s->name));
		for (size_t k = 0; s->nr_cases > 1 && k < s->nr_cases; k++)
			width = MAX(width, strlen(s->cases[k].name));
	}
	return (int)width;
}

static struct selftest_result *add_result(struct selftest_results *all, const char *suite,
					  const char *name)
{
	VEC_GROW(all->v, all->nr + 1, all->cap);
	all->v[all->nr] = (struct selftest_result){ .suite = suite, .name = name };
	return &all->v[all->nr++];
}

static void tell_result(const struct selftest *t, const struct selftest_result *r)
{
	bool skip = r->result == TEST_SKIP;
	const char *color = skip ? "\033[33m" : "\033[31m";

	if (r->result == TEST_OK) {
		notice(t->out, " Ok\n");
		return;
	}
	notice(t->out, "%s%s", t->color ? color : "", skip ? " Skip" : " FAILED!");
	if (*r->reason)
		notice(t->out, " (%s)", r->reason);
	notice(t->out, t->color ? "\033[m\n" : "\n");
}

/* Run a case, whose name stands on the line already. @sub: its number in the suite, 0: an only one
 */
static void run_and_tell(const struct selftest *t, const struct test_suite *s, size_t sub,
			 struct test_ctx *ctx, struct selftest_results *all)
{
	const struct test_case *c = &s->cases[sub ? sub - 1 : 0];
	struct selftest_result *r = add_result(all, s->name, sub ? c->name : s->name);
	u64 start = clock_ns(CLOCK_MONOTONIC);

	*ctx = (struct test_ctx){ .verbose = t->verbose };
	if (t->verbose)
		notice(t->out, "\n--- start ---\n");
	r->result = run_case(t, c, ctx);
	r->seconds = (double)(clock_ns(CLOCK_MONOTONIC) - start) / 1e9;
	memcpy(r->reason, ctx->reason, sizeof(r->reason));
	r->reason[sizeof(r->reason) - 1] = '\0';
	if (r->result != TEST_OK && r->result != TEST_SKIP)
		all->failed++;
	if (t->verbose && sub)
		notice(t->out, "---- end ----\n%s subtest %zu:", s->name, sub);
	else if (t->verbose)
		notice(t->out, "---- end ----\n%s:", s->name);
	tell_result(t, r);
}

static void run_suite(const struct selftest *t, size_t nr, struct test_ctx *ctx,
		      struct selftest_results *all)
{
	const struct test_suite *s = t->suites[nr - 1];
	int width = name_width(t);
	struct selftest_result *r;

	notice(t->out, "%3zu: %-*s:", nr, width, s->name);
	if (selftest_skipped(t, nr)) {
		r = add_result(all, s->name, s->name);
		r->result = TEST_SKIP;
		snprintf(r->reason, sizeof(r->reason), "user override");
		tell_result(t, r);
		return;
	}
	if (s->nr_cases == 1) {
		run_and_tell(t, s, 0, ctx, all);
		return;
	}
	notice(t->out, "\n");
	for (size_t i = 1; i <= s->nr_cases; i++) {
		notice(t->out, "%3zu.%zu: %-*s:", nr, i, width, s->cases[i - 1].name);
		run_and_tell(t, s, i, ctx, all);
	}
}

int selftest_run(const struct selftest *t, struct selftest_results *all, struct err *err)
{
	/* It is shared with the children, which leave their reasons there. */
	struct test_ctx *ctx =
		mmap(NULL, sizeof(*ctx), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (ctx == MAP_FAILED)
		return err_set(err, -errno, "cannot map a page: %s", err_str(-errno));
	for (size_t nr = 1; nr <= t->nr_suites; nr++)
		if (selftest_chosen(t, nr))
			run_suite(t, nr, ctx, all);
	munmap(ctx, sizeof(*ctx));
	return 0;
}

/* ---- outcomes ---- */

void selftest_results_release(struct selftest_results *all)
{
	free(all->v);
	*all = (struct selftest_results){ 0 };
}

static enum junit_verdict verdict_of(int result)
{
	if (result == TEST_OK)
		return JUNIT_PASSED;
	return result == TEST_SKIP ? JUNIT_SKIPPED : JUNIT_FAILED;
}

void selftest_junit(const struct selftest_results *all, struct strbuf *out)
{
	struct junit_case *cases = xcalloc(all->nr + 1, sizeof(*cases));

	for (size_t i = 0; i < all->nr; i++) {
		const struct selftest_result *r = &all->v[i];

		cases[i] = (struct junit_case){ r->suite, r->name, verdict_of(r->result),
						r->seconds, r->reason };
	}
	junit_text("perf", cases, all->nr, out);
	free(cases);
}
