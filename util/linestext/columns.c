// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of lines, and that of their entries. */
#include "base/compat.h"

#include "linestext/linestext-internal.h"

#include "base/alloc.h"

#define GAP "  " /* between columns */
#define SYMBOL_WIDTH 30
#define ADDRESS_DIGITS 16UL /* objects are as wide, where functions are not known */
#define DASHES "  ----------------------------------------------------------------------\n"

/* A column: the words above it, the upper one of them for @span columns. */
struct column {
	const char *top, *title;
	u32 span, width;
	u64 (*number)(const struct line_counts *c); /* of lines; NULL: it is no number */
};

#define MAX_COLUMNS 32

struct columns {
	struct column v[MAX_COLUMNS];
	u32 nr;
};

static void add(struct columns *c, const char *top, u32 span, const char *title, u32 width)
{
	c->v[c->nr++] = (struct column){ top, title, span, width, NULL };
}

static void put_right(const char *text, size_t width, struct strbuf *out)
{
	strbuf_addf(out, "%*s", (int)width, text);
}

static size_t span_width(const struct columns *c, u32 first, u32 span)
{
	size_t width = c->v[first].width;

	for (u32 i = 1; i < span; i++)
		width += c->v[first + i].width + strlen(GAP);
	return width;
}

static void put_tops(const struct columns *c, struct strbuf *out)
{
	strbuf_addstr(out, "# ");
	for (u32 i = 0; i < c->nr; i += MAX(c->v[i].span, 1u)) {
		strbuf_addstr(out, i ? GAP : "");
		put_right(c->v[i].top ? c->v[i].top : "", span_width(c, i, c->v[i].span), out);
	}
	strbuf_addch(out, '\n');
}

static void put_titles(const struct columns *c, struct strbuf *out)
{
	for (u32 i = 0; i < c->nr; i++) {
		strbuf_addstr(out, i ? GAP : "");
		put_right(c->v[i].title, c->v[i].width, out);
	}
}

static void put_heads(const struct columns *c, struct strbuf *out)
{
	strbuf_addstr(out, "#\n");
	put_tops(c, out);
	strbuf_addstr(out, "# ");
	put_titles(c, out);
	strbuf_addstr(out, "\n# ");
	for (u32 i = 0; i < c->nr; i++) {
		strbuf_addstr(out, i ? GAP : "");
		for (u32 k = 0; k < c->v[i].width; k++)
			strbuf_addch(out, '.');
	}
	strbuf_addstr(out, "\n#\n");
}

/* ---- numbers ---- */

#define NUMBER(name, count)                                                                        \
	static u64 name(const struct line_counts *c)                                               \
	{                                                                                          \
		return c->nr[ACCESS_##count];                                                      \
	}

NUMBER(lcl_hitm, LCL_HITM)
NUMBER(rmt_hitm, RMT_HITM)
NUMBER(lcl_peer, LCL_PEER)
NUMBER(rmt_peer, RMT_PEER)
NUMBER(l1_hit, ST_L1_HIT)
NUMBER(l1_miss, ST_L1_MISS)
NUMBER(no_level, ST_NO_LEVEL)
NUMBER(fill_buffer, LD_FILL_BUFFER)
NUMBER(level1, LD_L1)
NUMBER(level2, LD_L2)
NUMBER(llc, LD_LLC)
NUMBER(rmt_hit, RMT_HIT)
NUMBER(lcl_dram, LCL_DRAM)
NUMBER(rmt_dram, RMT_DRAM)

static u64 records(const struct line_counts *c)
{
	return line_loads(c) + line_stores(c);
}

/* Columns tell what is contended, and two ways in which it is. */
static const struct column hitms[] = {
	{ "------- Load Hitm -------", "Total", 3, 7, line_hitms },
	{ NULL, "LclHitm", 1, 7, lcl_hitm },
	{ NULL, "RmtHitm", 1, 7, rmt_hitm },
};
static const struct column peers[] = {
	{ "------- Load Peer -------", "Total", 3, 7, line_peers },
	{ NULL, "Local", 1, 7, lcl_peer },
	{ NULL, "Remote", 1, 7, rmt_peer },
};
static const struct column numbers[] = {
	{ "Total", "records", 1, 7, records },
	{ "Total", "Loads", 1, 7, line_loads },
	{ "Total", "Stores", 1, 7, line_stores },
	{ "--------- Stores --------", "L1Hit", 3, 7, l1_hit },
	{ NULL, "L1Miss", 1, 7, l1_miss },
	{ NULL, "N/A", 1, 7, no_level },
	{ "----- Core Load Hit -----", "FB", 3, 7, fill_buffer },
	{ NULL, "L1", 1, 7, level1 },
	{ NULL, "L2", 1, 7, level2 },
	{ "- LLC Load Hit --", "LclHit", 2, 8, llc },
	{ NULL, "LclHitm", 1, 7, lcl_hitm },
	{ "- RMT Load Hit --", "RmtHit", 2, 8, rmt_hit },
	{ NULL, "RmtHitm", 1, 7, rmt_hitm },
	{ "--- Load Dram ----", "Lcl", 2, 8, lcl_dram },
	{ NULL, "Rmt", 1, 8, rmt_dram },
};

static double percent(u64 part, u64 all)
{
	return all ? 100.0 * (double)part / (double)all : 0.0;
}

static void put_address(u64 address, struct strbuf *out)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	put_right(text, 18, out);
}

static void put_memory(const struct clines_table *t, u32 row, u32 nr_rows, struct strbuf *out)
{
	struct strbuf nodes = STRBUF_INIT;
	u64 pages, set = clines_memory_nodes(t, row, nr_rows, &pages);

	if (set)
		clines_put_set(&set, CLINES_MAX_NODES, &nodes);
	else
		strbuf_addstr(&nodes, "N/A");
	put_right(strbuf_str(&nodes), 4, out);
	strbuf_addf(out, GAP "%6" PRIu64, pages);
	strbuf_release(&nodes);
}

/* ---- the table of lines ---- */

static const char *const measures[][2] = {
	[DISPLAY_TOTAL] = { "Tot", "Hitm" },
	[DISPLAY_LOCAL] = { "Lcl", "Hitm" },
	[DISPLAY_REMOTE] = { "Rmt", "Hitm" },
	[DISPLAY_PEER] = { "Peer", "Snoop" },
};

static void line_columns(const struct clines_table *t, struct columns *c)
{
	const struct column *three = t->display == DISPLAY_PEER ? peers : hitms;

	add(c, NULL, 1, "Index", 5);
	add(c, "----------- Cacheline ----------", 3, "Address", 18);
	add(c, NULL, 1, "Node", 4);
	add(c, NULL, 1, "PA cnt", 6);
	add(c, measures[t->display][0], 1, measures[t->display][1], 7);
	for (u32 i = 0; i < ARRAY_SIZE(hitms); i++)
		c->v[c->nr++] = three[i];
	for (u32 i = 0; i < ARRAY_SIZE(numbers); i++)
		c->v[c->nr++] = numbers[i];
}

static void put_row(const struct clines_table *t, const struct columns *c, size_t nth,
		    struct strbuf *out)
{
	const struct line *line = t->shown[nth];

	strbuf_addf(out, "%7zu" GAP, nth);
	put_address(line->addr, out);
	strbuf_addstr(out, GAP);
	put_memory(t, line->row, line->nr_rows, out);
	strbuf_addf(out, GAP "%6.2f%%",
		    percent(clines_measure(t->display, &line->counts),
			    clines_measure(t->display, &t->shared)));
	for (u32 k = 0; k < c->nr; k++)
		if (c->v[k].number)
			strbuf_addf(out, GAP "%*" PRIu64, (int)c->v[k].width,
				    c->v[k].number(&line->counts));
}

void clines_put_table(const struct clines_table *t, struct strbuf *out)
{
	struct columns c = { 0 };

	line_columns(t, &c);
	put_heads(&c, out);
	for (size_t i = 0; i < t->nr_shown; i++) {
		put_row(t, &c, i, out);
		strbuf_addch(out, '\n');
	}
}

size_t clines_table_nr(const struct clines_table *t)
{
	return t->nr_shown;
}

void clines_table_title(const struct clines_table *t, struct strbuf *out)
{
	strbuf_addf(out, "Contended cache lines: %zu by %s, of %" PRIu64 " shared ones",
		    t->nr_shown, clines_display_name(t->display), t->nr_shared);
}

void clines_table_heads(const struct clines_table *t, struct strbuf *out)
{
	struct columns c = { 0 };

	line_columns(t, &c);
	strbuf_addstr(out, GAP);
	put_titles(&c, out);
}

void clines_table_row(const struct clines_table *t, size_t nth, struct strbuf *out)
{
	struct columns c = { 0 };

	line_columns(t, &c);
	put_row(t, &c, nth, out);
}

/* ---- the table of entries ---- */

/* The columns whose widths depend on what is in them. */
struct widths {
	u32 symbol, object, source, field, comm;
};

static void widen(u32 *width, size_t len)
{
	*width = (u32)MAX((size_t)*width, len);
}

static void measure(struct clines_table *t, const struct line *line, struct widths *w)
{
	struct entry_texts x = ENTRY_TEXTS_INIT;
	size_t nr;
	struct shown_entry *order = clines_entry_order(t, line, &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct line_row *r = clines_rows(t->lines) + order[i].e->row;

		strbuf_reset(&x.symbol);
		strbuf_reset(&x.object);
		strbuf_reset(&x.source);
		strbuf_reset(&x.field);
		clines_row_texts(t, r, &x);
		widen(&w->symbol, x.symbol.len);
		widen(&w->object, MAX(x.object.len, x.unresolved ? ADDRESS_DIGITS : 0));
		widen(&w->source, x.source.len);
		widen(&w->field, x.field.len);
		if (clines_has_key(t->show, CLINES_TID))
			widen(&w->comm, strlen(clines_row_comm(t, r)));
	}
	entry_texts_release(&x);
	free(order);
}

/* Return the widths for the entries of @nr lines. */
static struct widths widths_of(struct clines_table *t, const struct line *const *lines, size_t nr)
{
	struct widths w = { .source = (u32)strlen("Source:Line") };

	for (size_t i = 0; i < nr; i++)
		measure(t, lines[i], &w);
	if (!t->show->full_symbols) {
		w.symbol = MIN(w.symbol, (u32)SYMBOL_WIDTH);
		w.object = MIN(w.object, (u32)SYMBOL_WIDTH);
	}
	return w;
}

static bool has_code(const struct clines_table *t)
{
	return clines_has_key(t->show, CLINES_CODE);
}

static bool has_object(const struct clines_table *t)
{
	return has_code(t) || clines_has_key(t->show, CLINES_OBJECT);
}

static void entry_columns(const struct clines_table *t, const struct widths *w, struct columns *c)
{
	static const char *const nodes[][2] = {
		[NODES_IDS] = { "Node", "Node" },
		[NODES_SHARES] = { "Node{cpus %hitms %stores}", "Node{cpus %peers %stores}" },
		[NODES_CPUS] = { "Node{cpu list}", "Node{cpu list}" },
	};
	bool peer = t->display == DISPLAY_PEER;

	add(c, NULL, 1, "Num", 5);
	add(c, peer ? "-- Peer Snoop --" : "----- HITM -----", 2, peer ? "Rmt" : "RmtHitm", 7);
	add(c, NULL, 1, peer ? "Lcl" : "LclHitm", 7);
	add(c, "------- Store Refs ------", 3, "L1 Hit", 7);
	add(c, NULL, 1, "L1 Miss", 7);
	add(c, NULL, 1, "N/A", 7);
	add(c, "--------- Data address ---------", 3, "Offset", 18);
	add(c, NULL, 1, "Node", 4);
	add(c, NULL, 1, "PA cnt", 6);
	if (clines_has_key(t->show, CLINES_PID))
		add(c, NULL, 1, "Pid", 7);
	if (clines_has_key(t->show, CLINES_TID))
		add(c, NULL, 1, "Tid", 8 + w->comm);
	if (has_code(t))
		add(c, NULL, 1, "Code address", 18);
	add(c, "---------- cycles ----------", 3, peer ? "rmt peer" : "rmt hitm", 8);
	add(c, NULL, 1, peer ? "lcl peer" : "lcl hitm", 8);
	add(c, NULL, 1, "load", 8);
	add(c, "Total", 1, "records", 7);
	add(c, "cpu", 1, "cnt", 8);
	if (has_code(t))
		add(c, NULL, 1, "Symbol", w->symbol);
	if (has_object(t))
		add(c, "Shared", 1, "Object", w->object);
	if (has_code(t) && !t->show->no_source)
		add(c, NULL, 1, "Source:Line", w->source);
	if (has_code(t) && t->show->objects)
		add(c, NULL, 1, "Field", MAX(w->field, (u32)strlen("Field")));
	add(c, NULL, 1, nodes[t->show->nodes][peer], 4);
}

static void put_share(u64 part, u64 all, struct strbuf *out)
{
	strbuf_addf(out, GAP "%6.2f%%", percent(part, all));
}

static void put_mean(const struct line_sums *s, enum line_cycles kind, struct strbuf *out)
{
	double mean = s->loads[kind] ? (double)s->cycles[kind] / (double)s->loads[kind] : 0;

	strbuf_addf(out, GAP "%8.0f", mean);
}

/* The five shares of an entry in its line, and the same numbers of the line. */
static void fill_shares(const struct clines_table *t, const struct line_counts *c, u64 v[5])
{
	bool peer = t->display == DISPLAY_PEER;

	v[0] = peer ? rmt_peer(c) : rmt_hitm(c);
	v[1] = peer ? lcl_peer(c) : lcl_hitm(c);
	v[2] = l1_hit(c);
	v[3] = l1_miss(c);
	v[4] = no_level(c);
}

static void put_left(const struct strbuf *text, u32 width, struct strbuf *out)
{
	strbuf_addf(out, GAP "%-*.*s", (int)width, (int)width, strbuf_str(text));
}

static void put_who(struct clines_table *t, const struct widths *w, const struct line_row *r,
		    struct strbuf *out)
{
	size_t at;

	if (clines_has_key(t->show, CLINES_PID))
		strbuf_addf(out, GAP "%7d", (s32)r->pid);
	if (!clines_has_key(t->show, CLINES_TID))
		return;
	strbuf_addf(out, GAP "%7d:", (s32)r->tid);
	at = out->len;
	strbuf_addname(out, clines_row_comm(t, r));
	strbuf_pad(out, at + w->comm);
}

static void put_code(struct clines_table *t, const struct widths *w, const struct line_row *r,
		     struct strbuf *out)
{
	struct entry_texts x = ENTRY_TEXTS_INIT;

	clines_row_texts(t, r, &x);
	if (has_code(t))
		put_left(&x.symbol, w->symbol, out);
	if (has_object(t))
		put_left(&x.object, w->object, out);
	if (has_code(t) && !t->show->no_source) {
		strbuf_addstr(out, GAP);
		strbuf_addf(out, "%-*s", (int)w->source, strbuf_str(&x.source));
	}
	if (has_code(t) && t->show->objects)
		put_left(&x.field, MAX(w->field, (u32)strlen("Field")), out);
	entry_texts_release(&x);
}

static void put_entry(struct clines_table *t, const struct widths *w, const struct line *line,
		      const struct shown_entry *s, struct strbuf *out)
{
	const struct line_entry *e = s->e;
	const struct line_row *r = clines_rows(t->lines) + e->row;
	bool peer = t->display == DISPLAY_PEER;
	u64 own[5], all[5];

	fill_shares(t, &s->sums.counts, own);
	fill_shares(t, &line->counts, all);
	strbuf_pad(out, out->len + 7);
	for (u32 i = 0; i < ARRAY_SIZE(own); i++)
		put_share(own[i], all[i], out);
	strbuf_addstr(out, GAP);
	put_address(e->offset, out);
	strbuf_addstr(out, GAP);
	put_memory(t, e->row, e->nr_rows, out);
	put_who(t, w, r, out);
	if (has_code(t)) {
		strbuf_addstr(out, GAP);
		put_address(r->ip, out);
	}
	put_mean(&s->sums, peer ? CYCLES_RMT_PEER : CYCLES_RMT_HITM, out);
	put_mean(&s->sums, peer ? CYCLES_LCL_PEER : CYCLES_LCL_HITM, out);
	put_mean(&s->sums, CYCLES_LOAD, out);
	strbuf_addf(out, GAP "%7" PRIu64 GAP "%8" PRIu64, records(&s->sums.counts),
		    clines_nr_cpus(t, e));
	put_code(t, w, r, out);
	strbuf_addstr(out, GAP);
	clines_put_nodes(t, s, out);
}

static void put_line(struct clines_table *t, const struct widths *w, size_t nth, struct strbuf *out)
{
	const struct line *line = t->shown[nth];
	size_t nr;
	struct shown_entry *order = clines_entry_order(t, line, &nr);
	struct hist *graphs = clines_graphs_new(t, line);
	u64 all[5];

	fill_shares(t, &line->counts, all);
	strbuf_addf(out, DASHES "%7zu", nth);
	for (u32 i = 0; i < ARRAY_SIZE(all); i++)
		strbuf_addf(out, GAP "%7" PRIu64, all[i]);
	strbuf_addstr(out, GAP);
	put_address(line->addr, out);
	if (t->show->objects) {
		strbuf_addstr(out, GAP);
		clines_put_data(t, line, out);
	}
	strbuf_addstr(out, "\n" DASHES);
	for (size_t i = 0; i < nr; i++) {
		put_entry(t, w, line, &order[i], out);
		strbuf_addch(out, '\n');
		clines_put_graph(t, graphs, line, order[i].e, out);
	}
	hist_free(graphs);
	free(order);
	if (t->show->objects)
		clines_put_advice(t, line, out);
}

void clines_put_pareto(struct clines_table *t, struct strbuf *out)
{
	struct widths w = widths_of(t, t->shown, t->nr_shown);
	struct columns c = { 0 };

	entry_columns(t, &w, &c);
	put_heads(&c, out);
	for (size_t i = 0; i < t->nr_shown; i++) {
		strbuf_addstr(out, i ? "\n" : "");
		put_line(t, &w, i, out);
	}
}

/* ---- the places in one line ---- */

struct clines_places {
	struct clines_table *t; /* borrowed */
	const struct line *line;
	struct shown_entry *order; /* owned */
	size_t nr;
	struct widths widths;
	struct hist *graphs; /* owned; NULL: not shown, or not asked for yet */
};

struct clines_places *clines_places_new(struct clines_table *t, size_t nth)
{
	struct clines_places *p = xzalloc(sizeof(*p));

	p->t = t;
	p->line = t->shown[nth];
	p->order = clines_entry_order(t, p->line, &p->nr);
	p->widths = widths_of(t, &t->shown[nth], 1);
	return p;
}

void clines_places_free(struct clines_places *p)
{
	if (!p)
		return;
	hist_free(p->graphs);
	free(p->order);
	free(p);
}

size_t clines_places_nr(const struct clines_places *p)
{
	return p->nr;
}

void clines_places_title(const struct clines_places *p, struct strbuf *out)
{
	strbuf_addf(out, "Cache line 0x%" PRIx64 " (", p->line->addr);
	clines_put_data(p->t, p->line, out);
	strbuf_addf(out, "): %zu place%s, %" PRIu64 " accesses", p->nr, p->nr == 1 ? "" : "s",
		    p->line->counts.accesses);
}

void clines_places_heads(const struct clines_places *p, struct strbuf *out)
{
	struct columns c = { 0 };

	entry_columns(p->t, &p->widths, &c);
	strbuf_addstr(out, GAP);
	put_titles(&c, out);
}

void clines_places_row(struct clines_places *p, size_t nth, struct strbuf *out)
{
	put_entry(p->t, &p->widths, p->line, &p->order[nth], out);
}

/* Append a line for each thread and CPU that accessed a place. */
static void put_accessors(struct clines_table *t, const struct line_entry *e, struct strbuf *out)
{
	const struct line_row *rows = clines_rows(t->lines) + e->row;
	u64 nr = 0;

	for (u32 i = 0; i < e->nr_rows; i++) {
		const struct line_row *r = &rows[i], *next = i + 1 < e->nr_rows ? r + 1 : NULL;

		nr += r->nr;
		if (next && next->tid == r->tid && next->cpu == r->cpu)
			continue;
		strbuf_addf(out, "%10" PRIu64 "  %d:", nr, (s32)r->tid);
		strbuf_addname(out, clines_row_comm(t, r));
		strbuf_addf(out, " on CPU %u\n", r->cpu);
		nr = 0;
	}
}

void clines_places_details(struct clines_places *p, size_t nth, struct strbuf *out)
{
	const struct line_entry *e = p->order[nth].e;
	const struct line_row *r = clines_rows(p->t->lines) + e->row;
	struct entry_texts x = ENTRY_TEXTS_INIT;

	clines_row_texts(p->t, r, &x);
	strbuf_addf(out, "Data     0x%" PRIx64 ", at 0x%x in the line\n", r->addr, e->offset);
	strbuf_addf(out, "Code     0x%" PRIx64 " %s of %s\n", r->ip, strbuf_str(&x.symbol),
		    strbuf_str(&x.object));
	if (x.source.len)
		strbuf_addf(out, "Source   %s\n", strbuf_str(&x.source));
	strbuf_reset(&x.field);
	clines_put_field(p->t, r, &x.field);
	if (x.field.len)
		strbuf_addf(out, "Field    %s\n", strbuf_str(&x.field));
	clines_put_instructions(p->t, r, out);
	strbuf_addstr(out, "Accesses\n");
	put_accessors(p->t, e, out);
	if (!p->graphs)
		p->graphs = clines_graphs_new(p->t, p->line);
	if (p->graphs)
		strbuf_addstr(out, "Callers\n");
	clines_put_graph(p->t, p->graphs, p->line, e, out);
	entry_texts_release(&x);
}
