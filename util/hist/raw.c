// SPDX-License-Identifier: GPL-2.0-or-later
/* Counting: one table per worker, keyed by what is raw in a sample and is kept of it. */
#include "base/compat.h"

#include "hist/hist-internal.h"

void index_grow(struct index *ix)
{
	struct index_slot *old = ix->slots;
	size_t old_nr = old ? ix->mask + 1 : 0, i, pos;

	ix->mask = old ? ix->mask * 2 + 1 : 255;
	ix->slots = xcalloc(ix->mask + 1, sizeof(*ix->slots));
	for (i = 0; i < old_nr; i++) {
		if (!old[i].idx)
			continue;
		pos = old[i].hash & ix->mask;
		while (ix->slots[pos].idx)
			pos = (pos + 1) & ix->mask;
		ix->slots[pos] = old[i];
	}
	free(old);
}

void index_release(struct index *ix)
{
	free(ix->slots);
	*ix = (struct index){ 0 };
}

struct hist_worker *hist_worker_new(struct hist *h)
{
	struct hist_worker *w = xzalloc(sizeof(*w));

	w->h = h;
	if (h->at_once)
		w->known = xcalloc(SPOT_CACHE, sizeof(*w->known));
	h->workers = xrealloc(h->workers, h->nr_workers + 1, sizeof(*h->workers));
	h->workers[h->nr_workers++] = w;
	return w;
}

static bool base_same(const struct hist_base *a, const struct hist_base *b)
{
	return a->evsel == b->evsel && a->comm == b->comm && a->tid == b->tid && a->cpu == b->cpu;
}

static u64 base_hash(const struct hist_base *b)
{
	return hash_u64(((u64)b->evsel << 32 | b->comm) ^ hash_u64((u64)b->tid << 32 | b->cpu));
}

static u32 base_id(struct hist_worker *w, const struct hist_sample *s)
{
	unsigned int need = w->h->keep;
	struct hist_base b = {
		.evsel = s->evsel,
		.comm = need & NEED_COMM ? s->comm : 0,
		.tid = need & NEED_THREAD ? s->tid : 0,
		.cpu = need & NEED_CPU ? s->cpu : 0,
	};
	u32 *cached = &w->base_cache[(b.evsel * 29 + b.comm * 7 + b.tid * 3 + b.cpu) % BASE_CACHE];
	size_t pos;
	u64 hash;

	if (likely(*cached && base_same(&w->bases[*cached - 1], &b)))
		return *cached - 1;
	hash = base_hash(&b);
	index_reserve(&w->by_base);
	index_for_each(&w->by_base, hash, pos)
	{
		u32 i = index_at(&w->by_base, pos);

		if (base_same(&w->bases[i], &b)) {
			*cached = i + 1;
			return i;
		}
	}
	VEC_GROW(w->bases, w->nr_bases + 1, w->cap_bases);
	w->bases[w->nr_bases] = b;
	index_put(&w->by_base, pos, hash, w->nr_bases);
	*cached = ++w->nr_bases;
	return w->nr_bases - 1;
}

/* A kernel address among them is all that matters: is any chain word in the upper half and no
 * marker? */
static bool chain_has_kernel(const u64_alias *ips, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if ((s64)ips[i] < 0 && ips[i] < (u64)PERF_CONTEXT_MAX)
			return true;
	return false;
}

static u32 stack_id(struct hist_worker *w, const struct hist_sample *s)
{
	u64 hash = (u64)s->kernel_epoch << 40 ^ (u64)s->epoch << 8 ^ s->cpumode;
	size_t i, pos;
	struct stack *st;

	if (!s->nr_chain || s->nr_chain > UINT32_MAX)
		return UINT32_MAX;
	for (i = 0; i < s->nr_chain; i++)
		hash = (hash ^ s->chain[i]) * 0x9e3779b97f4a7c15ULL, hash ^= hash >> 29;
	hash = hash_u64(hash);
	index_reserve(&w->by_stack);
	index_for_each(&w->by_stack, hash, pos)
	{
		u32 id = index_at(&w->by_stack, pos);

		st = &w->stacks[id];
		if (st->nr == s->nr_chain && st->epoch == s->epoch &&
		    st->kernel_epoch == s->kernel_epoch && st->mode == s->cpumode &&
		    !memcmp(st->ips, s->chain, st->nr * sizeof(u64)))
			return id;
	}
	VEC_GROW(w->stacks, w->nr_stacks + 1, w->cap_stacks);
	st = &w->stacks[w->nr_stacks];
	*st = (struct stack){
		.ips = arena_alloc(&w->arena, s->nr_chain * sizeof(u64)),
		.nr = s->nr_chain,
		.epoch = s->epoch,
		.kernel_epoch = s->kernel_epoch,
		.mode = s->cpumode,
	};
	memcpy(st->ips, s->chain, s->nr_chain * sizeof(u64));
	if (!w->kernel_seen)
		w->kernel_seen = chain_has_kernel(st->ips, st->nr);
	index_put(&w->by_stack, pos, hash, w->nr_stacks);
	return w->nr_stacks++;
}

static bool raw_same(const struct raw *a, const struct raw *b)
{
	return a->ip == b->ip && a->base == b->base && a->stack == b->stack &&
	       a->epoch == b->epoch && a->mode == b->mode;
}

static void raw_count(struct raw *r, const struct raw *s)
{
	r->period += s->period;
	r->nr += s->nr;
	if (s->first < r->first || (s->first == r->first && s->thread < r->thread)) {
		r->first = s->first;
		r->thread = s->thread;
	}
}

static void raw_add(struct hist_worker *w, const struct pending *p)
{
	size_t pos;

	index_reserve(&w->by_raw);
	index_for_each(&w->by_raw, p->hash, pos)
	{
		struct raw *r = &w->raws[index_at(&w->by_raw, pos)];

		if (raw_same(r, &p->raw)) {
			raw_count(r, &p->raw);
			return;
		}
	}
	VEC_GROW(w->raws, w->nr_raws + 1, w->cap_raws);
	w->raws[w->nr_raws] = p->raw;
	index_put(&w->by_raw, pos, p->hash, w->nr_raws++);
}

void hist_flush(struct hist_worker *w)
{
	u32 i, idx;

	if (w->known)
		spots_locate(w);
	if (w->by_raw.slots) {
		for (i = 0; i < w->nr_queued; i++) {
			idx = w->by_raw.slots[w->queue[i].hash & w->by_raw.mask].idx;
			if (idx)
				__builtin_prefetch(&w->raws[idx - 1], 1);
		}
	}
	for (i = 0; i < w->nr_queued; i++)
		raw_add(w, &w->queue[i]);
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

void hist_add(struct hist_worker *w, const struct hist_sample *s)
{
	struct pending *p = &w->queue[w->nr_queued++];
	bool kernel = s->cpumode == PERF_RECORD_MISC_KERNEL;
	struct raw *r = &p->raw;

	*r = (struct raw){
		.base = base_id(w, s),
		.stack = hist_keeps_stacks(w->h) ? stack_id(w, s) : UINT32_MAX,
		.mode = s->cpumode,
		.thread = s->thread,
		.period = s->period,
		.nr = 1,
		.first = s->time ? s->time : s->order,
	};
	note_thread(w, s);
	w->kernel_seen |= kernel;
	if (w->h->keep & (NEED_DSO | NEED_SYM)) {
		r->ip = s->ip;
		r->epoch = kernel ? s->kernel_epoch : s->epoch; /* all processes share the kernel */
	}
	if (w->known) {
		p->hash = hash_u64(r->ip ^ (u64)r->epoch << 24);
		__builtin_prefetch(&w->known[p->hash % SPOT_CACHE]);
	} else {
		p->hash = raw_hash(r);
		raw_prefetch(w, p->hash);
	}
	if (w->nr_queued == PENDING)
		hist_flush(w);
}
