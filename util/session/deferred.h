/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * User call chains that are recorded after their samples.
 *
 * With defer_callchain the kernel ends the chain of a sample with PERF_CONTEXT_USER_DEFERRED and a
 * cookie. When the thread returns to user space, the kernel writes its user frames once, as a
 * CALLCHAIN_DEFERRED record with the same cookie. Readers of samples get the two merged.
 */
#ifndef PERF_SESSION_DEFERRED_H
#define PERF_SESSION_DEFERRED_H

#include "session/session-internal.h"

struct deferred_chain {
	u64 cookie, key; /* key: its place in time order */
	u32 tid;         /* 0 when records have no tid */
	const u8 *rec;   /* borrowed, native */
};

/** deferred_add - add @rec, a CALLCHAIN_DEFERRED record, which must stay in memory. */
void deferred_add(struct deferred_set *set, struct session *s, const u8 *rec, u64 key,
		  struct id_cache *cache);
/**
 * deferred_sort - sort the chains after the last one was added. After that, any thread may look
 * chains up.
 */
void deferred_sort(struct deferred_set *set);
/**
 * deferred_forget - forget the chains whose place is @key or before; their records are dropped from
 * @copies.
 */
void deferred_forget(struct deferred_set *set, u64 key, struct slabs *copies);
/** deferred_release - free the set. */
void deferred_release(struct deferred_set *set);

/* A buffer for a merged chain, reused for each sample. */
struct whole_chain {
	u64 *words; /* owned: free() */
	size_t cap;
};

/** chain_is_merged - tell whether the chain of a sample has to be merged. */
static inline bool chain_is_merged(const struct session *s, const struct sample *sm)
{
	return unlikely(chain_is_deferred(sm)) && !s->chains_apart;
}

/**
 * deferred_find - return the first chain with the sample's thread and cookie that is not older than
 * the sample, or NULL.
 */
const struct deferred_chain *deferred_find(const struct deferred_set *set,
					   const struct wire_layout *l, u64 key,
					   const struct sample *sm);

/**
 * deferred_merge - complete the chain of a sample at @key. The user frames replace the marker and
 * the cookie, which are removed when there are no frames. The chain is in @buf until the next call.
 */
void deferred_merge(const struct deferred_set *set, const struct wire_layout *l, u64 key,
		    struct sample *sm, struct whole_chain *buf);

#endif
