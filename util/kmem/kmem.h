/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine (analyze/engine.h) follows the events of the kernel's two allocators. The slab
 * allocator hands out objects of some bytes, and the page allocator blocks of 2^order pages.
 * Memory grows with the number of distinct objects, pages and call sites, not with that of events.
 *
 *	k = kmem_new(&conf);
 *	analysis_run(a, kmem_engine(k), k, &err);
 *	... kmem_slab_sites(k, &nr) ...
 *	kmem_free(k);
 */
#ifndef PERF_KMEM_KMEM_H
#define PERF_KMEM_KMEM_H

#include "analyze/engine.h"
#include "file/env.h"

struct kmem;

struct kmem_conf {
	bool slab, page; /* the allocators that are looked at */
	const struct env
		*env;  /* of the recording, for the nodes of its CPUs; borrowed; may be NULL */
	u64 page_size; /* in bytes */
	/* Return what stands for the code at a kernel address of a call chain, such as the start of
	 * the function; 0: it is part of the page allocator, and its caller is wanted. */
	u64 (*caller)(void *ctx, u64 address);
	void *ctx;
};

/** kmem_new - prepare; kmem_free() frees the state. */
struct kmem *kmem_new(const struct kmem_conf *conf);
void kmem_free(struct kmem *k);
/** kmem_engine - return the engine, whose state is @k. It lives as long as @k. */
const struct engine *kmem_engine(const struct kmem *k);
/** kmem_has_slab, kmem_has_page - tell whether the recording has events of the allocator. */
bool kmem_has_slab(const struct kmem *k);
bool kmem_has_page(const struct kmem *k);
/** kmem_span - return the time in ns between the first and the last event that was taken. */
u64 kmem_span(const struct kmem *k);

/* ---- objects ---- */

/* The allocations of a call site, or those of the objects that were at one address. */
struct kmem_use {
	u64 ptr, site;            /* the object and the call site; of the last allocation */
	u64 requested, allocated; /* bytes */
	u64 hits;                 /* allocations */
	u64 pingpong;             /* objects that were freed on another CPU */
};

struct kmem_slab_totals {
	u64 requested, allocated, freed; /* bytes */
	u64 allocations;
	u64 cross_node; /* allocations on another node than that of the CPU */
};

/** kmem_slab_totals - return the sums. */
const struct kmem_slab_totals *kmem_slab_totals(const struct kmem *k);
/** kmem_slab_sites - return a row for each call site, borrowed. @nr: their number */
const struct kmem_use *kmem_slab_sites(const struct kmem *k, size_t *nr);
/** kmem_slab_objects - return a row for each address of an object, borrowed. */
const struct kmem_use *kmem_slab_objects(const struct kmem *k, size_t *nr);

/* ---- pages ---- */

/* Blocks of pages of one kind, from one call site or at one place. */
struct kmem_pages {
	u64 page; /* page frame number, or address of the page's struct; of rows for places */
	u64 site; /* what kmem_conf.caller() made of it; of the last allocation */
	u64 gfp;  /* flags of the allocation */
	u32 order, type;
	u64 allocs, alloc_bytes;
	u64 frees, free_bytes; /* of these allocations, those that were lost included */
};

struct kmem_page_totals {
	u64 allocs, alloc_bytes, frees, free_bytes;
	u64 pairs, pair_bytes;          /* blocks that were allocated and then freed */
	u64 free_only, free_only_bytes; /* that were freed only */
	u64 failures, failure_bytes;    /* that could not be allocated */
	bool frames;                    /* pages are known by their page frame numbers */
};

/** kmem_page_totals - return the sums. */
const struct kmem_page_totals *kmem_page_totals(const struct kmem *k);
/** kmem_page_sites - return a row for each call site with each order, type and flags, borrowed. */
const struct kmem_pages *kmem_page_sites(const struct kmem *k, size_t *nr);
/** kmem_page_places - return a row for each page with each order, type and flags, borrowed. */
const struct kmem_pages *kmem_page_places(const struct kmem *k, size_t *nr);

/* ---- what was not freed ---- */

/* Memory from one call site that was allocated and not freed. */
struct kmem_leak {
	u64 site;
	u64 bytes, objects; /* not freed */
	u64 allocated;      /* objects, with those that were freed */
	u64 age;            /* of the oldest, in ns before the last event */
};

/** kmem_slab_leaks, kmem_page_leaks - return a row for each call site some of whose memory was not
 * freed. @nr: their number; the caller frees the array. */
struct kmem_leak *kmem_slab_leaks(const struct kmem *k, size_t *nr);
struct kmem_leak *kmem_page_leaks(const struct kmem *k, size_t *nr);

#endif
