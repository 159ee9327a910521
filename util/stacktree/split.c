// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes one tree of many stacks without searching: stacks that continue with the same frame are
 * grouped, level by level, so that a stack is read from its outermost frame only as far as it
 * shares frames with others, and nodes are made in their final order. hist/call-graph.c does the
 * same for the call graphs of rows.
 *
 * The caller splits the first levels. The remaining stacks are divided into ranges, from which
 * worker threads make parts of the tree; the parts of the caller are between them.
 */
#include "base/compat.h"

#include "base/pool.h"
#include "hist/sort.h"
#include "stacktree/stacks-internal.h"

#define AHEAD 12        /* distance of prefetching, because stacks are scattered in memory */
#define MANY_ITEMS 8192 /* so many items are worth threads */
#define RANGES 16       /* approximate number of ranges for each thread */

/* Stacks that continue with the same frame. */
struct group {
	u32 frame, nr;
	size_t at;
	double share;
};

/* Consecutive groups, one level below the node that was added last. */
struct range {
	size_t part; /* number of the part of the tree that is made of it */
	struct stacks_item *items;
	size_t nr;
	u32 depth; /* depth of their next frame */
};

struct split {
	struct stacks *s;
	const struct stacks_split *how;
	struct stacks_packed *packed;
	size_t cap_parts,
		most; /* the number of items from which a range is made; 0: none are made */
	struct range *ranges;
	size_t nr_ranges, cap_ranges;
	const u32 *comm; /* by thread: frame of the tree; or NULL */
	double cut;
	float *item_share; /* by number of its first count: share in the total of its events */
	u32 *node_of;      /* by number of a count */
	bool reverse, by_samples;
};

/* The state of one thread. */
struct splitter {
	struct split *sp;
	struct stacks_part part; /* the part that is being made */
	u32 *slot;               /* frame of the tree -> group + 1; otherwise 0 */
	struct stacks_sum *sums;
	size_t cap_sums;
	size_t nr_sums;
	u64 no_symbol; /* samples that end in frames without a symbol */
	bool ranges;   /* large groups are left to threads */
};

/* ---- sums ---- */

static bool same_kind(const struct stacks_sum *a, const struct stacks_sum *b)
{
	return a->event == b->event && a->thread == b->thread && a->cpu == b->cpu &&
	       a->slice == b->slice;
}

static int sum_cmp(const void *a, const void *b)
{
	return stacks_sum_cmp(a, b, NULL);
}

/* Collect the counts of stacks that end at a node of the part, in order. Return: their number. */
static size_t gather_sums(struct splitter *t, u32 node, const struct stacks_item *it, size_t nr)
{
	bool sorted = true;
	size_t n = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct stacks_counts *c = stacks_counts_of(t->sp->how, it[i].of);

		VEC_GROW(t->sums, n + it[i].nr_of, t->cap_sums);
		for (u32 of = it[i].of; of < it[i].of + it[i].nr_of; of++, n++) {
			stacks_count_sum(t->sp->how, c, of, &t->sums[n]);
			t->sums[n].node = node;
			sorted &= !n || sum_cmp(&t->sums[n - 1], &t->sums[n]) <= 0;
			if (t->sp->node_of)
				t->sp->node_of[of] = node;
		}
	}
	if (!sorted)
		qsort(t->sums, n, sizeof(*t->sums), sum_cmp);
	return n;
}

/* Write the sums that end at a node. @symbol: its frame has a symbol */
static void put_sums(struct splitter *t, u32 node, bool symbol, const struct stacks_item *it,
		     size_t nr)
{
	size_t n = gather_sums(t, node, it, nr), at = 0;

	for (size_t i = 0; i < n; i++) {
		t->no_symbol += symbol ? 0 : t->sums[i].samples;
		if (i && same_kind(&t->sums[i], &t->sums[at])) {
			t->sums[at].samples += t->sums[i].samples;
			t->sums[at].period += t->sums[i].period;
			continue;
		}
		if (i)
			stacks_part_sum(&t->part, &t->sums[at]);
		at = i;
		t->nr_sums++;
	}
	if (n)
		stacks_part_sum(&t->part, &t->sums[at]);
}

static void fetch_order(const struct splitter *t, const struct stacks_item *it)
{
	const struct stacks_counts *c = stacks_counts_of(t->sp->how, it->of);

	__builtin_prefetch(&c->order[it->of - c->first]);
}

static void fetch_counts(const struct splitter *t, const struct stacks_item *it)
{
	const struct stacks_counts *c = stacks_counts_of(t->sp->how, it->of);
	const u32 *order = &c->order[it->of - c->first];

	for (u32 i = 0; i < MIN(it->nr_of, 4U); i++)
		if (t->sp->how->logs)
			__builtin_prefetch(&c->w.log[order[i]]);
		else
			__builtin_prefetch(&c->w.counts[order[i]]);
}

/*
 * Process stacks that end at the last node, whose frame is @frame. If all are in one part, their
 * counts are processed later, in order.
 */
static void end_items(struct splitter *t, u32 frame, struct stacks_item *it, size_t nr)
{
	bool symbol = frame == UINT32_MAX || t->sp->s->frames[frame].symbol;

	if (t->ranges) {
		put_sums(t, t->part.nr_nodes - 1, symbol, it, nr);
		return;
	}
	for (size_t i = 0; i < nr; i++) {
		it[i].frame = t->part.nr_nodes - 1;
		it[i].left = symbol;
	}
}

/* Write the sums of all items of the part. */
static void put_ended(struct splitter *t, const struct stacks_item *it, size_t nr)
{
	for (size_t i = 0, end = 0, far = 0; i < nr; i = end) {
		while (end < nr && it[end].frame == it[i].frame)
			end++;
		for (; far < MIN(end + AHEAD, nr); far++) {
			if (far + AHEAD < nr)
				fetch_order(t, &it[far + AHEAD]);
			fetch_counts(t, &it[far]);
		}
		put_sums(t, it[i].frame, it[i].left, &it[i], end - i);
	}
}

/* ---- levels ---- */

static u32 take_frame(const struct split *sp, struct stacks_item *it)
{
	u32 frame = sp->how->frame[*it->next];

	it->next += sp->reverse ? 1 : -1;
	it->left--;
	return frame;
}

static int by_frame(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return x->frame < y->frame ? -1 : x->frame > y->frame;
}

/* Move items that end here to the front. Return: their number. */
static size_t ended_first(struct stacks_item *it, size_t nr)
{
	size_t ended = 0;

	for (size_t i = 0; i < nr; i++) {
		if (it[i].left)
			continue;
		SWAP(it[i], it[ended]);
		ended++;
	}
	return ended;
}

/* Find the groups of @it by their next frame and advance each item. The caller frees the result. */
static struct group *find_groups(struct splitter *t, struct stacks_item *it, size_t nr,
				 size_t *nr_groups)
{
	struct group *p = NULL;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < nr; i++) {
		struct group *q;
		u32 frame;

		if (i + AHEAD < nr)
			__builtin_prefetch(it[i + AHEAD].next);
		frame = take_frame(t->sp, &it[i]);
		it[i].frame = frame;
		if (!t->slot[frame]) {
			VEC_GROW(p, n + 1, cap);
			p[n++] = (struct group){ .frame = frame };
			t->slot[frame] = (u32)n;
		}
		q = &p[t->slot[frame] - 1];
		q->nr++;
		if (t->sp->cut > 0)
			q->share += t->sp->item_share[it[i].of];
	}
	*nr_groups = n;
	return p;
}

/* Remove groups below the limit. Return: their number of items. */
static size_t cut_groups(struct splitter *t, struct group *p, size_t *nr_groups)
{
	size_t cut = 0, kept = 0;

	for (size_t i = 0; i < *nr_groups; i++) {
		if (t->sp->cut > 0 && p[i].share < t->sp->cut) {
			t->slot[p[i].frame] = 0;
			cut += p[i].nr;
			continue;
		}
		p[kept++] = p[i];
	}
	*nr_groups = kept;
	return cut;
}

/*
 * Move each item to the place of its group by exchanges. @cut: the number of items without a group,
 * which come first
 */
static void exchange(const struct splitter *t, struct stacks_item *it, struct group *p,
		     size_t nr_groups, size_t cut)
{
	size_t front = 0, end = cut;

	for (size_t k = 0; k <= nr_groups; k++) {
		size_t *at = k ? &p[k - 1].at : &front;

		for (end += k ? p[k - 1].nr : 0; *at < end;) {
			u32 slot = t->slot[it[*at].frame];
			size_t *to = slot ? &p[slot - 1].at : &front;

			if (to != at)
				SWAP(it[*at], it[*to]);
			++*to;
		}
	}
}

/*
 * Sort items by groups, in the order of frames, and those below the limit first. Return: the number
 * of the latter; *@nr_groups: the groups that are left
 */
static size_t order_groups(struct splitter *t, struct stacks_item *it, struct group *p,
			   size_t *nr_groups)
{
	size_t cut = cut_groups(t, p, nr_groups), at = cut;

	if (*nr_groups)
		qsort(p, *nr_groups, sizeof(*p), by_frame);
	for (size_t i = 0; i < *nr_groups; i++) {
		p[i].at = at;
		at += p[i].nr;
		t->slot[p[i].frame] = (u32)i + 1;
	}
	if (*nr_groups > 1 || cut)
		exchange(t, it, p, *nr_groups, cut);
	for (size_t i = 0; i < *nr_groups; i++)
		t->slot[p[i].frame] = 0;
	return cut;
}

/* ---- ranges ---- */

static void add_part(struct split *sp, struct stacks_part part)
{
	struct stacks_packed *k = sp->packed;

	VEC_GROW(k->parts, k->nr_parts + 1, sp->cap_parts);
	k->parts[k->nr_parts++] = part;
}

static void end_part(struct splitter *t)
{
	if (t->part.nr_nodes)
		add_part(t->sp, t->part);
	else
		free(t->part.sums);
}

/* Leave these items to a thread; what follows them belongs to another part. */
static void add_range(struct splitter *t, struct stacks_item *it, size_t nr, u32 depth)
{
	struct split *sp = t->sp;

	end_part(t);
	VEC_GROW(sp->ranges, sp->nr_ranges + 1, sp->cap_ranges);
	sp->ranges[sp->nr_ranges++] = (struct range){ sp->packed->nr_parts, it, nr, depth };
	add_part(sp, (struct stacks_part){ 0 });
	stacks_part_init(&t->part, sp->s->nr_events, false);
}

static void split_node(struct splitter *t, u32 depth, u32 frame, struct stacks_item *it, size_t nr);

/* Process what the last node calls, as a range if there are to be ranges. */
static void split_groups(struct splitter *t, u32 depth, struct stacks_item *it,
			 const struct group *p, size_t nr_groups)
{
	size_t most = t->ranges ? t->sp->most : 0;

	for (size_t i = 0; i < nr_groups;) {
		size_t end = i, nr = 0;

		while (end < nr_groups && nr + p[end].nr <= most)
			nr += p[end++].nr;
		if (nr > most / RANGES) {
			add_range(t, it, nr, depth);
			it += nr;
			i = end;
			continue;
		}
		stacks_part_node(&t->part, depth, p[i].frame);
		split_node(t, depth, p[i].frame, it, p[i].nr);
		it += p[i++].nr;
	}
}

/* Split a node. @frame, @depth: of the last node */
static void split_node(struct splitter *t, u32 depth, u32 frame, struct stacks_item *it, size_t nr)
{
	for (;;) {
		size_t ended, cut, nr_groups;
		struct group *p;

		if (nr == 1 && t->sp->cut <= 0) {
			while (it->left) {
				frame = take_frame(t->sp, it);
				stacks_part_node(&t->part, ++depth, frame);
			}
			end_items(t, frame, it, 1);
			return;
		}
		ended = ended_first(it, nr);
		p = find_groups(t, it + ended, nr - ended, &nr_groups);
		cut = order_groups(t, it + ended, p, &nr_groups);
		end_items(t, frame, it, ended + cut);
		it += ended + cut;
		if (nr_groups == 1) { /* continue without recursion */
			frame = p->frame;
			nr = p->nr;
			free(p);
			stacks_part_node(&t->part, ++depth, frame);
			continue;
		}
		split_groups(t, depth + 1, it, p, nr_groups);
		free(p);
		return;
	}
}

/* Items in a range have all been advanced to the same depth. */
static void split_range(void *ctx, int worker, size_t item)
{
	struct splitter *t = (struct splitter *)ctx + 1 + worker;
	const struct range *r = &t->sp->ranges[item];

	stacks_part_init(&t->part, t->sp->s->nr_events, false);
	for (size_t i = 0, end; i < r->nr; i = end) {
		u32 frame = r->items[i].frame;

		for (end = i + 1; end < r->nr && r->items[end].frame == frame;)
			end++;
		stacks_part_node(&t->part, r->depth, frame);
		split_node(t, r->depth, frame, r->items + i, end - i);
	}
	put_ended(t, r->items, r->nr);
	t->sp->packed->parts[r->part] = t->part;
}

/* ---- all ---- */

/* Make the level of thread names; all counts of an item then belong to one thread. */
static void split_comms(struct splitter *t, struct stacks_item *it, size_t nr)
{
	const struct split *sp = t->sp;
	struct group *p = xcalloc((size_t)sp->s->nr_frames + 1, sizeof(*p));
	size_t nr_groups = 0;
	struct stacks_sum m;

	for (size_t i = 0; i < nr; i++) {
		stacks_count_sum(sp->how, stacks_counts_of(sp->how, it[i].of), it[i].of, &m);
		it[i].frame = sp->comm[m.thread];
		if (!t->slot[it[i].frame]) {
			p[nr_groups++] = (struct group){ .frame = it[i].frame, .share = 1e300 };
			t->slot[it[i].frame] = (u32)nr_groups;
		}
		p[t->slot[it[i].frame] - 1].nr++;
	}
	order_groups(t, it, p, &nr_groups);
	split_groups(t, 1, it, p, nr_groups);
	free(p);
}

/* Convert numbers of the builder to those of the tree. */
static void start(struct split *sp, const struct stacks_sorted *t)
{
	for (int i = 0; i < sp->how->nr_workers; i++) {
		struct stacks_counts *c = &sp->how->counts[i];

		for (size_t k = 0; k < c->w.nr_bases; k++) {
			c->key[k].event = t->event[c->key[k].event];
			c->key[k].thread = t->thread[c->key[k].thread];
		}
	}
	for (size_t i = 0; i < sp->how->nr_frames; i++)
		sp->how->frame[i] = t->frame[sp->how->frame[i]];
}

static void find_shares(struct split *sp, const struct stacks_item *it, size_t nr)
{
	const struct stacks_event *events = sp->s->events;
	struct stacks_sum m;

	sp->item_share = xcalloc((size_t)sp->how->nr_of + 1, sizeof(*sp->item_share));
	for (size_t i = 0; i < nr; i++) {
		const struct stacks_counts *c = stacks_counts_of(sp->how, it[i].of);
		double share = 0;

		for (u32 of = it[i].of; of < it[i].of + it[i].nr_of; of++) {
			stacks_count_sum(sp->how, c, of, &m);
			share += sp->by_samples
					 ? (double)m.samples / (double)events[m.event].samples
				 : m.period ? (double)m.period / (double)events[m.event].period
					    : 0;
		}
		sp->item_share[it[i].of] = (float)share;
	}
}

static u32 *comms_of(const struct split *sp, const struct stacks_sorted *t)
{
	u32 *comm = xcalloc((size_t)sp->s->nr_threads + 1, sizeof(*comm));

	for (u32 i = 0; i < sp->s->nr_threads; i++)
		comm[t->thread[i]] = t->frame[sp->how->comm_frame[i]];
	return comm;
}

static void split_all(struct split *sp, struct stacks_item *items, size_t nr)
{
	int workers = sp->how->workers;
	struct splitter *t = xcalloc((size_t)workers + 1, sizeof(*t));

	for (int i = 0; i <= workers; i++) {
		t[i].sp = sp;
		t[i].slot = xcalloc((size_t)sp->s->nr_frames + 1, sizeof(u32));
	}
	t->ranges = workers > 1 && nr >= MANY_ITEMS && !sp->node_of;
	sp->most = nr / ((size_t)workers * RANGES);
	stacks_part_init(&t->part, sp->s->nr_events, true);
	if (sp->comm)
		split_comms(t, items, nr);
	else if (nr)
		split_node(t, 0, UINT32_MAX, items, nr);
	if (!t->ranges)
		put_ended(t, items, nr);
	end_part(t);
	pool_run(workers, sp->nr_ranges, split_range, t);
	for (int i = 0; i <= workers; i++) {
		sp->s->no_symbol += t[i].no_symbol;
		sp->s->nr_sums += t[i].nr_sums;
		free(t[i].slot);
		free(t[i].sums);
	}
	free(t);
}

struct stacks *stacks_split(struct stacks_builder *b, struct stacks_item *items, size_t nr,
			    const struct stacks_split *how)
{
	struct split sp = { .s = b->s, .how = how, .packed = xzalloc(sizeof(*sp.packed)) };
	struct stacks_sorted t = { 0 };
	u32 *comm = NULL;

	sp.cut = b->s->dims.cut;
	sp.reverse = b->s->dims.reverse;
	sp.by_samples = b->s->dims.cut_samples;
	if (b->s->nr_samples)
		sp.node_of = xcalloc((size_t)how->nr_of + 1, sizeof(*sp.node_of));
	stacks_settle(b, &t);
	start(&sp, &t);
	sp.packed->nr_events = sp.s->nr_events;
	if (sp.cut > 0)
		find_shares(&sp, items, nr);
	if (how->comm_frame)
		sp.comm = comm = comms_of(&sp, &t);
	split_all(&sp, items, nr);
	sp.s->packed = sp.packed;
	sp.s->nr_nodes = stacks_packed_number(sp.packed);
	if (!sp.s->dims.packed)
		stacks_unpack(sp.s);
	for (size_t i = 0; i < sp.s->nr_samples; i++)
		sp.s->samples[i].node = sp.node_of[sp.s->samples[i].node];
	stacks_sort_samples(sp.s, &t);
	free(sp.node_of);
	free(sp.ranges);
	free(sp.item_share);
	free(comm);
	return stacks_settled(b, &t);
}
