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

/* A case of the run. */
struct job {
	const struct test_suite *suite;
	const struct test_case *c; /* NULL: the suite is left out */
	size_t nr, sub;            /* of the suite; in it, 0: an only case */
	size_t result;             /* its index in the outcomes */
	struct test_ctx *ctx;      /* shared with its process, which leaves a reason there */
	pid_t pid;                 /* 0: it does not run */
	int output;                /* what it prints, to be shown when it is its turn; -1: none */
	u64 start;
	int status; /* of its process */
	bool done;
};

struct run {
	const struct selftest *t;
	struct selftest_results *all;
	struct job *jobs; /* owned */
	size_t nr, cap, started, running;
	u32 at_once; /* cases that run at the same time */
	int width;   /* of names */
};

/* ---- one case ---- */

/* Scripts do more than a function of ours does. */
static u32 seconds_of(const struct selftest *t, const struct test_case *c)
{
	return c->script ? 5 * t->seconds : t->seconds;
}

/* Replace the child by a script. It says by the same statuses what became of it. */
static void run_script(const struct selftest *t, const char *path, struct test_ctx *ctx)
{
	execl(path, path, t->verbose ? "-v" : NULL, NULL);
	snprintf(ctx->reason, sizeof(ctx->reason), "%s", err_str(-errno));
	_exit(1);
}

/* Run a case in the child. Status 0, 1 and 2 carry the result; all else is a crash. */
static void child(const struct selftest *t, const struct job *j)
{
	int out = j->output >= 0 ? j->output : -1, result;

	if (!t->verbose)
		out = open("/dev/null", O_RDWR | O_CLOEXEC);
	if ((!t->verbose || j->output >= 0) && (out < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0))
		_exit(1);
	alarm(seconds_of(t, j->c));
	if (j->c->script)
		run_script(t, j->c->script, j->ctx);
	result = j->c->run(j->ctx);
	fflush(NULL);
	_exit(-result);
}

static int result_of_signal(const struct selftest *t, const struct job *j, int sig)
{
	if (sig == SIGALRM)
		snprintf(j->ctx->reason, sizeof(j->ctx->reason), "no end after %u s",
			 seconds_of(t, j->c));
	else
		snprintf(j->ctx->reason, sizeof(j->ctx->reason), "ended by signal %d", sig);
	if (t->verbose)
		notice(t->out, "test child %s\n", j->ctx->reason);
	return TEST_FAIL;
}

static int result_of_status(const struct selftest *t, const struct job *j)
{
	int status = j->status;

	if (WIFSIGNALED(status))
		return result_of_signal(t, j, WTERMSIG(status));
	if (t->verbose)
		notice(t->out, "test child finished with %d\n", -WEXITSTATUS(status));
	if (WEXITSTATUS(status) == 0)
		return TEST_OK;
	return WEXITSTATUS(status) == -TEST_SKIP ? TEST_SKIP : TEST_FAIL;
}

static void tell_pid(const struct run *r, const struct job *j)
{
	if (r->t->verbose)
		notice(r->t->out, "test child forked, pid %d\n", j->pid);
}

/* Begin a case in a process of its own. */
static void start_job(struct run *r, struct job *j)
{
	r->started++;
	j->start = clock_ns(CLOCK_MONOTONIC);
	if (!j->c || r->t->here) {
		j->done = true;
		return;
	}
	j->output = r->t->verbose && r->at_once > 1 ? memfd_create("perf-test", MFD_CLOEXEC) : -1;
	fflush(NULL); /* or the child would print it once more */
	j->pid = fork();
	if (j->pid == 0)
		child(r->t, j);
	if (j->pid < 0) {
		snprintf(j->ctx->reason, sizeof(j->ctx->reason), "fork: %s", err_str(-errno));
		j->status = 1 << 8;
		j->done = true;
		return;
	}
	r->running++;
	if (j->output < 0)
		tell_pid(r, j);
}

/* Wait until a case has ended. */
static void wait_for_one(struct run *r)
{
	int status;
	pid_t pid = waitpid(-1, &status, 0);

	for (size_t i = 0; i < r->started; i++) {
		struct job *j = &r->jobs[i];

		if (j->done || (j->pid != pid && (pid >= 0 || errno == EINTR)))
			continue;
		j->done = true;
		j->status = pid < 0 ? 1 << 8 : status;
		r->all->v[j->result].seconds = (double)(clock_ns(CLOCK_MONOTONIC) - j->start) / 1e9;
		r->running--;
	}
}

/* Begin cases, as many at once as there may be, until the one whose turn it is has ended. */
static void finish_job(struct run *r, size_t i)
{
	while (!r->jobs[i].done) {
		while (r->started < r->nr && r->running < r->at_once &&
		       (r->at_once > 1 || r->started <= i))
			start_job(r, &r->jobs[r->started]);
		if (!r->jobs[i].done)
			wait_for_one(r);
	}
}

/* ---- what is told ---- */

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

static void tell_name(const struct run *r, const struct job *j)
{
	if (j->sub == 1)
		notice(r->t->out, "%3zu: %-*s:\n", j->nr, r->width, j->suite->name);
	if (j->sub)
		notice(r->t->out, "%3zu.%zu: %-*s:", j->nr, j->sub, r->width, j->c->name);
	else
		notice(r->t->out, "%3zu: %-*s:", j->nr, r->width, j->suite->name);
	if (j->c && r->t->verbose)
		notice(r->t->out, "\n--- start ---\n");
}

/* Show what a case has printed that ran beside others. */
static void tell_output(const struct run *r, struct job *j)
{
	char text[4096];
	ssize_t n;
	off_t at = 0;

	if (j->output >= 0)
		tell_pid(r, j);
	while (j->output >= 0 && (n = pread(j->output, text, sizeof(text) - 1, at)) > 0) {
		text[n] = '\0';
		notice(r->t->out, "%s", text);
		at += n;
	}
	if (j->output >= 0)
		close(j->output);
	j->output = -1;
}

static int result_of(const struct run *r, struct job *j)
{
	if (!j->c) {
		snprintf(j->ctx->reason, sizeof(j->ctx->reason), "user override");
		return TEST_SKIP;
	}
	if (r->t->here && !j->c->script)
		return j->c->run(j->ctx);
	if (r->t->here) {
		snprintf(j->ctx->reason, sizeof(j->ctx->reason), "a script needs a process");
		return TEST_SKIP;
	}
	return result_of_status(r->t, j);
}

static void tell_end(const struct run *r, const struct job *j)
{
	if (!j->c || !r->t->verbose)
		return;
	if (j->sub)
		notice(r->t->out, "---- end ----\n%s subtest %zu:", j->suite->name, j->sub);
	else
		notice(r->t->out, "---- end ----\n%s:", j->suite->name);
}

/* Run a case, and tell what becomes of it. */
static void run_job(struct run *r, size_t i)
{
	struct job *j = &r->jobs[i];
	struct selftest_result *res = &r->all->v[j->result];

	tell_name(r, j);
	finish_job(r, i);
	tell_output(r, j);
	res->result = result_of(r, j);
	if (r->t->here)
		res->seconds = (double)(clock_ns(CLOCK_MONOTONIC) - j->start) / 1e9;
	memcpy(res->reason, j->ctx->reason, sizeof(res->reason));
	res->reason[sizeof(res->reason) - 1] = '\0';
	if (res->result != TEST_OK && res->result != TEST_SKIP)
		r->all->failed++;
	tell_end(r, j);
	tell_result(r->t, res);
}

/* ---- the run ---- */

static void add_job(struct run *r, size_t nr, size_t sub, bool left_out)
{
	const struct test_suite *s = r->t->suites[nr - 1];
	const struct test_case *c = &s->cases[sub ? sub - 1 : 0];
	struct selftest_results *all = r->all;

	VEC_GROW(r->jobs, r->nr + 1, r->cap);
	r->jobs[r->nr++] = (struct job){ .suite = s,
					 .c = left_out ? NULL : c,
					 .nr = nr,
					 .sub = sub,
					 .result = all->nr,
					 .output = -1 };
	VEC_GROW(all->v, all->nr + 1, all->cap);
	all->v[all->nr++] =
		(struct selftest_result){ .suite = s->name, .name = sub ? c->name : s->name };
}

static void add_suite(struct run *r, size_t nr)
{
	const struct test_suite *s = r->t->suites[nr - 1];

	if (selftest_skipped(r->t, nr) || s->nr_cases == 1) {
		add_job(r, nr, 0, selftest_skipped(r->t, nr));
		return;
	}
	for (size_t i = 1; i <= s->nr_cases; i++)
		add_job(r, nr, i, false);
}

int selftest_run(const struct selftest *t, struct selftest_results *all, struct err *err)
{
	struct run r = { .t = t, .all = all, .width = name_width(t) };
	struct test_ctx *ctx;
	size_t size;

	r.at_once = t->here ? 1 : MAX(t->at_once, 1U);
	for (size_t nr = 1; nr <= t->nr_suites; nr++)
		if (selftest_chosen(t, nr))
			add_suite(&r, nr);
	size = (r.nr + 1) * sizeof(*ctx);
	ctx = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (ctx == MAP_FAILED) {
		free(r.jobs);
		return err_set(err, -errno, "cannot map a page: %s", err_str(-errno));
	}
	for (size_t i = 0; i < r.nr; i++) {
		ctx[i].verbose = t->verbose;
		r.jobs[i].ctx = &ctx[i];
	}
	for (size_t i = 0; i < r.nr; i++)
		run_job(&r, i);
	munmap(ctx, size);
	free(r.jobs);
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
