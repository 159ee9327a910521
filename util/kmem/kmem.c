// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "kmem/kmem.h"

#include "base/alloc.h"
#include "kmem/kmem-internal.h"

#define SLAB_ALLOC_FIELDS                                                                          \
	.fields = { "ptr", "call_site", "bytes_req", "bytes_alloc", "node" },                      \
	.optional = 1U << SLAB_NODE

/* Older kernels have events of their own for allocations on a node. Newer ones have merged them
 * with the others, which then tell the node. */
static const struct engine_event events[KMEM_NR_EVENTS] = {
	[KMEM_KMALLOC] = { .names = { "kmem:kmalloc" }, SLAB_ALLOC_FIELDS },
	[KMEM_KMALLOC_NODE] = { .names = { "kmem:kmalloc_node" }, SLAB_ALLOC_FIELDS },
	[KMEM_CACHE_ALLOC] = { .names = { "kmem:kmem_cache_alloc" }, SLAB_ALLOC_FIELDS },
	[KMEM_CACHE_ALLOC_NODE] = { .names = { "kmem:kmem_cache_alloc_node" }, SLAB_ALLOC_FIELDS },
	[KMEM_KFREE] = { .names = { "kmem:kfree" }, .fields = { "ptr" } },
	[KMEM_CACHE_FREE] = { .names = { "kmem:kmem_cache_free" }, .fields = { "ptr" } },
	[KMEM_PAGE_ALLOC] = { .names = { "kmem:mm_page_alloc" },
			      .fields = { "order", "pfn", "page", "gfp_flags", "migratetype" },
			      .optional = 1U << PAGE_FRAME | 1U << PAGE_POINTER | 1U << PAGE_TYPE },
	[KMEM_PAGE_FREE] = { .names = { "kmem:mm_page_free", "kmem:mm_page_free_direct" },
			     .fields = { "order", "pfn", "page" },
			     .optional = 1U << PAGE_FRAME | 1U << PAGE_POINTER },
};

#define PAGE_EVENTS (1U << KMEM_PAGE_ALLOC | 1U << KMEM_PAGE_FREE)
#define SLAB_EVENTS (((1U << KMEM_NR_EVENTS) - 1) & ~PAGE_EVENTS)

static void bound(void *state, u32 event, const struct tf_event *format)
{
	struct kmem *k = state;

	k->bound |= 1U << event;
}

static void feed(void *state, const struct engine_input *in)
{
	struct kmem *k = state;

	if (!in->wanted || !in->in_time)
		return;
	if (!k->begun)
		k->first = in->time;
	k->begun = true;
	k->last = MAX(k->last, in->time);
	switch ((enum kmem_event)in->event) {
	case KMEM_KMALLOC:
	case KMEM_KMALLOC_NODE:
	case KMEM_CACHE_ALLOC:
	case KMEM_CACHE_ALLOC_NODE:
		slab_alloc(&k->slab, in, k->conf.env);
		break;
	case KMEM_KFREE:
	case KMEM_CACHE_FREE:
		slab_free(&k->slab, in);
		break;
	case KMEM_PAGE_ALLOC:
		page_alloc(&k->page, in, &k->conf);
		break;
	case KMEM_PAGE_FREE:
		page_free(&k->page, in, &k->conf);
		break;
	case KMEM_NR_EVENTS:
		break;
	}
}

struct kmem *kmem_new(const struct kmem_conf *conf)
{
	struct kmem *k = xzalloc(sizeof(*k));

	k->conf = *conf;
	k->engine = (struct engine){
		.name = "kmem",
		.record = conf->page ? conf->slab ? "perf kmem record --slab --page"
						  : "perf kmem record --page"
				     : "perf kmem record",
		.events = events,
		.nr_events = KMEM_NR_EVENTS,
		.unused = (conf->slab ? 0 : SLAB_EVENTS) | (conf->page ? 0 : PAGE_EVENTS),
		.any = true,
		.bound = bound,
		.feed = feed,
	};
	return k;
}

void kmem_free(struct kmem *k)
{
	if (!k)
		return;
	slab_release(&k->slab);
	page_release(&k->page);
	free(k);
}

const struct engine *kmem_engine(const struct kmem *k)
{
	return &k->engine;
}

bool kmem_has_slab(const struct kmem *k)
{
	return k->bound & SLAB_EVENTS;
}

bool kmem_has_page(const struct kmem *k)
{
	return k->bound & PAGE_EVENTS;
}

u64 kmem_span(const struct kmem *k)
{
	return k->last - k->first;
}

/* ---- what was not freed ---- */

struct kmem_leak *leak_row(struct leak_rows *l, u64 site)
{
	u32 *slot = map64_slot(&l->of, site);

	if (*slot == MAP64_NONE) {
		*slot = (u32)l->nr;
		VEC_GROW(l->v, l->nr + 1, l->cap);
		l->v[l->nr++] = (struct kmem_leak){ .site = site };
	}
	return &l->v[*slot];
}

struct kmem_leak *leak_rows_end(struct leak_rows *l, size_t *nr)
{
	*nr = 0;
	for (size_t i = 0; i < l->nr; i++)
		if (l->v[i].objects)
			l->v[(*nr)++] = l->v[i];
	map64_release(&l->of);
	return l->v;
}
