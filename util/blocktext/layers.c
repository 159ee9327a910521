// SPDX-License-Identifier: GPL-2.0-or-later
/* A tree shows which I/O was caused by other I/O. */
#include "base/compat.h"

#include "blocktext/blocktext-internal.h"

#include "base/alloc.h"

#define NAME_COLUMNS 40

/* The layers that another one has caused stand together. */
struct layer_tree {
	struct block_report *r;
	const struct block_layer *v;
	u32 nr;
	u32 *order;       /* owned; layers with requests */
	u32 *first, *end; /* owned; by layer: the places of those that it has caused */
	struct strbuf *out;
};

static const struct block_layer_sum *sum_of(const struct layer_tree *t, u32 layer)
{
	static const struct block_layer_sum none;

	return layer < t->r->nr_layers ? &t->r->layers[layer] : &none;
}

/* Those that took longest come first among the ones with the same upper layer. */
static int compare(const void *a, const void *b, void *ctx)
{
	const struct layer_tree *t = ctx;
	u32 x = *(const u32 *)a, y = *(const u32 *)b;
	u64 tx = sum_of(t, x)->total, ty = sum_of(t, y)->total;

	if (t->v[x].upper != t->v[y].upper)
		return t->v[x].upper < t->v[y].upper ? -1 : 1;
	if (tx != ty)
		return tx < ty ? 1 : -1;
	return x < y ? -1 : x > y;
}

static void make_tree(struct layer_tree *t)
{
	u32 nr = 0;

	t->order = xcalloc((size_t)t->nr + 1, sizeof(*t->order));
	t->first = xcalloc((size_t)t->nr + 1, sizeof(*t->first));
	t->end = xcalloc((size_t)t->nr + 1, sizeof(*t->end));
	for (u32 i = 1; i < t->nr; i++)
		if (sum_of(t, i)->requests)
			t->order[nr++] = i;
	qsort_r(t->order, nr, sizeof(*t->order), compare, t);
	for (u32 i = 0; i < nr; i++) {
		u32 upper = t->v[t->order[i]].upper;

		if (!t->end[upper])
			t->first[upper] = i;
		t->end[upper] = i + 1;
	}
}

static void put_layer(struct layer_tree *t, u32 layer)
{
	const struct block_layer *l = &t->v[layer];
	const struct block_layer_sum *s = sum_of(t, layer);
	size_t at = t->out->len;
	double us = (double)s->total / 1e3;

	strbuf_addf(t->out, "  %*s%s %s", (int)(2 * l->depth), "", block_name(&t->r->names, l->dev),
		    block_kind_name(l->kind));
	strbuf_pad(t->out, at + NAME_COLUMNS);
	strbuf_addf(t->out, " %9" PRIu64 " %10.0f %12.3f %11.1f %6.1f%% %6.1f%%\n", s->requests,
		    (double)s->sectors / 2, us / 1e3, us / (double)s->requests,
		    s->total ? 100.0 * (double)(s->total - s->below) / (double)s->total : 0.0,
		    s->total ? 100.0 * (double)s->below / (double)s->total : 0.0);
}

/* Append a layer and all below it. Layers are few deep. */
static void put_tree(struct layer_tree *t, u32 layer)
{
	put_layer(t, layer);
	for (u32 i = t->first[layer]; i < t->end[layer]; i++)
		put_tree(t, t->order[i]);
}

static void put_title(struct strbuf *out)
{
	strbuf_addf(out, "\n# %-*s %9s %10s %12s %11s %7s %7s\n", NAME_COLUMNS - 2,
		    "I/O, and what it causes", "requests", "KiB", "total ms", "mean us", "here",
		    "below");
}

void block_put_layers(struct block_report *r, struct strbuf *out)
{
	struct layer_tree t = { .r = r, .out = out };
	bool some = false;

	t.v = block_flow_layers(r->flow, &t.nr);
	make_tree(&t);
	for (u32 i = t.first[0]; i < t.end[0]; i++) {
		u32 root = t.order[i];

		if (!t.end[root]) /* it has caused nothing */
			continue;
		if (!some)
			put_title(out);
		some = true;
		put_tree(&t, root);
	}
	free(t.order);
	free(t.first);
	free(t.end);
}
