// SPDX-License-Identifier: GPL-2.0-or-later
/* Blocks of the page allocator. */
#include "base/compat.h"

#include "base/alloc.h"
#include "kmem/kmem-internal.h"

#include "wire/event.h"

/* ---- fields ---- */

/* Store the page that a block begins with. Return: false: there is none, the allocation failed. */
static bool page_of(struct page_state *p, const struct engine_input *in, u64 *page)
{
	const struct engine_place *frame = &in->bound->at[PAGE_FRAME];

	if (!frame->size) {
		*page = engine_number(in, PAGE_POINTER);
		return *page;
	}
	p->totals.frames = true;
	*page = engine_number(in, PAGE_FRAME);
	return *page != UINT64_MAX >> (64 - 8 * frame->size);
}

static u32 order_of(const struct engine_input *in)
{
	return MIN((u32)engine_number(in, PAGE_ORDER), KMEM_ORDERS - 1);
}

/* ---- call sites ---- */

/* Return what stands for the code at an address; each address is asked for once. */
static u64 caller_at(struct page_state *p, const struct kmem_conf *conf, u64 address)
{
	u32 *slot = map64_slot(&p->caller_of, address);

	if (*slot == MAP64_NONE) {
		*slot = (u32)p->nr_callers;
		VEC_GROW(p->callers, p->nr_callers + 1, p->cap_callers);
		p->callers[p->nr_callers++] = conf->caller(conf->ctx, address);
	}
	return p->callers[*slot];
}

/* Return the first caller in the kernel that is not part of the page allocator; 0: none. */
static u64 site_of(struct page_state *p, const struct engine_input *in,
		   const struct kmem_conf *conf)
{
	const struct sample *s = in->sample;
	u64 site = 0;

	if (!s || !conf->caller)
		return 0;
	for (u64 i = 0; i < s->nr_callchain && !site; i++) {
		if (s->callchain[i] == (u64)PERF_CONTEXT_USER)
			break;
		if (s->callchain[i] < (u64)PERF_CONTEXT_MAX)
			site = caller_at(p, conf, s->callchain[i]);
	}
	return site;
}

/* ---- rows ---- */

/* Return the number of the row of blocks like @one. */
static u32 row_of(struct page_rows *r, const struct kmem_pages *one)
{
	const u64 key[] = { one->page, one->site, one->gfp, (u64)one->order << 32 | one->type };
	u32 row = intern_id(&r->of, (const char *)key, sizeof(key)) - 1;

	if (row == r->nr) {
		VEC_GROW(r->v, r->nr + 1, r->cap);
		r->v[r->nr++] = *one;
	}
	return row;
}

static void count_alloc(struct kmem_pages *row, u64 site, u64 bytes)
{
	row->site = site;
	row->allocs++;
	row->alloc_bytes += bytes;
}

static void count_free(struct kmem_pages *row, u64 bytes)
{
	row->frees++;
	row->free_bytes += bytes;
}

/* The block is not live any more. */
static void end_block(struct page_state *p, struct page_block *block)
{
	block->live = false;
	count_free(&p->places.v[block->place], block->bytes);
	count_free(&p->sites.v[block->site], block->bytes);
}

/* A block that is still live there has been freed by an event that was lost. */
static void put_block(struct page_state *p, u64 page, const struct page_block *block)
{
	u32 *slot = map64_slot(&p->block_of, page);

	if (*slot == MAP64_NONE) {
		*slot = (u32)p->nr_blocks++;
		VEC_GROW(p->blocks, p->nr_blocks, p->cap_blocks);
	} else if (p->blocks[*slot].live) {
		end_block(p, &p->blocks[*slot]);
	}
	p->blocks[*slot] = *block;
}

/* ---- events ---- */

void page_alloc(struct page_state *p, const struct engine_input *in, const struct kmem_conf *conf)
{
	struct kmem_pages one = {
		.gfp = engine_number(in, PAGE_GFP),
		.order = order_of(in),
		.type = (u32)engine_number(in, PAGE_TYPE),
	};
	struct page_block block = { .live = true, .time = in->time };
	u64 site, page;

	block.bytes = conf->page_size << one.order;
	p->totals.allocs++;
	p->totals.alloc_bytes += block.bytes;
	if (!page_of(p, in, &page)) {
		p->totals.failures++;
		p->totals.failure_bytes += block.bytes;
		return;
	}
	one.page = page;
	block.place = row_of(&p->places, &one);
	one.page = 0;
	one.site = site = site_of(p, in, conf);
	block.site = row_of(&p->sites, &one);
	count_alloc(&p->places.v[block.place], site, block.bytes);
	count_alloc(&p->sites.v[block.site], site, block.bytes);
	put_block(p, page, &block);
}

void page_free(struct page_state *p, const struct engine_input *in, const struct kmem_conf *conf)
{
	u64 bytes = conf->page_size << order_of(in), page;
	struct page_block *block = NULL;
	u32 at;

	p->totals.frees++;
	p->totals.free_bytes += bytes;
	page_of(p, in, &page);
	at = map64_get(&p->block_of, page);
	if (at != MAP64_NONE)
		block = &p->blocks[at];
	if (!block || !block->live) {
		p->totals.free_only++;
		p->totals.free_only_bytes += bytes;
		return;
	}
	end_block(p, block);
	p->totals.pairs++;
	p->totals.pair_bytes += bytes;
}

void page_release(struct page_state *p)
{
	intern_release(&p->places.of);
	intern_release(&p->sites.of);
	free(p->places.v);
	free(p->sites.v);
	map64_release(&p->block_of);
	free(p->blocks);
	map64_release(&p->caller_of);
	free(p->callers);
}

/* ---- results ---- */

const struct kmem_page_totals *kmem_page_totals(const struct kmem *k)
{
	return &k->page.totals;
}

const struct kmem_pages *kmem_page_sites(const struct kmem *k, size_t *nr)
{
	*nr = k->page.sites.nr;
	return k->page.sites.v;
}

const struct kmem_pages *kmem_page_places(const struct kmem *k, size_t *nr)
{
	*nr = k->page.places.nr;
	return k->page.places.v;
}

struct kmem_leak *kmem_page_leaks(const struct kmem *k, size_t *nr)
{
	const struct page_state *p = &k->page;
	struct leak_rows rows = { 0 };

	for (size_t i = 0; i < p->sites.nr; i++)
		leak_row(&rows, p->sites.v[i].site)->allocated += p->sites.v[i].allocs;
	for (size_t i = 0; i < p->nr_blocks; i++) {
		const struct page_block *block = &p->blocks[i];
		struct kmem_leak *leak;

		if (!block->live)
			continue;
		leak = leak_row(&rows, p->sites.v[block->site].site);
		leak->bytes += block->bytes;
		leak->objects++;
		leak->age = MAX(leak->age, k->last - block->time);
	}
	return leak_rows_end(&rows, nr);
}
