// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "base/alloc.h"
#include "base/color.h"
#include "report/diff-text.h"
#include "report/report-internal.h"

#include <math.h>

/* The columns before those that distinguish rows. */
enum diff_column { BASELINE, BASE_PERIOD, VALUE, TIMES, FORMULA, PERIOD, NOISE };

static const struct {
	const char *title;
	u16 width;
} columns[] = {
	[BASELINE] = { "Baseline", 0 }, [BASE_PERIOD] = { "Base period", 14 },
	[VALUE] = { NULL, 7 },          [TIMES] = { "stddev/Hist", 17 },
	[FORMULA] = { "Formula", 70 },  [PERIOD] = { "Period", 14 },
	[NOISE] = { "Noise", 8 },
};

static const struct {
	const char *title;
	u16 width;
} values[] = {
	[DIFF_DELTA] = { "Delta", 7 },
	[DIFF_DELTA_ABS] = { "Delta Abs", 7 },
	[DIFF_RATIO] = { "Ratio", 14 },
	[DIFF_WDIFF] = { "Weighted diff", 14 },
	[DIFF_CYCLES] = { "[Program Block Range] Cycles Diff", 70 },
};

static bool wanted(const struct diff_text *t, enum diff_column c)
{
	switch (c) {
	case BASE_PERIOD:
	case PERIOD:
		return t->period;
	case TIMES:
		return t->times;
	case FORMULA:
		return t->formula;
	case NOISE:
		return t->noise;
	default:
		return true;
	}
}

static void put_title(const struct diff *d, const struct diff_text *t, enum diff_column c, u32 side,
		      struct strbuf *out)
{
	strbuf_addstr(out, c == VALUE ? values[d->conf.compute].title : columns[c].title);
	if (t->numbered)
		strbuf_addf(out, "/%u", side);
}

static size_t width_of(const struct diff *d, const struct diff_text *t, enum diff_column c,
		       u32 side)
{
	struct strbuf title = STRBUF_INIT;
	size_t width = c == VALUE ? values[d->conf.compute].width : columns[c].width;

	put_title(d, t, c, side, &title);
	width = MAX(width, title.len);
	strbuf_release(&title);
	return width;
}

static void put_formula(const struct diff *d, const struct diff_row *r, u32 side,
			struct strbuf *out)
{
	u64 old = r->sums[0].period, new = r->sums[side].period;

	switch (d->conf.compute) {
	case DIFF_DELTA:
	case DIFF_DELTA_ABS:
		strbuf_addf(out,
			    "(%" PRIu64 " * 100 / %" PRIu64 ") - (%" PRIu64 " * 100 / %" PRIu64 ")",
			    new, d->sides[side].period, old, d->base_period);
		break;
	case DIFF_RATIO:
		strbuf_addf(out, "%" PRIu64 " / %" PRIu64, new, old);
		break;
	case DIFF_WDIFF:
		strbuf_addf(out, "(%" PRIu64 " * %" PRId64 ") - (%" PRIu64 " * %" PRId64 ")", new,
			    d->conf.w2, old, d->conf.w1);
		break;
	case DIFF_CYCLES: /* blocks have none */
		break;
	}
}

static double base_share(const struct diff *d, const struct diff_row *r)
{
	return d->base_period ? r->sums[0].period * 100.0 / d->base_period : 0.0;
}

static void put_value(const struct diff *d, const struct diff_row *r, u32 side, struct strbuf *out)
{
	double v;

	switch (diff_value(d, r, side, &v)) {
	case DIFF_NONE:
		break;
	case DIFF_NO_BASE:
		strbuf_addstr(out, "N/A");
		break;
	case DIFF_VALUE:
		if (d->conf.compute == DIFF_RATIO)
			strbuf_addf(out, "%14.6f", v);
		else if (d->conf.compute == DIFF_WDIFF)
			strbuf_addf(out, "%14.0f", v);
		else
			strbuf_addf(out, "%+.2f%%", v);
	}
}

/* The blocks of one side of a row, of which each line shows one. */
struct blocks_at {
	struct diff_block *v; /* owned */
	size_t nr;
};

struct line {
	const struct diff *d;
	const struct diff_text *t;
	const struct diff_row *row;     /* NULL: titles */
	const struct blocks_at *blocks; /* by side; NULL: without */
	size_t at;                      /* in each of them */
	bool ruler;
	bool first;
	u16 *fitted; /* widths of the keys, with which lines fit; owned; NULL: as they are */
	struct strbuf *out, cell;
};

static const struct diff_block *block_at(const struct line *l, u32 side)
{
	return l->blocks && l->at < l->blocks[side].nr ? &l->blocks[side].v[l->at] : NULL;
}

/* Append the differences of the first times from the baseline: deviation, and a bar for each. */
static void put_times(const struct diff_block *b, struct strbuf *out)
{
	static const char *const bars[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	u64 off[BLOCK_TIMES], low = UINT64_MAX, high = 0;
	u32 nr = diff_block_times(b, off), i;
	double mean = 0, squares = 0;

	for (i = 0; i < nr; i++) {
		low = MIN(low, off[i]);
		high = MAX(high, off[i]);
		mean += (double)off[i] / nr;
	}
	for (i = 0; i < nr; i++)
		squares += (off[i] - mean) * (off[i] - mean);
	if (nr < 2 || !high)
		return;
	strbuf_addf(out, "±%5.1f%% ", 100 * sqrt(squares / (nr - 1) / nr) / mean);
	for (i = 0; i < nr; i++)
		strbuf_addstr(out, bars[high > low ? (off[i] - low) * 7 / (high - low) : 0]);
}

/* Append the contents of a column before alignment. */
static void put_cell(struct line *l, enum diff_column c, u32 side)
{
	const struct diff_block *block = block_at(l, side);
	const struct diff_sum *sums = l->row->sums;
	const struct diff *d = l->d;
	struct strbuf *out = &l->cell;
	u64 base = sums[0].period;

	switch (c) {
	case BASELINE:
		if (sums[0].nr)
			strbuf_addf(out, "%.2f%s", base_share(d, l->row), l->t->sep ? "" : "%");
		break;
	case BASE_PERIOD:
		strbuf_dec(out, base, 0);
		break;
	case VALUE:
		if (block)
			strbuf_addf(out, "[%7" PRIx64 " -> %7" PRIx64 "] %4" PRId64,
				    block->now->start, block->now->end, block->change);
		else if (d->conf.compute != DIFF_CYCLES)
			put_value(d, l->row, side, out);
		break;
	case TIMES:
		if (block)
			put_times(block, out);
		break;
	case FORMULA:
		if (sums[side].nr)
			put_formula(d, l->row, side, out);
		break;
	case PERIOD:
		if (sums[side].nr)
			strbuf_dec(out, sums[side].period, 0);
		break;
	case NOISE:
		strbuf_addf(out, "+-%.2f%%", diff_noise(d, sums, side));
		break;
	}
}

static void put_gap(struct line *l)
{
	if (l->t->sep && !l->first)
		strbuf_addstr(l->out, l->t->sep);
	else if (!l->t->sep && (!l->first || l->row))
		strbuf_addstr(l->out, "  ");
	l->first = false;
}

static void put_dots(struct line *l, size_t width)
{
	while (width--)
		strbuf_addch(l->out, '.');
}

/* Append the cell left-aligned; its characters may have several bytes. */
static void put_left(struct line *l, size_t width)
{
	strbuf_add(l->out, l->cell.buf, l->cell.len);
	for (size_t i = 0; i < l->cell.len; i++)
		width -= (l->cell.buf[i] & 0xc0) != 0x80 && width;
	strbuf_pad(l->out, l->out->len + width);
}

/* Weighted differences have a fixed width, whatever that of the title is. */
static bool fixed_width(const struct diff *d, enum diff_column c, const struct strbuf *cell)
{
	return c == VALUE && d->conf.compute == DIFF_WDIFF && cell->len >= 14;
}

/*
 * Return the colour of a share or a change; ratios and weighted differences are coloured like that
 * many percent.
 */
static const char *color_of(const struct line *l, enum diff_column c, u32 side)
{
	double v;

	if (!l->row || !l->t->palette || l->t->sep)
		return "";
	if (c == BASELINE && l->row->sums[0].nr)
		return palette_percent(l->t->palette, base_share(l->d, l->row));
	if (c == VALUE && l->d->conf.compute != DIFF_CYCLES &&
	    diff_value(l->d, l->row, side, &v) == DIFF_VALUE)
		return palette_percent(l->t->palette, v);
	return "";
}

static void put_column(struct line *l, enum diff_column c, u32 side)
{
	const char *color = color_of(l, c, side);
	size_t width = width_of(l->d, l->t, c, side);

	if (!wanted(l->t, c))
		return;
	put_gap(l);
	if (l->ruler) {
		put_dots(l, width);
		return;
	}
	strbuf_reset(&l->cell);
	if (l->row)
		put_cell(l, c, side);
	else
		put_title(l->d, l->t, c, side, &l->cell);
	strbuf_addstr(l->out, color);
	if (l->row && (c == TIMES || fixed_width(l->d, c, &l->cell)))
		put_left(l, width);
	else
		strbuf_addf(l->out, l->t->sep && l->row ? "%-*s" : "%*s", (int)width,
			    strbuf_str(&l->cell));
	strbuf_addstr(l->out, *color ? COLOR_RESET : "");
}

/* Tell whether a sum is shown, which requires that it is among the sort keys. */
static bool sum_shown(const struct line *l, const struct hist_column *col)
{
	const char *at = l->t->keys;
	size_t len;

	for (; col->metric && at && *at; at += len + (at[len] == ',')) {
		len = strcspn(at, ",");
		if (len == strlen(col->name) && !strncmp(at, col->name, len))
			return true;
	}
	return false;
}

/* Append a sum of the baseline. */
static void put_sum(struct line *l, const struct hist_column *col, u16 width)
{
	const struct diff_side *base = &l->d->sides[0];
	struct hist_row row = *l->row->row;
	const struct hist_event *ev;
	size_t at;

	if (!base->hist || base->evsel == UINT32_MAX)
		return;
	row.period = l->row->sums[0].period;
	row.nr = l->row->sums[0].nr;
	if (l->t->sep)
		strbuf_addch(l->out, ' ');
	ev = hist_event(base->hist, base->evsel);
	at = l->out->len;
	col->format(base->hist, col, ev, &row, width, l->t->sep, l->out);
	report_color_sums(l->t->sep ? NULL : l->t->palette, base->hist, ev, &row, col, l->out, at);
}

static void put_keys(struct line *l)
{
	const struct diff_row *r = l->row;
	const struct hist *h = l->d->sides[r ? r->side : 0].hist;
	const struct hist_columns *c = &hist_config(h)->cols;
	u32 last = 0;

	for (u32 i = 0; i < c->nr; i++)
		if (diff_column_shown(c->col[i]) || sum_shown(l, c->col[i]))
			last = i;
	for (u32 i = 0; i < c->nr; i++) {
		const struct hist_column *col = c->col[i];
		u16 width = l->fitted ? l->fitted[i] : l->d->width[i];
		size_t at;

		if (!diff_column_shown(col) && !sum_shown(l, col))
			continue;
		put_gap(l);
		at = l->out->len;
		if (l->ruler)
			put_dots(l, width);
		else if (!r)
			strbuf_addf(l->out, col->metric ? "%*s" : "%-*s", width, col->header);
		else if (col->metric)
			put_sum(l, col, width);
		else
			col->format(h, col, hist_event(h, l->d->sides[r->side].evsel), r->row,
				    l->d->width[i], l->t->sep, l->out);
		if (r && l->fitted && col->shortens)
			report_fit_cell(h, col, l->out, at, width, l->t->fit.utf8);
		if (r && l->t->sep)
			report_hide_separators(l->out, at, *l->t->sep);
		if (!r || (i == last && (col->raw || col->metric)))
			continue;
		if (l->fitted)
			fit_pad(l->out, at, width);
		else
			strbuf_pad(l->out, at + width);
	}
}

static void put_line(struct line *l)
{
	l->first = true;
	put_column(l, BASELINE, 0);
	put_column(l, BASE_PERIOD, 0);
	for (u32 side = 1; side < l->d->nr_sides; side++)
		for (enum diff_column c = VALUE; c <= NOISE; c++)
			put_column(l, c, side);
	put_keys(l);
	strbuf_addch(l->out, '\n');
}

/* Return the columns that all but the keys take in a line, with the gaps. */
static size_t sums_width(const struct diff *d, const struct diff_text *t)
{
	size_t sum = 0;

	for (u32 side = 0; side < d->nr_sides; side++)
		for (enum diff_column c = side ? VALUE : BASELINE;
		     c <= (side ? NOISE : BASE_PERIOD); c++)
			sum += wanted(t, c) ? 2 + width_of(d, t, c, side) : 0;
	return sum;
}

/* Find the widths of the keys with which lines fit the terminal. */
static void fit_keys(struct line *l)
{
	const struct hist *h = l->d->sides[0].hist;
	const struct hist_columns *c = &hist_config(h)->cols;
	size_t used = sums_width(l->d, l->t);

	if (!l->t->fit.columns || l->t->sep)
		return;
	l->fitted = xcalloc(c->nr + 1, sizeof(*l->fitted));
	for (u32 i = 0; i < c->nr; i++) {
		if (!diff_column_shown(c->col[i]) && !sum_shown(l, c->col[i]))
			continue;
		l->fitted[i] = l->d->width[i];
		used += 2;
	}
	report_fit(h, c->col, l->fitted, c->nr,
		   l->t->fit.columns > used ? l->t->fit.columns - used : 0);
}

void diff_titles(const struct diff *d, const struct diff_text *t, struct strbuf *out)
{
	struct line l = { .d = d, .t = t, .out = out, .cell = STRBUF_INIT };

	fit_keys(&l);
	strbuf_addstr(out, "# ");
	put_line(&l);
	if (!t->sep) {
		strbuf_addstr(out, "# ");
		l.ruler = true;
		put_line(&l);
		strbuf_addstr(out, "#\n");
	}
	if (t->paths)
		diff_path_titles(d, t, out);
	strbuf_release(&l.cell);
	free(l.fitted);
}

/*
 * Append the lines of a row: one, or one for each block. A row without blocks on both sides has
 * none.
 */
static void put_row(struct line *l)
{
	const struct diff *d = l->d;
	struct blocks_at *blocks;
	size_t lines = 0;
	bool paired = false;

	if (d->conf.compute != DIFF_CYCLES) {
		put_line(l);
		return;
	}
	blocks = xcalloc(d->nr_sides, sizeof(*blocks));
	for (u32 side = 1; side < d->nr_sides; side++) {
		blocks[side].nr = diff_blocks(d, l->row, side, &blocks[side].v);
		lines = MAX(lines, blocks[side].nr);
		paired |= l->row->sums[side].nr > 0;
	}
	l->blocks = blocks;
	for (l->at = 0; l->at < lines || (!l->at && !paired); l->at++)
		put_line(l);
	for (u32 side = 1; side < d->nr_sides; side++)
		free(blocks[side].v);
	free(blocks);
	l->blocks = NULL;
}

static void put_rows(const struct diff *d, const struct diff_text *t, const struct diff_row *rows,
		     size_t nr, struct strbuf *out)
{
	struct line l = { .d = d, .t = t, .out = out, .cell = STRBUF_INIT };

	fit_keys(&l);
	for (size_t i = 0; i < nr; i++) {
		const struct diff_path *root;

		l.row = &rows[i];
		put_row(&l);
		root = t->paths ? diff_paths_of(t->paths, l.row) : NULL;
		if (root)
			diff_path_lines(d, t, root, out);
	}
	strbuf_release(&l.cell);
	free(l.fitted);
}

void diff_rows(const struct diff *d, const struct diff_text *t, struct strbuf *out)
{
	put_rows(d, t, d->rows, d->nr_rows, out);
}

void diff_row_lines(const struct diff *d, const struct diff_text *t, const struct diff_row *r,
		    struct strbuf *out)
{
	put_rows(d, t, r, 1, out);
}

void diff_row_name(const struct diff *d, const struct diff_row *r, struct strbuf *out)
{
	const struct diff_side *s = &d->sides[r->side];
	const struct hist_columns *c = &hist_config(s->hist)->cols;
	size_t from = out->len;

	for (u32 i = 0; i < c->nr; i++) {
		if (!diff_column_shown(c->col[i]))
			continue;
		if (out->len > from)
			strbuf_addch(out, ' ');
		c->col[i]->format(s->hist, c->col[i], hist_event(s->hist, s->evsel), r->row,
				  UINT16_MAX, "", out);
	}
}
