// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting for trees of stacks: one table of what has the same stack and the same base (event,
 * thread, CPU, slice of time), and where it is wanted one of the addresses in functions, whatever
 * the stacks. The two are counted apart: together they would make as many entries as there are
 * samples.
 */
#include "base/compat.h"

#include "hist/stacks-internal.h"

/* Do parents or frames that chains are cut at decide on a sample? Only its stack tells them. */
static bool stack_decides(const struct hist *h)
{
	return h->keep & NEED_PARENT || h->conf.chain.ignore_callees;
}

static u64 count_hash(u32 base, u32 stack)
{
	return hash_u64((u64)base << 32 | stack);
}

/* Return: the number of the count it was added to. */
static u32 count_add(struct hist_worker *w, const struct stack_pending *p)
{
	size_t pos;

	index_reserve(&w->by_count);
	index_for_each(&w->by_count, p->hash, pos)
	{
		struct stack_count *c = &w->counts[index_at(&w->by_count, pos)];

		if (c->base == p->base && c->stack == p->stack && likely(c->nr < UINT32_MAX)) {
			c->nr++;
			c->period += p->period;
			return index_at(&w->by_count, pos);
		}
	}
	VEC_GROW(w->counts, w->nr_counts + 1, w->cap_counts);
	w->counts[w->nr_counts] = (struct stack_count){ p->base, p->stack, 1, p->period };
	index_put(&w->by_count, pos, p->hash, (u32)w->nr_counts);
	return (u32)w->nr_counts++;
}

/* ---- spots ---- */

/* What decides on whether a sample counts, and nothing else. */
static u32 spot_base(struct hist_worker *w, u32 base)
{
	const struct hist_base *of = &w->bases[base];
	struct hist_base b = { .evsel = of->evsel,
			       .comm = w->h->conf.comms ? of->comm : 0,
			       .kept = of->kept,
			       .from_mode = STACKS_SPOT_BASE };
	u32 *cached = &w->spot_base_cache[(b.evsel + b.comm * 5 + b.kept) %
					  ARRAY_SIZE(w->spot_base_cache)];

	if (!*cached || !base_same(&w->bases[*cached - 1], &b))
		*cached = base_find(w, &b) + 1;
	return *cached - 1;
}

static void spot_set(struct hist_worker *w, struct stack_pending *p)
{
	struct spot_count *c = &p->spot;

	*c = (struct spot_count){ .nr = 1,
				  .period = p->period,
				  .base = spot_base(w, p->base),
				  .stack = stack_decides(w->h) ? p->stack : UINT32_MAX };
	if (w->h->at_once)
		c->leaf = spot_find(w, p->ip, p->epoch, p->mode, &c->addr);
	else
		c->leaf = addr_id(w, p->ip, p->epoch, p->mode);
	p->spot_hash =
		hash_u64(c->addr ^ hash_u64((u64)c->base << 32 | c->leaf) ^ (u64)c->stack << 20);
}

/* Return: as count_add(). */
static u32 spot_add(struct hist_worker *w, const struct stack_pending *p)
{
	const struct spot_count *new = &p->spot;
	size_t pos;

	index_reserve(&w->by_spot_count);
	index_for_each(&w->by_spot_count, p->spot_hash, pos)
	{
		struct spot_count *c = &w->spot_counts[index_at(&w->by_spot_count, pos)];

		if (c->nr < UINT32_MAX && c->addr == new->addr && c->base == new->base &&
		    c->leaf == new->leaf && c->stack == new->stack) {
			c->nr++;
			c->period += new->period;
			return index_at(&w->by_spot_count, pos);
		}
	}
	VEC_GROW(w->spot_counts, w->nr_spot_counts + 1, w->cap_spot_counts);
	w->spot_counts[w->nr_spot_counts] = *new;
	index_put(&w->by_spot_count, pos, p->spot_hash, (u32)w->nr_spot_counts);
	return (u32)w->nr_spot_counts++;
}

/* ---- samples ---- */

/* What an index has for a hash is about to be looked at. */
#define FETCH(ix, table, h)                                                                        \
	do {                                                                                       \
		u32 fetch_idx = (ix)->slots ? (ix)->slots[(h) & (ix)->mask].idx : 0;               \
		if (fetch_idx)                                                                     \
			__builtin_prefetch(&(table)[fetch_idx - 1], 1);                            \
	} while (0)
#define FETCH_SLOT(ix, h)                                                                          \
	do {                                                                                       \
		if ((ix)->slots)                                                                   \
			__builtin_prefetch(&(ix)->slots[(h) & (ix)->mask]);                        \
	} while (0)

static void fetch(struct hist_worker *w)
{
	bool spots = w->h->conf.stacks->spots;

	for (u32 i = 0; i < w->nr_queued; i++) {
		struct stack_pending *p = &w->stack_queue[i];

		FETCH(&w->by_count, w->counts, p->hash);
		if (!spots)
			continue;
		spot_set(w, p);
		FETCH_SLOT(&w->by_spot_count, p->spot_hash);
	}
	for (u32 i = 0; spots && i < w->nr_queued; i++)
		FETCH(&w->by_spot_count, w->spot_counts, w->stack_queue[i].spot_hash);
}

void stacks_flush(struct hist_worker *w)
{
	const struct hist *h = w->h;

	fetch(w);
	for (u32 i = 0; i < w->nr_queued; i++) {
		const struct stack_pending *p = &w->stack_queue[i];
		u32 count = count_add(w, p), spot = h->conf.stacks->spots ? spot_add(w, p) : 0;

		if (unlikely(h->logs)) {
			VEC_GROW(w->log, w->nr_log + 1, w->cap_log);
			w->log[w->nr_log++] =
				(struct hist_log){ p->time, p->period, count, p->thread, spot };
		}
	}
	w->nr_queued = 0;
}

void stacks_add_sample(struct hist_worker *w, const struct hist_sample *s)
{
	const struct hist *h = w->h;
	u8 mode = hist_ip_mode(h, s->ip, s->cpumode);
	struct stack_pending *p = &w->stack_queue[w->nr_queued++];

	*p = (struct stack_pending){
		.ip = s->ip,
		.period = s->period,
		.time = s->time ? s->time : s->order,
		.thread = s->thread,
		.epoch = mode == PERF_RECORD_MISC_KERNEL ? s->kernel_epoch : s->epoch,
		.mode = mode,
		.base = stacks_base(w, s),
		.stack = stack_id(w, s),
	};
	p->hash = count_hash(p->base, p->stack);
	FETCH_SLOT(&w->by_count, p->hash);
	if (w->nr_queued == PENDING)
		stacks_flush(w);
}

void stacks_count_done(struct hist_worker *w)
{
	stacks_flush(w);
	index_release(&w->by_count);
	index_release(&w->by_spot_count);
	index_release(&w->by_stack);
}

void stacks_spots_release(struct hist_worker *w)
{
	free(w->spot_counts);
	index_release(&w->by_spot_count);
	w->spot_counts = NULL;
	w->nr_spot_counts = 0;
}

void stacks_count_release(struct hist_worker *w)
{
	free(w->counts);
	index_release(&w->by_count);
	w->counts = NULL;
	w->nr_counts = 0;
	stacks_spots_release(w);
}
