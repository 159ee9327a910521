// SPDX-License-Identifier: GPL-2.0-or-later
/* The run: the session in time order -> the samples that count -> pairs, or counts over time. */
#include "base/compat.h"

#include "timeline/timeline.h"
#include "timeline/timeline-internal.h"

#include "base/alloc.h"
#include "recording/recording.h"

#include <errno.h>

#define PAIR_COLS 150 /* of the grid of latencies */

struct timeline *timeline_new(const struct timeline_options *o, struct session *s)
{
	struct timeline *t = xzalloc(sizeof(*t));

	t->o = *o;
	t->s = s;
	density_init(&t->density);
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
	grid_release(&t->density);
	sample_writer_free(t->writer);
	sample_text_free(t->text);
	sample_filter_release(&t->filter);
	place_filter_release(&t->places);
	formats_release(&t->formats);
	symbols_free(t->symbols);
	machine_free(t->machine);
	free(t);
}

struct pairs *timeline_pairs(const struct timeline *t)
{
	return t->pairs;
}

const struct grid *timeline_samples(const struct timeline *t)
{
	return &t->density;
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

static int read_filters(struct timeline *t, struct err *err)
{
	const struct timeline_options *o = &t->o;
	int ret = o->pids ? sample_filter_pids(&t->filter, o->pids, err) : 0;

	if (!ret && o->tids)
		ret = sample_filter_tids(&t->filter, o->tids, err);
	if (!ret && o->cpus)
		ret = sample_filter_cpus(&t->filter, o->cpus, err);
	if (!ret && o->comms)
		ret = sample_filter_comms(&t->filter, o->comms, err);
	if (!ret && o->symbols)
		ret = place_filter_symbols(&t->places, o->symbols, err);
	if (!ret && o->dsos)
		ret = name_list_parse(&t->places.dsos, o->dsos, "dso", err);
	return ret;
}

/* @first, @last: times of the first and the last sample; a stream does not know them: 0. */
static int read_time(struct timeline *t, u64 first, u64 last, struct err *err)
{
	return t->o.time ? sample_filter_time(&t->filter, t->o.time, first, last, err) : 0;
}

/* ---- events ---- */

static int on_events(void *ctx, struct evlist *evlist, const struct env *env, struct err *err)
{
	struct timeline *t = ctx;

	t->bound = false;
	formats_take(&t->formats, evlist, env, t->o.verbose, t->o.notices);
	return 0;
}

/* Fail unless the samples that matter tell when they were taken. */
static int check_times(const struct timeline *t, struct err *err)
{
	const struct evlist *l = &t->s->evlist;

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
		.evlist = &t->s->evlist,
		.fields = &t->fields,
		.machine = t->machine,
		.symbols = t->symbols,
		.places = &t->places,
		.arch = t->s->file->env.arch,
	};

	if (!place_filter_any(&t->places))
		return;
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
		ret = pair_keys_bind(&t->keys, &t->s->evlist, t->formats.tracefmt, t->start, t->end,
				     err);
	if (!ret)
		ret = check_times(t, err);
	if (!ret && t->s->file->pipe)
		ret = event_switch_start(&t->o.on_off, &t->s->evlist, err);
	make_writer(t);
	t->bound = true;
	return ret;
}

/* The grid of latencies begins and ends with the recording, or with the part that is looked at. */
static void make_pairs(struct timeline *t)
{
	u64 first = t->s->first_time, last = t->s->last_time, step = 1000, start = GRID_BEGIN;
	const struct sample_filter *f = &t->filter;

	if (!t->start || t->pairs)
		return;
	if (!t->s->file->pipe && last >= first) {
		if (f->nr_spans) {
			first = MAX(first, f->spans[0].first);
			last = MIN(last, f->spans[f->nr_spans - 1].last);
		}
		last = MAX(first, last);
		step = grid_step(last - first, PAIR_COLS);
		start = first - first % step;
	}
	t->pairs = pairs_new(t->keys.nr, PAIR_COLS, start, step);
}

/* ---- records ---- */

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct timeline *t = ctx;

	if (machine_apply(t->machine, ev->hdr, ev->hdr->size, ev->time, NULL))
		diag_add(&t->s->diag, DIAG_BAD_RECORD, 1, ev->offset);
	return 0;
}

static void take_build_ids(struct timeline *t)
{
	symbols_set_os_release(t->symbols, t->s->file->env.os_release);
	apply_build_ids(t->machine, &t->s->file->env);
}

static int on_ready(void *ctx, struct err *err)
{
	struct timeline *t = ctx;
	int ret;

	take_build_ids(t);
	machine_seal(t->machine);
	ret = read_time(t, t->s->first_time, t->s->last_time, err);
	if (ret)
		return ret;
	make_pairs(t);
	return bind_events(t, err);
}

static bool is_wanted(struct timeline *t, const struct session_event *ev,
		      const struct thread_at *at)
{
	const struct env *env = &t->s->file->env;
	const struct sample *s = ev->sample;

	if (!sample_filter_match(&t->filter, s->pid, s->tid, s->cpu, s->time,
				 machine_comm_told(t->machine, at->comm)))
		return false;
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

static int on_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct timeline *t = ctx;
	struct thread_at at;
	int ret;

	if (!ev->sample || ev->part == PART_RECORD)
		return 0;
	if (unlikely(!t->bound)) { /* a pipe: the events came just before */
		take_build_ids(t);
		make_pairs(t);
		ret = bind_events(t, err);
		if (ret)
			return ret;
	}
	if (event_switch_any(&t->o.on_off) && !event_switch_takes(&t->o.on_off, ev->evsel))
		return 0;
	machine_thread_at(t->machine, ev->sample->pid, ev->sample->tid, ev->time, &at);
	if (!is_wanted(t, ev, &at))
		return 0;
	if (t->pairs)
		add_pair(t, ev, &at);
	else
		density_add(&t->density, ev->sample->time);
	return 0;
}

static int drive(struct timeline *t, struct err *err)
{
	const struct session_ordered_ops ops = {
		.state = { .state = on_state,
			   .plain = true,
			   .ready = on_ready,
			   .events = on_events },
		.format = on_record,
	};
	int ret = session_ordered(t->s, &ops, t, 1, err);

	if (ret || t->bound)
		return ret;
	make_pairs(t); /* a pipe without samples */
	return bind_events(t, err);
}

int timeline_run(struct timeline *t, struct err *err)
{
	struct symconf conf = t->o.symbols_of;
	bool pipe = t->s->file->pipe;
	int ret = read_pair(t, err) ?: read_filters(t, err);

	if (ret)
		return ret;
	conf.os_release = t->s->file->env.os_release;
	guest_symbols(&t->o.guest, &conf);
	t->symbols = symbols_new(&conf);
	t->machine = machine_new();
	ret = guest_start(&t->o.guest, t->machine, err);
	if (!ret && pipe)
		ret = read_time(t, 0, 0, err);
	else if (!ret)
		ret = event_switch_start(&t->o.on_off, &t->s->evlist, err);
	return ret ? ret : drive(t, err);
}
