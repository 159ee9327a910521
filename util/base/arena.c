// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/arena.h"

#include "base/alloc.h"

#define BLOCK_MIN (((size_t)1 << 12) - 64)

struct arena_block {
	struct arena_block *next;
	size_t size;
	u8 data[] __attribute__((aligned(8)));
};

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_block *b = a->head;
	void *p;

	size = ALIGN_UP(size, (size_t)8);
	if (!b || b->size - a->used < size) {
		size_t room = MAX(size, b ? MIN(b->size * 2, (size_t)1 << 22) : BLOCK_MIN);

		b = xmalloc(sizeof(*b) + room);
		b->next = a->head;
		b->size = room;
		a->head = b;
		a->used = 0;
	}
	p = b->data + a->used;
	a->used += size;
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *p = arena_alloc(a, len + 1);

	memcpy(p, s, len);
	p[len] = '\0';
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

void arena_release(struct arena *a)
{
	struct arena_block *b, *next;

	for (b = a->head; b; b = next) {
		next = b->next;
		free(b);
	}
	*a = (struct arena){ 0 };
}
