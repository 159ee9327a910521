// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the control channel over pipes: commands as bytes, what they do, what is told and
 * acknowledged. */
#include "base/compat.h"
#include "control/control.h"
#include "tmp-tree.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define STOPPED 7
#define ONE_ACK "ack\n"

/* Both ends of a channel, and what has happened behind it. */
struct bench {
	struct control c;
	struct event_loop *loop;
	struct evlist evlist;
	struct kevents kevents;
	struct notices notices;
	struct strbuf told; /* to the user, and what the target was asked for */
	int in, out;        /* the other ends of the channel */
	bool late;          /* what the snapshot returns */
};

static void take(void *ctx, const char *text)
{
	struct bench *b = ctx;

	strbuf_addstr(&b->told, text);
}

static void measure(void *ctx, bool on)
{
	struct bench *b = ctx;

	strbuf_addstr(&b->told, on ? "all on\n" : "all off\n");
}

static bool snapshot(void *ctx)
{
	struct bench *b = ctx;

	strbuf_addstr(&b->told, "snapshot\n");
	return b->late;
}

static void add_event(struct evlist *l, const char *name)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					      .size = sizeof(attr),
					      .sample_period = 1000 };

	evlist_add(l, &attr, name);
}

static int begin(void **state)
{
	struct bench *b = xzalloc(sizeof(*b));
	struct err err = { 0 };
	int to[2], from[2];
	char *text;

	assert_int_equal(pipe2(to, O_CLOEXEC) | pipe2(from, O_CLOEXEC | O_NONBLOCK), 0);
	b->in = to[1];
	b->out = from[0];
	b->notices = (struct notices){ take, b };
	add_event(&b->evlist, "cs");
	add_event(&b->evlist, "faults");
	b->loop = event_loop_new(&err);
	text = xasprintf("fd:%d,%d", to[0], from[1]);
	assert_int_equal(control_open(&b->c, text, &err), 0);
	free(text);
	*state = b;
	return 0;
}

static int end(void **state)
{
	struct bench *b = *state;

	event_loop_free(b->loop);
	close(b->c.fd);
	close(b->c.ack);
	control_close(&b->c);
	close(b->in);
	close(b->out);
	evlist_release(&b->evlist);
	strbuf_release(&b->told);
	free(b);
	return 0;
}

static void start(struct bench *b, bool snapshots, bool apart)
{
	const struct control_target t = { .evlist = &b->evlist,
					  .kevents = apart ? &b->kevents : NULL,
					  .measure = measure,
					  .snapshot = snapshots ? snapshot : NULL,
					  .ctx = b,
					  .stop = STOPPED,
					  .notices = &b->notices };
	struct err err = { 0 };

	assert_int_equal(control_start(&b->c, &t, b->loop, &err), 0);
}

/* Send @text and let the loop run it. Return: what the loop says. */
static int command(struct bench *b, const char *text)
{
	assert_int_equal(write(b->in, text, strlen(text)), (ssize_t)strlen(text));
	return event_loop_wait(b->loop, 0, NULL);
}

static void expect_told(struct bench *b, const char *text)
{
	assert_string_equal(strbuf_str(&b->told), text);
	b->told.len = 0;
	strbuf_addstr(&b->told, "");
}

static void expect_acks(struct bench *b, const char *text)
{
	char buf[256] = "";

	(void)!read(b->out, buf, sizeof(buf) - 1);
	assert_string_equal(buf, text);
}

static void test_verbs(void **state)
{
	struct bench *b = *state;

	start(b, true, true);
	assert_int_equal(command(b, "ping\n"), 0);
	expect_told(b, "");
	expect_acks(b, ONE_ACK);
	assert_int_equal(command(b, "enable\ndisable\n"), 0);
	expect_told(b, "all on\nall off\n");
	expect_acks(b, ONE_ACK ONE_ACK);
	assert_int_equal(command(b, "enable cs\ndisable 'faults'\nenable nosuch\n"), 0);
	expect_told(b, "Event cs enabled\nEvent faults disabled\n"
		       "failed: can't find 'nosuch' event\n");
	expect_acks(b, ONE_ACK ONE_ACK ONE_ACK);
	assert_int_equal(command(b, "stop\n"), STOPPED);
	expect_acks(b, ONE_ACK);
}

static void test_evlist(void **state)
{
	struct bench *b = *state;

	start(b, true, true);
	command(b, "evlist\n");
	expect_told(b, "cs\nfaults\n");
	command(b, "evlist -F\n");
	expect_told(b, "cs: sample_period=1000\nfaults: sample_period=1000\n");
	b->evlist.evsels[0]->nr_members = 2;
	b->evlist.evsels[1]->leader = 0;
	command(b, "evlist -g\n");
	expect_told(b, "{cs,faults}\n");
	command(b, "evlist -v\n");
	assert_memory_equal(strbuf_str(&b->told), "cs: type: 1, size: ", 19);
	expect_told(b, strbuf_str(&b->told));
	command(b, "evlist -x\n");
	expect_told(b, "failed: wrong command\n");
	expect_acks(b, ONE_ACK ONE_ACK ONE_ACK ONE_ACK ONE_ACK);
}

/* Wrong commands are told; those that begin like a known one are acknowledged as well. */
static void test_wrong(void **state)
{
	struct bench *b = *state;

	start(b, false, false);
	command(b, "enablex\nping 1\n");
	expect_told(b, "failed: wrong command\nfailed: wrong command\n");
	expect_acks(b, ONE_ACK ONE_ACK);
	command(b, "\nnonsense\nsnapshot\n");
	expect_told(b,
		    "--control: 'nonsense' is no command\n--control: 'snapshot' is no command\n");
	expect_acks(b, "");
	/* where events are not told apart one stands for all */
	command(b, "enable cs\n");
	expect_told(b, "all on\n");
}

static void test_snapshot(void **state)
{
	struct bench *b = *state;

	start(b, true, true);
	b->late = true;
	command(b, "snapshot\n");
	expect_told(b, "snapshot\n");
	expect_acks(b, "");
	control_snapshot_done(&b->c);
	expect_acks(b, ONE_ACK);
	control_snapshot_done(&b->c);
	expect_acks(b, "");
	b->late = false;
	command(b, "snapshot\n");
	expect_acks(b, ONE_ACK);
}

/* Commands end in a newline, a zero byte, or with what is there. */
static void test_bytes(void **state)
{
	static const char zeros[] = "enable\0disable";
	struct bench *b = *state;
	char *most = xzalloc(1025);

	start(b, true, true);
	assert_int_equal(write(b->in, zeros, sizeof(zeros) - 1), sizeof(zeros) - 1);
	event_loop_wait(b->loop, 0, NULL);
	expect_told(b, "all on\nall off\n");
	/* one read ends within the last command, which is run whole when the rest has come */
	memset(most, '\n', 1020);
	memcpy(most + 1020, "enab", 4);
	assert_int_equal(write(b->in, most, 1024), 1024);
	assert_int_equal(write(b->in, "le\n", 3), 3);
	event_loop_wait(b->loop, 0, NULL);
	expect_told(b, "");
	event_loop_wait(b->loop, 0, NULL);
	expect_told(b, "all on\n");
	free(most);
}

/* A side that is gone ends the channel, not the work. */
static void test_gone(void **state)
{
	struct bench *b = *state;

	start(b, true, true);
	close(b->out);
	b->out = -1;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(command(b, "ping\n"), 0);
	expect_told(b, "failed to write to the ack descriptor of --control: Broken pipe\n");
	close(b->in);
	b->in = -1;
	assert_int_equal(event_loop_wait(b->loop, 0, NULL), 0);
}

static void expect_no_channel(const char *text, const char *why)
{
	struct control c = { 0 };
	struct err err = { 0 };

	assert_true(control_open(&c, text, &err) < 0);
	assert_string_equal(err.msg, why);
	control_close(&c);
}

static void test_open(void **state)
{
	char *dir = tmp_dir(), *text = xasprintf("fifo:%s/ctl,%s/ack", dir, dir), *path, *why;
	struct control c = { 0 };
	struct err err = { 0 };
	int fd;

	expect_no_channel("xx", "");
	expect_no_channel("fd:", "");
	expect_no_channel("fd:a,b", "");
	expect_no_channel("fd:1x", "");
	expect_no_channel("fifo:", "");
	expect_no_channel("fifo:a,", "");
	expect_no_channel("fd:999", "Descriptors for --control have to be open: '999'");
	expect_no_channel("fifo:/nonexistent", "Failed to open '/nonexistent'");

	path = xasprintf("%s/ctl", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	why = xasprintf("Failed to open '%s/ack'", dir);
	expect_no_channel(text, why);
	free(path);
	path = xasprintf("%s/ack", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(control_open(&c, text, &err), 0);
	fd = c.fd;
	assert_true(c.given && fd >= 0 && c.ack >= 0);
	control_close(&c);
	assert_false(c.given);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
	tmp_remove(dir);
	free(path);
	free(text);
	free(why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_verbs, begin, end),
		cmocka_unit_test_setup_teardown(test_evlist, begin, end),
		cmocka_unit_test_setup_teardown(test_wrong, begin, end),
		cmocka_unit_test_setup_teardown(test_snapshot, begin, end),
		cmocka_unit_test_setup_teardown(test_bytes, begin, end),
		cmocka_unit_test_setup_teardown(test_gone, begin, end),
		cmocka_unit_test(test_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
