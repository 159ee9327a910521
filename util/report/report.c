// SPDX-License-Identifier: GPL-2.0-or-later
/* Print head lines and rows of the report. */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "report/report-internal.h"
#include "report/runs-internal.h"

void report_unit(u64 nr, struct strbuf *out)
{
	static const char units[] = " KMG";
	int unit = 0;

	while (nr > 1000 && units[unit + 1]) {
		nr /= 1000;
		unit++;
	}
	strbuf_addf(out, "%" PRIu64 "%c", nr, units[unit]);
}

void report_samples(const struct hist *h, const struct report_conf *conf,
		    const struct report_event *ev, struct strbuf *out)
{
	u32 nr_members = hist_event(h, ev->evsel)->nr_members, i;
	u64 nr = 0, period = 0;

	for (i = 0; i < nr_members; i++) {
		const struct hist_event *e = hist_event(h, ev->evsel + i);

		nr += conf->relative ? e->passed_nr : e->nr;
		period += conf->relative ? e->passed_period : e->period;
	}
	strbuf_addstr(out, "# Samples: ");
	report_unit(nr, out);
	strbuf_addstr(out, nr_members > 1 ? " of events '" : " of event '");
	strbuf_addname(out, ev->name);
	strbuf_addch(out, '\'');
	if (ev->slices)
		strbuf_addf(out, " (time slices: %s)", ev->slices);
	if (ev->borrowed)
		strbuf_addstr(out, ", show reference callgraph");
	if (hist_config(h)->mem) {
		strbuf_addf(out, "\n# Total weight : %" PRIu64 "\n", period);
		strbuf_addf(out, "# Sort order   : %s\n", hist_config(h)->order);
	} else {
		strbuf_addf(out, "\n# Event count (approx.): %" PRIu64 "\n", period);
	}
	if (ev->socket >= 0)
		strbuf_addf(out, "# Processor Socket: %d\n", ev->socket);
	strbuf_addstr(out, "#\n");
}

/* Return the width that -w requests for column @i, or 0. */
static u16 asked_width(const struct report_conf *conf, const struct hist_columns *c, u32 i)
{
	return conf->widths ? conf->widths[c->place[i]] : 0;
}

/* In a column with a requested width, the beginning of titles of sums is left out. */
static const char *title(const struct report_conf *conf, const struct hist_columns *c, u32 i)
{
	const char *text = c->col[i]->header;

	return c->col[i]->metric && asked_width(conf, c, i) ? text + strspn(text, " ") : text;
}

u16 report_column_width(const struct report_conf *conf, const struct hist_columns *c,
			const struct hist_event *ev, u32 i)
{
	u16 asked = asked_width(conf, c, i);

	if (conf->fitted && !c->hierarchy) /* there they are those of keys */
		return conf->fitted[i];
	if (!asked)
		return ev->width[i];
	if (!c->col[i]->metric)
		return asked;
	if (conf->groups) /* there are values for each member of the group */
		return MAX(asked, ev->width[i]);
	return MAX((size_t)asked, strlen(title(conf, c, i)));
}

/* Tell whether the column belongs to another event. */
static bool absent(const struct hist *h, const struct hist_event *ev, const struct hist_column *col)
{
	return col->event && hist_event(h, col->event - 1)->rows != ev->rows;
}

/* Append titles: sums and fields are right-aligned, everything else is left-aligned. */
static void add_titles(const struct hist *h, const struct hist_event *ev,
		       const struct report_conf *conf, struct strbuf *out)
{
	const struct hist_columns *c = &hist_config(h)->cols;
	const char *sep = conf->sep;
	u32 i;

	strbuf_addstr(out, "# ");
	for (i = 0; i < c->nr; i++) {
		int width = report_column_width(conf, c, ev, i);

		if (absent(h, ev, c->col[i]))
			continue;
		if (i)
			strbuf_addstr(out, sep ? sep : "  ");
		if (c->col[i]->metric || c->col[i]->right)
			strbuf_addf(out, "%*s", width, title(conf, c, i));
		else
			strbuf_addf(out, "%-*.*s", width, asked_width(conf, c, i) ? width : 65535,
				    title(conf, c, i));
	}
	strbuf_addch(out, '\n');
	if (sep)
		return;
	strbuf_addstr(out, "# ");
	for (i = 0; i < c->nr; i++) {
		size_t k;

		if (absent(h, ev, c->col[i]))
			continue;
		if (i)
			strbuf_addstr(out, "  ");
		for (k = 0; k < report_column_width(conf, c, ev, i); k++)
			strbuf_addch(out, '.');
	}
	strbuf_addstr(out, "\n#\n");
}

void report_color_sums(const struct palette *p, const struct hist *h, const struct hist_event *ev,
		       const struct hist_row *row, const struct hist_column *col,
		       struct strbuf *out, size_t at)
{
	u32 nr = MAX(ev->nr_members, 1u), i;
	const char *from, *end, *seq;
	char copy[512];

	if (!p || out->len - at >= sizeof(copy) || !memchr(out->buf + at, '%', out->len - at))
		return;
	memcpy(copy, out->buf + at, out->len - at);
	copy[out->len - at] = 0;
	out->len = at;
	for (from = copy, i = 0; i < nr && (end = strchr(from, '%')); i++, from = end + 1) {
		u64 sum = col->rank(h, col, row, i);

		seq = palette_percent(p, ev[i].period ? sum * 100.0 / ev[i].period : 0.0);
		strbuf_addf(out, "%s%.*s%s", seq, (int)(end + 1 - from), from,
			    *seq ? COLOR_RESET : "");
	}
	strbuf_addstr(out, from);
}

/* Replace separators in names, so that a name does not look like several columns. */
void report_hide_separators(struct strbuf *out, size_t at, char sep)
{
	for (; at < out->len; at++)
		if (out->buf[at] == sep)
			out->buf[at] = '.';
}

/* Tell whether a text is an address like "[.] 0x400123", which is not cut. No name begins with a
 * digit. */
static bool is_address(const char *text)
{
	return text[0] == '[' && text[2] == ']' && text[3] == ' ' && text[4] == '0';
}

/*
 * Tell whether a text is never cut. A symbol is cut if a part of it fits, but what precedes it
 * never is.
 */
static bool never_cut(const struct hist *h, const struct hist_column *col, const char *text,
		      u16 width)
{
	if (!col->function)
		return col->whole || (col->raw && is_address(text));
	if (col->whole && strstr(text, "+0x"))
		return true;
	if (!hist_config(h)->origins) /* it is not shown when there is no room for any of it */
		return width < 4 || is_address(text);
	return width < HIST_ORIGIN_WIDTH + 4 || is_address(text + HIST_ORIGIN_WIDTH);
}

/* Shorten the name in column @i to the width of the column, and pad it. */
static void fit_cell(const struct hist *h, const struct report_conf *conf, u32 i, bool last,
		     struct strbuf *out, size_t at)
{
	const struct hist_column *col = hist_config(h)->cols.col[i];

	report_fit_cell(h, col, out, at, conf->fitted[i], conf->fit.utf8);
	if (!last)
		fit_pad(out, at, conf->fitted[i]);
}

/* Append the cell of column @i, with what separates it from the one before. */
static void add_cell(const struct report_table *t, const struct hist_row *row, u32 i,
		     struct strbuf *out)
{
	const struct hist *h = t->h;
	const struct hist_event *ev = t->ev;
	const struct report_conf *conf = &t->conf;
	const struct hist_columns *c = &hist_config(h)->cols;
	const struct hist_column *col = c->col[i];
	const char *sep = conf->sep;
	u16 own = asked_width(conf, c, i);
	u16 width = own ? own * (col->metric ? MAX(ev->nr_members, 1u) : 1) : ev->width[i];
	bool last = i + 1 == c->nr && !c->open_end;
	size_t at;

	if (absent(h, ev, col))
		return;
	if (sep && i)
		strbuf_addstr(out, sep);
	else if (!sep)
		strbuf_addstr(out, "  ");
	if (sep && col->metric)
		strbuf_addch(out, ' ');
	at = out->len;
	col->format(h, col, ev, row, width, sep, out);
	if (own && !col->metric && out->len > at + own && !never_cut(h, col, out->buf + at, own)) {
		out->len = at + own;
		out->buf[out->len] = 0;
	}
	if (conf->fitted && col->shortens)
		fit_cell(h, conf, i, last, out, at);
	if (sep && !col->metric)
		report_hide_separators(out, at, *sep);
	if (col->metric)
		report_color_sums(conf->sep ? NULL : conf->palette, h, ev, row, col, out, at);
	/* Colour sequences count as visible characters, as scripts expect. */
	if (!last || !(col->raw || col->metric))
		strbuf_pad(out, at + report_column_width(conf, c, ev, i) - (sep && col->metric));
}

/* Append the line of a row. @texts: those of this thread; NULL: it keeps none */
static void add_row(const struct report_table *t, struct cell_texts *texts,
		    const struct hist_row *row, struct strbuf *out)
{
	for (u32 r = 0; r < t->nr_runs; r++) {
		size_t at = out->len;

		if (texts && cell_texts_add(texts, t->h, r, row, out))
			continue;
		for (u32 i = t->runs[r].first; i < t->runs[r].end; i++)
			add_cell(t, row, i, out);
		if (texts)
			cell_texts_keep(texts, t->h, r, row, out, at);
	}
	strbuf_addch(out, '\n');
}

bool report_under_limit(const struct hist *h, const struct hist_event *ev,
			const struct hist_row *row, double limit)
{
	u64 sum = hist_config(h)->children ? row->more->acc_period : row->period;

	return ev->period && sum * 100.0 / ev->period < limit;
}

/* Rows are formatted on several threads, a block at a time, and written in order. */
#define BLOCK_ROWS 512
#define BROUGHT 64 /* rows at a time; they are in another order in memory */

struct row_writer {
	const struct report_table *table;
	struct strbuf *out;        /* by worker */
	struct cell_texts **texts; /* by worker; NULL: it has written no row yet */
	output_write *write;
	void *ctx;
};

static void format_block(void *ctx, int worker, size_t block)
{
	struct row_writer *b = ctx;
	const struct report_table *t = b->table;
	const struct hist_event *ev = t->ev;
	size_t i = block * BLOCK_ROWS, end = MIN(i + BLOCK_ROWS, ev->nr_rows);
	struct strbuf text = b->out[worker]; /* a local copy, because threads should not write to
						neighbouring memory */

	if (!b->texts[worker])
		b->texts[worker] = cell_texts_new(t->runs, t->nr_runs);
	strbuf_reset(&text);
	for (; i < end; i++) {
		const struct hist_row *row = ev->rows[i];

		if (i % BROUGHT == 0)
			hist_bring_rows(t->h, &ev->rows[i], MIN(end - i, (size_t)BROUGHT));
		if (!report_table_shows(t, row))
			continue;
		add_row(t, b->texts[worker], row, &text);
		if (hist_row_chain(row))
			report_chain(t->h, t->evsel, row, &t->conf, &text);
	}
	b->out[worker] = text;
}

static int write_block(void *ctx, int worker, size_t block)
{
	struct row_writer *b = ctx;

	return b->out[worker].len ? b->write(b->ctx, b->out[worker].buf, b->out[worker].len) : 0;
}

/*
 * Return the widths of columns with which rows fit the terminal; the caller frees them. NULL: they
 * fit as they are, or need not.
 */
static u16 *fitted_widths(const struct hist *h, const struct report_conf *conf,
			  const struct hist_event *ev)
{
	const struct hist_columns *c = &hist_config(h)->cols;
	const struct hist_column **cols;
	size_t sum = 0, gaps = 0;
	u16 *width;

	if (!conf->fit.columns || conf->sep || conf->widths || c->hierarchy)
		return NULL;
	width = xcalloc(c->nr + 1, sizeof(*width));
	cols = xcalloc(c->nr + 1, sizeof(*cols));
	for (u32 i = 0; i < c->nr; i++) {
		cols[i] = c->col[i];
		if (absent(h, ev, cols[i]))
			continue;
		width[i] = ev->width[i];
		sum += width[i];
		gaps += 2;
	}
	if (sum + gaps > conf->fit.columns) {
		report_fit(h, cols, width, c->nr,
			   conf->fit.columns > gaps ? conf->fit.columns - gaps : 0);
	} else {
		free(width);
		width = NULL;
	}
	free(cols);
	return width;
}

void report_table_init(struct report_table *t, const struct hist *h, const struct report_conf *as,
		       u32 evsel)
{
	u32 nr = MAX(hist_event(h, evsel)->nr_members, 1u);

	*t = (struct report_table){ .h = h, .conf = *as, .evsel = evsel };
	t->ev = xcalloc(nr, sizeof(*t->ev));
	for (u32 m = 0; m < nr; m++) {
		t->ev[m] = *hist_event(h, evsel + m);
		if (as->relative) {
			t->ev[m].period = t->ev[m].passed_period;
			t->ev[m].latency = t->ev[m].passed_latency;
		}
	}
	t->fitted = hist_config(h)->cols.hierarchy ? report_fitted_levels(h, as, t->ev)
						   : fitted_widths(h, as, t->ev);
	t->conf.fitted = t->fitted;
	t->runs = runs_plan(h, t->ev, &t->nr_runs);
}

void report_table_release(struct report_table *t)
{
	free(t->ev);
	free(t->fitted);
	free(t->runs);
	*t = (struct report_table){ 0 };
}

void report_table_titles(const struct report_table *t, struct strbuf *out)
{
	if (hist_config(t->h)->cols.hierarchy)
		report_level_titles(t, out);
	else
		add_titles(t->h, t->ev, &t->conf, out);
}

void report_table_row(const struct report_table *t, const struct hist_row *row, struct strbuf *out)
{
	add_row(t, NULL, row, out);
}

bool report_table_shows(const struct report_table *t, const struct hist_row *row)
{
	return !report_under_limit(t->h, t->ev, row, t->conf.percent_limit);
}

int report_rows(const struct hist *h, const struct report_conf *conf, u32 evsel,
		output_write *write, void *ctx)
{
	int workers = MAX(hist_config(h)->workers, 1), ret = 0, i;
	struct report_table t;
	struct row_writer b = { &t, .write = write, .ctx = ctx };

	b.out = xcalloc((size_t)workers, sizeof(*b.out));
	b.texts = xcalloc((size_t)workers, sizeof(struct cell_texts *));
	report_table_init(&t, h, conf, evsel);
	if (hist_config(h)->cols.hierarchy) {
		report_levels(&t, b.out);
		ret = write(ctx, b.out->buf, b.out->len);
		t.ev->nr_rows = 0;
	} else if (!conf->quiet) {
		report_table_titles(&t, b.out);
		ret = write(ctx, b.out->buf, b.out->len);
	}
	if (!ret)
		ret = pool_run_in_order(workers, (t.ev->nr_rows + BLOCK_ROWS - 1) / BLOCK_ROWS,
					format_block, write_block, &b);
	for (i = 0; i < workers; i++) {
		strbuf_release(&b.out[i]);
		cell_texts_free(b.texts[i]);
	}
	free(b.out);
	free(b.texts);
	report_table_release(&t);
	return ret;
}
