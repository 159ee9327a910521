// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "control/event-watch.h"

#include "base/strbuf.h"

#include <unistd.h>

#define EVENT_PAGES 1

/* A sample of a watched event, with its PERF_SAMPLE_TID and PERF_SAMPLE_TIME. */
struct watched_sample {
	struct perf_event_header h;
	u32 pid, tid;
	u64 time;
};

/* Have each sample of the events wake us. */
static void configure(const struct event_watch *w, bool inherit)
{
	for (size_t i = 0; i < w->list->nr; i++) {
		struct perf_event_attr *a = &w->list->evsels[i]->attr;

		a->size = sizeof(*a);
		a->sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
		a->inherit = inherit;
		if (!a->sample_period)
			a->sample_period = 1;
		a->watermark = 1;
		a->wakeup_watermark = 1;
	}
}

/* A descriptor hangs up when its thread has ended. */
static int on_event(void *ctx, int fd, u32 events, struct err *err)
{
	struct event_watch *w = ctx;

	if (events & (EPOLLHUP | EPOLLERR))
		event_loop_forget(w->loop, fd);
	return w->ready(w->ctx, err);
}

int event_watch_open(struct event_watch *w, const struct open_opts *o, bool inherit,
		     struct event_loop *loop, struct err *err)
{
	int rc;

	w->loop = loop;
	configure(w, inherit);
	rc = kevents_open(&w->events, w->list, o, err);
	if (!rc)
		rc = kevents_filter(&w->events, w->list, o->sysroot, err);
	if (!rc)
		rc = rings_map(&w->rings, o->sysroot, &w->events, EVENT_PAGES, false, err);
	for (size_t i = 0; !rc && i < w->events.nr; i++)
		rc = event_loop_watch(loop, w->events.fds[i].fd, EPOLLIN, on_event, w, err);
	return rc;
}

/* Count the samples in what was read from a ring. */
static size_t count(const struct strbuf *read, u64 *last)
{
	struct watched_sample s;
	size_t nr = 0;

	for (size_t at = 0; read->len - at >= sizeof(s.h); at += s.h.size) {
		memcpy(&s.h, read->buf + at, sizeof(s.h));
		if (s.h.size < sizeof(s.h) || s.h.size > read->len - at)
			break;
		if (s.h.type != PERF_RECORD_SAMPLE || s.h.size < sizeof(s))
			continue;
		memcpy(&s, read->buf + at, sizeof(s));
		if (s.pid == (u32)getpid())
			continue;
		nr++;
		*last = MAX(*last, s.time);
	}
	return nr;
}

size_t event_watch_read(struct event_watch *w, u64 *last)
{
	struct strbuf sb = STRBUF_INIT;
	struct iovec iov[2];
	size_t nr = 0;
	u64 head;

	for (size_t r = 0; r < w->rings.nr; r++) {
		int spans = ring_spans(&w->rings.v[r], iov, &head);

		strbuf_reset(&sb);
		for (int i = 0; i < spans; i++)
			strbuf_add(&sb, iov[i].iov_base, iov[i].iov_len);
		ring_consume(&w->rings.v[r], head);
		nr += count(&sb, last);
	}
	strbuf_release(&sb);
	return nr;
}

void event_watch_release(struct event_watch *w)
{
	rings_release(&w->rings);
	kevents_release(&w->events);
}
