// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/alloc.h"
#include "base/compat.h"
#include "session/session-internal.h"

#define SLAB_SIZE ((size_t)1 << 18)

struct slab {
	struct slab *prev, *next;
	size_t used, live;
	u8 bytes[SLAB_SIZE];
};

/* The header of each copy. */
struct copy_head {
	struct slab *slab;
	u64 offset;
};

static size_t room(size_t size)
{
	return ALIGN_UP(sizeof(struct copy_head) + size, (size_t)8);
}

static void slab_free(struct slabs *s, struct slab *slab)
{
	*(slab->prev ? &slab->prev->next : &s->all) = slab->next;
	if (slab->next)
		slab->next->prev = slab->prev;
	free(slab);
}

/* The slab before it stays until its last copy is dropped. */
static void slab_add(struct slabs *s)
{
	struct slab *slab;

	if (s->cur && !s->cur->live) {
		s->cur->used = 0;
		return;
	}
	slab = xmalloc(sizeof(*slab));
	slab->prev = NULL;
	slab->next = s->all;
	slab->used = slab->live = 0;
	if (s->all)
		s->all->prev = slab;
	s->all = s->cur = slab;
}

u8 *slabs_copy(struct slabs *s, const void *rec, size_t size, u64 offset)
{
	size_t need = room(size);
	struct copy_head *h;

	if (!s->cur || s->cur->used + need > SLAB_SIZE)
		slab_add(s);
	h = (struct copy_head *)(s->cur->bytes + s->cur->used);
	*h = (struct copy_head){ s->cur, offset };
	memcpy(h + 1, rec, size);
	s->cur->used += need;
	s->cur->live++;
	s->live += need;
	return (u8 *)(h + 1);
}

void slabs_drop(struct slabs *s, const u8 *copy, size_t size)
{
	struct slab *slab = ((const struct copy_head *)copy - 1)->slab;

	s->live -= room(size);
	if (!--slab->live && slab != s->cur)
		slab_free(s, slab);
}

void slabs_release(struct slabs *s)
{
	while (s->all)
		slab_free(s, s->all);
	*s = (struct slabs){ 0 };
}

u64 copy_offset(const u8 *copy)
{
	return ((const struct copy_head *)copy - 1)->offset;
}
