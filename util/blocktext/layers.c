// SPDX-License-Identifier: GPL-2.0-or-later
/* A tree shows which I/O was caused by other I/O. */
#include "base/compat.h"

#include "blocktext/blocktext-internal.h"

#include "base/alloc.h"

#define NAME_COLUMNS 40

struct layer_tree {
	struct block_report *r;
	const struct block_layer *v;
	u32 nr;
	u64 all; /* ns of the roots that are shown */
	struct strbuf *out;
};

static const struct block_layer_sum *sum_of(const struct layer_tree *t, u32 layer)
{
	static const struct block_layer_sum none;

	return layer < t->r->nr_layers ? &t->r->layers[layer] : &none;
}

static int compare(const void *a, const void *b, void *ctx)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;
	u64 tx = sum_of(ctx, x)->total, ty = sum_of(ctx, y)->total;

	if (tx != ty)
		return tx < ty ? 1 : -1;
	return x < y ? -1 : x > y;
}

/* Return those that the layer has caused, the ones that took longest first; the caller frees them.
 */
static u32 *below(struct layer_tree *t, u32 upper, u32 *nr)
{
	u32 *v = xcalloc(t->nr + 1, sizeof(*v));

	*nr = 0;
	for (u32 i = upper + 1; i < t->nr; i++)
		if (t->v[i].upper == upper && sum_of(t, i)->requests)
			v[(*nr)++] = i;
	qsort_r(v, *nr, sizeof(*v), compare, t);
	return v;
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
	u32 nr, *v = below(t, layer, &nr);

	put_layer(t, layer);
	for (u32 i = 0; i < nr; i++)
		put_tree(t, v[i]);
	free(v);
}

static bool has_below(const struct layer_tree *t, u32 layer)
{
	for (u32 i = layer + 1; i < t->nr; i++)
		if (t->v[i].upper == layer && sum_of(t, i)->requests)
			return true;
	return false;
}

void block_put_layers(struct block_report *r, struct strbuf *out)
{
	struct layer_tree t = { .r = r, .out = out };
	bool some = false;
	u32 nr, *roots;

	t.v = block_flow_layers(r->flow, &t.nr);
	roots = below(&t, 0, &nr);
	for (u32 i = 0; i < nr; i++) {
		if (!has_below(&t, roots[i]))
			continue;
		if (!some)
			strbuf_addf(out, "\n# %-*s %9s %10s %12s %11s %7s %7s\n", NAME_COLUMNS - 2,
				    "I/O, and what it causes", "requests", "KiB", "total ms",
				    "mean us", "here", "below");
		some = true;
		put_tree(&t, roots[i]);
	}
	free(roots);
}
