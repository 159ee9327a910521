// SPDX-License-Identifier: GPL-2.0-or-later
/* Mark objects, in a table for each worker. Recent lookups are cached. */
#include "base/compat.h"
#include "machine/hits.h"

#include "base/alloc.h"
#include "wire/event.h"

#define THREAD_CACHE 64
#define PAGE_SHIFT 12
#define PLACE_BITS 12
#define NO_DSO UINT32_MAX

/* A page that needs no further lookup, because its object is known or there is none. */
struct place {
	u64 page;
	u32 epoch;
	u32 dso; /* its id, or NO_DSO */
	u8 cpumode;
	bool known;
};

struct hits_worker {
	const struct hits *hits;
	struct thread_at threads[THREAD_CACHE];
	struct place places[1 << PLACE_BITS];
	u64 *hit; /* owned; the number of addresses for each dso id below nr_hit */
	u32 nr_hit;
};

struct hits {
	const struct machine *machine;
	bool live;
	struct hits_worker **workers; /* owned */
	size_t nr, cap;
};

struct hits *hits_new(const struct machine *m, bool live)
{
	struct hits *h = xzalloc(sizeof(*h));

	h->machine = m;
	h->live = live;
	return h;
}

void hits_free(struct hits *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->nr; i++) {
		free(h->workers[i]->hit);
		free(h->workers[i]);
	}
	free(h->workers);
	free(h);
}

struct hits_worker *hits_worker(struct hits *h)
{
	struct hits_worker *w = xzalloc(sizeof(*w));

	w->hits = h;
	VEC_GROW(h->workers, h->nr + 1, h->cap);
	h->workers[h->nr++] = w;
	return w;
}

/* Count an address in an object. Return: whether it is the first one. */
static bool mark(struct hits_worker *w, u32 dso)
{
	u32 nr = w->nr_hit;

	if (dso >= nr) {
		w->nr_hit = MAX(dso + 1, nr * 2);
		w->hit = xrealloc(w->hit, w->nr_hit, sizeof(*w->hit));
		memset(w->hit + nr, 0, (w->nr_hit - nr) * sizeof(*w->hit));
	}
	return !w->hit[dso]++;
}

static struct place *place_of(struct hits_worker *w, u32 epoch, u8 cpumode, u64 page)
{
	u64 key = page ^ (u64)epoch << 32 ^ (u64)cpumode << 56;

	return &w->places[key * 0x9e3779b97f4a7c15ULL >> (64 - PLACE_BITS)];
}

/* Mark the object at an address whose page is not cached. */
static const struct dso *mark_addr(struct hits_worker *w, u32 epoch, u8 cpumode, u64 addr,
				   struct place *place)
{
	u64 page = addr >> PAGE_SHIFT, start, end;
	const struct map *map =
		machine_find_range(w->hits->machine, epoch, cpumode, addr, &start, &end);

	/* While the model changes, there may be another object later. */
	if (!w->hits->live && start <= page << PAGE_SHIFT &&
	    end - (page << PAGE_SHIFT) >= 1 << PAGE_SHIFT)
		*place = (struct place){ page, epoch, map ? map->dso->id : NO_DSO, cpumode, true };
	return map && mark(w, map->dso->id) ? map->dso : NULL;
}

static inline void hits_addr(struct hits_worker *w, const struct thread_at *at, u8 cpumode,
			     u64 addr, void (*fresh)(void *ctx, const struct dso *dso), void *ctx)
{
	/* The kernel's mappings are the same for all processes. */
	u32 epoch = cpumode == PERF_RECORD_MISC_KERNEL ? at->kernel_epoch : at->epoch;
	struct place *p = place_of(w, epoch, cpumode, addr >> PAGE_SHIFT);
	const struct dso *dso;

	if (p->known && p->page == addr >> PAGE_SHIFT && p->epoch == epoch &&
	    p->cpumode == cpumode) {
		if (p->dso != NO_DSO)
			mark(w, p->dso);
		return;
	}
	dso = mark_addr(w, epoch, cpumode, addr, p);
	if (dso && fresh)
		fresh(ctx, dso);
}

void hits_sample(struct hits_worker *w, const struct sample *s, u64 time, bool chain,
		 void (*fresh)(void *ctx, const struct dso *dso), void *ctx)
{
	struct thread_at *at = &w->threads[(s->tid ^ s->tid >> 9) % THREAD_CACHE];
	u8 mode = s->cpumode;

	if (at->tid != s->tid || at->pid != s->pid || time < at->from || time >= at->until ||
	    !at->until || w->hits->live)
		machine_thread_at(w->hits->machine, s->pid, s->tid, time, at);
	hits_addr(w, at, mode, s->ip, fresh, ctx);
	for (u64 i = 0; chain && i < s->nr_callchain; i++) {
		u64 ip = s->callchain[i];

		if (ip >= (u64)PERF_CONTEXT_MAX)
			mode = callchain_mode(ip);
		else
			hits_addr(w, at, mode, ip, fresh, ctx);
	}
}

u64 hits_nr(const struct hits *h, u32 dso)
{
	u64 nr = 0;

	for (size_t i = 0; i < h->nr; i++)
		if (dso < h->workers[i]->nr_hit)
			nr += h->workers[i]->hit[dso];
	return nr;
}

bool hits_has(const struct hits *h, u32 dso)
{
	return hits_nr(h, dso) > 0;
}
