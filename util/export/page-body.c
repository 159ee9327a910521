// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The data of a page: the tree of stacks, column by column, each number in as few bytes as
 * possible. It is made and compressed in units on several threads, and at most one copy exists at a
 * time.
 */
#include "base/compat.h"

#include "export/page-body.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "stacktree/event-class.h"
#include "export/places.h"
#include "export/page-rows.h"
#include "export/page-units.h"
#include "export/page.h"
#include "codec/quote.h"

enum { COL_EVENT, COL_NODE, COL_THREAD, COL_CPU, COL_SLICE, COL_SAMPLES, COL_PERIOD, NR_COLS };

struct making {
	const struct stacks *s;
	const struct export_opts *opts;
	const struct stacks_packed *packed;
	struct page_rows rows;
	u64 *unit; /* see find_units() */
	struct strbuf sources, head, tables, between, nr_rows, cols[NR_COLS];
	struct page_units front, nodes,
		sums; /* in this order; front: everything before the nodes */
};

/* ---- sums ---- */

/* Return the period of each event's samples if they all have the same, or else 0. */
static u64 *find_units(const struct making *m)
{
	u32 nr = m->s->nr_events;
	u64 *unit = xcalloc((size_t)nr + 1, sizeof(*unit));
	bool *mixed = xcalloc((size_t)nr + 1, sizeof(*mixed));
	struct stacks_sums_walk w;
	struct stacks_sum sum;

	stacks_sums_walk(&w, m->packed);
	while (stacks_sums_next(&w, &sum)) {
		u64 *one = &unit[sum.event];

		if (!*one)
			*one = sum.samples ? sum.period / sum.samples : 0;
		mixed[sum.event] |= *one * sum.samples != sum.period;
	}
	for (u32 i = 0; i < nr; i++)
		if (mixed[i])
			unit[i] = 0;
	free(mixed);
	return unit;
}

static void put_row(struct strbuf *cols, const struct stacks_sum *v, const struct stacks_sum *last,
		    u64 unit)
{
	bool on = last && v->node == last->node && v->event == last->event;

	stacks_put_varint(&cols[COL_EVENT], v->event - (last ? last->event : 0));
	stacks_put_varint(&cols[COL_NODE], stacks_signed((u64)v->node - (last ? last->node : 0)));
	stacks_put_varint(&cols[COL_THREAD], v->thread - (on ? last->thread : 0));
	stacks_put_varint(&cols[COL_CPU], v->cpu);
	on = last && v->node == last->node && v->thread == last->thread;
	stacks_put_varint(&cols[COL_SLICE], stacks_signed((u64)v->slice - (on ? last->slice : 0)));
	stacks_put_varint(&cols[COL_SAMPLES], v->samples);
	if (!unit)
		stacks_put_varint(&cols[COL_PERIOD], v->period);
}

static void put_rows(struct making *m)
{
	struct stacks_sum row[2];
	struct page_rows_walk w;

	stacks_put_varint(&m->nr_rows, m->rows.nr);
	page_rows_walk(&m->rows, &w);
	for (size_t i = 0; page_rows_next(&w, &row[i % 2]); i++)
		put_row(m->cols, &row[i % 2], i ? &row[!(i % 2)] : NULL, m->unit[row[i % 2].event]);
	page_rows_end(&w);
	page_units_text(&m->sums, &m->nr_rows);
	for (int i = 0; i < NR_COLS; i++)
		page_units_text(&m->sums, &m->cols[i]);
}

/* ---- names, frames, nodes ---- */

/* The texts that frames use, numbered in the order of their use. */
struct texts {
	const struct stacks *s;
	u32 *number; /* number of each text + 1; 0: not used yet */
	u32 nr;
	struct strbuf all; /* each with its terminator */
};

static u32 text_number(struct texts *t, u32 text)
{
	if (!t->number[text]) {
		const char *name = stacks_text(t->s, text);

		t->number[text] = ++t->nr;
		quote_utf8(&t->all, name);
		strbuf_addch(&t->all, '\0');
	}
	return t->number[text] - 1;
}

static void put_frames(struct texts *t, struct strbuf *out)
{
	const struct stacks *s = t->s;
	struct strbuf cols[4] = { STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT };
	u32 last = 0;

	for (u32 i = 0; i < s->nr_frames; i++) {
		const struct stacks_frame *f = &s->frames[i];
		u32 name = text_number(t, f->name);

		stacks_put_varint(&cols[0], stacks_signed((u64)name - last));
		last = name;
	}
	for (u32 i = 0; i < s->nr_frames; i++)
		stacks_put_varint(&cols[1], text_number(t, s->frames[i].dso));
	for (u32 i = 0; i < s->nr_frames; i++)
		stacks_put_varint(&cols[2], text_number(t, s->frames[i].path));
	for (u32 i = 0; i < s->nr_frames; i++)
		stacks_put_varint(&cols[3], s->frames[i].kind);
	stacks_put_varint(out, t->nr);
	stacks_put_varint(out, t->all.len);
	strbuf_add(out, strbuf_str(&t->all), t->all.len);
	stacks_put_varint(out, s->nr_frames);
	for (size_t i = 0; i < ARRAY_SIZE(cols); i++) {
		strbuf_add(out, strbuf_str(&cols[i]), cols[i].len);
		strbuf_release(&cols[i]);
	}
}

/*
 * Append the number of levels that the first node of a part goes up from the node before it, which
 * is in another part.
 */
static void put_step(struct making *m, const struct stacks_part *last, const struct stacks_part *p)
{
	size_t at = m->between.len;

	stacks_put_varint(&m->between, last->last_depth + 1 - p->first_depth);
	page_units_add(&m->nodes, m->between.buf + at, m->between.len - at);
}

static void put_nodes(struct making *m)
{
	const struct stacks_packed *k = m->packed;

	strbuf_grow(&m->between,
		    k->nr_parts *
			    STACKS_VARINT_MAX); /* reserve the memory, so that it does not move */
	for (size_t i = 0; i < k->nr_parts; i++) {
		if (i)
			put_step(m, &k->parts[i - 1], &k->parts[i]);
		page_units_text(&m->nodes, &k->parts[i].levels);
	}
	for (size_t i = 0; i < k->nr_parts; i++)
		page_units_text(&m->nodes, &k->parts[i].frames);
}

/* ---- what is said about it ---- */

static void put_field(struct strbuf *out, const char *key, const char *text)
{
	strbuf_addf(out, ",\"%s\":", key);
	quote_json(out, text);
}

/* Tell whether the event counts time. @name: the name of the event in both recordings, or NULL */
static bool is_time(const struct stacks *s, u32 event, const char *name)
{
	return name ? s->dims.durations || event_counts_time(name) : event_is_time(s, event);
}

static void put_events(const struct stacks *s, const u64 *unit, const char *event,
		       struct strbuf *out)
{
	strbuf_addstr(out, ",\"events\":[");
	for (u32 i = 0; i < s->nr_events; i++) {
		const struct stacks_event *e = &s->events[i];

		strbuf_addstr(out, i ? ",{\"name\":" : "{\"name\":");
		quote_json(out, stacks_text(s, e->name));
		strbuf_addf(out,
			    ",\"samples\":%" PRIu64 ",\"period\":%" PRIu64 ",\"unit\":%" PRIu64
			    ",\"time\":%s}",
			    e->samples, e->period, unit[i],
			    is_time(s, i, event) ? "true" : "false");
	}
	strbuf_addch(out, ']');
}

static void put_threads(const struct stacks *s, const struct page_rows *r, struct strbuf *out)
{
	strbuf_addf(out, ",\"together\":%u,\"threads\":[", r->together);
	for (u32 i = 0; i < r->nr_threads; i++) {
		const struct stacks_thread *t = &r->threads[i];

		strbuf_addf(out, "%s[%d,%d,", i ? "," : "", (s32)t->pid, (s32)t->tid);
		quote_json(out, stacks_text(s, t->comm));
		strbuf_addch(out, ']');
	}
	strbuf_addch(out, ']');
}

/* Append the numbers of the events of the runs of a side. */
static void put_side(const struct stacks *s, const char *name, u32 side, struct strbuf *out)
{
	const char *sep = "";

	strbuf_addf(out, "\"%s\":[", name);
	for (u32 i = 0; i < s->nr_events; i++) {
		if (stacks_side(&s->events[i]) != side)
			continue;
		strbuf_addf(out, "%s%u", sep, i);
		sep = ",";
	}
	strbuf_addch(out, ']');
}

static void put_compared(const struct stacks *s, const struct export_opts *opts, struct strbuf *out)
{
	strbuf_addstr(out, ",\"compare\":{");
	put_side(s, "before", STACKS_BEFORE, out);
	strbuf_addch(out, ',');
	put_side(s, "now", STACKS_NOW, out);
	put_field(out, "event", opts->event ? opts->event : "");
	strbuf_addch(out, '}');
}

/* Processes of a whole system have little in common but where they begin. */
static const char *group_of(const struct export_opts *opts)
{
	static const char *const groups[] = { "none", "none", "comm", "process", "thread", "cpu" };

	return opts->system_wide && !opts->root && !opts->other ? "process" : groups[opts->root];
}

static void put_head(const struct stacks *s, const struct export_opts *opts, const u64 *unit,
		     const struct page_rows *rows, const char *sources, struct strbuf *out)
{
	int shift = rows->shift;

	strbuf_addstr(out, "{\"version\":1");
	if (opts->title)
		put_field(out, "title", opts->title);
	if (opts->other)
		put_compared(s, opts, out);
	put_field(out, "weight", opts->weight == WEIGHT_SAMPLES ? "samples" : "period");
	strbuf_addf(out, ",\"durations\":%s", s->dims.durations ? "true" : "false");
	strbuf_addf(out, ",\"icicle\":%s", opts->icicle ? "true" : "false");
	strbuf_addf(out, ",\"group\":\"%s\"", group_of(opts));
	strbuf_addf(out, ",\"first\":%" PRIu64 ",\"last\":%" PRIu64, s->first_time, s->last_time);
	strbuf_addf(out, ",\"sliceStart\":%" PRIu64 ",\"sliceNs\":%" PRIu64 ",\"slices\":%u",
		    s->slice_start, s->slice_ns << shift,
		    MAX((s->nr_slices + (1U << shift) - 1) >> shift, 1U));
	strbuf_addf(out, ",\"wall\":%" PRIu64, opts->wall_offset);
	put_events(s, unit, opts->other ? opts->event : NULL, out);
	put_threads(s, rows, out);
	strbuf_addstr(out, ",\"facts\":[");
	for (u32 i = 0; i < opts->nr_facts; i++) {
		strbuf_addstr(out, i ? ",[" : "[");
		quote_json(out, opts->facts[i].key);
		strbuf_addch(out, ',');
		quote_json(out, opts->facts[i].value);
		strbuf_addch(out, ']');
	}
	strbuf_addstr(out, "],\"notes\":[");
	for (u32 i = 0; i < opts->nr_notes; i++) {
		if (i)
			strbuf_addch(out, ',');
		quote_json(out, opts->notes[i]);
	}
	strbuf_addstr(out, "],\"sources\":[");
	strbuf_addstr(out, sources);
	strbuf_addstr(out, "]}");
}

/* ---- all of it ---- */

/* Move the units to the body. */
static void units_release(struct page_units *u, struct page_body *b)
{
	for (size_t i = 0; i < u->nr_units; i++) {
		b->units[b->nr_units++] = u->units[i].packed;
		u->units[i].packed = (struct strbuf)STRBUF_INIT;
	}
	page_units_release(u);
}

/* Make everything except nodes and sources, which come from elsewhere. */
static void make_tables(struct making *m)
{
	struct texts texts = { .s = m->s, .number = xcalloc(m->s->texts.nr + 1, sizeof(u32)) };

	page_rows_init(&m->rows, m->s, m->packed);
	m->unit = find_units(m);
	put_frames(&texts, &m->tables);
	stacks_put_varint(&m->tables, m->s->nr_nodes);
	put_rows(m);
	free(texts.number);
	strbuf_release(&texts.all);
}

/* Run one of the first jobs: sources, tables, and the compression of the nodes, which exist
 * already. */
static void run_first(void *ctx, int worker, size_t item)
{
	struct making *m = ctx;

	if (item > 1)
		page_units_pack(&m->nodes, item - 2, false);
	else if (item)
		make_tables(m);
	else if (m->s->nr_sites)
		page_sources(m->s, m->opts->arch, &m->sources);
}

static void run_rest(void *ctx, int worker, size_t item)
{
	struct making *m = ctx;

	if (item < m->front.nr_units)
		page_units_pack(&m->front, item, false);
	else
		page_units_pack(&m->sums, item - m->front.nr_units,
				item + 1 == m->front.nr_units + m->sums.nr_units);
}

static void making_release(struct making *m)
{
	struct strbuf *all[] = { &m->sources, &m->head, &m->tables, &m->between, &m->nr_rows };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		strbuf_release(all[i]);
	for (int i = 0; i < NR_COLS; i++)
		strbuf_release(&m->cols[i]);
	page_rows_release(&m->rows);
	free(m->unit);
}

void page_body_make(struct page_body *b, const struct stacks *s, const struct export_opts *opts)
{
	struct stacks_packed *own = s->packed ? NULL : stacks_pack(s);
	struct making m = { .s = s, .opts = opts, .packed = own ? own : s->packed };
	struct strbuf length = STRBUF_INIT;
	int workers = pool_cpus();

	put_nodes(&m);
	pool_run(workers, m.nodes.nr_units + 2, run_first, &m);
	put_head(s, opts, m.unit, &m.rows, strbuf_str(&m.sources), &m.head);
	stacks_put_varint(&length, m.head.len);
	page_units_text(&m.front, &length);
	page_units_text(&m.front, &m.head);
	page_units_text(&m.front, &m.tables);
	pool_run(workers, m.front.nr_units + m.sums.nr_units, run_rest, &m);
	*b = (struct page_body){ .units = xcalloc(m.front.nr_units + m.nodes.nr_units +
							  m.sums.nr_units,
						  sizeof(*b->units)) };
	units_release(&m.front, b);
	units_release(&m.nodes, b);
	units_release(&m.sums, b);
	strbuf_release(&length);
	making_release(&m);
	stacks_packed_free(own);
}

void page_body_release(struct page_body *b)
{
	for (size_t i = 0; i < b->nr_units; i++)
		strbuf_release(&b->units[i]);
	free(b->units);
}
