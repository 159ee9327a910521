// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf record --switch-output: the output is completed, gets the time as its suffix, and another
 * one is begun; the rings hold what comes meanwhile. Triggers (SIGUSR2, a time, a size, an event,
 * the control channel) only set a flag: the switch itself is done between two drains, so that no
 * round is split.
 */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include "base/alloc.h"
#include "file/keep-old.h"

#include <errno.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#define EVENT_PAGES 1

bool record_switch_trigger(struct record *r)
{
	r->ro.sw.wanted |= r->ro.sw.enabled;
	return r->ro.sw.enabled;
}

/* --- the name ------------------------------------------------------------------- */

/* "20261121174249" and hundredths of a second; microseconds when that is taken. The order of names
 * is that of time. */
static char *stamped_name(const char *path)
{
	struct timespec now;
	char day[32], *name;
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strftime(day, sizeof(day), "%Y%m%d%H%M%S", &tm);
	name = xasprintf("%s.%s%02ld", path, day, now.tv_nsec / 10000000);
	for (long us = now.tv_nsec / 1000; !access(name, F_OK); us++) {
		free(name);
		/* six digits; in the unlikely case of more they are one more */
		name = xasprintf("%s.%s%06ld", path, day, us);
	}
	return name;
}

static void keep_at_most(struct record_switch *sw, char *name)
{
	if (!sw->max_files) {
		free(name);
		return;
	}
	VEC_GROW(sw->files, sw->nr_files + 1, sw->cap_files);
	sw->files[sw->nr_files++] = name;
	while (sw->nr_files > sw->max_files) {
		int rc = recording_remove(sw->files[0]);

		/* somebody else may have been faster */
		if (rc && rc != -ENOENT)
			fprintf(stderr, "Warning:\nfailed to remove %s: %s\n", sw->files[0],
				err_str(rc));
		free(sw->files[0]);
		memmove(sw->files, sw->files + 1, --sw->nr_files * sizeof(*sw->files));
	}
}

int record_stamp(struct record *r, struct err *err)
{
	char *name;

	if (!r->ro.timestamp_filename || r->writer.pipe)
		return 0;
	name = stamped_name(r->output);
	if (rename(r->output, name)) {
		int code = -errno;

		err_set(err, code, "failed to rename %s to %s: %s", r->output, name, err_str(code));
		free(name);
		return code;
	}
	if (!r->quiet)
		fprintf(stderr, "[ perf record: Dump %s ]\n", name);
	keep_at_most(&r->ro.sw, name);
	return 0;
}

/* --- the switch ------------------------------------------------------------------- */

static void begin_counting(struct record *r)
{
	/* what was lost is summed up at the end */
	r->seen.samples = r->seen.own = r->seen.first_time = r->seen.last_time = 0;
	r->comp_raw = r->comp_packed = 0;
}

static int switch_output(struct record *r, struct err *err)
{
	int rc;

	if (!r->quiet)
		fprintf(stderr, "[ perf record: dump data: Woken up %lu times ]\n", r->waking);
	r->waking = 0;
	rc = record_read_overwritten(r, err);
	if (!rc)
		rc = record_end_file(r, false, err);
	if (!rc)
		rc = file_writer_close(&r->writer, err);
	if (!rc)
		rc = record_stamp(r, err);
	if (rc)
		return rc;
	begin_counting(r);
	rc = record_begin_file(r, err);
	/* without its head a file is worth nothing */
	if (rc && r->writer.path)
		record_drop_file(r);
	record_control_switched(r);
	return rc;
}

static int check_switch(struct record *r, void *ctx, bool any, struct err *err)
{
	struct record_switch *sw = &r->ro.sw;

	(void)ctx;
	if (any && sw->size && record_written(r) >= sw->size)
		sw->wanted = true;
	if (!sw->wanted)
		return LOOP_GO_ON;
	sw->wanted = false;
	return switch_output(r, err);
}

/* --- what triggers it --------------------------------------------------------------- */

static int on_time(struct record *r, void *ctx, u32 revents, struct err *err)
{
	(void)ctx;
	(void)revents;
	(void)err;
	record_switch_trigger(r);
	return LOOP_GO_ON;
}

/* Samples of the event say whose they are and nothing else. Is there one that is not our own? */
static bool others_sampled(struct ring *ring)
{
	const struct perf_event_header *h;
	struct strbuf sb = STRBUF_INIT;
	struct iovec iov[2];
	bool found = false;
	u64 head;
	int nr = ring_spans(ring, iov, &head);

	for (int i = 0; i < nr; i++)
		strbuf_add(&sb, iov[i].iov_base, iov[i].iov_len);
	ring_consume(ring, head);
	for (size_t at = 0; sb.len - at >= sizeof(*h) + 8; at += h->size) {
		h = (const void *)(sb.buf + at);
		if (h->size < sizeof(*h) + 8)
			break;
		if (h->type == PERF_RECORD_SAMPLE && *(const u32_una *)(h + 1) != (u32)getpid())
			found = true;
	}
	strbuf_release(&sb);
	return found;
}

static int on_event(struct record *r, void *ctx, u32 revents, struct err *err)
{
	struct record_switch *sw = &r->ro.sw;
	const struct kfd *k = ctx;

	(void)err;
	if (revents & (EPOLLHUP | EPOLLERR))
		loop_forget(r, k->fd);
	for (size_t i = 0; i < sw->event_rings.nr; i++)
		if (others_sampled(&sw->event_rings.v[i]))
			record_switch_trigger(r);
	return LOOP_GO_ON;
}

/* An event of its own, everywhere, whose every sample wakes us. */
static int open_event(struct record *r, struct err *err)
{
	struct record_switch *sw = &r->ro.sw;
	struct int_list cpus = { 0 }, all = { 0 };
	struct open_opts o = { .sysroot = &r->sysroot,
			       .cpus = &cpus,
			       .tids = &all,
			       .tried = r->verbose > 1 ? record_show_try : NULL,
			       .note_ctx = r };
	int rc = cpu_list_online(&r->sysroot, &cpus, err);

	if (sw->of_target && !r->sample.system_wide)
		o.tids = &r->tids;
	for (size_t i = 0; i < sw->event_list.nr; i++) {
		struct perf_event_attr *a = &sw->event_list.evsels[i]->attr;

		a->size = sizeof(*a);
		a->sample_type = PERF_SAMPLE_TID;
		a->inherit = sw->of_target;
		if (!a->sample_period)
			a->sample_period = 1;
		a->watermark = 1;
		a->wakeup_watermark = 1;
	}
	if (!rc)
		rc = kevents_open(&sw->events, &sw->event_list, &o, err);
	if (!rc)
		rc = rings_map(&sw->event_rings, &r->sysroot, &sw->events, EVENT_PAGES, false, err);
	for (size_t i = 0; !rc && i < sw->events.nr; i++)
		rc = loop_watch(r, sw->events.fds[i].fd, EPOLLIN, on_event, &sw->events.fds[i],
				err);
	int_list_release(&cpus);
	return rc;
}

/* --- start and end -------------------------------------------------------------------- */

/* A threshold below what wakes us cannot be kept. */
static void warn_small(const struct record *r)
{
	u64 wakes = (r->rings.pages + 1) * (u64)sysconf(_SC_PAGESIZE) / 2;
	char unit = 'B';

	if (!r->ro.sw.size || r->ro.sw.size >= wakes)
		return;
	for (const char *u = "KMG"; *u && wakes >= 1024; u++) {
		wakes /= 1024;
		unit = *u;
	}
	fprintf(stderr,
		"WARNING: switch-output data size lower than wakeup kernel buffer size (%" PRIu64
		"%c) expect bigger perf.data sizes\n",
		wakes, unit);
}

int record_switch_start(struct record *r, struct err *err)
{
	struct record_switch *sw = &r->ro.sw;
	int rc = 0;

	if (!sw->enabled)
		return 0;
	warn_small(r);
	loop_check(r, check_switch, NULL);
	if (sw->ms)
		rc = loop_timer(r, sw->ms, sw->ms, on_time, NULL, err);
	if (rc >= 0)
		rc = 0;
	if (!rc && sw->event_list.nr)
		rc = open_event(r, err);
	return rc;
}

void record_switch_release(struct record *r)
{
	struct record_switch *sw = &r->ro.sw;

	rings_release(&sw->event_rings);
	kevents_release(&sw->events);
	evlist_release(&sw->event_list);
	for (size_t i = 0; i < sw->nr_files; i++)
		free(sw->files[i]);
	free(sw->files);
	free(r->ro.spans);
	map64_release(&r->ro.tasks);
}
