/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_KMEM_KMEM_INTERNAL_H
#define PERF_KMEM_KMEM_INTERNAL_H

#include "kmem/kmem.h"

#include "base/hash.h"
#include "base/intern.h"

enum kmem_event {
	KMEM_KMALLOC,
	KMEM_KMALLOC_NODE,
	KMEM_CACHE_ALLOC,
	KMEM_CACHE_ALLOC_NODE,
	KMEM_KFREE,
	KMEM_CACHE_FREE,
	KMEM_PAGE_ALLOC,
	KMEM_PAGE_FREE,
	KMEM_NR_EVENTS
};

/* Fields of an allocation of an object, and of a free. */
enum { SLAB_PTR, SLAB_SITE, SLAB_REQUESTED, SLAB_ALLOCATED, SLAB_NODE };
/* Fields of an allocation of pages; a free has the first three. */
enum { PAGE_ORDER, PAGE_FRAME, PAGE_POINTER, PAGE_GFP, PAGE_TYPE };

#define KMEM_ORDERS 32U /* a higher order of a block is damage */

/* ---- objects ---- */

/* An object that is allocated, beside the row of its address. */
struct slab_object {
	u32 site; /* number of the row */
	u32 cpu;  /* that allocated it */
	bool live;
	u64 bytes, time;
};

struct slab_rows {
	struct map64 of; /* number of the row by address */
	struct kmem_use *v;
	size_t nr, cap;
};

struct slab_state {
	struct slab_rows sites, objects;
	struct slab_object *object; /* owned; by number of the row in objects */
	size_t cap_object;
	struct kmem_slab_totals totals;
};

void slab_alloc(struct slab_state *s, const struct engine_input *in, const struct env *env);
void slab_free(struct slab_state *s, const struct engine_input *in);
void slab_release(struct slab_state *s);

/* ---- pages ---- */

/* A page frame with the block that begins there. */
struct page_block {
	u32 place, site; /* numbers of the rows */
	bool live;
	u64 bytes, time;
};

struct page_rows {
	struct intern of; /* number of the row, + 1, by what the rows are told apart by */
	struct kmem_pages *v;
	size_t nr, cap;
};

struct page_state {
	struct page_rows places, sites;
	struct map64 block_of; /* number of the block by page */
	struct page_block *blocks;
	size_t nr_blocks, cap_blocks;
	struct map64 caller_of; /* number in callers by address in a call chain */
	u64 *callers;
	size_t nr_callers, cap_callers;
	struct kmem_page_totals totals;
};

void page_alloc(struct page_state *p, const struct engine_input *in, const struct kmem_conf *conf);
void page_free(struct page_state *p, const struct engine_input *in, const struct kmem_conf *conf);
void page_release(struct page_state *p);

/* ---- both ---- */

struct kmem {
	struct kmem_conf conf;
	struct engine engine;
	u32 bound; /* bits of the events that the recording has */
	u64 first, last;
	bool begun;
	struct slab_state slab;
	struct page_state page;
};

/* Sums of what was not freed, by call site. */
struct leak_rows {
	struct map64 of;
	struct kmem_leak *v;
	size_t nr, cap;
};

/** leak_row - return the row of a call site. Valid until the next call. */
struct kmem_leak *leak_row(struct leak_rows *l, u64 site);
/** leak_rows_end - drop the rows without leaks. Return: the others; the caller frees them. */
struct kmem_leak *leak_rows_end(struct leak_rows *l, size_t *nr);

#endif
