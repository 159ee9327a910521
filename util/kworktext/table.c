// SPDX-License-Identifier: GPL-2.0-or-later
/* These functions write the tables of runs and of delays in the form of perf 6.1. */
#include "base/compat.h"

#include "kworktext/kworktext-internal.h"

#include "base/alloc.h"

#include <stdlib.h>

#define MS 1e6
#define RULE_COLUMNS 128

/* ---- order ---- */

/* Return the spans of an item that a table is about. */
static const struct kwork_spans *spans_of(enum kwork_view view, const struct kwork_item *item)
{
	return view == KWORK_REPORT ? &item->runs : &item->delays;
}

static u64 average(const struct kwork_spans *s)
{
	return s->count ? s->total / s->count : 0;
}

/* Return the value of a key by its place among those of the table. */
static u64 key_value(enum kwork_view view, u8 key, const struct kwork_item *item)
{
	const struct kwork_spans *s = spans_of(view, item);

	switch (key) {
	case 0:
		return view == KWORK_REPORT ? s->total : average(s);
	case 1:
		return s->max;
	}
	return s->count;
}

/* Larger values come first, and rows with the same values stay in the order of their appearance. */
static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct kwork_item *const *x = a, *const *y = b;
	const struct kwork_table *t = ctx;
	const struct kwork_order *o = &t->show->order;

	for (u32 i = 0; i < o->nr; i++) {
		u64 vx = key_value(t->view, o->keys[i], *x),
		    vy = key_value(t->view, o->keys[i], *y);

		if (vx != vy)
			return vx < vy ? 1 : -1;
	}
	return *x < *y ? -1 : *x > *y;
}

/* ---- lines ---- */

static void put_rule(struct strbuf *out)
{
	size_t start = out->len;

	strbuf_addch(out, ' ');
	while (out->len < start + RULE_COLUMNS + 1)
		strbuf_addch(out, '-');
	strbuf_addch(out, '\n');
}

static void put_head(const struct kwork_table *t, struct strbuf *out)
{
	strbuf_addstr(out, "\n  Kwork Name                     | Cpu  | ");
	if (t->view == KWORK_REPORT)
		strbuf_addstr(out, "Total Runtime | Count     | Max runtime   | "
				   "Max runtime start   | Max runtime end     |\n");
	else
		strbuf_addstr(out, "Avg delay     | Count     | Max delay     | "
				   "Max delay start     | Max delay end       |\n");
	put_rule(out);
}

static void put_moment(u64 ns, struct strbuf *out)
{
	strbuf_addstr(out, " ");
	kwork_put_time(ns, out);
	strbuf_addstr(out, " s |");
}

static void put_row(const struct kwork_table *t, const struct kwork_item *item, struct strbuf *out)
{
	const struct kwork_spans *s = spans_of(t->view, item);
	double all = t->view == KWORK_REPORT ? (double)s->total
					     : (double)s->total / (double)s->count;

	strbuf_addstr(out, "  ");
	kwork_put_name(t->show, &t->symbols, item, out);
	strbuf_addf(out, " | %04u | %10.3f ms | %9" PRIu64 " | %10.3f ms |", item->cpu, all / MS,
		    s->count, (double)s->max / MS);
	put_moment(s->max_start, out);
	put_moment(s->max_end, out);
	strbuf_addch(out, '\n');
}

/* Append the sums of all rows, and which share of the time of one CPU they are. */
static void put_sums(const struct kwork_table *t, const struct kwork_item *const *rows, size_t nr,
		     struct strbuf *out)
{
	u64 count = 0, total = 0;

	for (size_t i = 0; i < nr; i++) {
		count += rows[i]->runs.count;
		total += rows[i]->runs.total;
	}
	strbuf_addf(out,
		    "  Total count            : %9" PRIu64
		    "\n  Total runtime   (msec) : %9.3f (%.3f%% load average)\n"
		    "  Total time span (msec) : %9.3f\n",
		    count, (double)total / MS,
		    t->time ? 100.0 * (double)total / (double)t->time : 0.0, (double)t->time / MS);
	put_rule(out);
}

/* Tell of events without the counterpart that the table would have needed. */
static void put_missing(const struct kwork_table *t, struct strbuf *out)
{
	const struct kwork_missing *m = &t->missing;
	bool runs = t->view == KWORK_REPORT;
	u64 raises = runs ? 0 : m->raises, begins = runs ? m->unended : m->unraised;
	u64 ends = runs ? m->ends : 0, all = raises + begins + ends;

	if (all && t->events)
		strbuf_addf(out,
			    "  INFO: %.3f%% skipped events (%" PRIu64 " including %" PRIu64
			    " raise, %" PRIu64 " entry, %" PRIu64 " exit)\n",
			    100.0 * (double)all / (double)t->events, all, raises, begins, ends);
}

void kwork_put_table(const struct kwork_table *t, struct strbuf *out)
{
	const struct kwork_item **rows = xcalloc(t->nr + 1, sizeof(*rows));
	size_t nr = 0;

	for (size_t i = 0; i < t->nr; i++)
		if (spans_of(t->view, &t->items[i])->count &&
		    kwork_shows(t->show, &t->symbols, &t->items[i]))
			rows[nr++] = &t->items[i];
	qsort_r(rows, nr, sizeof(*rows), compare_rows, (void *)t);
	put_head(t, out);
	for (size_t i = 0; i < nr; i++)
		put_row(t, rows[i], out);
	put_rule(out);
	if (t->show->summary)
		put_sums(t, rows, nr, out);
	put_missing(t, out);
	free(rows);
}

void kwork_table_put(const struct kwork_show *show, enum kwork_view view,
		     const struct kwork_counted *counted, struct strbuf *out)
{
	struct kwork_table t = {
		.view = view,
		.show = show,
		.symbols = { counted->name, counted->ctx },
		.time = counted->time,
	};

	t.items = kwork_items(counted->items, &t.nr);
	kwork_put_table(&t, out);
	strbuf_addch(out, '\n');
}

/* A run whose state can be made anew. */
struct run {
	const struct kwork_show *show;
	enum kwork_view view;
	struct kwork_symbols symbols;
	struct kwork *state;
	struct span_map *map; /* NULL: none is wanted */
};

static void on_run(void *ctx, const struct kwork_run *run, const struct engine_input *in)
{
	struct run *r = ctx;

	if (kwork_shows(r->show, &r->symbols, run->item))
		span_map_add(r->map, run->start, run->end);
}

static void on_delay(void *ctx, const struct kwork_item *item, u64 since, u64 until)
{
	struct run *r = ctx;

	if (kwork_shows(r->show, &r->symbols, item))
		span_map_add(r->map, since, until);
}

static void *renew(void *ctx)
{
	struct run *r = ctx;
	struct kwork_conf conf = { .classes = r->show->classes, .ctx = r };

	kwork_free(r->state);
	span_map_free(r->map);
	r->map = kwork_map_new(r->show, r->view == KWORK_LATENCY);
	if (r->map && r->view == KWORK_LATENCY)
		conf.delay = on_delay;
	else if (r->map)
		conf.run = on_run;
	r->state = kwork_new(&conf);
	return r->state;
}

int kwork_table_run(const struct kwork_show *show, enum kwork_view view, struct analysis *a,
		    struct strbuf *out, struct err *err)
{
	const struct engine e = kwork_engine(
		view == KWORK_REPORT ? "kwork report" : "kwork latency", show->classes);
	struct kwork_table t = {
		.view = view,
		.show = show,
		.symbols = kwork_symbols_of(analysis_recording(a)),
	};
	struct run r = { .show = show, .view = view, .symbols = t.symbols };
	struct analysis_part part = { .engine = &e, .state = renew(&r), .renew = renew, .ctx = &r };
	int ret = analysis_run_parts(a, &part, 1, err);

	if (!ret) {
		t.items = kwork_items(r.state, &t.nr);
		t.missing = *kwork_missing(r.state);
		t.events = analysis_losses(a).events;
		t.time = kwork_time(r.state);
		kwork_put_table(&t, out);
		kwork_put_losses(a, out);
		strbuf_addch(out, '\n');
	}
	if (!ret && r.map)
		ret = span_map_write(r.map, show->heatmap, err);
	span_map_free(r.map);
	kwork_free(r.state);
	return ret;
}
