/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the hist room share. */
#ifndef PERF_HIST_HIST_INTERNAL_H
#define PERF_HIST_HIST_INTERNAL_H

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/pool.h"
#include "hist/hist.h"

/* u32 that may overlay the u64 of a stack. */
typedef u32 u32_alias __attribute__((may_alias));
typedef u64 u64_alias __attribute__((may_alias));

/* Open addressing over an array that lives elsewhere: hash and index + 1 (0: free). */
struct index_slot {
	u32 hash, idx;
};
struct index {
	struct index_slot *slots;
	size_t nr, mask;
};
/** index_grow - the rare part of index_reserve(). */
void index_grow(struct index *ix);
/** index_reserve - room for one more; call before probing for an insertion. */
static inline void index_reserve(struct index *ix)
{
	if (unlikely(!ix->slots || ix->nr * 4 >= (ix->mask + 1) * 3))
		index_grow(ix);
}
void index_release(struct index *ix);

/* Walk the candidates of a hash; ends at a free slot, which index_put() then takes. */
#define index_for_each(ix, h, pos)                                                                 \
	for (pos = (h) & (ix)->mask; (ix)->slots[pos].idx; pos = (pos + 1) & (ix)->mask)           \
		if ((ix)->slots[pos].hash == (u32)(h))
static inline u32 index_at(const struct index *ix, size_t pos)
{
	return ix->slots[pos].idx - 1;
}
static inline void index_put(struct index *ix, size_t pos, u64 hash, u32 idx)
{
	ix->slots[pos] = (struct index_slot){ (u32)hash, idx + 1 };
	ix->nr++;
}

/* Samples that are the same in all that is kept of them. */
struct raw {
	u64 ip; /* where addresses are resolved at once: id of the worker's spot */
	u32 base, epoch;
	u32 stack;  /* of the worker, UINT32_MAX none */
	u32 thread; /* of the first sample */
	u64 period, nr, first;
	u32 place; /* set by hist_finish, first to an id of ip */
	u8 mode;   /* cpumode */
};

/* A raw chain; the words at @ips become 32-bit ids in place, first of addresses, then of frames. */
struct stack {
	u64_alias *ips; /* owned by the worker's arena */
	u32 nr;         /* words, then ids */
	u32 epoch, kernel_epoch;
	u8 mode; /* of what comes before the first context marker */
};

/* What a resolved address is: the symbol it is in, or else the address itself. */
struct spot {
	u64 addr; /* in the object; 0 with a symbol, or when symbols are not asked for */
	u32 dso;  /* id + 1; 0 unknown */
	u32 sym;  /* in the object's table; UINT32_MAX: none */
};

/* An object that addresses were in. */
struct spot_dso {
	const struct dso *dso; /* borrowed; NULL: none were */
	const struct symtab *symtab;
};

/* One slot of a worker's small memory of addresses and where they are. */
#define SPOT_CACHE (1u << 16)
struct spot_known {
	u64 ip;
	u32 epoch;
	u32 spot_mode; /* spot + 1, then 3 bits of cpumode; 0: free */
};

/* Whose thread ids these are. */
struct hist_thread {
	u32 pid, tid;
	u64 time; /* of some sample of it; 0: not seen */
};

/*
 * The tables are larger than any cache, so samples wait in a short queue while the slot they
 * need is fetched from memory.
 */
#define PENDING 16
#define BASE_CACHE 64
struct pending {
	struct raw raw;
	u64 hash;
};

struct hist_worker {
	struct hist *h;
	struct pending queue[PENDING];
	u32 nr_queued;
	struct hist_thread *threads; /* by thread id */
	size_t nr_threads;
	struct raw *raws;
	size_t nr_raws, cap_raws;
	struct index by_raw;
	struct hist_base *bases; /* comm still of the machine, or 0 */
	size_t nr_bases, cap_bases;
	struct index by_base;
	u32 base_cache[BASE_CACHE]; /* id + 1 of bases seen last */
	struct stack *stacks;
	size_t nr_stacks, cap_stacks;
	struct index by_stack;
	struct arena arena;
	bool kernel_seen;
	struct spot_known *known; /* NULL unless addresses are resolved at once */
	struct spot *spots;
	size_t nr_spots, cap_spots;
	struct index by_spot;
	struct spot_dso *spot_dsos; /* by dso id */
	size_t nr_spot_dsos;
	/* hist_finish: */
	struct resolve_req *addrs; /* unique addresses of this worker */
	size_t nr_addrs, cap_addrs;
	struct index by_addr;
	u32 *addr_ids; /* own address id -> id in the hist; own spot -> place */
	u32 *base_ids; /* own base id -> id in the hist */
	struct hist_row *rows;
	size_t nr_rows, cap_rows;
	struct map64 by_row;       /* base << 32 | place key -> row */
	struct hist_event *totals; /* by event */
};

/* What an address is, as the ip of a sample and as a frame of a chain. */
struct addr_info {
	u32 place; /* as the ip */
	u32 frame;
};

struct hist {
	struct hist_conf conf;
	unsigned int keep; /* enum hist_need of columns and filters */
	struct hist_worker **workers;
	int nr_workers;
	const struct machine *machine; /* borrowed */
	struct resolver *resolver;     /* borrowed */
	bool at_once; /* addresses are resolved when they are counted, and not kept */

	struct hist_base *bases;
	size_t nr_bases, cap_bases;
	struct intern dso_names; /* 0: unknown */
	struct hist_place *places;
	const char **place_names; /* borrowed from the symbol tables; NULL without symbol */
	bool *place_used;         /* some row is there */
	size_t nr_places, cap_places;
	struct hist_frame *frames;
	size_t nr_frames, cap_frames;
	struct addr_info *addrs;
	size_t nr_addrs;

	struct hist_row *rows;
	size_t nr_rows, cap_rows;
	struct map64 by_row;
	struct hist_event *events;
	u32 *comm_rank;  /* by machine comm id: equal texts, equal rank; order of the texts */
	u32 *dso_rank;   /* by name id, the same; unknown last */
	u32 *name_rank;  /* by place: order of symbol names, unresolved last and all equal */
	u32 *place_rank; /* by place: total order */
	struct arena *chain_arenas; /* of chain trees */
	size_t nr_chain_arenas, cap_chain_arenas;
	bool *dso_pass, *place_pass; /* filters, by name id and place; NULL: all pass */
	bool *comm_pass;
	struct hist_thread *threads; /* by thread id, from the workers */
	u32 nr_threads;
	bool *dso_hit; /* by dso id: samples or frames were there */
	size_t nr_dso_hit;
};

/* What places and frames are found by while they are made. */
struct tables {
	struct index by_place, by_frame;
	u32 *dso_name; /* dso id -> name id */
	size_t nr_dsos;
};

/* frames.c: addresses -> places and frames; afterwards raw.place and stacks hold final ids */
void hist_resolve(struct hist *h);
/** hist_place_id - the place of a location, made when new. @addr: what it is without a symbol */
u32 hist_place_id(struct hist *h, struct tables *t, const struct location *l, u64 addr);
void tables_release(struct tables *t);
/* spot.c: the same at once, while counting */
/** spots_locate - turn the addresses of the samples in the queue to spots, and hash them. */
void spots_locate(struct hist_worker *w);
/** spots_to_places - the same for what was counted. */
void spots_to_places(struct hist *h);
void spots_release(struct hist_worker *w);
/* fold.c: counts -> rows */
void hist_fold(struct hist *h);
/* raw.c */
void hist_flush(struct hist_worker *w);
/* order.c */
void hist_order(struct hist *h);
/* rank.c: names to numbers in their order */
void hist_rank_comms(struct hist *h);
void hist_rank_places(struct hist *h);
/** parallel_sort - sort @nr pointers or ids of @size bytes by a total order on @workers threads. */
void parallel_sort(void *v, size_t nr, size_t size, int (*cmp)(const void *, const void *, void *),
		   void *ctx, int workers);
/* filter.c */
void hist_filters_init(struct hist *h);
/** hist_passes - do samples of a comm (of the machine) at a place pass the filters? */
bool hist_passes(const struct hist *h, u32 comm, u32 place);

static inline u64 raw_hash(const struct raw *r)
{
	return hash_u64(r->ip ^
			hash_u64(((u64)r->base << 32 | r->stack) ^ (u64)r->epoch << 20 ^ r->mode));
}
/* Fetch the slot that a raw of this hash will need. */
static inline void raw_prefetch(const struct hist_worker *w, u64 hash)
{
	if (w->by_raw.slots)
		__builtin_prefetch(&w->by_raw.slots[hash & w->by_raw.mask]);
}
static inline bool hist_keeps_stacks(const struct hist *h)
{
	return h->conf.chains || h->conf.children;
}
static inline u32 hist_leader(const struct hist *h, u32 evsel)
{
	return h->conf.leader && evsel < h->conf.nr_events ? h->conf.leader[evsel] : evsel;
}
/* Is a sample at this place left out altogether? */
static inline bool hist_hidden(const struct hist *h, u32 place)
{
	return h->conf.hide_unresolved && h->places[place].sym == UINT32_MAX;
}
static inline const u32_alias *stack_frames(const struct stack *s)
{
	return (const u32_alias *)s->ips;
}

#endif
