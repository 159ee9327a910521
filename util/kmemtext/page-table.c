// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables and sums of blocks of pages. */
#include "base/compat.h"

#include "kmemtext/kmemtext-internal.h"

#include "base/alloc.h"

#include <stdlib.h>

#define TYPES 5
#define ORDERS 11 /* that are shown when no block is larger */
#define FLAG_COLUMNS 9

/* The types of blocks, as they are called in the tables of rows and in that of orders. */
struct type_names {
	const char *row[TYPES], *column[TYPES];
};

/* Linux 4.4 changed the order of the types. */
static const struct type_names *type_names(const char *release)
{
	static const struct type_names now = {
		{ "UNMOVABL", "MOVABLE", "RECLAIM", "HIGHATOM", "CMA/ISLT" },
		{ "Unmovable", "Movable", "Reclaimable", "HighAtomic", "CMA/Isolated" },
	};
	static const struct type_names old = {
		{ "UNMOVABL", "RECLAIM", "MOVABLE", "RESERVED", "CMA/ISLT" },
		{ "Unmovable", "Reclaimable", "Movable", "Reserved", "CMA/Isolated" },
	};
	unsigned long major, minor = 0;
	char *end;

	if (!release)
		return &now;
	major = strtoul(release, &end, 10);
	if (*end == '.')
		minor = strtoul(end + 1, NULL, 10);
	return major < 4 || (major == 4 && minor < 4) ? &old : &now;
}

/* Rows of pages are printed with this. */
struct page_text {
	const struct kmem_text *t;
	const struct type_names *types;
	struct gfp_words words;
	int flag_columns;
};

/* ---- flags ---- */

static int compare_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/* Return the flags of all rows, each once and ascending; the caller frees them. */
static u64 *distinct_flags(const struct kmem_pages *rows, size_t nr, size_t *nr_flags)
{
	u64 *flags = xcalloc(nr + 1, sizeof(*flags));

	for (size_t i = 0; i < nr; i++)
		flags[i] = rows[i].gfp;
	qsort(flags, nr, sizeof(*flags), compare_u64);
	*nr_flags = 0;
	for (size_t i = 0; i < nr; i++)
		if (!i || flags[i] != flags[i - 1])
			flags[(*nr_flags)++] = flags[i];
	return flags;
}

static void put_legend(struct page_text *p)
{
	struct strbuf text = STRBUF_INIT, *out = p->t->out;
	size_t nr, nr_flags;
	const struct kmem_pages *rows = kmem_page_sites(p->t->kmem, &nr);
	u64 *flags = distinct_flags(rows, nr, &nr_flags);
	int columns = 0;

	for (size_t i = 0; i < nr_flags; i++) {
		strbuf_reset(&text);
		gfp_put_short(&p->words, flags[i], &text);
		columns = MAX(columns, (int)text.len);
	}
	p->flag_columns = MAX(columns, FLAG_COLUMNS);
	strbuf_addstr(out, "#\n# GFP flags\n# ---------\n");
	for (size_t i = 0; i < nr_flags; i++) {
		strbuf_reset(&text);
		gfp_put_short(&p->words, flags[i], &text);
		strbuf_addf(out, "# %08" PRIx64 ": %*s: ", flags[i], columns, strbuf_str(&text));
		gfp_put(&p->words, flags[i], out);
		strbuf_addch(out, '\n');
	}
	strbuf_release(&text);
	free(flags);
}

/* ---- tables ---- */

/* Return what is shown of the rows; the caller frees it. With --live these are the blocks that were
 * not freed. */
static struct kmem_pages *shown_rows(const struct kmem_text *t, enum kmem_table table, size_t *nr)
{
	const struct kmem_pages *all = table == KMEM_BY_SITE ? kmem_page_sites(t->kmem, nr)
							     : kmem_page_places(t->kmem, nr);
	struct kmem_pages *rows = xcalloc(*nr + 1, sizeof(*rows));
	size_t kept = 0;

	for (size_t i = 0; i < *nr; i++) {
		struct kmem_pages row = all[i];

		if (t->show->live) {
			row.allocs -= row.frees;
			row.alloc_bytes -= row.free_bytes;
		}
		if (row.allocs)
			rows[kept++] = row;
	}
	*nr = kept;
	return rows;
}

static void put_row(const struct page_text *p, enum kmem_table table, const struct kmem_pages *row)
{
	struct strbuf *out = p->t->out;
	size_t start;

	if (table == KMEM_BY_MEMORY)
		strbuf_addf(out,
			    kmem_page_totals(p->t->kmem)->frames ? " %16" PRIu64 " |"
								 : " %016" PRIx64 " |",
			    row->page);
	strbuf_addf(out, " %16" PRIu64 " | %9" PRIu64 " | %5u | %8s | ", row->alloc_bytes / 1024,
		    row->allocs, row->order, p->types->row[MIN(row->type, TYPES - 1)]);
	start = out->len;
	gfp_put_short(&p->words, row->gfp, out);
	strbuf_pad(out, start + (size_t)p->flag_columns);
	strbuf_addstr(out, " | ");
	put_code(p->t, row->site, false, out);
	strbuf_addch(out, '\n');
}

static void put_head(const struct page_text *p, enum kmem_table table)
{
	struct strbuf *out = p->t->out;

	strbuf_addch(out, '\n');
	put_rule(out);
	if (table == KMEM_BY_MEMORY)
		strbuf_addf(out, " %-16s |", kmem_page_totals(p->t->kmem)->frames ? "PFN" : "Page");
	strbuf_addf(out, " %16s | Hits      | Order | Mig.type | %-*s | Callsite\n",
		    p->t->show->live ? "Live alloc (KB)" : "Total alloc (KB)", p->flag_columns,
		    "GFP flags");
	put_rule(out);
}

static void put_table(const struct page_text *p, enum kmem_table table)
{
	size_t nr;
	struct kmem_pages *rows = shown_rows(p->t, table, &nr);
	size_t shown = rows_shown(p->t->show, table, nr);

	kmem_sort_pages(&p->t->show->order[KMEM_PAGE][table], rows, nr);
	put_head(p, table);
	for (size_t i = 0; i < shown; i++)
		put_row(p, table, &rows[i]);
	if (shown < nr && table == KMEM_BY_MEMORY)
		strbuf_addstr(p->t->out, " ...              |");
	if (shown < nr)
		strbuf_addf(p->t->out,
			    " ...              | ...       | ...   | ...      | %-*s | ...\n",
			    p->flag_columns, "...");
	put_rule(p->t->out);
	free(rows);
}

/* ---- sums ---- */

static void put_sum(struct strbuf *out, const char *what, u64 nr, u64 bytes)
{
	strbuf_addf(out, "%-30s: %16" PRIu64 "   [ %16" PRIu64 " KB ]\n", what, nr, bytes / 1024);
}

/* Append how many blocks there are of each order and type. */
static void put_orders(const struct page_text *p)
{
	size_t nr;
	struct kmem_pages *rows = shown_rows(p->t, KMEM_BY_SITE, &nr);
	u64 counts[32][TYPES] = { 0 };
	struct strbuf *out = p->t->out;
	u32 orders = ORDERS;

	for (size_t i = 0; i < nr; i++) {
		u32 order = MIN(rows[i].order, 31U);

		counts[order][MIN(rows[i].type, TYPES - 1)] += rows[i].allocs;
		orders = MAX(orders, order + 1);
	}
	strbuf_addstr(out, "\nOrder");
	for (u32 type = 0; type < TYPES; type++)
		strbuf_addf(out, "  %12s", p->types->column[type]);
	strbuf_addstr(out, "\n-----");
	for (u32 type = 0; type < TYPES; type++)
		strbuf_addstr(out, "  ------------");
	strbuf_addch(out, '\n');
	for (u32 order = 0; order < orders; order++) {
		strbuf_addf(out, "%5u", order);
		for (u32 type = 0; type < TYPES; type++)
			if (counts[order][type])
				strbuf_addf(out, "  %12" PRIu64, counts[order][type]);
			else
				strbuf_addf(out, "  %12s", ".");
		strbuf_addch(out, '\n');
	}
	free(rows);
}

static void put_sums(const struct page_text *p)
{
	const struct kmem_page_totals *sums = kmem_page_totals(p->t->kmem);
	u64 allocated = sums->alloc_bytes - sums->failure_bytes;
	struct strbuf *out = p->t->out;

	put_title(out, "SUMMARY (page allocator)");
	put_sum(out, "Total allocation requests", sums->allocs, sums->alloc_bytes);
	put_sum(out, "Total free requests", sums->frees, sums->free_bytes);
	strbuf_addch(out, '\n');
	put_sum(out, "Total alloc+freed requests", sums->pairs, sums->pair_bytes);
	put_sum(out, "Total alloc-only requests", sums->allocs - sums->failures - sums->pairs,
		allocated - MIN(allocated, sums->pair_bytes)); /* damaged frees may be larger */
	put_sum(out, "Total free-only requests", sums->free_only, sums->free_only_bytes);
	strbuf_addch(out, '\n');
	put_sum(out, "Total allocation failures", sums->failures, sums->failure_bytes);
	put_orders(p);
}

void put_page(const struct kmem_text *t)
{
	const struct recording *r = analysis_recording(t->a);
	struct page_text p = {
		.t = t,
		.types = type_names(r->session.file->env.os_release),
		.words = gfp_words_of(r->formats.tracefmt),
	};

	if (t->show->tables[KMEM_BY_SITE] || t->show->tables[KMEM_BY_MEMORY])
		put_legend(&p);
	for (int table = 0; table < KMEM_TABLES; table++)
		if (t->show->tables[table])
			put_table(&p, table);
	if (t->show->leaks) {
		size_t nr;
		struct kmem_leak *leaks = kmem_page_leaks(t->kmem, &nr);

		put_leaks(t, false, leaks, nr);
	}
	put_sums(&p);
}
