// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables and sums of objects. */
#include "base/compat.h"

#include "kmemtext/kmemtext-internal.h"

#include "base/alloc.h"

#define NAME_COLUMNS 34

/* Rows that follow each other often have the same share, which is printed once. */
struct share {
	u64 waste, all;
	struct strbuf text;
};

static u64 waste_of(u64 requested, u64 allocated)
{
	return allocated > requested ? allocated - requested : 0;
}

static double percent(u64 part, u64 all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void put_share(struct share *s, const struct kmem_use *u, struct strbuf *out)
{
	u64 waste = waste_of(u->requested, u->allocated);

	if (!s->text.len || s->waste != waste || s->all != u->allocated) {
		strbuf_reset(&s->text);
		strbuf_addf(&s->text, "%6.3f%%\n", percent(waste, u->allocated));
		s->waste = waste;
		s->all = u->allocated;
	}
	strbuf_add(out, s->text.buf, s->text.len);
}

/* Append a sum and the average of one allocation. */
static void put_bytes(struct strbuf *out, u64 sum, u64 hits)
{
	size_t end;

	strbuf_addstr(out, " | ");
	strbuf_dec(out, sum, 9);
	strbuf_addch(out, '/');
	end = out->len + 5;
	strbuf_dec(out, hits ? sum / hits : 0, 0);
	strbuf_pad(out, end);
}

static void put_use(const struct kmem_text *t, enum kmem_table table, const struct kmem_use *u,
		    struct share *share)
{
	struct strbuf *out = t->out;
	size_t start;

	strbuf_addch(out, ' ');
	start = out->len;
	if (table == KMEM_BY_SITE) {
		put_code(t, u->site, true, out);
	} else {
		strbuf_addstr(out, "0x");
		strbuf_hex(out, u->ptr, 0, 0);
	}
	strbuf_pad(out, start + NAME_COLUMNS);
	put_bytes(out, u->allocated, u->hits);
	put_bytes(out, u->requested, u->hits);
	strbuf_addstr(out, " | ");
	strbuf_dec(out, u->hits, 8);
	strbuf_addstr(out, " | ");
	strbuf_dec(out, u->pingpong, 9);
	strbuf_addstr(out, " | ");
	put_share(share, u, out);
}

static void put_table(const struct kmem_text *t, enum kmem_table table, const struct kmem_use *uses,
		      size_t nr)
{
	static const char *const names[KMEM_TABLES] = { "Callsite", "Alloc Ptr" };
	struct kmem_use *rows = xcalloc(nr + 1, sizeof(*rows));
	size_t shown = rows_shown(t->show, table, nr);
	struct share share = { .text = STRBUF_INIT };

	if (nr)
		memcpy(rows, uses, nr * sizeof(*rows));
	kmem_sort_slab(&t->show->order[KMEM_SLAB][table], rows, nr);
	put_rule(t->out);
	strbuf_addf(t->out,
		    " %-34s | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | "
		    "Frag\n",
		    names[table]);
	put_rule(t->out);
	for (size_t i = 0; i < shown; i++)
		put_use(t, table, &rows[i], &share);
	if (shown < nr)
		strbuf_addf(t->out,
			    " %-34s | ...             | ...             | ...      | "
			    "...       | ...   \n",
			    "...");
	put_rule(t->out);
	strbuf_release(&share.text);
	free(rows);
}

static void put_sums(const struct kmem_text *t)
{
	const struct kmem_slab_totals *sums = kmem_slab_totals(t->kmem);
	u64 waste = waste_of(sums->requested, sums->allocated);
	struct strbuf *out = t->out;

	put_title(out, "SUMMARY (SLAB allocator)");
	strbuf_addf(out, "Total bytes requested: %" PRIu64 "\n", sums->requested);
	strbuf_addf(out, "Total bytes allocated: %" PRIu64 "\n", sums->allocated);
	strbuf_addf(out, "Total bytes freed:     %" PRIu64 "\n", sums->freed);
	strbuf_addf(out, "Net total bytes allocated: %" PRIu64 "\n", sums->allocated - sums->freed);
	strbuf_addf(out, "Total bytes wasted on internal fragmentation: %" PRIu64 "\n", waste);
	strbuf_addf(out, "Internal fragmentation: %f%%\n", percent(waste, sums->allocated));
	strbuf_addf(out, "Cross CPU allocations: %" PRIu64 "/%" PRIu64 "\n", sums->cross_node,
		    sums->allocations);
}

void put_slab(const struct kmem_text *t)
{
	size_t nr;
	const struct kmem_use *uses = kmem_slab_sites(t->kmem, &nr);

	if (t->show->tables[KMEM_BY_SITE])
		put_table(t, KMEM_BY_SITE, uses, nr);
	uses = kmem_slab_objects(t->kmem, &nr);
	if (t->show->tables[KMEM_BY_MEMORY])
		put_table(t, KMEM_BY_MEMORY, uses, nr);
	if (t->show->leaks) {
		struct kmem_leak *leaks = kmem_slab_leaks(t->kmem, &nr);

		put_leaks(t, true, leaks, nr);
	}
	put_sums(t);
}
