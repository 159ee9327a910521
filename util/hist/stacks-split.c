// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Many stacks to one tree without searching: what goes on alike is brought together, level by
 * level, so that a stack is read from its outermost frame only as far as it shares it with others,
 * and nodes come in their final order. As in chain.c, where rows are split for their call graphs.
 */
#include "base/compat.h"

#include "hist/stacks-internal.h"

#define AHEAD 12 /* stacks are all over the memory: fetched before they are looked at */

/* Stacks that go on with the same frame. */
struct part {
	u32 frame, nr;
	size_t at;
	double share;
};

struct split {
	struct stacks *s;
	struct stacks_item *tmp;
	u32 *rank;             /* frame of the hist -> of the tree */
	const u32 *comm;       /* by thread: frame of the tree; NULL */
	struct stacks_sum *in; /* of the items; in numbers of the tree */
	u32 *order;            /* of the sums of a node */
	double *share;         /* of each event: of one */
	double cut;
	u32 *slot; /* frame of the tree -> part + 1; else 0 */
	u32 *node_of;
	size_t cap_nodes, cap_sums, cap_order;
	bool reverse, by_samples;
};

static bool same_kind(const struct stacks_sum *a, const struct stacks_sum *b)
{
	return a->event == b->event && a->thread == b->thread && a->cpu == b->cpu &&
	       a->slice == b->slice;
}

static int order_cmp(const void *a, const void *b, void *ctx)
{
	const struct split *sp = ctx;

	return stacks_sum_cmp(&sp->in[*(const u32 *)a], &sp->in[*(const u32 *)b], NULL);
}

/* The sums of stacks that end at a node, in order. Return: how many. */
static size_t order_sums(struct split *sp, u32 node, const struct stacks_item *it, size_t nr)
{
	bool sorted = true;
	size_t n = 0;

	for (size_t i = 0; i < nr; i++) {
		VEC_GROW(sp->order, n + it[i].nr_of, sp->cap_order);
		for (u32 of = it[i].of; of < it[i].of + it[i].nr_of; of++) {
			sp->in[of].node = node;
			sorted &= !n || order_cmp(&sp->order[n - 1], &of, sp) <= 0;
			if (sp->node_of)
				sp->node_of[of] = node;
			sp->order[n++] = of;
		}
	}
	if (!sorted)
		qsort_r(sp->order, n, sizeof(*sp->order), order_cmp, sp);
	return n;
}

/* What ends at a node. */
static void put_sums(struct split *sp, u32 node, const struct stacks_item *it, size_t nr)
{
	struct stacks *s = sp->s;
	size_t n = order_sums(sp, node, it, nr);

	for (size_t i = 0; i < n; i++) {
		const struct stacks_sum *m = &sp->in[sp->order[i]];
		struct stacks_sum *last = s->nr_sums ? &s->sums[s->nr_sums - 1] : NULL;

		if (i && same_kind(m, last)) {
			last->samples += m->samples;
			last->period += m->period;
			continue;
		}
		VEC_GROW(s->sums, s->nr_sums + 1, sp->cap_sums);
		s->sums[s->nr_sums++] = *m;
	}
}

static u32 put_node(struct split *sp, u32 parent, u32 frame)
{
	struct stacks *s = sp->s;

	VEC_GROW(s->nodes, s->nr_nodes + 1, sp->cap_nodes);
	s->nodes[s->nr_nodes] = (struct stacks_node){ .parent = parent,
						      .frame = frame,
						      .depth = s->nodes[parent].depth + 1 };
	return s->nr_nodes++;
}

static u32 take_frame(const struct split *sp, struct stacks_item *it)
{
	u32 frame = sp->rank[*it->next];

	it->next += sp->reverse ? 1 : -1;
	it->left--;
	return frame;
}

static int by_frame(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return x->frame < y->frame ? -1 : x->frame > y->frame;
}

/* Those that end come first. Return: how many. */
static size_t ended_first(struct stacks_item *it, size_t nr)
{
	size_t ended = 0;

	for (size_t i = 0; i < nr; i++) {
		struct stacks_item x = it[i];

		if (x.left)
			continue;
		it[i] = it[ended];
		it[ended++] = x;
	}
	return ended;
}

/* Of its events, all together. */
static double share_of(const struct split *sp, const struct stacks_item *it)
{
	double share = 0;

	for (u32 of = it->of; of < it->of + it->nr_of; of++) {
		const struct stacks_sum *m = &sp->in[of];

		share += (double)(sp->by_samples ? m->samples : m->period) * sp->share[m->event];
	}
	return share;
}

/* The parts of @it by what they go on with; each is taken a step. The caller frees. */
static struct part *find_parts(struct split *sp, struct stacks_item *it, size_t nr,
			       size_t *nr_parts)
{
	struct part *p = NULL;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < nr; i++) {
		struct part *q;
		u32 frame;

		if (i + AHEAD < nr) {
			__builtin_prefetch(it[i + AHEAD].next);
			if (sp->cut > 0)
				__builtin_prefetch(&sp->in[it[i + AHEAD].of]);
		}
		frame = take_frame(sp, &it[i]);
		it[i].frame = frame;
		if (!sp->slot[frame]) {
			VEC_GROW(p, n + 1, cap);
			p[n++] = (struct part){ .frame = frame };
			sp->slot[frame] = n;
		}
		q = &p[sp->slot[frame] - 1];
		q->nr++;
		if (sp->cut > 0)
			q->share += share_of(sp, &it[i]);
	}
	*nr_parts = n;
	return p;
}

/* Bring parts together, in the order of their frames, what is under the limit in front. Return: how
 * many of @it that is; *@nr_parts: those that are left. */
static size_t order_parts(struct split *sp, struct stacks_item *it, size_t nr, struct part *p,
			  size_t *nr_parts)
{
	size_t cut = 0, kept = 0, at;

	for (size_t i = 0; i < *nr_parts; i++) {
		if (sp->cut > 0 && p[i].share < sp->cut) {
			sp->slot[p[i].frame] = 0;
			cut += p[i].nr;
			continue;
		}
		p[kept++] = p[i];
	}
	if (kept)
		qsort(p, kept, sizeof(*p), by_frame);
	at = cut;
	for (size_t i = 0; i < kept; i++) {
		p[i].at = at;
		at += p[i].nr;
		sp->slot[p[i].frame] = i + 1;
	}
	at = 0;
	for (size_t i = 0; i < nr; i++) {
		u32 slot = sp->slot[it[i].frame];

		sp->tmp[slot ? p[slot - 1].at++ : at++] = it[i];
	}
	memcpy(it, sp->tmp, nr * sizeof(*it));
	for (size_t i = 0; i < kept; i++) {
		p[i].at -= p[i].nr;
		sp->slot[p[i].frame] = 0;
	}
	*nr_parts = kept;
	return cut;
}

static void split_node(struct split *sp, u32 node, struct stacks_item *it, size_t nr)
{
	for (;;) {
		size_t ended, cut, nr_parts;
		struct part *p;

		if (nr == 1 && sp->cut <= 0) {
			while (it->left)
				node = put_node(sp, node, take_frame(sp, it));
			put_sums(sp, node, it, 1);
			return;
		}
		ended = ended_first(it, nr);
		p = find_parts(sp, it + ended, nr - ended, &nr_parts);
		cut = order_parts(sp, it + ended, nr - ended, p, &nr_parts);
		put_sums(sp, node, it, ended + cut);
		it += ended + cut;
		if (nr_parts == 1) { /* no need to come back */
			node = put_node(sp, node, p[0].frame);
			nr = p[0].nr;
			free(p);
			continue;
		}
		for (size_t i = 0; i < nr_parts; i++) {
			split_node(sp, put_node(sp, node, p[i].frame), it, p[i].nr);
			it += p[i].nr;
		}
		free(p);
		return;
	}
}

/* All sums of an item are of one then. */
static u32 comm_of(const struct split *sp, const struct stacks_item *it)
{
	return sp->comm[sp->in[it->of].thread];
}

/* Below the comms of their threads. */
static void split_comms(struct split *sp, struct stacks_item *it, size_t nr)
{
	size_t *at = xcalloc((size_t)sp->s->nr_frames + 2, sizeof(*at));

	for (size_t i = 0; i < nr; i++)
		at[comm_of(sp, &it[i]) + 2]++;
	for (u32 f = 0; f < sp->s->nr_frames; f++)
		at[f + 2] += at[f + 1];
	for (size_t i = 0; i < nr; i++)
		sp->tmp[at[comm_of(sp, &it[i]) + 1]++] = it[i];
	memcpy(it, sp->tmp, nr * sizeof(*it));
	for (u32 f = 0; f < sp->s->nr_frames; f++)
		if (at[f + 1] > at[f])
			split_node(sp, put_node(sp, 0, f), it + at[f], at[f + 1] - at[f]);
	free(at);
}

static void set_ends(struct stacks *s)
{
	for (u32 i = s->nr_nodes; i-- > 0;) {
		struct stacks_node *n = &s->nodes[i], *parent = &s->nodes[n->parent];

		n->end = MAX(n->end, i + 1);
		parent->end = MAX(parent->end, n->end);
	}
}

/* Sums came by node; events are what they are ordered by first. */
static void sort_by_event(struct stacks *s)
{
	struct stacks_sum *out = xcalloc(s->nr_sums + 1, sizeof(*out));
	size_t nr = 0;

	for (u32 e = 0; e < s->nr_events; e++)
		for (size_t i = 0; i < s->nr_sums; i++)
			if (s->sums[i].event == e)
				out[nr++] = s->sums[i];
	free(s->sums);
	s->sums = out;
}

static void start(struct split *sp, struct stacks_builder *b, const struct stacks_sorted *t)
{
	struct stacks *s = sp->s;

	sp->in = s->sums;
	for (size_t i = 0; i < s->nr_sums; i++) {
		sp->in[i].event = t->event[sp->in[i].event];
		sp->in[i].thread = t->thread[sp->in[i].thread];
		sp->in[i].node = 0;
	}
	s->sums = NULL;
	s->nr_sums = 0;
	sp->cap_nodes = b->cap_nodes;
	sp->slot = xcalloc((size_t)s->nr_frames + 1, sizeof(*sp->slot));
	sp->share = xcalloc((size_t)s->nr_events + 1, sizeof(*sp->share));
	for (u32 i = 0; i < s->nr_events; i++) {
		u64 all = sp->by_samples ? s->events[i].samples : s->events[i].period;

		sp->share[i] = 1.0 / (double)MAX(all, (u64)1);
	}
}

struct stacks *stacks_split(struct stacks_builder *b, struct stacks_item *items, size_t nr,
			    const struct stacks_split *how)
{
	struct split sp = { .s = b->s, .rank = how->frame };
	struct stacks_sorted t = { 0 };
	u32 *comm = NULL;

	sp.cut = b->s->dims.cut;
	sp.reverse = b->s->dims.reverse;
	sp.by_samples = b->s->dims.cut_samples;
	if (b->s->nr_samples)
		sp.node_of = xcalloc(b->s->nr_sums + 1, sizeof(*sp.node_of));
	stacks_settle(b, &t);
	start(&sp, b, &t);
	for (size_t i = 0; i < how->nr_frames; i++)
		how->frame[i] = t.frame[how->frame[i]];
	sp.tmp = xcalloc(nr + 1, sizeof(*sp.tmp));
	if (how->comm_frame) {
		comm = xcalloc((size_t)b->s->nr_threads + 1, sizeof(*comm));
		for (u32 i = 0; i < b->s->nr_threads; i++)
			comm[t.thread[i]] = t.frame[how->comm_frame[i]];
		sp.comm = comm;
		split_comms(&sp, items, nr);
	} else if (nr) {
		split_node(&sp, 0, items, nr);
	}
	set_ends(sp.s);
	if (sp.s->nr_events > 1)
		sort_by_event(sp.s);
	for (size_t i = 0; i < sp.s->nr_samples; i++)
		sp.s->samples[i].node = sp.node_of[sp.s->samples[i].node];
	stacks_sort_samples(sp.s, &t);
	free(sp.node_of);
	free(sp.in);
	free(sp.order);
	free(sp.tmp);
	free(sp.slot);
	free(sp.share);
	free(comm);
	return stacks_settled(b, &t);
}
