// SPDX-License-Identifier: GPL-2.0-or-later
/* Find the hottest complete call chains of each profile, and which of them are equal. */
#include "base/compat.h"

#include "diff/diff.h"
#include "base/alloc.h"

struct collect {
	struct diff_streams *s;
	const struct diff *d;
	struct strbuf text; /* the chain so far, with a line for each frame */
	size_t cap;
};

static void keep(struct collect *c, const struct diff_sum *sums)
{
	struct diff_stream *st;

	VEC_GROW(c->s->v, c->s->nr + 1, c->cap);
	st = &c->s->v[c->s->nr++];
	*st = (struct diff_stream){ .frames = xstrdup(strbuf_str(&c->text)) };
	st->sums = xcalloc(c->d->nr_sides, sizeof(*st->sums));
	memcpy(st->sums, sums, c->d->nr_sides * sizeof(*sums));
}

/* Add what ends in @n: everything that comes through it minus what continues. */
static void walk(struct collect *c, const struct diff_path *n)
{
	size_t len = c->text.len, bytes = c->d->nr_sides * sizeof(struct diff_sum);
	struct diff_sum *left = xmalloc(bytes);
	bool any = false;

	memcpy(left, n->sums, bytes);
	for (u32 i = 0; i < n->nr_frames; i++)
		strbuf_addf(&c->text, "%s\n", n->frames[i]);
	for (u32 i = 0; i < n->nr_children; i++) {
		for (u32 side = 0; side < c->d->nr_sides; side++) {
			left[side].period -= n->children[i]->sums[side].period;
			left[side].nr -= n->children[i]->sums[side].nr;
		}
		walk(c, n->children[i]);
	}
	for (u32 side = 0; side < c->d->nr_sides; side++)
		any |= left[side].nr > 0;
	if (any && n->nr_frames)
		keep(c, left);
	free(left);
	c->text.len = len;
	if (c->text.buf)
		c->text.buf[len] = '\0';
}

struct by_side {
	u32 side;
};

static int hot_cmp(const void *pa, const void *pb, void *ctx)
{
	const struct diff_stream *a = pa, *b = pb;
	u32 side = ((const struct by_side *)ctx)->side;

	if (a->sums[side].period != b->sums[side].period)
		return a->sums[side].period > b->sums[side].period ? -1 : 1;
	return strcmp(a->frames, b->frames);
}

void diff_streams_sort(struct diff_streams *s, u32 side)
{
	struct by_side by = { side };

	if (s->nr)
		qsort_r(s->v, s->nr, sizeof(*s->v), hot_cmp, &by);
}

/* Mark the @most hottest chains of a side. */
static void mark_hot(struct diff_streams *s, u32 side, size_t most)
{
	diff_streams_sort(s, side);
	for (size_t i = 0; i < s->nr && i < most; i++)
		if (s->v[i].sums[side].nr)
			*(side ? &s->v[i].hot_now : &s->v[i].hot_then) = true;
}

struct diff_streams *diff_streams_new(const struct diff *d, u32 side, size_t most)
{
	struct diff_paths *p = diff_paths_new(d, 0);
	struct collect c = { .s = xzalloc(sizeof(*c.s)), .d = d, .text = STRBUF_INIT };
	const struct diff_path *root;

	for (size_t i = 0; i < d->nr_rows; i++) {
		root = diff_paths_of(p, &d->rows[i]);
		for (u32 k = 0; root && k < root->nr_children; k++)
			walk(&c, root->children[k]);
	}
	mark_hot(c.s, side, most);
	mark_hot(c.s, 0, most);
	strbuf_release(&c.text);
	diff_paths_free(p);
	return c.s;
}

void diff_streams_free(struct diff_streams *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nr; i++) {
		free(s->v[i].frames);
		free(s->v[i].sums);
	}
	free(s->v);
	free(s);
}
