// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "browse/over-time.h"

#include "base/alloc.h"
#include "timeline/timeline.h"

struct over_time {
	struct counted *c; /* owned */
	struct timeline *timeline;
	struct strip_tracks tracks;
};

static void put_name(void *ctx, enum tracks_of kind, const struct track *track, struct strbuf *out)
{
	const struct over_time *t = ctx;

	if (kind == TRACKS_OF_THREADS) {
		strbuf_addname(out, machine_comm(t->c->rec.machine, track->name));
		strbuf_addf(out, " %u", track->id);
	} else if (track->id == UINT32_MAX) {
		strbuf_addstr(out, "CPU not known");
	} else {
		strbuf_addf(out, "CPU %u", track->id);
	}
}

static struct timeline *make_timeline(struct counted *c, u32 evsel, u32 nr_events)
{
	const struct profile_options *asked = &c->asked;
	const struct timeline_options o = {
		.dsos = asked->dsos,
		.symbols = asked->symbols,
		.socket = asked->socket,
		.event = evsel,
		.nr_events = nr_events,
	};

	return timeline_new(&o, &c->rec);
}

struct over_time *over_time_new(struct counted *c, u32 evsel, u32 nr_events, struct err *err)
{
	struct over_time *t = xzalloc(sizeof(*t));
	int ret;

	t->c = c;
	c->source.comms = c->asked.comms;
	c->source.cpus = c->asked.cpus;
	c->source.pids = c->asked.pids;
	c->source.tids = c->asked.tids;
	ret = recording_open(&c->rec, &c->source, NULL, err);
	if (!ret) {
		t->timeline = make_timeline(c, evsel, nr_events);
		ret = timeline_run(t->timeline, err);
	}
	if (ret) {
		over_time_free(t);
		return NULL;
	}
	for (enum tracks_of i = 0; i < NR_TRACKS_OF; i++)
		t->tracks.of[i] = timeline_tracks(t->timeline, i);
	t->tracks.name = put_name;
	t->tracks.ctx = t;
	return t;
}

void over_time_free(struct over_time *t)
{
	if (!t)
		return;
	timeline_free(t->timeline);
	counted_free(t->c);
	free(t);
}

const struct strip_tracks *over_time_tracks(const struct over_time *t)
{
	return &t->tracks;
}
