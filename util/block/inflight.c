// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "block/inflight.h"

#include "base/alloc.h"
#include "base/hash.h"

#define FIRST_HEADS 256U
#define CHAIN_MAX 256U /* so many entries of a hash are looked at; the others are no real I/O */

/* ---- slots ---- */

u32 inflight_take(struct inflight *t, enum io_state state)
{
	u32 slot = t->free ? t->free - 1 : t->nr_slots;

	if (t->free) {
		t->free = t->slots[slot].next[0];
	} else {
		VEC_GROW(t->slots, (size_t)t->nr_slots + 1, t->cap_slots);
		t->nr_slots++;
	}
	t->slots[slot] = (struct io_slot){
		.state = state,
		.member = IO_NONE,
		.next = { IO_NONE, IO_NONE },
		.nr = t->taken++,
	};
	return slot;
}

static void give_one(struct inflight *t, u32 slot)
{
	t->slots[slot].state = IO_FREE;
	t->slots[slot].next[0] = t->free;
	t->free = slot + 1;
}

void inflight_give(struct inflight *t, u32 slot)
{
	u32 next;

	/* Members have none of their own: those of a request that was swallowed were moved. */
	for (u32 m = t->slots[slot].member; m != IO_NONE; m = next) {
		next = t->slots[m].next[0];
		give_one(t, m);
	}
	give_one(t, slot);
}

void inflight_clear(struct inflight *t)
{
	u64 taken = t->taken;

	inflight_release(t);
	t->taken = taken;
}

void inflight_release(struct inflight *t)
{
	free(t->slots);
	free(t->heads[IO_START]);
	free(t->heads[IO_END]);
	*t = (struct inflight){ 0 };
}

/* ---- the index ---- */

static u64 sector_of(const struct io_slot *s, enum io_side side)
{
	return side == IO_START ? s->io.sector : s->io.sector + s->io.sectors;
}

static u32 *head_of(const struct inflight *t, enum io_side side, u32 dev, u64 sector)
{
	return &t->heads[side][hash_u64(hash_mix(dev, sector)) & t->mask];
}

static void link_side(struct inflight *t, u32 slot, enum io_side side)
{
	struct io_slot *s = &t->slots[slot];
	u32 *head = head_of(t, side, s->io.dev, sector_of(s, side));

	s->next[side] = *head;
	*head = slot;
}

static void make_heads(struct inflight *t, u32 nr)
{
	for (u32 side = 0; side < IO_SIDES; side++) {
		t->heads[side] = xrealloc(t->heads[side], nr, sizeof(u32));
		memset(t->heads[side], 0xff, nr * sizeof(u32)); /* IO_NONE */
	}
	t->mask = nr - 1;
}

static void grow(struct inflight *t)
{
	make_heads(t, t->mask ? 2 * (t->mask + 1) : FIRST_HEADS);
	for (u32 i = 0; i < t->nr_slots; i++)
		for (u32 side = 0; t->slots[i].linked && side < IO_SIDES; side++)
			link_side(t, i, side);
}

void inflight_link(struct inflight *t, u32 slot)
{
	if (t->nr >= t->mask)
		grow(t);
	t->nr++;
	t->slots[slot].linked = true;
	for (u32 side = 0; side < IO_SIDES; side++)
		link_side(t, slot, side);
}

void inflight_unlink(struct inflight *t, u32 slot)
{
	struct io_slot *s = &t->slots[slot];

	t->nr--;
	s->linked = false;
	for (u32 side = 0; side < IO_SIDES; side++) {
		u32 *at = head_of(t, side, s->io.dev, sector_of(s, side));

		while (*at != slot)
			at = &t->slots[*at].next[side];
		*at = s->next[side];
	}
}

u32 inflight_find(const struct inflight *t, enum io_side side, u32 dev, u64 sector, u32 states,
		  bool newest)
{
	u32 found = IO_NONE, looked = 0;

	if (!t->mask)
		return IO_NONE;
	for (u32 i = *head_of(t, side, dev, sector); i != IO_NONE && looked < CHAIN_MAX;
	     i = t->slots[i].next[side], looked++) {
		const struct io_slot *s = &t->slots[i];

		if (s->io.dev != dev || sector_of(s, side) != sector ||
		    !(states & IO_BIT(s->state)))
			continue;
		if (found == IO_NONE || (s->nr > t->slots[found].nr) == newest)
			found = i;
	}
	return found;
}
