// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analysislive/analysislive.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "kernel/tracing.h"
#include "live/live.h"

#include <poll.h>

#define ROUND_MS 100 /* rings are read at least so often */

struct live {
	const struct analysis_live_conf *conf;
	struct opened ev;
	struct pollfd *fds; /* owned; of the rings */
	struct strbuf before, tracing;
	struct analysis *a;
	u64 due; /* when results are shown next */
};

/* ---- the events ---- */

static int open_events(struct live *l, struct err *err)
{
	const struct analysis_live_conf *c = l->conf;
	int rc = opened_find_target(&l->ev, c->opts, 0, err);

	if (rc)
		return rc;
	record_opts_events(c->opts, c->events);
	rc = opened_events(&l->ev, c->notes, false, NULL, err)
		     ?: opened_rings(&l->ev, c->opts, c->notes, err);
	if (!rc && opened_is_traced(&l->ev))
		rc = tracing_data(c->sysroot, c->events, &l->tracing, err);
	return rc;
}

static void close_events(struct live *l)
{
	opened_release(&l->ev);
	strbuf_release(&l->before);
	strbuf_release(&l->tracing);
	free(l->fds);
}

static void watch(struct live *l)
{
	const struct rings *r = &l->ev.rings;

	l->fds = xcalloc(r->nr + 1, sizeof(*l->fds));
	for (size_t i = 0; i < r->nr; i++)
		l->fds[i] = (struct pollfd){ .fd = r->v[i].fd, .events = POLLIN };
}

static int describe_what_runs(struct live *l, struct err *err)
{
	const struct record_opts *o = l->conf->opts;
	const struct live_state state = {
		.sysroot = l->conf->sysroot,
		.layout = &evlist_side_band(l->conf->events)->layout,
		.cgroups = o->sample.cgroups,
		.map_limit_ms = o->map_timeout,
	};

	return live_before(&state, &l->before, err);
}

/* ---- rounds ---- */

static int wait_for_more(void *ctx, struct err *err)
{
	struct live *l = ctx;
	u64 now = clock_ns(CLOCK_MONOTONIC);
	bool due = now >= l->due;

	if (due)
		l->due = now + l->conf->refresh_ms * 1000000ULL;
	if (!l->conf->go_on(l->conf->ctx, l->a, due)) {
		kevents_enable(&l->ev.kevents, false);
		return 0;
	}
	poll(l->fds, l->ev.rings.nr, ROUND_MS);
	return 1;
}

static int analyze(struct live *l, struct err *err)
{
	const struct live_conf conf = {
		.rings = &l->ev.rings, .before = &l->before, .wait = wait_for_more, .ctx = l
	};
	struct recording r;
	int rc;

	recording_open_source(&r, l->conf->source, l->conf->notes->always, live_source_new(&conf),
			      "the ring buffers", l->conf->events);
	live_describe(r.session.file, l->conf->sysroot);
	perf_file_set_tracing(r.session.file, l->tracing.buf, l->tracing.len);
	l->a = analysis_new(&r);
	l->due = clock_ns(CLOCK_MONOTONIC) + l->conf->refresh_ms * 1000000ULL;
	rc = l->conf->work(l->conf->ctx, l->a, err);
	analysis_free(l->a);
	recording_close(&r);
	return rc;
}

int analysis_live(const struct analysis_live_conf *conf, struct err *err)
{
	struct live l = { .conf = conf, .ev = { .sysroot = conf->sysroot, .list = conf->events } };
	int rc = open_events(&l, err);

	if (!rc) {
		/* The events count before it is looked what runs, so that nothing is missed. */
		kevents_enable(&l.ev.kevents, true);
		evlist_index(conf->events);
		watch(&l);
		rc = describe_what_runs(&l, err) ?: analyze(&l, err);
	}
	close_events(&l);
	return rc;
}
