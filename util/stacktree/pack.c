// SPDX-License-Identifier: GPL-2.0-or-later
/* Pack and unpack trees of stacks. */
#include "base/compat.h"

#include "stacktree/pack.h"

#include "base/alloc.h"

void stacks_part_init(struct stacks_part *p, u32 nr_events, bool root)
{
	*p = (struct stacks_part){ .nr_nodes = root };
	p->sums = xcalloc((size_t)nr_events + 1, sizeof(*p->sums));
}

void stacks_part_node(struct stacks_part *p, u32 depth, u32 frame)
{
	if (p->nr_nodes)
		stacks_put_varint(&p->levels, p->last_depth + 1 - depth);
	else
		p->first_depth = depth;
	stacks_put_varint(&p->frames, frame);
	p->last_depth = depth;
	p->nr_nodes++;
}

void stacks_part_sum(struct stacks_part *p, const struct stacks_sum *sum)
{
	struct stacks_packed_sums *s = &p->sums[sum->event];
	u8 *at = stacks_varints(&s->bytes, 6);

	if (!s->nr++)
		s->unit = sum->samples ? sum->period / sum->samples : 0;
	at = stacks_put_at(at, sum->node - s->node);
	at = stacks_put_at(at, sum->thread);
	at = stacks_put_at(at, sum->cpu);
	at = stacks_put_at(at, sum->slice);
	at = stacks_put_at(at, sum->samples);
	at = stacks_put_at(at, stacks_signed(sum->period - sum->samples * s->unit));
	stacks_put_end(&s->bytes, at);
	s->node = sum->node;
}

u32 stacks_packed_number(struct stacks_packed *k)
{
	u32 nr = 0;

	for (size_t i = 0; i < k->nr_parts; i++) {
		k->parts[i].first = nr;
		nr += k->parts[i].nr_nodes;
	}
	return nr;
}

void stacks_packed_free(struct stacks_packed *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < k->nr_parts; i++) {
		struct stacks_part *p = &k->parts[i];

		strbuf_release(&p->levels);
		strbuf_release(&p->frames);
		for (u32 e = 0; e < k->nr_events; e++)
			strbuf_release(&p->sums[e].bytes);
		free(p->sums);
	}
	free(k->parts);
	free(k);
}

struct stacks_packed *stacks_pack(const struct stacks *s)
{
	struct stacks_packed *k = xzalloc(sizeof(*k));
	size_t *at = xcalloc((size_t)s->nr_events + 1, sizeof(*at)), i = 0;

	k->nr_events = s->nr_events;
	k->nr_parts = 1;
	k->parts = xcalloc(1, sizeof(*k->parts));
	stacks_part_init(k->parts, s->nr_events, true);
	for (u32 e = 0; e < s->nr_events; e++) { /* find the start of each event */
		while (i < s->nr_sums && s->sums[i].event < e)
			i++;
		at[e] = i;
	}
	for (u32 n = 0; n < s->nr_nodes; n++) {
		if (n)
			stacks_part_node(k->parts, s->nodes[n].depth, s->nodes[n].frame);
		for (u32 e = 0; e < s->nr_events; e++)
			for (; at[e] < s->nr_sums && s->sums[at[e]].event == e &&
			       s->sums[at[e]].node == n;
			     at[e]++)
				stacks_part_sum(k->parts, &s->sums[at[e]]);
	}
	free(at);
	return k;
}

/* ---- reading ---- */

/* Go to the next part that has sums, of the same event or the next one. */
static bool next_sums(struct stacks_sums_walk *w)
{
	for (; w->event < w->of->nr_events; w->event++, w->part = 0)
		for (; w->part < w->of->nr_parts; w->part++) {
			const struct stacks_part *p = &w->of->parts[w->part];
			const struct stacks_packed_sums *s = &p->sums[w->event];

			if (!s->nr)
				continue;
			w->p = (const u8 *)s->bytes.buf;
			w->left = s->nr;
			w->unit = s->unit;
			w->node = p->first;
			w->part++;
			return true;
		}
	return false;
}

void stacks_sums_walk(struct stacks_sums_walk *w, const struct stacks_packed *k)
{
	*w = (struct stacks_sums_walk){ .of = k };
}

static u64 from_both_signs(u64 v)
{
	return v >> 1 ^ (0 - (v & 1));
}

bool stacks_sums_next(struct stacks_sums_walk *w, struct stacks_sum *sum)
{
	if (!w->left && !next_sums(w))
		return false;
	w->left--;
	w->node += (u32)stacks_get_varint(&w->p);
	sum->event = w->event;
	sum->node = w->node;
	sum->thread = (u32)stacks_get_varint(&w->p);
	sum->cpu = (u32)stacks_get_varint(&w->p);
	sum->slice = (u32)stacks_get_varint(&w->p);
	sum->samples = stacks_get_varint(&w->p);
	sum->period = sum->samples * w->unit + from_both_signs(stacks_get_varint(&w->p));
	return true;
}

/* ---- arrays ---- */

/* Unpack the nodes. @above: by depth, the current node */
static void unpack_nodes(struct stacks *s, const struct stacks_part *p, u32 *above)
{
	const u8 *levels = (const u8 *)p->levels.buf, *frames = (const u8 *)p->frames.buf;
	u32 depth = p->first_depth;

	for (u32 n = p->first ? p->first : 1; n < p->first + p->nr_nodes; n++) {
		if (n > p->first)
			depth = depth + 1 - (u32)stacks_get_varint(&levels);
		above[depth] = n;
		s->nodes[n] = (struct stacks_node){ .parent = above[depth - 1],
						    .frame = (u32)stacks_get_varint(&frames),
						    .depth = depth };
	}
}

static u32 deepest(const struct stacks_packed *k)
{
	u32 most = 0;

	for (size_t i = 0; i < k->nr_parts; i++) {
		const struct stacks_part *p = &k->parts[i];
		const u8 *levels = (const u8 *)p->levels.buf;
		u32 depth = p->first_depth;

		most = MAX(most, depth);
		for (u32 n = 1; n < p->nr_nodes; n++, most = MAX(most, depth))
			depth = depth + 1 - (u32)stacks_get_varint(&levels);
	}
	return most;
}

static void set_ends(struct stacks *s)
{
	for (u32 i = s->nr_nodes; i-- > 0;) {
		struct stacks_node *n = &s->nodes[i], *parent = &s->nodes[n->parent];

		n->end = MAX(n->end, i + 1);
		parent->end = MAX(parent->end, n->end);
	}
}

void stacks_unpack(struct stacks *s)
{
	struct stacks_packed *k = s->packed;
	u32 *above = xcalloc((size_t)deepest(k) + 1, sizeof(*above));
	struct stacks_sums_walk w;

	free(s->nodes);
	free(s->sums);
	s->nodes = xcalloc(s->nr_nodes, sizeof(*s->nodes));
	s->sums = xcalloc(s->nr_sums + 1, sizeof(*s->sums));
	s->nodes[0] = (struct stacks_node){ .frame = UINT32_MAX };
	for (size_t i = 0; i < k->nr_parts; i++)
		unpack_nodes(s, &k->parts[i], above);
	free(above);
	set_ends(s);
	stacks_sums_walk(&w, k);
	for (size_t i = 0; i < s->nr_sums && stacks_sums_next(&w, &s->sums[i]);)
		i++;
	stacks_packed_free(k);
	s->packed = NULL;
}
