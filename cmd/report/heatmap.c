// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "cmd/report/report.h"
#include "cmd/common/message.h"
#include "cmd/common/progress.h"

#include "analyze/density.h"
#include "analyze/pair-key.h"
#include "base/alloc.h"
#include "export/export.h"
#include "export/heatmap.h"
#include "sampletext/sample-text.h"

#include <errno.h>

#define PAIR_COLS 150
#define DEFAULT_KEY "tid"

struct heat {
	struct report *rep;
	struct profile *p;
	char *start, *end; /* names of the events; owned */
	struct pair_keys keys;
	struct pairs *pairs;
	struct grid density;
	struct sample_filter comms;
	struct place_filter places;
	struct sample_fields fields;
	struct sample_text *text; /* finds places; NULL unless they are filtered */
	struct sample_writer *writer;
	bool bound; /* the events are known */
};

/* ---- options ---- */

/* "A,B"; a comma between slashes belongs to an event. */
static int split_pair(struct heat *h, const char *pair, struct err *err)
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
	h->start = xstrndup(pair, (size_t)(comma - pair));
	h->end = xstrdup(comma + 1);
	return 0;
}

static int read_options(struct heat *h, struct err *err)
{
	const struct report_heatmap *o = &h->rep->heatmap;
	int ret = 0;

	if (exports_any(&h->rep->exports))
		return err_set(err, -EINVAL, "--pair and --heatmap do not go with exports");
	if (o->key && !o->pair)
		return err_set(err, -EINVAL, "--key is for --pair");
	if (o->pair)
		ret = split_pair(h, o->pair, err);
	if (!ret && o->pair)
		ret = pair_keys_parse(&h->keys, o->key ? o->key : DEFAULT_KEY, err);
	if (!ret && h->p->comms)
		ret = sample_filter_comms(&h->comms, h->p->comms, err);
	if (!ret && h->p->symbols)
		ret = place_filter_symbols(&h->places, h->p->symbols, err);
	if (!ret && h->p->dsos)
		ret = name_list_parse(&h->places.dsos, h->p->dsos, "dso", err);
	return ret;
}

/* ---- events ---- */

static int on_events(void *ctx, struct evlist *evlist, const struct env *env, struct err *err)
{
	struct heat *h = ctx;

	(void)err;
	h->bound = false;
	formats_take(&h->p->formats, evlist, env, h->rep->verbose, &stderr_notices);
	return 0;
}

static int check_times(const struct heat *h, struct err *err)
{
	const struct evlist *l = &h->p->session.evlist;

	for (size_t i = 0; i < l->nr; i++) {
		const struct evsel *e = l->evsels[i];
		bool meant = !h->start || pair_keys_role(&h->keys, e, PAIR_START) ||
			     pair_keys_role(&h->keys, e, PAIR_END);

		if (meant && !(e->attr.sample_type & PERF_SAMPLE_TIME))
			return err_set(err, -EINVAL,
				       "samples of %s were recorded without their time: record "
				       "with -T",
				       e->name);
	}
	return 0;
}

static void make_writer(struct heat *h)
{
	struct sample_text_conf conf = {
		.evlist = &h->p->session.evlist,
		.fields = &h->fields,
		.machine = h->p->machine,
		.symbols = h->p->symbolics,
		.places = &h->places,
		.arch = h->p->session.file->env.arch,
	};

	if (!place_filter_any(&h->places))
		return;
	sample_writer_free(h->writer);
	sample_text_free(h->text);
	sample_fields_init(&h->fields);
	h->text = sample_text_new(&conf);
	h->writer = sample_writer_new(h->text);
}

/* What depends on which events there are. */
static int bind(struct heat *h, struct err *err)
{
	int ret = 0;

	if (h->start)
		ret = pair_keys_bind(&h->keys, &h->p->session.evlist, h->p->formats.tracefmt,
				     h->start, h->end, err);
	if (!ret)
		ret = check_times(h, err);
	if (!ret && h->p->session.file->pipe)
		ret = event_switch_start(&h->p->on_off, &h->p->session.evlist, err);
	make_writer(h);
	h->bound = true;
	return ret;
}

/* From where to where pairs may end: of the recording, or of what is looked at. */
static void make_pairs(struct heat *h)
{
	const struct session *s = &h->p->session;
	u64 first = s->first_time, last = s->last_time, step = 1000, start = GRID_BEGIN;
	const struct sample_filter *only = &h->p->only;

	if (!s->file->pipe && last >= first) {
		for (size_t i = 0; i < only->nr_spans; i++) {
			if (!i)
				first = MAX(first, only->spans[i].first);
			if (i + 1 == only->nr_spans)
				last = MIN(last, only->spans[i].last);
		}
		last = MAX(first, last);
		step = grid_step(last - first, PAIR_COLS);
		start = first - first % step;
	}
	h->pairs = pairs_new(h->keys.nr, PAIR_COLS, start, step);
}

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct heat *h = ctx;

	(void)err;
	if (machine_apply(h->p->machine, ev->hdr, ev->hdr->size, ev->time, NULL))
		diag_add(&h->p->session.diag, DIAG_BAD_RECORD, 1, ev->offset);
	return 0;
}

static void take_build_ids(struct heat *h)
{
	symbols_set_os_release(h->p->symbolics, h->p->session.file->env.os_release);
	apply_build_ids(h->p->machine, &h->p->session.file->env);
}

static int on_ready(void *ctx, struct err *err)
{
	struct heat *h = ctx;
	struct profile *p = h->p;
	int ret = 0;

	take_build_ids(h);
	machine_seal(p->machine);
	if (p->time)
		ret = sample_filter_time(&p->only, p->time, p->session.first_time,
					 p->session.last_time, err);
	if (!ret && h->start)
		make_pairs(h);
	return ret ? ret : bind(h, err);
}

/* ---- samples ---- */

static bool is_wanted(struct heat *h, const struct session_event *ev, const struct thread_at *at)
{
	const struct sample *s = ev->sample;
	const struct profile *p = h->p;

	if (!sample_filter_match(&p->only, s->pid, s->tid, s->cpu, s->time, "") ||
	    profile_left_out(p, s) ||
	    !sample_filter_match(&h->comms, s->pid, s->tid, s->cpu, s->time,
				 machine_comm_told(p->machine, at->comm)))
		return false;
	return !h->writer || sample_writer_wants(h->writer, s, ev->time);
}

static void add_pair(struct heat *h, const struct session_event *ev, const struct thread_at *at)
{
	/* An event that is both ends what the one before it began. */
	static const enum pair_role order[] = { PAIR_END, PAIR_START };
	u64 key[PAIR_MAX_KEYS];

	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		if (!pair_keys_role(&h->keys, ev->evsel, order[i]))
			continue;
		if (!pair_keys_get(&h->keys, ev->evsel, order[i], ev->sample, at->comm, key))
			pairs_no_key(h->pairs);
		else if (order[i] == PAIR_END)
			pairs_end(h->pairs, key, ev->sample->time);
		else
			pairs_start(h->pairs, key, ev->sample->time);
	}
}

static int on_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct heat *h = ctx;
	struct thread_at at;
	int ret;

	(void)worker;
	(void)out;
	if (!ev->sample || ev->part == PART_RECORD)
		return 0;
	if (unlikely(!h->bound)) { /* a pipe: the events came just before */
		take_build_ids(h);
		if (h->start && !h->pairs)
			make_pairs(h);
		ret = bind(h, err);
		if (ret)
			return ret;
	}
	if (event_switch_any(&h->p->on_off) && !event_switch_takes(&h->p->on_off, ev->evsel))
		return 0;
	machine_thread_at(h->p->machine, ev->sample->pid, ev->sample->tid, ev->time, &at);
	if (!is_wanted(h, ev, &at))
		return 0;
	if (h->pairs)
		add_pair(h, ev, &at);
	else
		density_add(&h->density, ev->sample->time);
	return 0;
}

/* ---- what is shown ---- */

static bool is_page(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (!strcmp(dot, ".html") || !strcmp(dot, ".htm"));
}

static int write_picture(const struct heatmap_conf *conf, const char *path, struct err *err)
{
	struct export_out *o = export_open(path, err);

	if (!o)
		return err->code;
	if (is_page(path))
		heatmap_html(conf, export_buf(o));
	else
		heatmap_svg(conf, export_buf(o));
	return export_close(o, err);
}

/* As many as there is room for. */
static void name_events(const struct evlist *l, struct strbuf *out)
{
	size_t more = 0;

	for (size_t i = 0; i < l->nr; i++) {
		const struct perf_event_attr *attr = &l->evsels[i]->attr;

		if (attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY)
			continue;
		if (out->len < 80)
			strbuf_addf(out, "%s%s", out->len ? ", " : "", l->evsels[i]->name);
		else
			more++;
	}
	if (more)
		strbuf_addf(out, " and %zu more", more);
}

static int show(struct heat *h, struct err *err)
{
	const char *path = h->rep->heatmap.file;
	bool to_stdout = report_heatmap_stdout(&h->rep->heatmap);
	struct strbuf title = STRBUF_INIT, sub = STRBUF_INIT, text = STRBUF_INIT;
	struct heatmap_conf conf = { .grid = &h->density, .what = "samples" };
	int ret = 0;

	if (h->start) {
		strbuf_addf(&title, "Latency from %s to %s", h->start, h->end);
		strbuf_addf(&sub, "pairs by %s",
			    h->rep->heatmap.key ? h->rep->heatmap.key : DEFAULT_KEY);
		conf.pairs = h->pairs;
		conf.grid = &pairs_result(h->pairs)->grid;
		conf.what = "pairs";
	} else {
		strbuf_addstr(&title, "Samples over time");
		name_events(&h->p->session.evlist, &sub);
	}
	conf.title = h->rep->exports.opts.title ? h->rep->exports.opts.title : strbuf_str(&title);
	conf.subtitle = strbuf_str(&sub);
	if (path)
		ret = write_picture(&conf, path, err);
	if (!ret && h->pairs) {
		pair_text(h->pairs, conf.title, conf.subtitle, &text);
		fwrite(text.buf, 1, text.len, to_stdout ? stderr : stdout);
	}
	strbuf_release(&title);
	strbuf_release(&sub);
	strbuf_release(&text);
	return ret;
}

static int run(struct heat *h, struct err *err)
{
	const struct session_ordered_ops ops = {
		.state = { .state = on_state,
			   .plain = true,
			   .ready = on_ready,
			   .events = on_events },
		.format = on_record,
	};
	struct profile *p = h->p;
	int ret = read_options(h, err);

	if (ret)
		return ret;
	density_init(&h->density);
	p->machine = machine_new();
	profile_symbols(p);
	ret = guest_start(&p->guest, p->machine, err);
	if (!ret && p->time && p->session.file->pipe)
		ret = sample_filter_time(&p->only, p->time, 0, 0, err);
	if (!ret && !p->session.file->pipe)
		ret = event_switch_start(&p->on_off, &p->session.evlist, err);
	p->session.progress = ret ? NULL : progress_open();
	if (!ret)
		ret = session_ordered(&p->session, &ops, h, 1, err);
	progress_close(p->session.progress);
	p->session.progress = NULL;
	if (!ret && !h->bound) { /* a pipe without samples */
		if (h->start)
			make_pairs(h);
		ret = bind(h, err);
	}
	if (ret)
		return ret;
	warn_lost(&p->session);
	ret = show(h, err);
	warn_diag(&p->session.diag);
	return ret;
}

int report_heatmap(struct report *rep)
{
	struct heat h = { .rep = rep, .p = &rep->p };
	struct err err = { 0 };
	int ret = run(&h, &err);

	if (ret)
		error_err(&err);
	free(h.start);
	free(h.end);
	pair_keys_release(&h.keys);
	pairs_free(h.pairs);
	grid_release(&h.density);
	sample_writer_free(h.writer);
	sample_text_free(h.text);
	sample_filter_release(&h.comms);
	place_filter_release(&h.places);
	profile_release(&rep->p);
	return ret ? -1 : 0;
}
