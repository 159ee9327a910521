// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "queues/open-table.h"

#include "base/alloc.h"
#include "base/hash.h"

#define FIRST_SLOTS 64

static size_t home_of(const struct open_table *t, const struct open_key *key)
{
	return hash_u64(hash_mix((u64)key->what << 32 | key->dev, key->id)) & t->mask;
}

static bool same(const struct open_key *a, const struct open_key *b)
{
	return a->id == b->id && a->dev == b->dev && a->what == b->what;
}

/* Return the slot of a key, or the free one where it would be. */
static struct open_item *slot_of(const struct open_table *t, const struct open_key *key)
{
	size_t at = home_of(t, key);

	while (t->slots[at].key.what != OPEN_NOTHING && !same(&t->slots[at].key, key))
		at = (at + 1) & t->mask;
	return &t->slots[at];
}

struct open_item *open_table_find(const struct open_table *t, const struct open_key *key)
{
	struct open_item *slot = t->mask ? slot_of(t, key) : NULL;

	return slot && slot->key.what != OPEN_NOTHING ? slot : NULL;
}

static void grow(struct open_table *t)
{
	struct open_table larger = { .mask = t->mask ? 2 * t->mask + 1 : FIRST_SLOTS - 1 };

	larger.slots = xcalloc(larger.mask + 1, sizeof(*larger.slots));
	for (size_t i = 0; t->mask && i <= t->mask; i++)
		if (t->slots[i].key.what != OPEN_NOTHING)
			*slot_of(&larger, &t->slots[i].key) = t->slots[i];
	larger.nr = t->nr;
	free(t->slots);
	*t = larger;
}

void open_table_add(struct open_table *t, const struct open_item *item)
{
	if (2 * t->nr >= t->mask)
		grow(t);
	*slot_of(t, &item->key) = *item;
	t->nr++;
}

/* Items behind the removed one move up, so that a search never ends before the one that it looks
 * for. */
void open_table_remove(struct open_table *t, struct open_item *item)
{
	size_t hole = (size_t)(item - t->slots);

	for (size_t at = (hole + 1) & t->mask; t->slots[at].key.what != OPEN_NOTHING;
	     at = (at + 1) & t->mask) {
		size_t home = home_of(t, &t->slots[at].key);

		if (((at - home) & t->mask) < ((at - hole) & t->mask))
			continue; /* it would move before its home */
		t->slots[hole] = t->slots[at];
		hole = at;
	}
	t->slots[hole] = (struct open_item){ .key.what = OPEN_NOTHING };
	t->nr--;
}

void open_table_clear(struct open_table *t)
{
	free(t->slots);
	*t = (struct open_table){ 0 };
}
