/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_LOCK_LOCK_INTERNAL_H
#define PERF_LOCK_LOCK_INTERNAL_H

#include "lock/lock.h"

#include "base/intern.h"

/* The events have these fields. Those of LOCKDEP have a name, contention_begin has flags only. */
enum { AT_ADDRESS, AT_NAME, AT_FLAGS };

/* A call chain is looked at once. */
struct chain_seen {
	bool looked, wanted;
	u64 caller;
};

/* A task does something with a lock. */
struct hold {
	enum {
		HOLD_NONE,
		HOLD_WAITING,   /* it waits */
		HOLD_UNWANTED,  /* it waits, and nobody wants to know */
		HOLD_ACQUIRING, /* it is about to take the lock */
		HOLD_TAKEN,
		HOLD_READING, /* it has taken the lock to read, maybe several times */
	} state;
	bool reader; /* of HOLD_WAITING: its reading has been counted */
	u32 depth;   /* of HOLD_READING */
	u32 row;
	u64 since; /* of HOLD_WAITING: when it began */
	u64 last;  /* the time of the last event */
};

struct lock {
	struct lock_conf conf;
	u32 bound; /* bits of the events that the recording has */
	struct intern names, chains, keys, hold_keys;
	struct chain_seen *seen; /* owned; by the number of the chain */
	u32 nr_seen;
	size_t cap_seen;
	struct lock_row *rows; /* owned; by the number of their keys */
	u32 nr_rows;
	size_t cap_rows;
	struct hold *holds; /* owned; by the number of their keys */
	u32 nr_holds;
	size_t cap_holds;
	bool *tasks; /* owned; by number: it was seen */
	u32 nr_tasks;
	size_t cap_tasks;
	u64 lost; /* before this time events were lost last */
	struct lock_missing missing;
};

/** hold_of - return what a task does with a lock. It is forgotten when events were lost since. */
struct hold *hold_of(struct lock *k, const struct engine_input *in);
/**
 * row_of - return the number of the row of an event, which is made unless it is there. The row is
 * valid until the next one is made.
 * Return: UINT32_MAX: a filter does not let it through
 */
u32 row_of(struct lock *k, const struct engine_input *in, enum lock_type type);
/** begin_wait, end_wait - count a wait. */
void begin_wait(struct lock *k, const struct engine_input *in, struct hold *h, u32 row);
void end_wait(struct lock *k, const struct engine_input *in, struct hold *h);

/** lockdep_feed - count one of LOCKDEP's events. */
void lockdep_feed(struct lock *k, const struct engine_input *in);

#endif
