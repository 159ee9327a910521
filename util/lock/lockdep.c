// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * LOCKDEP's events, one by one. Each task takes a lock in this order:
 *
 *	lock_acquire -> [lock_contended ->] lock_acquired -> lock_release
 *
 * Attempts that cannot fail to succeed at once (trylock) and those of readers are only told by
 * lock_acquire, though a reader may have to wait, too. What was under way when the recording began
 * is left out.
 */
#include "base/compat.h"

#include "lock/lock-internal.h"

#define READ_OR_TRY 3U /* bits of the flags of lock_acquire */
#define READ 2U

/* Count an event that cannot come now, and forget what the task did with the lock. */
static void wrong(struct lock *k, struct hold *h, enum lock_event event)
{
	k->missing.bad[event - LOCK_ACQUIRE]++;
	k->rows[h->row].broken = true;
	h->state = HOLD_NONE;
}

static void on_acquire(struct lock *k, const struct engine_input *in, struct hold *h)
{
	u64 flags = engine_number(in, AT_FLAGS);

	if (h->state == HOLD_NONE) {
		h->row = row_of(k, in, LOCK_UNKNOWN);
		h->depth = 0;
		if (h->row == UINT32_MAX)
			return;
	} else if (h->state != HOLD_READING || !(flags & READ)) {
		wrong(k, h, LOCK_ACQUIRE);
		return;
	}
	h->state = flags & READ_OR_TRY ? HOLD_READING : HOLD_ACQUIRING;
	h->depth++;
	k->rows[h->row].acquired += !!(flags & READ_OR_TRY);
}

static void on_acquired(struct lock *k, const struct engine_input *in, struct hold *h)
{
	bool reader = h->reader;

	switch (h->state) {
	case HOLD_WAITING:
		end_wait(k, in, h);
		h->state = reader ? HOLD_READING : HOLD_TAKEN;
		k->rows[h->row].acquired += !reader;
		break;
	case HOLD_ACQUIRING:
		h->state = HOLD_TAKEN;
		k->rows[h->row].acquired++;
		break;
	case HOLD_TAKEN:
		wrong(k, h, LOCK_ACQUIRED);
		break;
	case HOLD_NONE:
	case HOLD_UNWANTED:
	case HOLD_READING:
		break;
	}
}

static void on_contended(struct lock *k, const struct engine_input *in, struct hold *h)
{
	switch (h->state) {
	case HOLD_ACQUIRING:
	case HOLD_READING:
		h->reader = h->state == HOLD_READING;
		k->rows[h->row].contended++;
		begin_wait(k, in, h, h->row);
		break;
	case HOLD_WAITING:
	case HOLD_TAKEN:
		wrong(k, h, LOCK_CONTENDED);
		break;
	case HOLD_NONE:
	case HOLD_UNWANTED:
		break;
	}
}

static void on_release(struct lock *k, const struct engine_input *in, struct hold *h)
{
	switch (h->state) {
	case HOLD_READING:
		if (--h->depth)
			break;
		h->state = HOLD_NONE;
		break;
	case HOLD_WAITING:
		wrong(k, h, LOCK_RELEASE);
		break;
	/* An interrupted attempt is given up between lock_acquire and lock_acquired. */
	case HOLD_ACQUIRING:
	case HOLD_TAKEN:
	case HOLD_NONE:
	case HOLD_UNWANTED:
		h->state = HOLD_NONE;
		break;
	}
}

void lockdep_feed(struct lock *k, const struct engine_input *in)
{
	struct hold *h = hold_of(k, in);

	switch ((enum lock_event)in->event) {
	case LOCK_ACQUIRE:
		on_acquire(k, in, h);
		break;
	case LOCK_ACQUIRED:
		on_acquired(k, in, h);
		break;
	case LOCK_CONTENDED:
		on_contended(k, in, h);
		break;
	case LOCK_RELEASE:
		on_release(k, in, h);
		break;
	case LOCK_BEGIN:
	case LOCK_END:
	case LOCK_EVENTS:
		break;
	}
}
