/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * User call chains that came after their samples.
 *
 * With defer_callchain the kernel ends the chain of a sample with PERF_CONTEXT_USER_DEFERRED and a
 * cookie, and when the thread goes back to user space writes its user frames once, as a
 * CALLCHAIN_DEFERRED record with that cookie. Readers of samples get the two put together.
 */
#ifndef PERF_SESSION_DEFERRED_H
#define PERF_SESSION_DEFERRED_H

#include "session/session-internal.h"

struct deferred_chain {
	u64 cookie, key; /* key: its place in time */
	u32 tid;         /* 0 when records do not say */
	const u8 *rec;   /* borrowed, native */
};

/** deferred_add - @rec, of type CALLCHAIN_DEFERRED, is there; it stays where it is. */
void deferred_add(struct deferred_set *set, struct session *s, const u8 *rec, u64 key,
		  struct id_cache *cache);
/** deferred_sort - after adding, before looking up; looking up is read-only then. */
void deferred_sort(struct deferred_set *set);
/** deferred_forget - those whose place is at @key or before it; their records are dropped from
 * @copies. */
void deferred_forget(struct deferred_set *set, u64 key, struct slabs *copies);
void deferred_release(struct deferred_set *set);

/* A chain put together; reused from sample to sample. */
struct whole_chain {
	u64 *words; /* owned: free() */
	size_t cap;
};

/** chain_is_deferred - the sample waits for a chain. */
static inline bool chain_is_deferred(const struct sample *sm)
{
	return sm->nr_callchain >= 2 &&
	       unlikely(sm->callchain[sm->nr_callchain - 2] == PERF_CONTEXT_USER_DEFERRED_);
}

/** deferred_find - the first chain of the sample's thread and cookie that is not older; or NULL. */
const struct deferred_chain *deferred_find(const struct deferred_set *set,
					   const struct wire_layout *l, u64 key,
					   const struct sample *sm);

/**
 * deferred_merge - the chain of a sample at @key becomes a whole one: the user frames take the
 * place of the marker and the cookie, which go away if none are there.
 * The chain is in @buf until the next call.
 */
void deferred_merge(const struct deferred_set *set, const struct wire_layout *l, u64 key,
		    struct sample *sm, struct whole_chain *buf);

#endif
