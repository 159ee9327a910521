// SPDX-License-Identifier: GPL-2.0-or-later
/* Counting: one table per worker, keyed by what is raw in a sample and is kept of it. */
#include "base/compat.h"

#include "hist/hist-internal.h"

struct hist_worker *hist_worker_new(struct hist *h)
{
	struct hist_worker *w = xzalloc(sizeof(*w));

	w->h = h;
	if (h->early)
		address_cache_init(&w->cache, h->conf.nr_addresses,
				   h->conf.stacks && h->conf.stacks->sites);
	if (h->conf.stacks)
		w->stack_queue = xcalloc(PENDING, sizeof(*w->stack_queue));
	h->workers = xrealloc(h->workers, h->nr_workers + 1, sizeof(*h->workers));
	h->workers[h->nr_workers++] = w;
	pthread_mutex_init(&w->lock, NULL);
	h->hands_off = h->nr_workers > 1 && hist_keeps_stacks(h) && !h->early;
	return w;
}

bool base_same(const struct hist_base *a, const struct hist_base *b)
{
	_Static_assert(sizeof(*a) == 48, "no padding, so that bytes can be compared");

	return !memcmp(a, b, sizeof(*a));
}

static u64 base_hash(const struct hist_base *b)
{
	u64 hash = hash_u64(((u64)b->evsel << 32 | b->comm) ^ hash_u64((u64)b->tid << 32 | b->cpu));

	if (b->key_set)
		hash = hash_u64(hash ^ b->key_set);
	if (b->from_mode || b->cycles || b->flags)
		hash = hash_u64(hash ^ hash_u64(b->from ^ (u64)b->from_epoch << 24) ^
				((u64)b->flags << 16 | b->cycles));
	return hash;
}

static void set_branch(struct hist_base *b, const struct hist *h, const struct hist_sample *s)
{
	if (h->keep & (NEED_DSO_FROM | NEED_SYM_FROM)) {
		b->from = s->from;
		b->from_mode = hist_ip_mode(h, s->from, 0);
		b->from_epoch = b->from_mode == PERF_RECORD_MISC_KERNEL ? s->kernel_epoch
									: s->epoch;
	}
	b->cycles = h->keep & NEED_CYCLES ? HIST_CYCLES(s->flags) : 0;
	b->flags = s->flags & h->conf.cols.flags;
}

/* Kept out of line: what samples seldom come to would cost those that do not. */
__attribute__((noinline)) u32 base_find(struct hist_worker *w, const struct hist_base *b)
{
	u64 hash = base_hash(b);
	size_t pos;

	index_reserve(&w->by_base);
	index_for_each(&w->by_base, hash, pos)
	{
		u32 i = index_at(&w->by_base, pos);

		if (base_same(&w->bases[i], b))
			return i;
	}
	VEC_GROW(w->bases, w->nr_bases + 1, w->cap_bases);
	w->bases[w->nr_bases] = *b;
	index_put(&w->by_base, pos, hash, w->nr_bases);
	return w->nr_bases++;
}

static __attribute__((noinline)) u32 branch_base(struct hist_worker *w, const struct hist_sample *s,
						 struct hist_base b, u32 *cached)
{
	set_branch(&b, w->h, s);
	if (w->h->conf.cols.nr_keys)
		b.key_set = key_set_of(w, s);
	cached += (b.from ^ b.cycles ^ b.key_set) % (w->base_cache + BASE_CACHE - cached);
	if (!*cached || !base_same(&w->bases[*cached - 1], &b))
		*cached = base_find(w, &b) + 1;
	return *cached - 1;
}

static __attribute__((noinline)) u32 keyed_base(struct hist_worker *w, const struct hist_sample *s,
						struct hist_base b, u32 *cached)
{
	b.key_set = key_set_of(w, s);
	cached = w->base_cache + (cached - w->base_cache + b.key_set) % BASE_CACHE;
	if (!*cached || !base_same(&w->bases[*cached - 1], &b))
		*cached = base_find(w, &b) + 1;
	return *cached - 1;
}

/* Is it asked of what is filtered where it was? A hierarchy shows it above others, and what has no
 * symbol is not counted when it is hidden. */
static bool locates_filtered(const struct hist *h)
{
	return h->conf.cols.hierarchy || h->conf.hide_unresolved;
}

/* Only a hierarchy asks whose they are. */
static __attribute__((noinline)) u32 filtered_base(struct hist_worker *w,
						   const struct hist_sample *s, struct hist_base b)
{
	if (!w->h->conf.cols.hierarchy)
		b = (struct hist_base){ s->evsel };
	if (locates_filtered(w->h) && w->h->conf.branches)
		set_branch(&b, w->h, s);
	if ((w->h->conf.cols.hierarchy && w->h->conf.cols.nr_keys) ||
	    w->h->conf.cols.key_at[KEY_PARALLELISM])
		b.key_set = key_set_of(w, s);
	b.flags |= HIST_FILTERED;
	return base_find(w, &b);
}

static inline u32 base_id(struct hist_worker *w, const struct hist_sample *s)
{
	unsigned int need = w->h->keep;
	u32 evsel = s->evsel, comm = need & NEED_COMM ? s->comm : 0;
	u32 tid = need & NEED_THREAD ? s->tid : 0, cpu = need & NEED_CPU ? s->cpu : 0;
	u32 *cached = &w->base_cache[(evsel * 29 + comm * 7 + tid * 3 + cpu) % BASE_CACHE];
	const struct hist_base *b;

	if (unlikely(s->filtered))
		return filtered_base(w, s, (struct hist_base){ evsel, comm, tid, cpu });
	if (unlikely(w->h->conf.branches))
		return branch_base(w, s, (struct hist_base){ evsel, comm, tid, cpu }, cached);
	if (unlikely(w->h->conf.cols.nr_keys))
		return keyed_base(w, s, (struct hist_base){ evsel, comm, tid, cpu }, cached);
	if (likely(*cached)) {
		b = &w->bases[*cached - 1];
		if (likely(b->evsel == evsel && b->comm == comm && b->tid == tid && b->cpu == cpu))
			return *cached - 1;
	}
	*cached = base_find(w, &(struct hist_base){ evsel, comm, tid, cpu }) + 1;
	return *cached - 1;
}

static bool tally_same(const struct tally *a, const struct tally *b)
{
	return a->ip == b->ip && a->base == b->base && a->stack == b->stack &&
	       a->epoch == b->epoch && a->place == b->place && a->mode == b->mode;
}

static void tally_merge(struct tally *r, const struct tally *s)
{
	r->period += s->period;
	r->nr += s->nr;
	if (s->first < r->first || (s->first == r->first && s->thread < r->thread)) {
		r->first = s->first;
		r->thread = s->thread;
	}
}

/* Return: the number of the tally it was added to. */
static size_t tally_add(struct hist_worker *w, const struct pending *p)
{
	size_t pos;

	index_reserve(&w->by_tally);
	index_for_each(&w->by_tally, p->hash, pos)
	{
		struct tally *r = &w->tallies[index_at(&w->by_tally, pos)];

		if (tally_same(r, &p->tally) && likely(r->nr < UINT32_MAX)) {
			tally_merge(r, &p->tally);
			return index_at(&w->by_tally, pos);
		}
	}
	VEC_GROW(w->tallies, w->nr_tallies + 1, w->cap_tallies);
	w->tallies[w->nr_tallies] = p->tally;
	index_put(&w->by_tally, pos, p->hash, w->nr_tallies);
	return w->nr_tallies++;
}

/*
 * Count the samples in the queue that the memory of addresses leads to. The others stay: they are
 * the queue then.
 */
static void count_cached(struct hist_worker *w)
{
	u32 id[PENDING], i, left = 0;
	u64 more;

	for (i = 0; i < w->nr_queued; i++) {
		id[i] = address_cache_find(&w->cache, &w->queue[i].key, &more);
		if (id[i] != UINT32_MAX)
			__builtin_prefetch(&w->tallies[id[i]], 1);
	}
	for (i = 0; i < w->nr_queued; i++) {
		const struct tally *s = &w->queue[i].tally;
		struct tally *r = id[i] != UINT32_MAX ? &w->tallies[id[i]] : NULL;

		if (r && r->base == s->base && likely(r->nr < UINT32_MAX))
			tally_merge(r, s);
		else if (left++ != i)
			w->queue[left - 1] = w->queue[i];
	}
	w->nr_queued = left;
}

void hist_flush(struct hist_worker *w)
{
	bool early_places = w->h->early_places;
	u32 i, idx;

	if (early_places)
		count_cached(w);
	if (early_places)
		early_places_find(w);
	if (w->by_tally.slots) {
		for (i = 0; i < w->nr_queued; i++) {
			idx = w->by_tally.slots[w->queue[i].hash & w->by_tally.mask].idx;
			if (idx)
				__builtin_prefetch(&w->tallies[idx - 1], 1);
		}
	}
	for (i = 0; i < w->nr_queued; i++) {
		size_t tally = tally_add(w, &w->queue[i]);

		if (early_places)
			address_cache_put(&w->cache, &w->queue[i].key, (u32)tally, 0);
	}
	w->nr_queued = 0;
}

static void note_thread(struct hist_worker *w, const struct hist_sample *s)
{
	size_t old = w->nr_threads;

	if (unlikely(s->thread >= old)) {
		w->nr_threads = MAX((size_t)s->thread + 1, old * 2);
		w->threads = xrealloc(w->threads, w->nr_threads, sizeof(*w->threads));
		memset(w->threads + old, 0, (w->nr_threads - old) * sizeof(*w->threads));
	}
	if (unlikely(!w->threads[s->thread].time))
		w->threads[s->thread] =
			(struct hist_thread){ s->pid, s->tid, s->time ? s->time : 1 };
}

void hist_count(struct hist_worker *w, const struct hist_sample *s)
{
	struct pending *p = &w->queue[w->nr_queued];
	bool kernel = hist_ip_mode(w->h, s->ip, s->cpumode) == PERF_RECORD_MISC_KERNEL;
	struct tally *r = &p->tally;

	if (unlikely(w->h->conf.stacks)) {
		if (s->filtered)
			return;
		note_thread(w, s);
		stacks_add_sample(w, s);
		return;
	}
	w->nr_queued++;
	*r = (struct tally){
		.base = base_id(w, s),
		.stack = hist_keeps_stacks(w->h) && !s->filtered ? stack_id(w, s) : UINT32_MAX,
		.mode = s->cpumode & 7,
		.thread = s->thread,
		.period = s->period,
		.nr = 1,
		.first = (s->time ? s->time : s->order) + s->nth,
	};
	note_thread(w, s);
	if (w->h->keep & (NEED_DSO | NEED_SYM) && (!s->filtered || locates_filtered(w->h))) {
		r->ip = s->ip;
		r->epoch = kernel ? s->kernel_epoch : s->epoch; /* all processes share the kernel */
	}
	if (w->h->early_places) {
		p->key = address_key(r->ip, r->epoch, hist_ip_mode(w->h, r->ip, r->mode), r->base);
		address_cache_prefetch(&w->cache, &p->key);
	} else {
		p->hash = tally_hash(r);
		tally_prefetch(w, p->hash);
	}
	if (w->nr_queued == PENDING)
		hist_flush(w);
}

void hist_add(struct hist_worker *w, const struct hist_sample *s)
{
	if (w->h->hands_off)
		handoff_add(w, s);
	else
		hist_count(w, s);
}
