// SPDX-License-Identifier: GPL-2.0-or-later
/* Check what goes on beside a recording: commands that control it, traces that become samples, and
 * the daemon that looks after recordings. */
#include "base/compat.h"

#include "aux/aux-text.h"
#include "base/alloc.h"
#include "control/control.h"
#include "daemon/config.h"
#include "daemon/dumps.h"
#include "daemon/request.h"
#include "daemon/session.h"
#include "sample-file.h"
#include "suites.h"
#include "wire/encode.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* --- control ------------------------------------------------------------------------------- */

#define STOPPED 7

static void on_measure(void *ctx, bool on)
{
	strbuf_addstr(ctx, on ? "on " : "off ");
}

/* Send commands; @acks of them have to be acknowledged. Return: TEST_OK */
static int command(struct event_loop *loop, int in, int out, const char *text, int want,
		   size_t acks)
{
	char buf[64] = "";

	TEST_EQ(write(in, text, strlen(text)), strlen(text));
	TEST_EQ(event_loop_wait(loop, 0, NULL), want);
	TEST_EQ(read(out, buf, sizeof(buf) - 1), 4 * acks);
	for (size_t i = 0; i < acks; i++)
		TEST_CHECK(!memcmp(buf + 4 * i, "ack\n", 4), "acknowledged by '%s'", buf);
	return TEST_OK;
}

static int run_commands(struct control *c, struct event_loop *loop, int in, int out)
{
	struct strbuf done = STRBUF_INIT;
	struct evlist list = { 0 };
	const struct control_target t = {
		.evlist = &list, .measure = on_measure, .ctx = &done, .stop = STOPPED
	};
	struct err err = { 0 };
	int ret;

	TEST_CHECK(!control_start(c, &t, loop, &err), "%s", err.msg);
	ret = command(loop, in, out, "enable\ndisable\n", 0, 2)
		      ?: command(loop, in, out, "enable\n", 0, 1);
	ret = ret ?: command(loop, in, out, "stop\n", STOPPED, 1);
	TEST_TEXT(strbuf_str(&done), "on off on ");
	strbuf_release(&done);
	evlist_release(&list);
	return ret;
}

static int test_commands(struct test_ctx *ctx __unused)
{
	struct control c = { 0 };
	struct err err = { 0 };
	struct event_loop *loop = event_loop_new(&err);
	int to[2], from[2], ret;
	char *text;

	TEST_CHECK(loop, "%s", err.msg);
	TEST_CHECK(!pipe2(to, O_CLOEXEC) && !pipe2(from, O_CLOEXEC | O_NONBLOCK), "no pipes");
	text = xasprintf("fd:%d,%d", to[0], from[1]);
	TEST_CHECK(!control_open(&c, text, &err), "%s", err.msg);
	ret = run_commands(&c, loop, to[1], from[0]);
	control_close(&c);
	event_loop_free(loop);
	for (int i = 0; i < 2; i++) {
		close(to[i]);
		close(from[i]);
	}
	free(text);
	return ret;
}

static const struct test_case control[] = {
	{ "commands are run and acknowledged", test_commands },
};
TEST_SUITE(suite_control, "Control of recordings", control, "control");

/* --- auxsamples ---------------------------------------------------------------------------- */

#define PMU 8

/* A load at 0x401000 from 0x1040, which missed the first cache, at time 60 of the processor. */
static const u8 load[] = { 0xb0, 0,    0x10, 0x40, 0,    0,    0, 0, 0x80, 0x49, 0x00,
			   0x52, 0x0e, 0x00, 0xb2, 0x40, 0x10, 0, 0, 0,    0,    0,
			   0,    0x71, 60,   0,    0,    0,    0, 0, 0,    0 };

static int write_trace(const char *path)
{
	const struct perf_event_attr attr = {
		.type = PMU,
		.size = sizeof(attr),
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR,
		.sample_id_all = 1,
	};
	const u64 priv[] = { PMU, 0 };
	const struct rec_auxtrace_info info = { .type = AUX_ARM_SPE,
						.priv = (const u64_una *)priv,
						.nr_priv = 2 };
	const struct rec_time_conv clock = { .shift = 1, .mult = 4, .zero = 1000 };
	const struct rec_comm comm = { .pid = 10, .tid = 11, .comm = "worker" };
	const struct rec_auxtrace trace = { .size = sizeof(load), .tid = 11, .cpu = UINT32_MAX };
	const struct sample_id id = { .pid = 10, .tid = 11, .time = 1, .id = RECORDING_ID };
	struct strbuf records = STRBUF_INIT;
	struct wire_layout layout;
	int ret;

	layout_init(&layout, &attr);
	enc_record(&records, PERF_RECORD_AUXTRACE_INFO, 0, &info, NULL, NULL);
	enc_record(&records, PERF_RECORD_TIME_CONV, 0, &clock, NULL, NULL);
	enc_comm(&records, 0, &comm, &layout, &id);
	enc_record(&records, PERF_RECORD_AUXTRACE, 0, &trace, NULL, NULL);
	strbuf_add(&records, load, sizeof(load));
	ret = recording_put(path, &attr, "arm_spe_0//", &records);
	strbuf_release(&records);
	return ret;
}

static int read_trace(const char *path)
{
	static const char *const events[] = { "l1d-miss:", "l1d-access:" };
	struct test_run run;
	u64 addr, ip;

	if (TEST_PERF(&run, "script", "--itrace=f", "-F", "comm,tid,time,event,ip,addr", "--ns",
		      "-i", path))
		return TEST_FAIL;
	TEST_EQ(run.status, 0);
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		const char *line = strstr(strbuf_str(&run.out), events[i]);

		TEST_CHECK(line, "there is no %s in:\n%s", events[i], strbuf_str(&run.out));
		TEST_CHECK(sscanf(line, "%*s %" SCNx64 " %" SCNx64, &addr, &ip) == 2, "%s", line);
		TEST_EQ(addr, 0x1040);
		TEST_EQ(ip, 0x401000);
	}
	TEST_CHECK(strstr(strbuf_str(&run.out), "worker    11     0.000001120:"),
		   "the task or the time is another one:\n%s", strbuf_str(&run.out));
	strbuf_release(&run.out);
	return TEST_OK;
}

static int test_trace(struct test_ctx *ctx __unused)
{
	char *dir = test_tmpdir(), *path;
	int ret;

	TEST_CHECK(dir, "no temporary folder");
	path = xasprintf("%s/perf.data", dir);
	ret = write_trace(path) ?: read_trace(path);
	free(path);
	test_rmdir(dir);
	return ret;
}

static const struct test_case traces[] = {
	{ "a record of Arm SPE", test_trace },
};
TEST_SUITE(suite_auxsamples, "Samples made of traces", traces, "auxsamples");

/* --- daemon -------------------------------------------------------------------------------- */

#define SECOND 1000000000ULL

static int test_config(struct test_ctx *ctx __unused)
{
	static const char text[] = "[daemon]\nbase = /b\n[session-one]\nrun = -e 'a b' -a\n"
				   "keep = 10,1M,7d\nevery = 1m\nfor = 500ms\nrate = 2.5%\n"
				   "on = psi:memory>10,load>3.5\n[session-a \"../x\"]\nrun = -a\n";
	const struct daemon_session_config *s;
	struct daemon_config d;
	struct config c;
	unsigned int line;

	config_init(&c);
	TEST_EQ(config_parse(&c, text, strlen(text), &line), 0);
	daemon_config_read(&d, &c);
	config_release(&c);
	TEST_TEXT(d.base, "/b");
	TEST_EQ(d.nr_sessions, 1);
	TEST_CHECK(d.problems.len, "a session whose name leaves its folder was taken");
	s = daemon_config_find(&d, "one");
	TEST_CHECK(s, "a session is missing");
	TEST_TEXT(s->run, "-e 'a b' -a");
	TEST_EQ(s->keep.files, 10);
	TEST_EQ(s->keep.bytes, 1 << 20);
	TEST_EQ(s->every, 60 * SECOND);
	TEST_EQ(s->window, SECOND / 2);
	TEST_EQ(s->rate, 25);
	TEST_EQ(s->nr_triggers, 2);
	TEST_EQ(s->triggers[0].kind, TRIGGER_PSI);
	daemon_config_release(&d);
	return TEST_OK;
}

static int test_request(struct test_ctx *ctx __unused)
{
	struct daemon_request r = { .verb = REQUEST_PING, .session = "one" }, back;
	struct strbuf line = STRBUF_INIT;

	TEST_EQ(request_put(&r, &line), 0);
	TEST_TEXT(strbuf_str(&line), "ping\t0\tone\t\n");
	TEST_EQ(request_parse(&back, line.buf, line.len - 1), 0);
	TEST_EQ(back.verb, REQUEST_PING);
	TEST_TEXT(back.session, "one");
	TEST_EQ(request_parse(&back, "pong\t0\t\t", 8), (u64)-EINVAL);
	strbuf_release(&line);
	return TEST_OK;
}

static int test_plans(struct test_ctx *ctx __unused)
{
	struct dump v[] = { { NULL, 10, 100 }, { NULL, 20, 300 }, { NULL, 30, 200 } };
	const struct daemon_keep two = { .files = 2 }, small = { .bytes = 19 };
	u64 change;

	TEST_EQ(dumps_kept(v, 3, &two, 310), 2);
	TEST_EQ(v[0].time, 300);
	TEST_EQ(dumps_kept(v, 3, &small, 310), 1);
	TEST_EQ(session_pause(1), SECOND);
	TEST_EQ(session_pause(4), 8 * SECOND);
	TEST_EQ(session_pause(99), 60 * SECOND);
	TEST_EQ(session_window(60, 10, 69, &change), true);
	TEST_EQ(change, 70);
	TEST_EQ(session_window(60, 10, 70, &change), false);
	TEST_EQ(change, 120);
	return TEST_OK;
}

/* Return what trigger_look() says of a reason; -1 when it cannot be read. */
static int look(const char *text, struct trigger_watch *w, const char *dir)
{
	const struct sysroot sr = { dir };
	struct trigger t;

	return trigger_parse(&t, text, NULL) ? -1 : trigger_look(&t, w, &sr, 0, NULL);
}

static int check_reasons(const char *dir)
{
	static const char path[] = "proc/pressure/memory", reason[] = "psi:memory>10";
	struct trigger_watch w = { 0 };

	if (test_put_below(dir, path, "some avg10=9.00 avg60=0 avg300=0 total=1\n"))
		return TEST_FAIL;
	TEST_EQ(look(reason, &w, dir), 0);
	if (test_put_below(dir, path, "some avg10=11.5 avg60=0 avg300=0 total=1\n"))
		return TEST_FAIL;
	TEST_EQ(look(reason, &w, dir), 1);
	TEST_EQ(look(reason, &w, dir), 0); /* it holds still, and has begun before */
	trigger_watch_release(&w);
	return TEST_OK;
}

static int test_reasons(struct test_ctx *ctx __unused)
{
	char *dir = test_tmpdir();
	int ret;

	TEST_CHECK(dir, "no temporary folder");
	ret = check_reasons(dir);
	test_rmdir(dir);
	return ret;
}

static const struct test_case daemon_cases[] = {
	{ "its configuration", test_config },
	{ "a request of a client", test_request },
	{ "pauses, windows, and dumps that are kept", test_plans },
	{ "a reason to dump begins to hold", test_reasons },
};
TEST_SUITE(suite_daemon, "The daemon", daemon_cases, "daemon");
