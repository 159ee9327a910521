// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys that rows are sorted by. */
#include "base/compat.h"

#include "kmemtext/kmemtext-internal.h"

#include <errno.h>
#include <stdlib.h>

static u64 slab_ptr(const struct kmem_use *u)
{
	return u->ptr;
}

static u64 slab_site(const struct kmem_use *u)
{
	return u->site;
}

static u64 slab_bytes(const struct kmem_use *u)
{
	return u->allocated;
}

static u64 slab_hits(const struct kmem_use *u)
{
	return u->hits;
}

static u64 slab_pingpong(const struct kmem_use *u)
{
	return u->pingpong;
}

static u64 slab_fragmentation(const struct kmem_use *u)
{
	if (!u->allocated || u->requested >= u->allocated)
		return 0;
	return (u64)(1e15 * (double)(u->allocated - u->requested) / (double)u->allocated);
}

static u64 pages_page(const struct kmem_pages *p)
{
	return p->page;
}

static u64 pages_site(const struct kmem_pages *p)
{
	return p->site;
}

static u64 pages_bytes(const struct kmem_pages *p)
{
	return p->alloc_bytes;
}

static u64 pages_hits(const struct kmem_pages *p)
{
	return p->allocs;
}

static u64 pages_order(const struct kmem_pages *p)
{
	return p->order;
}

static u64 pages_type(const struct kmem_pages *p)
{
	return p->type;
}

static u64 pages_gfp(const struct kmem_pages *p)
{
	return p->gfp;
}

/* A key that an allocator lacks has no function. */
static const struct {
	const char *name;
	u64 (*slab)(const struct kmem_use *u);
	u64 (*pages)(const struct kmem_pages *p);
} keys[] = {
	{ "ptr", slab_ptr, NULL },
	{ "callsite", slab_site, pages_site },
	{ "bytes", slab_bytes, pages_bytes },
	{ "hit", slab_hits, pages_hits },
	{ "pingpong", slab_pingpong, NULL },
	{ "frag", slab_fragmentation, NULL },
	{ "page", NULL, pages_page },
	{ "order", NULL, pages_order },
	{ "migtype", NULL, pages_type },
	{ "gfp", NULL, pages_gfp },
};

static const char *const kind_names[KMEM_KINDS] = { "slab", "page" };

static bool has_key(enum kmem_kind kind, u32 key)
{
	return kind == KMEM_SLAB ? !!keys[key].slab : !!keys[key].pages;
}

/* Return -EINVAL and a sentence with the keys that there are. */
static int no_key(enum kmem_kind kind, const char *name, size_t len, struct err *err)
{
	struct strbuf there = STRBUF_INIT;
	int ret;

	for (u32 key = 0; key < ARRAY_SIZE(keys); key++)
		if (has_key(kind, key))
			strbuf_addf(&there, "%s%s", there.len ? ", " : "", keys[key].name);
	ret = err_set(err, -EINVAL, "Unknown %s --sort key: '%.*s'. There are %s.",
		      kind_names[kind], (int)len, name, strbuf_str(&there));
	strbuf_release(&there);
	return ret;
}

int kmem_order_parse(struct kmem_order *o, enum kmem_kind kind, const char *list, struct err *err)
{
	*o = (struct kmem_order){ 0 };
	for (const char *p = list; *p;) {
		size_t len = strcspn(p, ", ");
		u8 key = 0;

		while (key < ARRAY_SIZE(keys) &&
		       (!has_key(kind, key) || strlen(keys[key].name) != len ||
			strncmp(keys[key].name, p, len)))
			key++;
		if (key == ARRAY_SIZE(keys) && len)
			return no_key(kind, p, len, err);
		if (len && o->nr < KMEM_SORT_KEYS)
			o->keys[o->nr++] = key;
		p += len;
		p += strspn(p, ", ");
	}
	return 0;
}

static int compare_slab(const void *a, const void *b, void *ctx)
{
	const struct kmem_use *x = a, *y = b;
	const struct kmem_order *o = ctx;

	for (u32 i = 0; i < o->nr; i++) {
		u64 vx = keys[o->keys[i]].slab(x), vy = keys[o->keys[i]].slab(y);

		if (vx != vy)
			return vx < vy ? 1 : -1;
	}
	if (x->ptr != y->ptr)
		return x->ptr < y->ptr ? -1 : 1;
	return (x->site > y->site) - (x->site < y->site);
}

static int compare_pages(const void *a, const void *b, void *ctx)
{
	const struct kmem_pages *x = a, *y = b;
	const struct kmem_order *o = ctx;

	for (u32 i = 0; i < o->nr; i++) {
		u64 vx = keys[o->keys[i]].pages(x), vy = keys[o->keys[i]].pages(y);

		if (vx != vy)
			return vx < vy ? 1 : -1;
	}
	if (x->page != y->page)
		return x->page < y->page ? -1 : 1;
	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	return (x->gfp > y->gfp) - (x->gfp < y->gfp);
}

void kmem_sort_slab(const struct kmem_order *o, struct kmem_use *rows, size_t nr)
{
	qsort_r(rows, nr, sizeof(*rows), compare_slab, (void *)o);
}

void kmem_sort_pages(const struct kmem_order *o, struct kmem_pages *rows, size_t nr)
{
	qsort_r(rows, nr, sizeof(*rows), compare_pages, (void *)o);
}
