/* SPDX-License-Identifier: GPL-2.0-or-later */
/* I/O on its way is found by its device and its first sector, or by the one behind its last. */
#ifndef PERF_BLOCK_INFLIGHT_H
#define PERF_BLOCK_INFLIGHT_H

#include "block/flow.h"

#define IO_NONE UINT32_MAX

/* The I/O that it refers to may have ended since. */
struct io_ref {
	u32 slot;
	u64 nr; /* that the slot had, + 1; 0: none */
};

enum io_state {
	IO_FREE,
	IO_MEMBER,  /* it has joined a request */
	IO_QUEUED,  /* a bio */
	IO_REQUEST, /* a request that was not issued */
	IO_ISSUED,
	IO_WRITTEN, /* its data are complete, and a flush is awaited */
};

#define IO_BIT(state) (1U << (state))

enum io_side { IO_START, IO_END, IO_SIDES };

struct io_slot {
	struct block_io io;
	u32 state;
	bool linked;         /* it can be found */
	bool sequence;       /* a second completion follows that of its data */
	u32 member, last;    /* the first and the last one of those that have joined it */
	u32 next[IO_SIDES];  /* of the same hash; of members and free slots next[0] is the next */
	u64 nr;              /* slots are numbered in the order in which they were taken */
	struct io_ref upper; /* the I/O that has caused it */
	u32 lower;           /* how many are on their way that it has caused */
	u64 below_since;     /* when the first one of these began */
};

/* It starts zeroed. */
struct inflight {
	struct io_slot *slots; /* owned */
	u32 nr_slots;
	size_t cap_slots;
	u32 free;             /* the first free slot, + 1 */
	u32 nr;               /* that can be found */
	u64 taken;            /* so far */
	u32 *heads[IO_SIDES]; /* owned; first slot by hash */
	u32 mask;
};

/** inflight_take - take a slot, which is zeroed and cannot be found yet. Return: its number */
u32 inflight_take(struct inflight *t, enum io_state state);
/** inflight_give - give a slot that cannot be found back, and its members. */
void inflight_give(struct inflight *t, u32 slot);
/** inflight_link, inflight_unlink - let a slot be found by its sectors, or no longer. They must not
 * change in between. */
void inflight_link(struct inflight *t, u32 slot);
void inflight_unlink(struct inflight *t, u32 slot);
/**
 * inflight_find - find I/O that starts or ends at a sector.
 * @states: IO_BIT() of those it may be in
 * @newest: whether the one that was taken last is preferred, or the first
 * Return: its number, or IO_NONE.
 */
u32 inflight_find(const struct inflight *t, enum io_side side, u32 dev, u64 sector, u32 states,
		  bool newest);
/** inflight_ref - return a reference to I/O; IO_NONE: to none. */
static inline struct io_ref inflight_ref(const struct inflight *t, u32 slot)
{
	return slot == IO_NONE ? (struct io_ref){ 0 }
			       : (struct io_ref){ slot, t->slots[slot].nr + 1 };
}

/** inflight_alive - return the I/O of a reference, or IO_NONE when it has ended. */
static inline u32 inflight_alive(const struct inflight *t, struct io_ref ref)
{
	if (!ref.nr || ref.slot >= t->nr_slots || t->slots[ref.slot].nr + 1 != ref.nr ||
	    t->slots[ref.slot].state == IO_FREE)
		return IO_NONE;
	return ref.slot;
}

/** inflight_clear - forget all I/O. References to it stay dead. */
void inflight_clear(struct inflight *t);
void inflight_release(struct inflight *t);

#endif
