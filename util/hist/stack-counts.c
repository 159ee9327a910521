// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting for trees of stacks: one table of what has the same stack and the same base (event,
 * thread, CPU, slice of time), and where it is wanted one of the addresses in functions, whatever
 * the stacks. The two are counted apart: together they would make as many entries as there are
 * samples.
 */
#include "base/compat.h"

#include "hist/hist-internal.h"

/* ---- what is asked for ---- */

void stacks_prepare(struct hist *h)
{
	const struct stacks_dims *d = h->conf.stacks;
	u64 span = h->conf.last_time - h->conf.first_time;

	h->keep |= NEED_DSO | NEED_SYM |
		   (d->comm || d->comm_root || d->process || d->thread ? NEED_COMM : 0);
	h->conf.chain.caller = false; /* what is nearest to the sample stays */
	h->conf.chain.address = d->addresses;
	h->conf.chain.line = d->lines && !d->addresses;
	h->conf.whole_paths = true;
	h->conf.children = false;
	h->stacks.comms = h->keep & NEED_COMM;
	h->stacks.logs = d->samples || d->durations;
	if (d->slices < 2)
		return;
	if (h->conf.last_time)
		h->stacks.slice_ns = span / d->slices + 1;
	else
		h->stacks.logs = true; /* of a pipe the span is known at the end only */
}

bool stacks_of_functions(const struct hist *h)
{
	const struct stacks_dims *d = h->conf.stacks;

	return !d->addresses && !d->lines && !h->conf.inlines;
}

static u32 slice_of(const struct hist *h, u64 time)
{
	u64 at = time - h->conf.first_time;

	return time < h->conf.first_time
		       ? 0
		       : (u32)MIN(at / h->stacks.slice_ns, h->conf.stacks->slices - 1);
}

static u32 stacks_base(struct hist_worker *w, const struct hist_sample *s)
{
	const struct hist *h = w->h;
	const struct stacks_dims *d = h->conf.stacks;
	struct hist_base b = {
		.evsel = s->evsel,
		.comm = h->keep & NEED_COMM ? s->comm : 0,
		.tid = d->thread    ? s->thread
		       : d->process ? s->pid
				    : 0,
		.cpu = d->cpu || d->durations ? s->cpu : 0,
		.from = h->stacks.slice_ns ? slice_of(h, s->time) : 0,
		.from_mode = h->stacks.slice_ns ? 1 : 0, /* so that it is hashed */
	};
	u32 *cached = &w->base_cache[(b.evsel * 29 + b.comm * 7 + b.tid * 8 + b.cpu + b.from) %
				     BASE_CACHE];

	if (h->conf.cols.nr_keys)
		b.key_set = key_set_of(w, s);
	if (!*cached || !base_same(&w->bases[*cached - 1], &b))
		*cached = base_find(w, &b) + 1;
	return *cached - 1;
}

/* ---- tables ---- */

/* Does it depend on the parent, or on a frame that chains are cut at, whether a sample counts? Only
 * its stack tells that. */
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

/* ---- code sites ---- */

/* What decides on whether a sample counts, and nothing else. */
static u32 site_base(struct hist_worker *w, u32 base)
{
	const struct hist_base *of = &w->bases[base];
	struct hist_base b = { .evsel = of->evsel,
			       .comm = w->h->conf.comms ? of->comm : 0,
			       .key_set = of->key_set,
			       .from_mode = STACKS_SITE_BASE };
	u32 *cached = &w->site_base_cache[(b.evsel + b.comm * 5 + b.key_set) %
					  ARRAY_SIZE(w->site_base_cache)];

	if (!*cached || !base_same(&w->bases[*cached - 1], &b))
		*cached = base_find(w, &b) + 1;
	return *cached - 1;
}

static void site_set(struct hist_worker *w, struct stack_pending *p)
{
	struct site_count *c = &p->site;

	*c = (struct site_count){ .nr = 1,
				  .period = p->period,
				  .base = site_base(w, p->base),
				  .stack = stack_decides(w->h) ? p->stack : UINT32_MAX };
	if (w->h->early)
		c->leaf = early_frame_find(w, p->ip, p->epoch, p->mode, &c->addr);
	else
		c->leaf = addr_id(w, p->ip, p->epoch, p->mode);
	p->site_hash =
		hash_u64(c->addr ^ hash_u64((u64)c->base << 32 | c->leaf) ^ (u64)c->stack << 20);
}

/* Return: as count_add(). */
static u32 site_add(struct hist_worker *w, const struct stack_pending *p)
{
	const struct site_count *new = &p->site;
	size_t pos;

	index_reserve(&w->by_site_count);
	index_for_each(&w->by_site_count, p->site_hash, pos)
	{
		struct site_count *c = &w->site_counts[index_at(&w->by_site_count, pos)];

		if (c->nr < UINT32_MAX && c->addr == new->addr && c->base == new->base &&
		    c->leaf == new->leaf && c->stack == new->stack) {
			c->nr++;
			c->period += new->period;
			return index_at(&w->by_site_count, pos);
		}
	}
	VEC_GROW(w->site_counts, w->nr_site_counts + 1, w->cap_site_counts);
	w->site_counts[w->nr_site_counts] = *new;
	index_put(&w->by_site_count, pos, p->site_hash, (u32)w->nr_site_counts);
	return (u32)w->nr_site_counts++;
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
	bool sites = w->h->conf.stacks->sites;

	for (u32 i = 0; i < w->nr_queued; i++) {
		struct stack_pending *p = &w->stack_queue[i];

		FETCH(&w->by_count, w->counts, p->hash);
		if (!sites)
			continue;
		site_set(w, p);
		FETCH_SLOT(&w->by_site_count, p->site_hash);
	}
	for (u32 i = 0; sites && i < w->nr_queued; i++)
		FETCH(&w->by_site_count, w->site_counts, w->stack_queue[i].site_hash);
}

static void stacks_flush(struct hist_worker *w)
{
	const struct hist *h = w->h;

	fetch(w);
	for (u32 i = 0; i < w->nr_queued; i++) {
		const struct stack_pending *p = &w->stack_queue[i];
		u32 count = count_add(w, p), site = h->conf.stacks->sites ? site_add(w, p) : 0;

		if (unlikely(h->stacks.logs)) {
			VEC_GROW(w->log, w->nr_log + 1, w->cap_log);
			w->log[w->nr_log++] =
				(struct hist_log){ p->time, p->period, count, p->thread, site };
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
	index_release(&w->by_site_count);
	index_release(&w->by_stack);
}

static void release_site_counts(struct hist_worker *w)
{
	free(w->site_counts);
	index_release(&w->by_site_count);
	w->site_counts = NULL;
	w->nr_site_counts = 0;
}

void stacks_count_release(struct hist_worker *w)
{
	free(w->counts);
	index_release(&w->by_count);
	w->counts = NULL;
	w->nr_counts = 0;
	release_site_counts(w);
}

/* ---- reading ---- */

static void count_events(struct hist *h)
{
	for (int i = 0; i < h->nr_workers; i++)
		for (size_t k = 0; k < h->workers[i]->nr_counts; k++) {
			const struct stack_count *c = &h->workers[i]->counts[k];
			struct hist_event *e = &h->events[h->workers[i]->bases[c->base].evsel];

			e->nr += c->nr;
			e->period += c->period;
			e->chains |= h->workers[i]->stacks[c->stack].chain;
		}
}

void stacks_finish(struct hist *h)
{
	hist_count_members(h);
	parents_part(h);
	key_sets_merge(h);
	hist_filters_init(h);
	count_events(h);
}

const struct stack_counting *hist_stack_counting(const struct hist *h)
{
	return &h->stacks;
}

int hist_nr_workers(const struct hist *h)
{
	return h->nr_workers;
}

struct counted_stacks hist_counted_stacks(struct hist *h, int worker)
{
	struct hist_worker *w = h->workers[worker];

	return (struct counted_stacks){
		.bases = w->bases,
		.stacks = w->stacks,
		.counts = w->counts,
		.sites = w->site_counts,
		.log = w->log,
		.threads = w->threads,
		.nr_bases = w->nr_bases,
		.nr_stacks = w->nr_stacks,
		.nr_counts = w->nr_counts,
		.nr_sites = w->nr_site_counts,
		.nr_log = w->nr_log,
	};
}

u32 hist_leaf_frame(const struct hist *h, u32 leaf)
{
	return h->early ? leaf : h->addrs[leaf].frame;
}

static bool passes(const struct hist *h, const struct hist_base *base, u32 place)
{
	return !hist_hidden(h, place) && hist_passes(h, base, place);
}

bool hist_stack_passes(const struct hist *h, const struct counted_stacks *of,
		       const struct stack_count *c)
{
	return passes(h, &of->bases[c->base], stack_place(h, &of->stacks[c->stack]));
}

bool hist_site_passes(const struct hist *h, const struct counted_stacks *of,
		      const struct site_count *c)
{
	u32 place = c->stack != UINT32_MAX ? stack_place(h, &of->stacks[c->stack])
					   : leaf_place(h, c->leaf);

	return passes(h, &of->bases[c->base], place);
}

struct hist_thread hist_thread_of(const struct hist *h, u32 thread)
{
	return thread < h->nr_threads ? h->threads[thread] : (struct hist_thread){ 0 };
}

void hist_release_sites(struct hist *h)
{
	for (int i = 0; i < h->nr_workers; i++)
		release_site_counts(h->workers[i]);
}

void hist_release_stacks(struct hist *h, int worker)
{
	struct hist_worker *w = h->workers[worker];

	free(w->stacks);
	w->stacks = NULL;
	w->nr_stacks = 0;
}

void hist_release_counts(struct hist *h)
{
	for (int i = 0; i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		stacks_count_release(w);
		free(w->log);
		arena_release(&w->arena);
		w->log = NULL;
		w->nr_log = 0;
	}
}
