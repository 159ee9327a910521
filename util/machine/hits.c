// SPDX-License-Identifier: GPL-2.0-or-later
/* Marks of objects, a table for each worker; what was looked up lately is not looked up again. */
#include "base/compat.h"
#include "machine/hits.h"

#include "base/alloc.h"

#define THREAD_CACHE 64
#define RANGE_SETS 64
#define RANGE_WAYS 8

/* Addresses whose object is marked. */
struct range {
	u64 start, end; /* end 0: none */
	u32 epoch;
	u8 cpumode;
};

struct hits_worker {
	const struct hits *hits;
	struct thread_at threads[THREAD_CACHE];
	struct range ranges[RANGE_SETS][RANGE_WAYS]; /* of an epoch, those used last first */
	u8 *hit; /* owned; a byte for each dso id below nr_hit */
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

/* Return: it was not marked before. */
static bool mark(struct hits_worker *w, u32 dso)
{
	u32 nr = w->nr_hit;
	bool fresh;

	if (dso >= nr) {
		w->nr_hit = MAX(dso + 1, nr * 2);
		w->hit = xrealloc(w->hit, w->nr_hit, 1);
		memset(w->hit + nr, 0, w->nr_hit - nr);
	}
	fresh = !w->hit[dso];
	w->hit[dso] = 1;
	return fresh;
}

/* True when the object at @addr is marked for sure. */
static inline bool is_marked(struct range *set, u32 epoch, u8 cpumode, u64 addr)
{
	for (size_t i = 0; i < RANGE_WAYS; i++) {
		struct range r = set[i];

		if (addr < r.start || addr >= r.end || r.epoch != epoch || r.cpumode != cpumode)
			continue;
		if (i) {
			set[i] = set[i - 1];
			set[i - 1] = r;
		}
		return true;
	}
	return false;
}

const struct dso *hits_addr(struct hits_worker *w, const struct sample *s, u64 time, u8 cpumode,
			    u64 addr)
{
	const struct machine *m = w->hits->machine;
	struct thread_at *at = &w->threads[(s->tid ^ s->tid >> 9) % THREAD_CACHE];
	struct range *set, r = { .cpumode = cpumode };
	const struct map *map;

	if (at->tid != s->tid || at->pid != s->pid || time < at->from || time >= at->until ||
	    !at->until || w->hits->live)
		machine_thread_at(m, s->pid, s->tid, time, at);
	/* What the kernel has mapped is the same for all processes. */
	r.epoch = cpumode == PERF_RECORD_MISC_KERNEL ? at->kernel_epoch : at->epoch;
	set = w->ranges[r.epoch % RANGE_SETS];
	if (is_marked(set, r.epoch, cpumode, addr))
		return NULL;
	map = machine_find_range(m, r.epoch, cpumode, addr, &r.start, &r.end);
	if (!map)
		return NULL;
	if (!w->hits->live) { /* later it may be another there */
		memmove(set + 1, set, (RANGE_WAYS - 1) * sizeof(*set));
		set[0] = r;
	}
	return mark(w, map->dso->id) ? map->dso : NULL;
}

const struct dso *hits_sample(struct hits_worker *w, const struct sample *s, u64 time)
{
	return hits_addr(w, s, time, s->cpumode, s->ip);
}

bool hits_has(const struct hits *h, u32 dso)
{
	for (size_t i = 0; i < h->nr; i++)
		if (dso < h->workers[i]->nr_hit && h->workers[i]->hit[dso])
			return true;
	return false;
}
