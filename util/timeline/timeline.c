// SPDX-License-Identifier: GPL-2.0-or-later
/* Run a timeline: the recording in time order -> the samples that count -> pairs, or counts over
 * time. */
#include "base/compat.h"

#include "timeline/timeline-internal.h"

#include "base/alloc.h"

#include <errno.h>

#define PAIR_COLS 150 /* of the grid of latencies */

struct timeline *timeline_new(const struct timeline_options *o, struct recording *r)
{
	struct timeline *t = xzalloc(sizeof(*t));

	t->o = *o;
	t->r = r;
	return t;
}

void timeline_free(struct timeline *t)
{
	if (!t)
		return;
	free(t->start);
	free(t->end);
	pair_keys_release(&t->keys);
	pairs_free(t->pairs);
	for (u32 i = 0; i < t->nr_densities; i++)
		grid_release(&t->densities[i]);
	free(t->densities);
	for (u32 i = 0; i < NR_TRACKS_OF; i++)
		tracks_release(&t->tracks[i]);
	sample_writer_free(t->writer);
	sample_text_free(t->text);
	place_filter_release(&t->places);
	free(t);
}

struct pairs *timeline_pairs(const struct timeline *t)
{
	return t->pairs;
}

const struct grid *timeline_samples(const struct timeline *t, u32 event)
{
	return event < t->nr_densities ? &t->densities[event] : NULL;
}

const struct tracks *timeline_tracks(const struct timeline *t, enum tracks_of kind)
{
	return &t->tracks[kind];
}

/* ---- options ---- */

/* Cut "A,B" in two; a comma between slashes belongs to the name of an event. */
static int split_pair(struct timeline *t, const char *pair, struct err *err)
{
	const char *comma = NULL;
	bool inside = false;

	for (const char *c = pair; *c; c++) {
		inside ^= *c == '/';
		if (*c != ',' || inside)
			continue;
		if (comma)
			return err_set(err, -EINVAL, "--pair: two events, not more: '%s'", pair);
		comma = c;
	}
	if (!comma || comma == pair || !comma[1])
		return err_set(err, -EINVAL, "--pair: two events with a comma in between: '%s'",
			       pair);
	t->start = xstrndup(pair, (size_t)(comma - pair));
	t->end = xstrdup(comma + 1);
	return 0;
}

static int read_pair(struct timeline *t, struct err *err)
{
	const char *key = t->o.key ? t->o.key : TIMELINE_KEY;

	if (!t->o.pair)
		return 0;
	return split_pair(t, t->o.pair, err) ?: pair_keys_parse(&t->keys, key, err);
}

static int read_places(struct timeline *t, struct err *err)
{
	int ret = t->o.symbols ? place_filter_symbols(&t->places, t->o.symbols, err) : 0;

	if (!ret && t->o.dsos)
		ret = name_list_parse(&t->places.dsos, t->o.dsos, "dso", err);
	return ret;
}

/* ---- events ---- */

static int on_events(void *ctx, struct err *err)
{
	struct timeline *t = ctx;

	t->bound = false;
	return 0;
}

/* Fail unless the samples that matter tell when they were taken. */
static int check_times(const struct timeline *t, struct err *err)
{
	const struct evlist *l = &t->r->session.evlist;

	for (size_t i = 0; i < l->nr; i++) {
		const struct evsel *e = l->evsels[i];
		bool meant = !t->start || pair_keys_role(&t->keys, e, PAIR_START) ||
			     pair_keys_role(&t->keys, e, PAIR_END);

		if (meant && !(e->attr.sample_type & PERF_SAMPLE_TIME))
			return err_set(err, -EINVAL,
				       "samples of %s were recorded without their time: record "
				       "with -T",
				       e->name);
	}
	return 0;
}

/* The writer of sample text finds the places of samples where these are filtered. */
static void make_writer(struct timeline *t)
{
	struct sample_text_conf conf = {
		.evlist = &t->r->session.evlist,
		.fields = &t->fields,
		.machine = t->r->machine,
		.places = &t->places,
		.arch = t->r->session.file->env.arch,
	};

	if (!place_filter_any(&t->places))
		return;
	conf.symbols = recording_symbols(t->r);
	sample_writer_free(t->writer);
	sample_text_free(t->text);
	sample_fields_init(&t->fields);
	t->text = sample_text_new(&conf);
	t->writer = sample_writer_new(t->text);
}

/* Make what depends on which events there are. */
static int bind_events(struct timeline *t, struct err *err)
{
	int ret = 0;

	if (t->start)
		ret = pair_keys_bind(&t->keys, &t->r->session.evlist, t->r->formats.tracefmt,
				     t->start, t->end, err);
	if (!ret)
		ret = check_times(t, err);
	if (!ret && recording_is_stream(t->r))
		ret = recording_bind_switch(t->r, err);
	make_writer(t);
	t->bound = true;
	return ret;
}

/* Find the time of a file, or of the part of it that is looked at. */
static struct time_span span_of(const struct timeline *t)
{
	struct time_span all = { t->r->session.first_time, t->r->session.last_time };
	const struct sample_filter *f = &t->r->filter;

	if (f->nr_spans) {
		all.first = MAX(all.first, f->spans[0].first);
		all.last = MIN(all.last, f->spans[f->nr_spans - 1].last);
	}
	all.last = MAX(all.first, all.last);
	return all;
}

/* The grid of latencies begins and ends with the recording, or with the part that is looked at. */
static void make_pairs(struct timeline *t)
{
	const struct session *s = &t->r->session;
	struct time_span span = span_of(t);
	u64 step = 1000, start = GRID_BEGIN;

	if (!t->start || t->pairs)
		return;
	if (!recording_is_stream(t->r) && s->last_time >= s->first_time) {
		step = grid_step(span.last - span.first, PAIR_COLS);
		start = span.first - span.first % step;
	}
	t->begin = recording_is_stream(t->r) ? 0 : span.first;
	t->pairs = pairs_new(t->keys.nr, PAIR_COLS, start, step);
}

static void make_tracks(struct timeline *t)
{
	struct time_span span = span_of(t);

	for (u32 i = 0; i < NR_TRACKS_OF && t->o.nr_events; i++) {
		tracks_release(&t->tracks[i]);
		tracks_init(&t->tracks[i], span.first, span.last);
	}
}

/* ---- records ---- */

static int on_ready(void *ctx, struct err *err)
{
	struct timeline *t = ctx;
	int ret = recording_settle_time(t->r, err);

	if (ret)
		return ret;
	make_pairs(t);
	make_tracks(t);
	return bind_events(t, err);
}

/* Tell whether a sample passes the filters of the socket and of the writer. */
static bool is_wanted(struct timeline *t, const struct session_event *ev)
{
	const struct env *env = &t->r->session.file->env;
	const struct sample *s = ev->sample;

	if (t->o.socket >= 0 && env_socket(env, s->cpu) != t->o.socket)
		return false;
	return !t->writer || sample_writer_wants(t->writer, s, ev->time);
}

static void add_pair(struct timeline *t, const struct session_event *ev, const struct thread_at *at)
{
	/* An event that is both ends what the one before it began. */
	static const enum pair_role order[] = { PAIR_END, PAIR_START };
	u64 key[PAIR_MAX_KEYS];

	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		if (!pair_keys_role(&t->keys, ev->evsel, order[i]))
			continue;
		if (!pair_keys_get(&t->keys, ev->evsel, order[i], ev->sample, at->comm, key))
			pairs_no_key(t->pairs);
		else if (order[i] == PAIR_END)
			pairs_end(t->pairs, key, ev->sample->time);
		else
			pairs_start(t->pairs, key, ev->sample->time);
	}
}

/* Add a sample to the map of its event. Events of a stream may come later. */
static void add_sample(struct timeline *t, const struct session_event *ev)
{
	u64 time = ev->sample->time;
	u32 event = ev->evsel->idx;

	if (!t->nr_densities && !t->begin)
		t->begin = recording_is_stream(t->r) ? time : MIN(time, t->r->session.first_time);
	if (event >= t->nr_densities) {
		VEC_GROW(t->densities, event + 1, t->cap_densities);
		for (u32 i = t->nr_densities; i <= event; i++)
			density_init(&t->densities[i], t->begin);
		t->nr_densities = event + 1;
	}
	density_add(&t->densities[event], time);
}

static void add_to_tracks(struct timeline *t, const struct session_event *ev,
			  const struct thread_at *at)
{
	u64 time = ev->sample->time;

	if (ev->evsel->idx - t->o.event >= t->o.nr_events)
		return;
	tracks_add(&t->tracks[TRACKS_OF_CPUS], ev->sample->cpu, 0, time);
	tracks_add(&t->tracks[TRACKS_OF_THREADS], at->tid, at->comm, time);
}

static int on_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct timeline *t = ctx;
	struct thread_at at = { 0 };

	if (!ev->sample || ev->part == PART_RECORD)
		return 0;
	if (!recording_switch_takes(t->r, ev) || !recording_takes(t->r, ev, &at) ||
	    !is_wanted(t, ev))
		return 0;
	if (t->pairs)
		add_pair(t, ev, &at);
	else if (t->o.nr_events)
		add_to_tracks(t, ev, &at);
	else
		add_sample(t, ev);
	return 0;
}

int timeline_run(struct timeline *t, struct err *err)
{
	static const struct recording_ops ops = {
		.formats = true,
		.events = on_events,
		.ready = on_ready,
		.format = on_record,
	};
	int ret = read_pair(t, err) ?: recording_prepare(t->r, err) ?: read_places(t, err);

	if (!ret && !recording_is_stream(t->r))
		ret = recording_bind_switch(t->r, err);
	if (!ret)
		ret = recording_ordered(t->r, &ops, t, 1, err);
	for (u32 i = 0; i < NR_TRACKS_OF; i++)
		tracks_sort(&t->tracks[i], i == TRACKS_OF_THREADS);
	if (ret || t->bound)
		return ret;
	make_pairs(t); /* a stream without samples */
	return bind_events(t, err);
}
