// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A base is what tells samples apart beside where they were: event, thread, CPU, branch, key
 * values. Each worker numbers its own bases. In the end they become bases of the histogram, where
 * those that look the same are one.
 */
#include "base/compat.h"

#include "hist/rows-internal.h"

/* ---- of a worker ---- */

void thread_table_grow(struct hist_worker *w, u32 thread)
{
	size_t old = w->nr_threads;

	w->nr_threads = MAX((size_t)thread + 1, old * 2);
	w->threads = xrealloc(w->threads, w->nr_threads, sizeof(*w->threads));
	memset(w->threads + old, 0, (w->nr_threads - old) * sizeof(*w->threads));
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
	if (b->parallelism || b->classes)
		hash = hash_u64(hash ^ ((u64)b->parallelism << 32 | b->classes));
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

/* This stays out of line: few samples come here, and the others would pay for it. */
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
	w->nr_evsels = MAX(w->nr_evsels, b->evsel + 1);
	index_put(&w->by_base, pos, hash, w->nr_bases);
	return w->nr_bases++;
}

__attribute__((noinline)) u32 base_of_branch(struct hist_worker *w, const struct hist_sample *s,
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

__attribute__((noinline)) u32 base_with_keys(struct hist_worker *w, const struct hist_sample *s,
					     struct hist_base b, u32 *cached)
{
	b.key_set = key_set_of(w, s);
	cached = w->base_cache + (cached - w->base_cache + b.key_set) % BASE_CACHE;
	if (!*cached || !base_same(&w->bases[*cached - 1], &b))
		*cached = base_find(w, &b) + 1;
	return *cached - 1;
}

bool locates_filtered(const struct hist *h)
{
	return h->conf.cols.hierarchy || h->conf.hide_unresolved;
}

bool filtered_have_keys(const struct hist *h)
{
	return (h->conf.cols.hierarchy && h->conf.cols.nr_keys) ||
	       h->conf.cols.key_at[KEY_PARALLELISM];
}

/* Only a hierarchy asks which thread a filtered sample is of. */
__attribute__((noinline)) u32 base_of_filtered(struct hist_worker *w, const struct hist_sample *s,
					       struct hist_base b)
{
	if (!w->h->conf.cols.hierarchy)
		b = (struct hist_base){ s->evsel };
	if (locates_filtered(w->h) && w->h->conf.branches)
		set_branch(&b, w->h, s);
	if (filtered_have_keys(w->h))
		b.key_set = key_set_of(w, s);
	b.flags |= HIST_FILTERED;
	return base_find(w, &b);
}

/* ---- of the histogram ---- */

/* Return what tells the sources of branches apart, as the place key does for their targets. */
static u64 from_key(const struct hist *h, const struct hist_base *b)
{
	if (!hist_keeps_from(h))
		return 0;
	return h->conf.cols.need & NEED_SYM_FROM   ? b->from
	       : h->conf.cols.need & NEED_DSO_FROM ? h->places[b->from].dso
						   : 0;
}

u64 base_row_hash(const struct hist *h, const struct hist_base *b, u32 evsel)
{
	u32 rank = h->conf.cols.need & NEED_COMM ? h->comm_rank[b->comm] : 0;

	return hash_u64(((u64)evsel << 32 | rank) ^ hash_u64((u64)b->tid << 32 | b->cpu) ^
			hash_u64(from_key(h, b) << 24 ^ b->cycles << 8 ^ b->flags) ^
			b->key_set << 40);
}

bool base_same_row(const struct hist *h, const struct hist_base *a, const struct hist_base *b)
{
	return a->tid == b->tid && a->cpu == b->cpu && a->cycles == b->cycles &&
	       a->flags == b->flags && a->key_set == b->key_set &&
	       from_key(h, a) == from_key(h, b) &&
	       (!(h->conf.cols.need & NEED_COMM) || h->comm_rank[a->comm] == h->comm_rank[b->comm]);
}

void bases_merge(struct hist *h)
{
	struct index ix = { 0 };
	size_t k, pos;
	int i;

	for (i = 0; i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		w->base_ids = xcalloc(w->nr_bases ? w->nr_bases : 1, sizeof(u32));
		for (k = 0; k < w->nr_bases; k++) {
			const struct hist_base *b = &w->bases[k];
			u32 evsel = hist_leader(h, b->evsel);
			u64 hash = base_row_hash(h, b, evsel);
			const struct hist_base *o;
			u32 id = UINT32_MAX;

			index_reserve(&ix);
			index_for_each(&ix, hash, pos)
			{
				o = &h->bases[index_at(&ix, pos)];
				if (o->evsel == evsel && base_same_row(h, o, b)) {
					id = index_at(&ix, pos);
					break;
				}
			}
			if (id == UINT32_MAX) {
				VEC_GROW(h->bases, h->nr_bases + 1, h->cap_bases);
				id = h->nr_bases++;
				h->bases[id] = *b;
				h->bases[id].evsel = evsel;
				index_put(&ix, pos, hash, id);
			}
			w->base_ids[k] = id;
		}
	}
	index_release(&ix);
}

/* Events may become known while the samples of a pipe are counted: there are as many as samples
 * name. */
void members_count(struct hist *h)
{
	u32 nr = h->conf.nr_events, i;
	int w;

	for (w = 0; w < h->nr_workers; w++)
		nr = MAX(nr, h->workers[w]->nr_evsels);
	if (nr > h->conf.nr_events) {
		h->events = xrealloc(h->events, nr, sizeof(*h->events));
		memset(h->events + h->conf.nr_events, 0,
		       (nr - h->conf.nr_events) * sizeof(*h->events));
		h->conf.leader = NULL;
		h->conf.nr_events = nr;
	}
	for (i = 0; i < nr; i++)
		h->events[hist_leader(h, i)].nr_members++;
}
