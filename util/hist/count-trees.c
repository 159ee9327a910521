// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting for trees of stacks. One table has the samples of the same stack and the same base
 * (event, thread, CPU, slice of time). Where code sites are wanted, another table has the samples
 * of each address in a function, whatever their stacks. They are counted apart, as together they
 * would make as many entries as there are samples.
 */
#include "base/compat.h"

#include "hist/counting-internal.h"
#include "hist/rows-internal.h"

/* ---- what is asked for ---- */

void trees_configure(struct hist *h)
{
	const struct stacks_dims *d = h->conf.stacks;
	u64 span = h->conf.last_time - h->conf.first_time;

	h->keep |= NEED_DSO | NEED_SYM |
		   (d->comm || d->comm_root || d->process || d->thread ? NEED_COMM : 0);
	h->conf.chain.caller = false; /* frames next to the sample stay when a chain is too long */
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
		h->stacks.logs = true; /* the span of a pipe is known at its end only */
}

bool trees_of_functions(const struct hist *h)
{
	const struct stacks_dims *d = h->conf.stacks;

	return !d->addresses && !d->lines;
}

static u32 slice_of(const struct hist *h, u64 time)
{
	u64 at = time - h->conf.first_time;

	return time < h->conf.first_time
		       ? 0
		       : (u32)MIN(at / h->stacks.slice_ns, h->conf.stacks->slices - 1);
}

static u32 tree_base(struct hist_worker *w, const struct hist_sample *s)
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
		.from_mode = h->stacks.slice_ns ? 1 : 0, /* so that the slice is hashed */
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

/*
 * Does it depend on the stack whether a sample counts: on its parent, or on the frame it is cut
 * at?
 */
static bool stack_decides(const struct hist *h)
{
	return h->keep & NEED_PARENT || h->conf.chain.ignore_callees;
}

static u64 count_hash(u32 base, u32 stack)
{
	return hash_u64((u64)base << 32 | stack);
}

/* Return: the number of the count it was added to. */
static u32 count_add(struct hist_worker *w, const struct tree_pending *p)
{
	size_t pos;

	index_reserve(&w->trees.by_count);
	index_for_each(&w->trees.by_count, p->hash, pos)
	{
		struct stack_count *c = &w->trees.counts[index_at(&w->trees.by_count, pos)];

		if (c->base == p->base && c->stack == p->stack && likely(c->nr < UINT32_MAX)) {
			c->nr += p->nr;
			c->period += p->period;
			return index_at(&w->trees.by_count, pos);
		}
	}
	VEC_GROW(w->trees.counts, w->trees.nr_counts + 1, w->trees.cap_counts);
	w->trees.counts[w->trees.nr_counts] =
		(struct stack_count){ p->base, p->stack, p->nr, p->period };
	index_put(&w->trees.by_count, pos, p->hash, (u32)w->trees.nr_counts);
	return (u32)w->trees.nr_counts++;
}

/* ---- code sites ---- */

/* Return a base with nothing but what decides whether a sample counts. */
static u32 site_base(struct hist_worker *w, u32 base)
{
	const struct hist_base *of = &w->bases[base];
	struct hist_base b = { .evsel = of->evsel,
			       .comm = w->h->conf.comms ? of->comm : 0,
			       .key_set = of->key_set,
			       .from_mode = STACKS_SITE_BASE };
	u32 *cached = &w->trees.site_base_cache[(b.evsel + b.comm * 5 + b.key_set) %
						ARRAY_SIZE(w->trees.site_base_cache)];

	if (!*cached || !base_same(&w->bases[*cached - 1], &b))
		*cached = base_find(w, &b) + 1;
	return *cached - 1;
}

static void site_set(struct hist_worker *w, struct tree_pending *p)
{
	struct site_count *c = &p->site;

	*c = (struct site_count){ .nr = p->nr,
				  .period = p->period,
				  .base = site_base(w, p->base),
				  .stack = stack_decides(w->h) ? p->stack : UINT32_MAX };
	c->leaf = w->h->counting->number(w, p->ip, p->epoch, p->mode, &c->addr);
	p->site_hash =
		hash_u64(c->addr ^ hash_u64((u64)c->base << 32 | c->leaf) ^ (u64)c->stack << 20);
}

/* Return: the number of the site count it was added to. */
static u32 site_add(struct hist_worker *w, const struct tree_pending *p)
{
	const struct site_count *new = &p->site;
	size_t pos;

	index_reserve(&w->trees.by_site);
	index_for_each(&w->trees.by_site, p->site_hash, pos)
	{
		struct site_count *c = &w->trees.sites[index_at(&w->trees.by_site, pos)];

		if (c->nr < UINT32_MAX && c->addr == new->addr && c->base == new->base &&
		    c->leaf == new->leaf && c->stack == new->stack) {
			c->nr += new->nr;
			c->period += new->period;
			return index_at(&w->trees.by_site, pos);
		}
	}
	VEC_GROW(w->trees.sites, w->trees.nr_sites + 1, w->trees.cap_sites);
	w->trees.sites[w->trees.nr_sites] = *new;
	index_put(&w->trees.by_site, pos, p->site_hash, (u32)w->trees.nr_sites);
	return (u32)w->trees.nr_sites++;
}

/* ---- samples ---- */

/* Fetch the entry that an index has for a hash. */
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
		struct tree_pending *p = &w->trees.queue[i];

		FETCH(&w->trees.by_count, w->trees.counts, p->hash);
		if (!sites)
			continue;
		site_set(w, p);
		FETCH_SLOT(&w->trees.by_site, p->site_hash);
	}
	for (u32 i = 0; sites && i < w->nr_queued; i++)
		FETCH(&w->trees.by_site, w->trees.sites, w->trees.queue[i].site_hash);
}

static void trees_flush(struct hist_worker *w)
{
	const struct hist *h = w->h;

	fetch(w);
	for (u32 i = 0; i < w->nr_queued; i++) {
		const struct tree_pending *p = &w->trees.queue[i];
		u32 count = count_add(w, p), site = h->conf.stacks->sites ? site_add(w, p) : 0;

		if (unlikely(h->stacks.logs)) {
			VEC_GROW(w->trees.log, w->trees.nr_log + 1, w->trees.cap_log);
			w->trees.log[w->trees.nr_log++] =
				(struct hist_log){ p->time, p->period, count, p->thread, site };
		}
	}
	w->nr_queued = 0;
}

static void count_part(struct hist_worker *w, const struct hist_sample *s, u32 nr)
{
	u8 mode = hist_ip_mode(w->h, s->ip, s->cpumode);
	struct tree_pending *p;

	p = &w->trees.queue[w->nr_queued++];
	*p = (struct tree_pending){
		.ip = s->ip,
		.period = s->period,
		.time = s->time ? s->time : s->order,
		.thread = s->thread,
		.epoch = mode == PERF_RECORD_MISC_KERNEL ? s->kernel_epoch : s->epoch,
		.mode = mode,
		.base = tree_base(w, s),
		.stack = stack_id(w, s),
		.nr = nr,
	};
	p->hash = count_hash(p->base, p->stack);
	FETCH_SLOT(&w->trees.by_count, p->hash);
}

/* Count a sample that lasts: each slice of time has the part that passed in it. */
static void count_span(struct hist_worker *w, const struct hist_sample *s)
{
	const struct hist *h = w->h;
	u64 slice = h->stacks.slice_ns, end = s->time + s->lasts, given = 0;
	struct hist_sample part = *s;

	while (part.time < end) {
		u64 next = h->conf.first_time + (slice_of(h, part.time) + 1) * slice;
		u64 until = slice_of(h, part.time) + 1 < h->conf.stacks->slices ? MIN(next, end)
										: end;
		double share = (double)(until - s->time) / (double)s->lasts;

		if (w->nr_queued == PENDING)
			trees_flush(w);
		part.period = until == end ? s->period - given
					   : (u64)((double)s->period * share) - given;
		count_part(w, &part, given || part.time != s->time ? 0 : hist_sample_nr(s));
		given += part.period;
		part.time = until;
	}
}

static void count(struct hist_worker *w, const struct hist_sample *s)
{
	if (s->filtered)
		return;
	note_thread(w, s);
	if (unlikely(s->lasts) && w->h->stacks.slice_ns && !w->h->stacks.logs)
		count_span(w, s);
	else
		count_part(w, s, hist_sample_nr(s));
}

static void end(struct hist_worker *w)
{
	index_release(&w->trees.by_count);
	index_release(&w->trees.by_site);
	index_release(&w->by_stack);
}

static void release_sites(struct tree_counts *t)
{
	free(t->sites);
	index_release(&t->by_site);
	t->sites = NULL;
	t->nr_sites = 0;
}

void tree_counts_release(struct tree_counts *t)
{
	free(t->counts);
	index_release(&t->by_count);
	free(t->queue);
	free(t->log);
	t->counts = NULL;
	t->queue = NULL;
	t->log = NULL;
	t->nr_counts = t->nr_log = 0;
	release_sites(t);
}

/* ---- the strategies ---- */

static void prepare(struct hist_worker *w)
{
	w->trees.queue = xcalloc(PENDING, sizeof(*w->trees.queue));
}

static void resolve_early(struct hist *h)
{
	early_frames_resolve(h);
	stacks_resolve(h);
}

static void merge(struct hist *h)
{
	for (int i = 0; i < h->nr_workers; i++)
		for (size_t k = 0; k < h->workers[i]->trees.nr_counts; k++) {
			const struct stack_count *c = &h->workers[i]->trees.counts[k];
			struct hist_event *e = &h->events[h->workers[i]->bases[c->base].evsel];

			e->nr += c->nr;
			e->period += c->period;
			e->chains |= h->workers[i]->stacks[c->stack].chain;
		}
}

const struct counting counting_trees = {
	.early = &counting_early_trees,
	.by_stack = true,
	.prepare = prepare,
	.count = count,
	.flush = trees_flush,
	.end = end,
	.number = addr_number,
	.resolve = resolve_at_end,
	.merge = merge,
};

/* Early frames are few, and looking them up is most of the work: stacks are not handed on. */
const struct counting counting_early_trees = {
	.at_once = true,
	.prepare = prepare,
	.count = count,
	.flush = trees_flush,
	.end = end,
	.number = early_frame_number,
	.resolve = resolve_early,
	.merge = merge,
};

/* ---- reading ---- */

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
		.counts = w->trees.counts,
		.sites = w->trees.sites,
		.log = w->trees.log,
		.threads = w->threads,
		.nr_bases = w->nr_bases,
		.nr_stacks = w->nr_stacks,
		.nr_counts = w->trees.nr_counts,
		.nr_sites = w->trees.nr_sites,
		.nr_log = w->trees.nr_log,
	};
}

u32 hist_leaf_frame(const struct hist *h, u32 leaf)
{
	return h->addrs[leaf].frame;
}

static bool passes(const struct hist *h, const struct hist_base *base, u32 place)
{
	return !hist_hidden(h, place) && filter_passes(h, base, place);
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
		release_sites(&h->workers[i]->trees);
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
		tree_counts_release(&h->workers[i]->trees);
		arena_release(&h->workers[i]->arena);
	}
}
