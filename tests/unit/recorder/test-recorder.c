// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the recorder up to where it needs a kernel: targets on made-up machines, what is refused
 * there and with which status, the command at its gate; and when events count. */
#include "base/compat.h"
#include "recorder/delay.h"
#include "recorder/recorder.h"

#include "base/alloc.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct sysroot sr;
static char *output;
static char *const sleeper[] = { (char *)"sleep", (char *)"100", NULL };

static int machine(void **state)
{
	sr.prefix = tmp_dir();
	output = xasprintf("%s/out", sr.prefix);
	tree_put(sr.prefix, "sys/devices/system/cpu/online", "0-1\n");
	tree_put(sr.prefix, "proc/100/task/100/comm", "one\n");
	tree_put(sr.prefix, "proc/100/task/101/comm", "two\n");
	tree_put(sr.prefix, "proc/100/status", "Name:\tone\nTgid:\t100\n");
	return 0;
}

static int gone(void **state)
{
	tmp_remove((char *)sr.prefix);
	free(output);
	return 0;
}

/* Go as far as a recorder gets with @o before events are opened. Return: as recorder_prepare(). */
static int prepare(const struct record_opts *o, struct record_result *result, struct err *err)
{
	const struct record_hooks hooks = { 0 };
	struct evlist lists[4] = { 0 };
	const struct record_events events = { &lists[0], &lists[1], &lists[2], &lists[3] };
	struct recorder *r = recorder_new(o, &sr, &events, &hooks);
	int rc;

	*err = (struct err){ 0 };
	rc = recorder_prepare(r, err);
	recorder_close(r, result);
	/* nothing was written */
	assert_int_not_equal(access(output, F_OK), 0);
	return rc;
}

static void test_target(void **state)
{
	struct record_opts o = { .output = output, .target = { .pids = "100" } };
	struct record_result result;
	struct err err;

	assert_int_equal(prepare(&o, &result, &err), 0);
	o.target.pids = "7";
	assert_int_not_equal(prepare(&o, &result, &err), 0);
	assert_non_null(strstr(err.msg, "7"));
	assert_int_equal(result.status, (u8)-ENOMEM);

	o.target = (struct target){ .cpus = "0-1" };
	o.sample.system_wide = true;
	assert_int_equal(prepare(&o, &result, &err), 0);
	o.target.cpus = "5";
	assert_int_not_equal(prepare(&o, &result, &err), 0);
	assert_int_equal(result.status, (u8)-ENODEV);
	o.target.cpus = "some";
	assert_int_not_equal(prepare(&o, &result, &err), 0);
	assert_int_equal(result.status, 129);
}

/* Options that cannot work are refused before anything is recorded. */
static void test_refused(void **state)
{
	struct record_opts o = { .output = output, .kcore = true, .target = { .all_cpus = true } };
	struct record_result result;
	struct err err;

	assert_int_equal(prepare(&o, &result, &err), -EACCES);
	assert_non_null(
		strstr(err.msg, "ERROR: kcore is not readable.\n/proc/kcore, for --kcore: "));
	assert_int_equal(result.status, 255);

	o.kcore = false;
	o.ring.threads = "0/0:0/1";
	assert_int_equal(prepare(&o, &result, &err), -EINVAL);
	assert_int_equal(result.status, 234);
	o.ring.threads = "cpu";
	assert_int_equal(prepare(&o, &result, &err), 0);
}

/* A command that is not let go does not run, and nobody waits for it; signals are as before. */
static void test_command(void **state)
{
	struct record_opts o = { .output = output, .command = sleeper };
	struct record_result result;
	sigset_t before, after;
	struct err err;

	sigprocmask(SIG_BLOCK, NULL, &before);
	assert_int_equal(prepare(&o, &result, &err), 0);
	sigprocmask(SIG_BLOCK, NULL, &after);
	assert_int_equal(sigismember(&after, SIGINT), sigismember(&before, SIGINT));
	assert_int_equal(sigismember(&after, SIGCHLD), sigismember(&before, SIGCHLD));
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	assert_int_equal(result.signal, 0);
	assert_false(result.complete);
}

/* --- when events count -------------------------------------------------------------- */

static void collect(void *ctx, const char *text)
{
	strbuf_addstr(ctx, text);
}

/* Collect what is told until the delay has nothing more to do, or @turns times something was
 * ready. */
static void run_delay(const struct record_opts *o, int turns, struct strbuf *said, int *last)
{
	const struct notices notes = { collect, said };
	struct evlist list = { 0 };
	struct kevents none = { 0 };
	const struct counting counting = { .kevents = &none, .list = &list, .notes = &notes };
	struct delay d = { 0 };
	struct err err = { 0 };
	struct event_loop *loop = event_loop_new(&err);

	assert_non_null(loop);
	assert_int_equal(delay_start(&d, o, &counting, loop, &err), 0);
	*last = EVENT_LOOP_GO_ON;
	while (turns-- && *last == EVENT_LOOP_GO_ON)
		*last = event_loop_wait(loop, 2000, &err);
	event_loop_free(loop);
}

static void test_delay(void **state)
{
	struct record_opts o = { .delay_ms = 5 };
	struct strbuf said = STRBUF_INIT;
	int last;

	run_delay(&o, 1, &said, &last);
	assert_string_equal(strbuf_str(&said), "Events enabled\n");
	assert_int_equal(last, EVENT_LOOP_GO_ON);
	strbuf_release(&said);
}

/* The end of the last span is the end of the recording. */
static void test_spans(void **state)
{
	struct record_opts o = { .delay_ms = -1 };
	struct strbuf said = STRBUF_INIT;
	int last;

	assert_int_equal(delay_spans_parse(&o.spans, "5-10,15-20"), 0);
	run_delay(&o, 10, &said, &last);
	assert_string_equal(strbuf_str(&said), "Events enabled\nEvents disabled\n"
					       "Events enabled\nEvents disabled\n");
	assert_int_equal(last, EVENT_LOOP_STOP);
	strbuf_release(&said);
	delay_spans_release(&o.spans);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_target),  cmocka_unit_test(test_refused),
		cmocka_unit_test(test_command), cmocka_unit_test(test_delay),
		cmocka_unit_test(test_spans),
	};

	return cmocka_run_group_tests(tests, machine, gone);
}
