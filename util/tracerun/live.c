// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "tracerun/live.h"

#include "base/alloc.h"
#include "kernel/event-loop.h"
#include "kernel/tracing.h"
#include "live/live.h"
#include "recorder/scheduling.h"
#include "tracerun/events.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#define READ_MS 3             /* rings are read at least so often */
#define EVENT_BYTES 160       /* of an event in a ring, about */
#define WAKE_PART 4           /* this part of a ring has to be full to wake us before */
#define WAKE_BYTES (64 << 10) /* or so many bytes, where the size of the rings is not known yet */

struct trace_live {
	const struct trace_live_conf *conf;
	struct opened ev;
	struct workload workload;
	struct event_loop *loop; /* owned */
	sigset_t mask;           /* of signals, before ours */
	struct priority priority;
	struct strbuf before;  /* what there was when tracing began */
	struct strbuf tracing; /* the formats of tracepoints, as a file has them */
	struct recording rec;
	bool opened; /* @rec is */
	struct trace_run *run;
	size_t watched; /* descriptors that have not hung up */
	bool widened;   /* calls come whatever their numbers are */
	bool stop;
};

/* ---- what wakes us ---- */

static int on_signal(void *ctx, const struct signalfd_siginfo *info, struct err *err)
{
	struct trace_live *t = ctx;

	if (info->ssi_signo == SIGCHLD && !workload_poll(&t->workload))
		return EVENT_LOOP_GO_ON;
	t->stop = true;
	return EVENT_LOOP_STOP;
}

/* A descriptor hangs up when its thread has ended. */
static int on_event(void *ctx, int fd, u32 events, struct err *err)
{
	struct trace_live *t = ctx;

	if (!(events & (EPOLLHUP | EPOLLERR)))
		return EVENT_LOOP_GO_ON;
	event_loop_forget(t->loop, fd);
	t->stop |= !--t->watched;
	return EVENT_LOOP_GO_ON;
}

static void enable(struct trace_live *t, bool on)
{
	kevents_enable(&t->ev.kevents, on);
	if (t->conf->asked->counted)
		call_sums_enable(t->conf->counted, on);
}

static int on_delay_over(void *ctx, int fd, u32 events, struct err *err)
{
	struct trace_live *t = ctx;

	enable(t, true);
	trace_run_begin(t->run);
	return EVENT_LOOP_GO_ON;
}

static int take_signals(struct trace_live *t, struct err *err)
{
	struct sigaction hangup;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, &t->mask);
	t->loop = event_loop_new(err);
	return t->loop ? event_loop_signals(t->loop, &set, on_signal, t, err) : err->code;
}

/* One descriptor of each place is watched: that of the first event, which is everywhere. */
static int watch(struct trace_live *t, struct err *err)
{
	const struct kevents *k = &t->ev.kevents;
	int rc = 0;

	for (size_t i = 0; !rc && i < k->nr; i++) {
		if (k->fds[i].evsel != 0)
			continue;
		rc = event_loop_watch(t->loop, k->fds[i].fd, EPOLLIN, on_event, t, err);
		t->watched++;
	}
	if (!rc && t->conf->opts->delay_ms > 0)
		rc = MIN(event_loop_timer(t->loop, (u64)t->conf->opts->delay_ms, 0, on_delay_over,
					  t, err),
			 0);
	return rc;
}

/* Tell whether the command is a program of 32 bits, if it is a program and no script. */
static bool is_narrow(const struct trace_live *t)
{
	const struct trace_live_conf *c = t->conf;
	char *path = c->opts->command ? program_find(c->sysroot, NULL, c->opts->command[0]) : NULL;
	const int fd = path ? sysroot_open(c->sysroot, "%s", path) : -1;
	u8 ident[EI_CLASS + 1] = { 0 };
	bool narrow = false;

	if (fd >= 0) {
		narrow = read(fd, ident, sizeof(ident)) == sizeof(ident) &&
			 !memcmp(ident, ELFMAG, SELFMAG) && ident[EI_CLASS] == ELFCLASS32;
		close(fd);
	}
	free(path);
	return narrow;
}

/*
 * Once narrow programs run, calls that are left out have the numbers of other calls of theirs. What
 * the first one does before it is seen here is not told. No tracepoint is of narrow programs alone;
 * and a BPF program that let only their calls through would do so for all who trace on the machine,
 * because programs belong to the tracepoint and not to our event of it.
 */
static void widen(struct trace_live *t, bool narrow)
{
	if (t->widened || !narrow)
		return;
	t->widened = true;
	kevents_enable_later(&t->ev.kevents);
}

/* Rings have been read: write the lines and wait until there is more. */
static int wait_for_more(void *ctx, struct err *err)
{
	struct trace_live *t = ctx;
	int rc;

	if (!t->run)
		return 0;
	trace_run_look(t->run);
	rc = trace_run_flush(t->run, err);
	if (rc)
		return rc;
	widen(t, trace_run_has_narrow(t->run));
	if (!t->stop) {
		rc = event_loop_wait(t->loop, READ_MS, err);
		if (rc < 0)
			return rc;
	}
	if (!t->stop)
		return 1;
	enable(t, false);
	return 0;
}

/* ---- opening ---- */

static void wake_by_watermark(const struct trace_live *t)
{
	const size_t pages = t->conf->opts->ring.pages;
	const u64 bytes = pages ? (u64)pages * (u64)sysconf(_SC_PAGESIZE) / WAKE_PART : WAKE_BYTES;

	for (size_t i = 0; i < t->ev.list->nr; i++) {
		struct perf_event_attr *a = &t->ev.list->evsels[i]->attr;

		a->watermark = 1;
		a->wakeup_watermark = (u32)MIN(bytes, (u64)1 << 30);
	}
}

static int open_events(struct trace_live *t, struct trace_live_result *result, struct err *err)
{
	const struct trace_live_conf *c = t->conf;
	int rc = 0;

	if (c->opts->command)
		rc = workload_prepare(&t->workload, c->opts->command, &t->mask,
				      WORKLOAD_OUTPUT_OURS, err);
	if (rc)
		return rc;
	priority_raise(&t->priority);
	signal(SIGPIPE, SIG_IGN);
	rc = opened_find_target(&t->ev, c->opts, t->workload.pid, err);
	result->target = rc != 0;
	if (rc)
		return rc;
	if (c->asked->counted)
		rc = call_sums_select(c->counted, &t->ev.tids, err);
	if (rc)
		return rc;
	opened_copies(&t->ev, c->opts, c->notes->detail);
	record_opts_events(c->opts, c->events);
	wake_by_watermark(t);
	rc = opened_events(&t->ev, c->notes, false, NULL, err);
	rc = rc ?: opened_rings(&t->ev, c->opts, c->notes, err);
	if (!rc)
		opened_copies_start(&t->ev, c->notes->detail);
	return rc;
}

static int describe_existing(struct trace_live *t, struct err *err)
{
	const struct record_opts *o = t->conf->opts;
	const struct live_state state = {
		.sysroot = t->conf->sysroot,
		.layout = &evlist_side_band(t->ev.list)->layout,
		.tids = o->sample.system_wide ? NULL : &t->ev.tids,
		.mmap_data = o->sample.addr,
		.cgroups = o->sample.cgroups,
		.map_limit_ms = o->map_timeout,
	};
	int rc = live_before(&state, &t->before, err);

	if (!rc && opened_is_traced(&t->ev))
		rc = tracing_data(t->conf->sysroot, t->ev.list, &t->tracing, err);
	return rc;
}

static int open_recording(struct trace_live *t, struct err *err)
{
	const struct live_conf live = {
		.rings = &t->ev.rings, .before = &t->before, .wait = wait_for_more, .ctx = t
	};
	int rc;

	evlist_index(t->ev.list);
	recording_open_source(&t->rec, t->conf->source, t->conf->notes->always,
			      live_source_new(&live), "the ring buffers", t->ev.list);
	t->opened = true;
	live_describe(t->rec.session.file, t->conf->sysroot);
	recording_symbols(&t->rec);
	rc = recording_prepare(&t->rec, err);
	if (!rc && t->tracing.len)
		perf_file_set_tracing(t->rec.session.file, t->tracing.buf, t->tracing.len);
	return rc ?: recording_bind_switch(&t->rec, err);
}

static int start(struct trace_live *t, struct err *err)
{
	const struct record_opts *o = t->conf->opts;
	struct err why = { 0 };
	int rc = 0;

	if (!o->sample.delayed && !o->sample.enable_on_exec)
		enable(t, true);
	if (!o->sample.delayed)
		widen(t, is_narrow(t));
	if (t->workload.pid)
		rc = workload_start(&t->workload, &why);
	return rc ? err_set(err, rc, "failed to run %s: %s", o->command[0], why.msg) : 0;
}

/* ---- the run ---- */

static void release(struct trace_live *t)
{
	if (t->workload.pid && !t->workload.ended)
		workload_term(&t->workload);
	priority_lower(&t->priority);
	sigprocmask(SIG_SETMASK, &t->mask, NULL);
	workload_wait(&t->workload);
	trace_run_free(t->run);
	if (t->opened)
		recording_close(&t->rec);
	event_loop_free(t->loop);
	opened_copies_stop(&t->ev);
	kevents_enable(&t->ev.kevents, false);
	rings_release(&t->ev.rings);
	kevents_release_behind(&t->ev.kevents);
	opened_release(&t->ev);
	strbuf_release(&t->before);
	strbuf_release(&t->tracing);
}

static int run(struct trace_live *t, struct err *err)
{
	struct err ignored = { 0 };
	int rc, end;

	/* The time of the run begins here, so that no call is longer. */
	t->run = trace_run_new(&t->rec, t->conf->asked, &t->conf->out);
	if (t->conf->asked->counted)
		trace_run_counted(t->run, t->conf->counted);
	rc = start(t, err);
	if (rc)
		return rc;
	rc = trace_run_events(t->run, err);
	if (rc) /* the sums are still there */
		enable(t, false);
	end = trace_run_end(t->run, rc ? &ignored : err);
	return rc ?: end;
}

/* Return: the pages with which a ring had also held the most events that were lost at once; a power
 * of two. */
static size_t pages_needed(const struct trace_live *t)
{
	const u64 page = (u64)sysconf(_SC_PAGESIZE);
	u64 bytes = trace_run_most_lost(t->run) * EVENT_BYTES + t->ev.rings.pages * page;
	size_t pages = 1;

	while (pages * page < bytes)
		pages *= 2;
	return pages;
}

int trace_live(const struct trace_live_conf *conf, struct trace_live_result *result,
	       struct err *err)
{
	struct trace_live t = { .conf = conf, .ev = { conf->sysroot, conf->events } };
	bool started = false;
	int rc;

	*result = (struct trace_live_result){ 0 };
	sigprocmask(SIG_BLOCK, NULL, &t.mask);
	rc = take_signals(&t, err);
	rc = rc ?: open_events(&t, result, err);
	rc = rc ?: watch(&t, err);
	rc = rc ?: describe_existing(&t, err);
	rc = rc ?: open_recording(&t, err);
	if (!rc) {
		started = true;
		rc = run(&t, err);
		result->strings = trace_run_strings(t.run);
		result->copied = trace_run_copied(t.run);
		result->lost = trace_run_lost(t.run);
		result->pages = t.ev.rings.pages;
		result->needed = pages_needed(&t);
	}
	if (!started && t.workload.pid)
		workload_cancel(&t.workload);
	release(&t);
	return rc;
}
