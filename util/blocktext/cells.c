// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs get the rows with all their figures. */
#include "base/compat.h"

#include "blocktext/blocktext-internal.h"

#include "base/alloc.h"

#define BYTES_PER_SECTOR 512
#define FIGURES_OF_TIME 7
#define KEYS_MAX 5
#define NAME_BYTES 24

/* A row of cells is made, with the names of its columns. */
struct cells {
	struct row_value *v;          /* owned, as all arrays here */
	const char **names;           /* strings of their own */
	struct strbuf keys[KEYS_MAX]; /* texts of the first columns */
	size_t nr, cap_v, cap_names;
};

static void add(struct cells *c, struct row_value value, char *name)
{
	VEC_GROW(c->v, c->nr + 1, c->cap_v);
	VEC_GROW(c->names, c->nr + 1, c->cap_names);
	c->v[c->nr] = value;
	c->names[c->nr++] = name;
}

static void add_keys(struct cells *c, struct block_report *r, const struct block_sums *sums,
		     const struct block_row *row)
{
	for (u32 i = 0; block_by_name(i); i++) {
		struct strbuf *text = &c->keys[i];

		if (!(sums->by >> i & 1))
			continue;
		block_put_key(r, &row->key, 1U << i, text);
		add(c, row_word(strbuf_str(text)), xstrdup(block_by_name(i)));
	}
}

static void add_counts(struct cells *c, const char *what, const u64 v[BLOCK_KINDS], u64 factor)
{
	for (u32 kind = 0; kind < BLOCK_KINDS; kind++)
		add(c, row_number(v[kind] * factor),
		    xasprintf("%s_%s", block_kind_name(kind), what));
}

static void add_times(struct cells *c, enum block_span span, const struct block_times *times)
{
	static const struct block_times none;
	const struct block_times *t = times ?: &none;
	const struct {
		const char *name;
		u64 value;
	} figures[FIGURES_OF_TIME] = {
		{ "count", t->nr },
		{ "mean_ns", block_times_mean(t) },
		{ "min_ns", t->min },
		{ "p50_ns", block_times_quantile(t, 500000) },
		{ "p90_ns", block_times_quantile(t, 900000) },
		{ "p99_ns", block_times_quantile(t, 990000) },
		{ "max_ns", t->max },
	};

	for (size_t i = 0; i < ARRAY_SIZE(figures); i++)
		add(c, row_number(figures[i].value),
		    xasprintf("%s_%s", block_span_name(span), figures[i].name));
}

static void make_cells(struct cells *c, struct block_report *r, const struct block_sums *sums,
		       const struct block_row *row)
{
	add_keys(c, r, sums, row);
	add_counts(c, "requests", row->requests, 1);
	add_counts(c, "merges", row->merges, 1);
	add_counts(c, "bytes", row->sectors, BYTES_PER_SECTOR);
	add(c, row_number(row->sync), xstrdup("sync"));
	add(c, row_number(row->errors), xstrdup("errors"));
	for (u32 span = 0; span < BLOCK_SPANS; span++)
		add_times(c, span, row->times[span]);
}

static void release(struct cells *c)
{
	for (size_t i = 0; i < c->nr; i++)
		free((char *)c->names[i]);
	for (size_t i = 0; i < KEYS_MAX; i++)
		strbuf_release(&c->keys[i]);
	free(c->names);
	free(c->v);
}

void block_put_cells(struct block_report *r, const struct block_sums *sums, struct strbuf *out)
{
	enum table_form form = r->show->form;
	size_t nr;
	const struct block_row **rows = block_sorted_rows(sums, &nr);

	for (size_t i = 0; i < nr; i++) {
		struct cells c = { 0 };

		make_cells(&c, r, sums, rows[i]);
		if (!i)
			table_head(form, c.names, c.nr, out);
		table_put(form, c.names, c.v, c.nr, out);
		release(&c);
	}
	free(rows);
}
