/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the session room. */
#ifndef PERF_SESSION_INTERNAL_H
#define PERF_SESSION_INTERNAL_H

#include "session/session.h"

/* ---- time order ---- */

/* A record and its place in time. */
struct ref {
	u64 key;
	const u8 *rec; /* native byte order */
};

struct refs {
	struct ref *v; /* owned */
	size_t nr, cap;
	struct ref *tmp; /* owned; scratch of refs_sort() */
	size_t tmp_cap;
};

void refs_add(struct refs *r, u64 key, const u8 *rec);
/** refs_sort - by key, equal keys stay as they are; runs that are sorted already are merged, not
 * sorted. */
void refs_sort(struct refs *r);
/** refs_drop - take the first @n away. */
void refs_drop(struct refs *r, size_t n);
void refs_release(struct refs *r);

/*
 * How rounds bound the disorder: FINISHED_ROUND says that every ring was read once, so nothing
 * that comes later can be older than what the round before it had seen.
 */
struct round_clock {
	u64 max;      /* latest time seen */
	u64 prev_max; /* at the end of the round before */
	u64 limit;    /* everything up to here has been seen */
};

static inline void round_finished(struct round_clock *c)
{
	c->limit = c->prev_max;
	c->prev_max = c->max;
}

/* ---- which event ---- */

/* Where records keep their ids, when all events agree on it. */
struct id_places {
	bool lone;         /* one event: no id needed */
	bool mixed;        /* the events disagree */
	bool all_trailers; /* every event has sample_id_all */
	s16 off_id;        /* in samples; -1 none */
	u8 rev_id;         /* from the end of other records; 0 none */
	s16 off_time;      /* in samples, when !mixed; -1 none */
	u8 rev_time;       /* from the end of other records, when !mixed; 0 none */
};

struct id_cache {
	u64 id;
	struct evsel *evsel; /* NULL: nothing cached */
};

/* ---- pass 1 ---- */

/* A run of whole, well-formed records, one behind the other. */
struct chunk {
	const u8 *p, *end;
	u64 offset; /* in the file, of @p */
	bool fixed; /* expanded from a compressed record: all of it stands at @offset */
	struct round_clock clock; /* as it stood before @p */
};

/* Bytes that do not live in the mapping. */
struct expanded {
	u8 *buf; /* owned */
};

struct session_index {
	struct id_places places;
	struct evsel *first;
	bool scanned;
	bool one_window; /* rounds say nothing: order everything at once */
	bool sorted;     /* all keys but 0 ascend in the file: nothing to sort */
	struct chunk *chunks;
	size_t nr_chunks, cap_chunks;
	struct refs side; /* non-sample records, sorted once scanned */
	struct expanded *expanded;
	size_t nr_expanded, cap_expanded;
	struct expander *expander; /* owned; NULL before the first compressed record */
	size_t nr_of_event, cap_of_event;
};

/** places_init - forget the events seen, and look at all there are. */
void places_init(struct session *s);
/** places_add - one more event, by index. */
void places_add(struct session *s, size_t i);
struct evsel *find_by_places(struct session *s, const u8 *rec, u32 type, size_t size, bool swap,
			     struct id_cache *cache);

/** evsel_of - the event of a record in native order (@swap: in the other); NULL when it is unknown.
 */
static inline struct evsel *evsel_of(struct session *s, const u8 *rec, u32 type, size_t size,
				     bool swap, struct id_cache *cache)
{
	const struct id_places *pl = &s->index->places;

	if (pl->lone)
		return s->index->first;
	if (likely(type == PERF_RECORD_SAMPLE && !pl->mixed && !swap && pl->off_id > 0 &&
		   cache->evsel && size >= (size_t)pl->off_id + 8 &&
		   *(const u64_una *)(rec + pl->off_id) == cache->id))
		return cache->evsel;
	return find_by_places(s, rec, type, size, swap, cache);
}

/** record_key - the place of a native record in time; @offset stands in for it in files without
 * times. */
u64 record_key(struct session *s, const struct round_clock *clock, const u8 *rec, u32 type,
	       size_t size, u64 offset, struct id_cache *cache);
/** is_state_record - what gives addresses and threads their meaning. */
bool is_state_record(u32 type);
/** count_record - what every reader counts: types, losses, unknown ones. */
void count_record(struct session *s, const u8 *rec, u32 type, size_t size, u64 offset);
/** count_by_event - a native record counts for the event it belongs to; for by_event. */
void count_by_event(struct session *s, const u8 *rec, u32 type, size_t size,
		    struct id_cache *cache);
/** counts_by_event_end - every event has its counts then. */
void counts_by_event_end(struct session *s);
/** record_event - fill @ev for a record that is not a sample. */
void record_event(struct session *s, const u8 *rec, u64 offset, u64 key, struct id_cache *cache,
		  struct session_event *ev);
/** deliver_state - to state or other. */
int deliver_state(struct session *s, const struct session_state_ops *ops, void *ctx,
		  const struct session_event *ev, struct err *err);
/** chunk_offset - the file offset of a record of some chunk; @hint: index of the chunk to try
 * first. */
u64 chunk_offset(const struct session *s, const u8 *rec, size_t *hint);

/** session_drive_state - pass 1, then everything the state sinks get of a seekable file. */
int session_drive_state(struct session *s, const struct session_state_ops *ops, void *ctx,
			struct err *err);

/** evlist_add_file_attr - the @i-th attr of the file becomes an event. */
void session_add_attr(struct session *s, size_t i);
/** session_refresh_names - after EVENT_DESC, EVENT_UPDATE and GROUP_DESC of a pipe. */
void session_refresh_names(struct session *s);
/** session_event_update - apply an EVENT_UPDATE record. */
void session_event_update(struct session *s, const u8 *rec, size_t size);

/* ---- pipes ---- */

int stream_samples(struct session *s, const struct session_sample_ops *ops, void *ctx,
		   struct err *err);
int stream_ordered(struct session *s, const struct session_ordered_ops *ops, void *ctx,
		   struct err *err);

static inline u32 rec_type(const u8 *rec)
{
	return *(const u32_una *)rec;
}

static inline u16 rec_size(const u8 *rec)
{
	return *(const u16_una *)(rec + 6);
}

#endif
