// SPDX-License-Identifier: GPL-2.0-or-later
/* Test commands held at the gate: let go, or never. */
#include "base/compat.h"
#include "kernel/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char *const TRUE[] = { (char *)"true", NULL };

/* A child made with all signals blocked, as a recorder makes it. */
static void prepare(struct workload *w, char *const argv[])
{
	struct err err = { 0 };
	sigset_t all, mask;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	assert_int_equal(workload_prepare(w, argv, &mask, WORKLOAD_OUTPUT_OURS, &err), 0);
	sigprocmask(SIG_SETMASK, &mask, NULL);
}

/* When preparing fails halfway, the child may neither run nor keep anybody waiting. */
static void test_never_started(void **state)
{
	static char *const three[] = { (char *)"sh", (char *)"-c", (char *)"exit 3", NULL };
	struct workload w;

	(void)state;
	prepare(&w, three);
	workload_term(&w);
	workload_wait(&w);
	assert_true(w.ended);
	assert_int_equal(w.status, 0);
	workload_wait(&w);
	prepare(&w, three);
	workload_cancel(&w);
	assert_true(w.ended);
	assert_int_equal(w.status, 0);
}

static void test_no_child(void **state)
{
	struct workload w = { 0 };

	(void)state;
	workload_wait(&w);
	workload_term(&w);
	assert_true(!fcntl(STDIN_FILENO, F_GETFD)); /* 0 is no descriptor of its own */
}

static void test_started(void **state)
{
	static char *const nothing[] = { (char *)"/no/such/command", NULL };
	struct err err = { 0 };
	struct workload w;

	(void)state;
	prepare(&w, TRUE);
	assert_int_equal(workload_start(&w, &err), 0);
	workload_wait(&w);
	assert_true(w.ended && WIFEXITED(w.status) && !WEXITSTATUS(w.status));
	prepare(&w, nothing);
	assert_int_equal(workload_start(&w, &err), -ENOENT);
	assert_true(w.ended);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_never_started),
		cmocka_unit_test(test_no_child),
		cmocka_unit_test(test_started),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
