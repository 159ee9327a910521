// SPDX-License-Identifier: GPL-2.0-or-later
/* Match the rows of several profiles, compute how each changed, and sort them. */
#include "base/compat.h"

#include <math.h>

#include "diff/diff.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "hist/index.h"
#include "hist/sort.h"

struct keyed {
	struct strbuf text;
	size_t *at; /* the start of each row's key in the text, and one more */
	size_t cap, cap_at, cap_parts;
};

bool diff_column_shown(const struct hist_column *c)
{
	return !c->metric && strcmp(c->name, "ipc_null");
}

/*
 * Append the key of a row. All addresses without symbol are equal, because they have no meaning in
 * another run.
 */
static void put_key(const struct hist *h, const struct hist_event *ev, const struct hist_row *row,
		    struct strbuf *out)
{
	const struct hist_columns *c = &hist_config(h)->cols;

	strbuf_addch(out, '\n'); /* sums do not distinguish rows, and a key is never empty */
	for (u32 i = 0; i < c->nr_sort; i++) {
		const struct hist_column *col = c->sort[i];

		if (!diff_column_shown(col))
			continue;
		if (col->need & NEED_THREAD) /* the same thread, whatever its name was */
			strbuf_dec(out, hist_base(h, row->base)->tid, 0);
		else if (!col->raw || !col->need ||
			 (col->need & ~(unsigned int)(NEED_SYM | NEED_SYM_FROM)) ||
			 hist_symbol_name(h, row->place))
			col->format(h, col, ev, row, UINT16_MAX, "", out);
		strbuf_addch(out, '\n');
	}
}

static s64 address_of(const struct diff *d, u32 side, const struct hist_row *row)
{
	return (s64)hist_place(d->sides[side].hist, row->place)->start;
}

static void add_row(struct diff *d, struct index *ix, struct keyed *k, u32 side,
		    const struct hist_event *ev, const struct hist_row *row)
{
	size_t from = k->text.len, pos, len;
	struct diff_row *r = NULL;
	u64 hash;

	put_key(d->sides[side].hist, ev, row, &k->text);
	len = k->text.len - from;
	hash = hash_bytes(k->text.buf + from, len);
	index_reserve(ix);
	index_for_each(ix, hash, pos)
	{
		u32 i = index_at(ix, pos);

		if (k->at[i + 1] - k->at[i] == len &&
		    !memcmp(k->text.buf + k->at[i], k->text.buf + from, len)) {
			r = &d->rows[i];
			k->text.len = from;
			break;
		}
	}
	if (!r) {
		VEC_GROW(d->rows, d->nr_rows + 1, k->cap);
		VEC_GROW(k->at, d->nr_rows + 2, k->cap_at);
		k->at[d->nr_rows] = from;
		k->at[d->nr_rows + 1] = k->text.len;
		index_put(ix, pos, hash, (u32)d->nr_rows);
		r = &d->rows[d->nr_rows++];
		*r = (struct diff_row){ .side = side, .row = row };
		r->sums = xcalloc(d->nr_sides, sizeof(*r->sums));
	} else if (r->side == side && address_of(d, side, row) < address_of(d, side, r->row)) {
		r->row = row;
	}
	r->sums[side].period += row->period;
	r->sums[side].nr += row->nr;
	VEC_GROW(d->parts, d->nr_parts + 1, k->cap_parts);
	d->parts[d->nr_parts] = (struct diff_part){ row, side, r->parts };
	r->parts = ++d->nr_parts;
}

/* Measure a column of one side; without rows it is as wide as its title. */
static void widen(struct diff *d, u32 c, const struct hist_event *ev)
{
	const struct hist_column *col = hist_config(d->sides[0].hist)->cols.col[c];
	size_t width = ev->nr_rows ? ev->width[c] : strlen(col->header);

	d->width[c] = MAX((size_t)d->width[c], width);
}

static void pair_rows(struct diff *d)
{
	struct keyed k = { .text = STRBUF_INIT };
	struct index ix = { 0 };

	for (u32 s = 0; s < d->nr_sides; s++) {
		const struct diff_side *side = &d->sides[s];
		const struct hist_event *ev;

		if (side->evsel == UINT32_MAX)
			continue;
		ev = hist_event(side->hist, side->evsel);
		for (size_t i = 0; i < ev->nr_rows; i++)
			add_row(d, &ix, &k, s, ev, ev->rows[i]);
		for (u32 c = 0; c < hist_config(side->hist)->cols.nr; c++)
			widen(d, c, ev);
	}
	index_release(&ix);
	strbuf_release(&k.text);
	free(k.at);
}

/* ---- what changed ---- */

double diff_share(const struct diff *d, const struct diff_sum *sums, u32 side)
{
	u64 all = d->sides[side].period;

	return all ? sums[side].period * 100.0 / all : 0.0;
}

enum diff_has diff_value(const struct diff *d, const struct diff_row *r, u32 side, double *out)
{
	const struct diff_sum *old = &r->sums[0], *new = &r->sums[side];

	if (!new->nr && d->conf.compute != DIFF_CYCLES)
		return DIFF_NONE;
	switch (d->conf.compute) {
	case DIFF_DELTA:
	case DIFF_DELTA_ABS:
		*out = diff_share(d, r->sums, side) - diff_share(d, r->sums, 0);
		return DIFF_VALUE;
	case DIFF_RATIO:
		*out = (double)new->period / MAX(old->period, (u64)1);
		return old->period ? DIFF_VALUE : DIFF_NO_BASE;
	case DIFF_CYCLES:
		*out = r->cycles;
		return DIFF_VALUE;
	case DIFF_WDIFF:
	default:
		*out = (double)new->period * d->conf.w2 - (double)old->period * d->conf.w1;
		return old->nr ? DIFF_VALUE : DIFF_NO_BASE;
	}
}

/* Return the variance of a share of @n samples, of which @part are in the row. */
static double variance(u64 part, u64 n)
{
	double p = n ? (double)part / n : 0;

	return n ? p * (1 - p) / n : 0;
}

double diff_noise(const struct diff *d, const struct diff_sum *sums, u32 side)
{
	return 196 * sqrt(variance(sums[0].nr, d->sides[0].nr) +
			  variance(sums[side].nr, d->sides[side].nr));
}

/* ---- order ---- */

static int names_cmp(const struct diff *d, const struct diff_row *a, const struct diff_row *b)
{
	const struct hist *h = d->sides[a->side].hist;
	const struct hist_columns *c = &hist_config(h)->cols;

	if (a->side != b->side)
		return a->side < b->side ? -1 : 1;
	for (u32 i = 0; i < c->nr_sort; i++) {
		u64 ra, rb;

		if (c->sort[i]->metric)
			continue;
		ra = c->sort[i]->rank(h, c->sort[i], a->row, 0);
		rb = c->sort[i]->rank(h, c->sort[i], b->row, 0);
		if (ra != rb)
			return ra < rb ? -1 : 1;
	}
	return 0;
}

/* Compare by the value of a side: whether there is one, and its size. */
static int values_cmp(const struct diff *d, const struct diff_row *a, const struct diff_row *b,
		      u32 side)
{
	double va = 0, vb = 0;
	enum diff_has ha = diff_value(d, a, side, &va), hb = diff_value(d, b, side, &vb);

	if (ha != hb)
		return ha > hb ? -1 : 1;
	if (d->conf.compute == DIFF_DELTA_ABS || d->conf.compute == DIFF_CYCLES) {
		va = fabs(va);
		vb = fabs(vb);
	}
	return va > vb ? -1 : va < vb;
}

/* Compare by the baseline, then by whether the other sides have the row, then by their values. */
static int periods_cmp(const struct diff *d, const struct diff_row *a, const struct diff_row *b)
{
	int ret;

	if (a->sums[0].period != b->sums[0].period)
		return a->sums[0].period > b->sums[0].period ? -1 : 1;
	for (u32 i = 1; i < d->nr_sides; i++) {
		ret = values_cmp(d, a, b, i);
		if (ret)
			return ret;
	}
	for (u32 i = 1; i < d->nr_sides; i++)
		if (a->sums[i].period != b->sums[i].period)
			return a->sums[i].period > b->sums[i].period ? -1 : 1;
	return names_cmp(d, a, b);
}

static int row_cmp(const void *pa, const void *pb, void *ctx)
{
	const struct diff_row *a = pa, *b = pb;
	const struct diff *d = ctx;
	int ret = d->conf.order ? values_cmp(d, a, b, d->conf.order) : 0;

	return ret ? ret : periods_cmp(d, a, b);
}

/* Keep the rows that are in the baseline and elsewhere, and base its shares on them. */
static void drop_unpaired(struct diff *d)
{
	size_t kept = 0;

	d->base_period = 0;
	for (size_t i = 0; i < d->nr_rows; i++) {
		bool other = false;

		for (u32 s = 1; s < d->nr_sides; s++)
			other |= d->rows[i].sums[s].nr > 0;
		if (!d->rows[i].sums[0].nr || !other) {
			free(d->rows[i].sums);
			continue;
		}
		d->base_period += d->rows[i].sums[0].period;
		d->rows[kept++] = d->rows[i];
	}
	d->nr_rows = kept;
}

static void note_cycles(struct diff *d)
{
	u32 side = d->conf.order ? d->conf.order : 1;
	struct diff_block *blocks;

	for (size_t i = 0; i < d->nr_rows; i++) {
		if (diff_blocks(d, &d->rows[i], side, &blocks))
			d->rows[i].cycles = blocks[0].change;
		free(blocks);
	}
}

static bool changed(const struct diff *d, const struct diff_row *r)
{
	double base = diff_share(d, r->sums, 0);

	for (u32 s = 1; s < d->nr_sides; s++)
		if (fabs(diff_share(d, r->sums, s) - base) >= d->conf.min_change)
			return true;
	return false;
}

static void drop_unchanged(struct diff *d)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->nr_rows; i++) {
		if (changed(d, &d->rows[i]))
			d->rows[kept++] = d->rows[i];
		else
			free(d->rows[i].sums);
	}
	d->nr_rows = kept;
}

/* With -b, rows that were dropped and rows of other sides do not widen columns. */
static void measure_baseline(struct diff *d)
{
	const struct hist *h = d->sides[0].hist;
	const struct hist_columns *c = &hist_config(h)->cols;
	u16 dso = 0;

	for (u32 k = 0; k < c->nr; k++) {
		d->width[k] = MAX(c->col[k]->width, strlen(c->col[k]->header));
		for (size_t i = 0; i < d->nr_rows && c->col[k]->measure; i++)
			if (!d->rows[i].side)
				c->col[k]->measure(h, c->col[k], d->rows[i].row, &d->width[k],
						   &dso);
	}
	for (u32 k = 0; k < c->nr && !hist_config(h)->fixed_widths; k++)
		if (c->col[k]->need == NEED_DSO)
			d->width[k] = MAX(d->width[k], dso);
}

struct diff *diff_new(const struct diff_side *sides, u32 nr, const struct diff_conf *conf)
{
	struct diff *d = xzalloc(sizeof(*d));

	d->conf = *conf;
	d->nr_sides = nr;
	d->sides = xcalloc(nr, sizeof(*sides));
	memcpy(d->sides, sides, nr * sizeof(*sides));
	d->base_period = sides[0].period;
	pair_rows(d);
	if (conf->compute == DIFF_CYCLES)
		note_cycles(d);
	if (conf->baseline_only)
		drop_unpaired(d);
	if (conf->baseline_only && sides[0].hist)
		measure_baseline(d);
	if (conf->min_change > 0)
		drop_unchanged(d);
	if (d->nr_rows)
		parallel_sort(d->rows, d->nr_rows, sizeof(*d->rows), row_cmp, d, 1);
	return d;
}

void diff_free(struct diff *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->nr_rows; i++)
		free(d->rows[i].sums);
	free(d->rows);
	free(d->parts);
	free(d->sides);
	free(d);
}
