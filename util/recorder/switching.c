// SPDX-License-Identifier: GPL-2.0-or-later
/* Watch for triggers that switch the output, and name its files. */
#include "base/compat.h"
#include "recorder/switching.h"

#include "base/alloc.h"
#include "file/keep-old.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#define EVENT_PAGES 1

/* --- the names of files ---------------------------------------------------------- */

/* Return the path with a time like "20261121174249" and hundredths of a second, or microseconds
 * when that name is taken. The order of names is that of time. */
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

static void remove_oldest(struct rotation *r, const struct notices *always)
{
	int rc = recording_remove(r->files[0]);

	/* somebody else may have been faster */
	if (rc && rc != -ENOENT)
		notice(always, "Warning:\nfailed to remove %s: %s\n", r->files[0], err_str(rc));
	free(r->files[0]);
	memmove(r->files, r->files + 1, --r->nr * sizeof(*r->files));
}

char *rotation_rename(const char *path, struct err *err)
{
	char *name = stamped_name(path);
	int code;

	if (!rename(path, name))
		return name;
	code = -errno;
	err_set(err, code, "failed to rename %s to %s: %s", path, name, err_str(code));
	free(name);
	return NULL;
}

void rotation_keep(struct rotation *r, char *name, const struct notices *always)
{
	if (!r->max) {
		free(name);
		return;
	}
	VEC_GROW(r->files, r->nr + 1, r->cap);
	r->files[r->nr++] = name;
	while (r->nr > r->max)
		remove_oldest(r, always);
}

void rotation_release(struct rotation *r)
{
	for (size_t i = 0; i < r->nr; i++)
		free(r->files[i]);
	free(r->files);
	memset(r, 0, sizeof(*r));
}

/* --- what triggers a switch ------------------------------------------------------- */

bool switching_trigger(struct switching *s)
{
	s->wanted |= s->opts->enabled;
	return s->opts->enabled;
}

bool switching_due(struct switching *s, bool any, u64 written)
{
	bool due = s->wanted || (any && s->opts->size && written >= s->opts->size);

	s->wanted = false;
	return due;
}

static int on_time(void *ctx, int fd __unused, u32 events __unused, struct err *err __unused)
{
	switching_trigger(ctx);
	return EVENT_LOOP_GO_ON;
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

static int on_event(void *ctx, int fd, u32 events, struct err *err __unused)
{
	struct switching *s = ctx;

	if (events & (EPOLLHUP | EPOLLERR))
		event_loop_forget(s->loop, fd);
	for (size_t i = 0; i < s->rings.nr; i++)
		if (others_sampled(&s->rings.v[i]))
			switching_trigger(s);
	return EVENT_LOOP_GO_ON;
}

/* Set up the events that trigger a switch: each of their samples wakes us. */
static void configure(const struct switching *s)
{
	for (size_t i = 0; i < s->list->nr; i++) {
		struct perf_event_attr *a = &s->list->evsels[i]->attr;

		a->size = sizeof(*a);
		a->sample_type = PERF_SAMPLE_TID;
		a->inherit = s->of_target;
		if (!a->sample_period)
			a->sample_period = 1;
		a->watermark = 1;
		a->wakeup_watermark = 1;
	}
}

static int open_events(struct switching *s, const struct opened *ev, bool system_wide,
		       const struct record_notes *notes, struct err *err)
{
	struct int_list cpus = { 0 }, all = { 0 };
	struct open_opts o = { .sysroot = ev->sysroot,
			       .cpus = &cpus,
			       .tids = s->of_target && !system_wide ? &ev->tids : &all,
			       .tried = notes->tried,
			       .note_ctx = notes->tried_ctx };
	int rc = cpu_list_online(ev->sysroot, &cpus, err);

	configure(s);
	if (!rc)
		rc = kevents_open(&s->events, s->list, &o, err);
	if (!rc)
		rc = rings_map(&s->rings, ev->sysroot, &s->events, EVENT_PAGES, false, err);
	for (size_t i = 0; !rc && i < s->events.nr; i++)
		rc = event_loop_watch(s->loop, s->events.fds[i].fd, EPOLLIN, on_event, s, err);
	int_list_release(&cpus);
	return rc;
}

/* A threshold below what wakes us cannot be kept. */
static void warn_small(const struct switch_opts *o, size_t pages, const struct notices *notes)
{
	u64 wakes = (pages + 1) * (u64)sysconf(_SC_PAGESIZE) / 2;
	char unit = 'B';

	if (!o->size || o->size >= wakes)
		return;
	for (const char *u = "KMG"; *u && wakes >= 1024; u++) {
		wakes /= 1024;
		unit = *u;
	}
	notice(notes,
	       "WARNING: switch-output data size lower than wakeup kernel buffer size (%" PRIu64
	       "%c) expect bigger perf.data sizes\n",
	       wakes, unit);
}

int switching_start(struct switching *s, const struct opened *ev, bool system_wide,
		    const struct record_notes *notes, struct event_loop *loop, struct err *err)
{
	int rc = 0;

	if (!s->opts->enabled)
		return 0;
	s->loop = loop;
	warn_small(s->opts, ev->rings.pages, notes->always);
	if (s->opts->ms)
		rc = event_loop_timer(loop, s->opts->ms, s->opts->ms, on_time, s, err);
	rc = MIN(rc, 0);
	return !rc && s->list->nr ? open_events(s, ev, system_wide, notes, err) : rc;
}

void switching_release(struct switching *s)
{
	rings_release(&s->rings);
	kevents_release(&s->events);
}
