/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the session room. */
#ifndef PERF_SESSION_INTERNAL_H
#define PERF_SESSION_INTERNAL_H

#include "session/copies.h"
#include "session/expand.h"
#include "session/session.h"
#include "wire/framing.h"

static inline u32 rec_type(const u8 *rec)
{
	return *(const u32_una *)rec;
}

static inline u16 rec_size(const u8 *rec)
{
	return *(const u16_una *)(rec + 6);
}

/*
 * Pass 1 has seen every record of a chunk to be whole. What could not be turned to native order is
 * not, and ends the chunk.
 */
static inline bool rec_whole(const u8 *rec, const u8 *end)
{
	return likely(rec_size(rec) >= sizeof(wire_header) && rec_size(rec) <= end - rec);
}

#define AHEAD 1024 /* bytes from the record at hand to those asked of memory */

/*
 * ask_ahead - have memory bring what a walk will come to. Small records need it not: the processor
 * asks by itself for the lines that follow. Of large ones, as with call chains, it skips too many.
 */
static inline void ask_ahead(const u8 *rec, u32 size)
{
	if (size <= 128)
		return;
	for (size_t line = 0; line < 3; line++)
		__builtin_prefetch(rec + AHEAD + line * 64);
}

/* ---- time order ---- */

struct crew;

/* A record and its place in time. */
struct ref {
	u64 key;
	const u8 *rec; /* native byte order; in the mapping, or a copy (session/copies.h) */
};

struct refs {
	struct ref *v; /* owned */
	size_t nr, cap;
	size_t brought;  /* whose memory is there, by refs_expect() */
	struct ref *tmp; /* owned; scratch of refs_sort(), as is */
	size_t *ends;    /* owned */
	size_t tmp_cap, cap_ends;
};

void refs_add(struct refs *r, u64 key, const u8 *rec);
/** refs_expect - @nr more will be added. */
void refs_expect(struct refs *r, size_t nr);
/** refs_sort - by key, equal keys stay as they are; runs that are sorted already are merged, not
 * sorted. @crew: NULL: by the caller */
void refs_sort(struct refs *r, struct crew *crew);
/** refs_trim - nothing is added any more. */
void refs_trim(struct refs *r);
/** refs_drop - take the first @n away. */
void refs_drop(struct refs *r, size_t n);
void refs_release(struct refs *r);

/* Records of the mapping that stand one behind the other, in order: what a ring wrote at once. */
struct run {
	u64 key; /* of the next one */
	u64 nth; /* as they stand in the file */
	const u8 *rec;
	u32 nr; /* left; of more than one all are samples with a time */
};

/* The same as refs, of files whose samples tell their time: instead of a ref for each, one for each
 * run. 0 but for off_time at first. */
struct runs {
	struct run *v; /* owned; a heap, the next at the top */
	size_t nr_runs, cap;
	struct run open; /* still growing; nr 0: none is */
	const u8 *open_end;
	u64 open_last; /* key of the last one in it */
	u64 nth;
	size_t nr; /* records */
	s16 off_time;
};

/** runs_apply - to this session, once scanned. */
bool runs_apply(const struct session *s);
/** runs_add - one that stands in the mapping, behind those added before. */
void runs_add(struct runs *r, u64 key, const u8 *rec);
/** runs_next - take the next away, equal keys as they were added. Return: false when there is none
 * up to @limit. */
bool runs_next(struct runs *r, u64 limit, struct ref *out);
void runs_release(struct runs *r);

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
	u16 trailer;       /* size of what ends other records, of all events; 0: they differ */
};

/* Ids are numbered one after the other: neighbours have places of their own. */
#define ID_SLOTS 64

struct id_cache {
	struct id_slot {
		u64 id;
		struct evsel *evsel; /* NULL: nothing cached */
	} slots[ID_SLOTS];
};

/* ---- pass 1 ---- */

#define PLACE_BITS 24 /* for the records that one compressed record may hold */

/* A run of whole, well-formed records, one behind the other. */
struct chunk {
	const u8 *p; /* of the first; or the compressed record that all of them are in */
	u64 offset;  /* in the file, of @p */
	u32 len;     /* 0: nothing to read, but the expander has to pass here */
	bool expanded;
	/* Of expanded ones: */
	bool new_stream;  /* the first window of a file */
	u32 window, from; /* number of the window of that record, where the chunk begins in it */
	u32 kept;         /* bytes at the end of the window that the next begins with */
	struct round_clock clock; /* as it stood before the first record */
	u64 low;                  /* the lowest key but 0; once scanned: of it and all behind it */
};

/* What a stretch of records tells. One stretch behind the other: tally_join(). */
struct tally {
	u64 counts[256];
	struct event_counts *of_event; /* owned */
	size_t nr_of_event, cap_of_event;
	struct diag diag;
	struct round_clock clock;
	u32 rounds; /* so many that count: up to 2 */
	u64 nr_samples, first_time, last_time;
	u64 head_sample, tail_sample; /* times of the first and the last one in the file */
	u64 head_key, tail_key;       /* of keys that are not 0 */
	bool in_order;                /* of samples */
	bool sorted;                  /* of keys */
	u64 low;                      /* the lowest key but 0 since a chunk began */
	struct refs side;             /* non-sample records */
	struct chunk *chunks;         /* owned */
	size_t nr_chunks, cap_chunks;
};

/* A stretch of the data section, or of a part, in which nothing is damaged: whole records, what
 * follows AUXTRACE ones, compressed ones as they are. */
struct span {
	const u8 *p, *end; /* in the mapping */
};

/* Records that complete the call chains of samples (session/deferred.h). */
struct deferred_set {
	struct deferred_chain *v; /* owned */
	size_t nr, cap;
	bool unsorted;
};

struct session_index {
	struct id_places places;
	u32 *forms; /* owned; when places.mixed: an event of each kind of layout */
	size_t nr_forms, cap_forms;
	struct evsel *first;
	bool scanned;
	struct diag diag_before; /* what opening has counted, before the first run over a stream */
	bool one_window;         /* rounds say nothing: order everything at once */
	bool expanded;           /* some chunks are */
	bool read;               /* pass 1 read the file, few pages of it are mapped */
	bool state_only;         /* nobody wants side-band but the state records */
	int workers;             /* of pass 1; 0: as many as there are processors */
	struct crew *crew;       /* owned; while passes are made. NULL: not yet */
	struct tally t;          /* of all; side sorted once scanned */
	struct span *spans;      /* owned */
	size_t nr_spans, cap_spans;
	struct slabs copies;          /* of side-band records that cannot stay where they are */
	struct deferred_set deferred; /* of a seekable file, once scanned; read-only then */
};

/** places_init - forget the events seen so far, and look at all that the session has. */
void places_init(struct session *s);
/** places_add - take in one more event, the one with index @i. */
void places_add(struct session *s, size_t i);
/** event_of_id - the event with that id, or what stands for it; NULL when it is unknown. */
struct evsel *event_of_id(const struct session *s, u64 id);
struct evsel *find_by_places(struct session *s, const u8 *rec, u32 type, size_t size, bool swap,
			     struct id_cache *cache);

/* Where samples are decoded, one after the other. */
struct decoder {
	struct sample full; /* of events with fields of variable size */
	struct sample flat; /* of the others, most of which never changes */
};

/** decode_next - borrowed from @d until the next call; NULL when it cannot be decoded. */
static inline struct sample *decode_next(struct decoder *d, const struct wire_layout *l,
					 const u8 *rec, size_t size)
{
	if (likely(!l->has_var || l->lone_raw))
		return likely(sample_decode_flat(l, rec, size, &d->flat) == 0) ? &d->flat : NULL;
	return sample_decode(l, rec, size, &d->full) < 0 ? NULL : &d->full;
}

static inline struct id_slot *id_slot(struct id_cache *cache, u64 id)
{
	return &cache->slots[id % ID_SLOTS];
}

/** evsel_of - the event of a record in native order (@swap: in the other); NULL when it is unknown.
 */
static inline struct evsel *evsel_of(struct session *s, const u8 *rec, u32 type, size_t size,
				     bool swap, struct id_cache *cache)
{
	const struct id_places *pl = &s->index->places;

	if (pl->lone)
		return s->index->first;
	if (likely(type == PERF_RECORD_SAMPLE && !pl->mixed && !swap && pl->off_id > 0 &&
		   size >= (size_t)pl->off_id + 8)) {
		u64 id = *(const u64_una *)(rec + pl->off_id);
		const struct id_slot *slot = id_slot(cache, id);

		if (likely(slot->evsel && slot->id == id))
			return slot->evsel;
	}
	return find_by_places(s, rec, type, size, swap, cache);
}

/** nth_place - of what stands at one offset: a later one has a larger @n. */
static inline u64 nth_place(u64 offset, u64 n)
{
	return offset << PLACE_BITS | MIN(n, ((u64)1 << PLACE_BITS) - 1);
}

/**
 * file_place - where a record stands in the order of the file. All that came out of one compressed
 * record have its offset: what tells them apart is where they stand in what it holds.
 * @window, @at: of those: the number of the window, and the bytes before it there; else 0
 */
static inline u64 file_place(u64 offset, u32 window, size_t at)
{
	return nth_place(offset, ((u64)window * EXPAND_WINDOW + at) / FRAME_HEADER);
}

/** chunk_place - of the record @at bytes behind the first one of a chunk. */
static inline u64 chunk_place(const struct chunk *c, size_t at)
{
	return c->expanded ? file_place(c->offset, c->window, c->from + at)
			   : file_place(c->offset + at, 0, 0);
}

/** record_key - the place of a native record in time; @place (file_place()) stands in for it in
 * files without times. */
u64 record_key(struct session *s, const struct round_clock *clock, const u8 *rec, u32 type,
	       size_t size, u64 place, struct id_cache *cache);
/** is_state_record - what gives addresses and threads their meaning. */
bool is_state_record(u32 type);
/** record_event_plain - fill @ev with what a record tells of itself. */
void record_event_plain(const u8 *rec, u64 offset, u64 key, struct session_event *ev);
/** record_event - fill @ev for a record that is not a sample. */
void record_event(struct session *s, const u8 *rec, u64 offset, u64 key, struct id_cache *cache,
		  struct session_event *ev);
/** deliver_state - to state or other. */
int deliver_state(struct session *s, const struct session_state_ops *ops, void *ctx,
		  const struct session_event *ev, struct err *err);
/** in_mapping - the record lies in the file's mapping, it is no copy. */
bool in_mapping(const struct session *s, const u8 *rec);
/** record_offset - the place in the file of a record that a ref points to. */
u64 record_offset(const struct session *s, const u8 *rec);
/**
 * turn_record - a foreign record becomes native, in place. One that is malformed becomes a record
 * of no type. Return: it was well-formed.
 */
bool turn_record(struct session *s, u8 *rec, u32 type, u32 size, struct id_cache *cache);

/* ---- tallies ---- */

/** tally_init - of no records. Free with tally_release(), or empty it again with tally_reset(). */
void tally_init(struct tally *t);
void tally_reset(struct tally *t);
void tally_release(struct tally *t);
/** tally_count - what every reader counts: types, losses, unknown ones. Native order. */
void tally_count(struct tally *t, const u8 *rec, u32 type, size_t size, u64 offset);
/** tally_event - a record (@swap: of the other order) counts for the event it belongs to; for
 * by_event. */
void tally_event(struct tally *t, struct session *s, const u8 *rec, u32 type, size_t size,
		 bool swap, struct id_cache *cache);
/** tally_samples - @nr samples of an event (NULL: of none that is known) at once; for by_event. */
void tally_samples(struct tally *t, const struct session *s, const struct evsel *e, u64 nr);
/** tally_sample - the time of one more sample. */
static inline void tally_sample(struct tally *t, u64 time)
{
	if (unlikely(!t->nr_samples++)) {
		t->first_time = t->last_time = t->head_sample = time;
	} else {
		if (time < t->tail_sample)
			t->in_order = false;
		if (time < t->first_time)
			t->first_time = time;
		if (time > t->last_time)
			t->last_time = time;
	}
	t->tail_sample = time;
}
/* Samples one behind the other, whose times are their keys. */
struct sample_run {
	u64 nr;
	u64 first, last, low, high; /* times; none is 0 */
	bool in_order;
};
/** tally_run - the same as tally_sample() and tally_key() of each. */
void tally_run(struct tally *t, const struct sample_run *r);
/** tally_key - the key of one more record of any kind. */
static inline void tally_key(struct tally *t, u64 key)
{
	if (key > t->clock.max)
		t->clock.max = key;
	if (!key)
		return;
	if (!t->head_key)
		t->head_key = key;
	if (key < t->low)
		t->low = key;
	if (key < t->tail_key)
		t->sorted = false;
	t->tail_key = key;
}
static inline void tally_round(struct tally *t)
{
	round_finished(&t->clock);
	t->rounds += t->rounds < 2;
}
/** tally_join - @next stands right behind what @t has seen; its chunks and refs are taken over
 * (copied). */
void tally_join(struct tally *t, const struct tally *next);
/** tally_publish - what the public fields of the session say. of_event moves there. */
void tally_publish(struct tally *t, struct session *s);

/* ---- counting alone ---- */

#define COUNTED_TYPES 128

/* Under way: what stands here is in the tally after counting_end(). */
struct counting {
	struct session *s;
	struct tally *t;
	struct {
		u64 id, nr;
	} slots[ID_SLOTS]; /* samples by id, until another id takes the slot */
	bool plain[COUNTED_TYPES];
	u64 types[COUNTED_TYPES]; /* of plain ones */
};

/** counting_applies - nothing but counts is wanted, and ids are where they should be. */
bool counting_applies(const struct session *s);
void counting_init(struct counting *c, struct session *s, struct tally *t);
/**
 * counting_run - count samples and plain records from @p on.
 * @last: becomes the last one
 * Return: the first that is anything else, damaged, or reaches behind @stop.
 */
const u8 *counting_run(struct counting *c, const u8 *p, const u8 *stop, const u8 **last);
void counting_end(struct counting *c);

/* ---- walking a file ---- */

/* Pass 1 on its way through a stretch of bytes. */
struct scan {
	struct session *s;
	struct session_index *ix;
	struct tally *t;
	struct id_cache *cache;
	struct counting *counting; /* NULL: more than counts is wanted */
	struct chunk cur;          /* growing; p NULL when none is open */
	const u8 *cur_at;          /* its first record */
	size_t chunk_size;
	const u8 *base;            /* what offsets are counted from: */
	int fd;                    /* whose mapping it is; -1: not open */
	u64 base_offset;           /* the place of base in the file */
	const u8 *origin;          /* the first record */
	const u8 *span;            /* where what is whole began; NULL: nowhere */
	const u8 *prev;            /* the record before this one, NULL: none to speak of */
	u8 *turned;                /* owned; a record of the other byte order; NULL: native */
	struct expander *expander; /* owned; NULL before the first compressed record */
	u8 *window;                /* owned; of it */
	bool expanded;             /* this is a scan of a window */
};

/** pass1_record - one well-formed native record that is neither compressed nor AUXTRACE. */
void pass1_record(struct scan *sc, const u8 *p, u32 type, u32 size, u64 offset, u64 place);
/** pass1_open, pass1_cut - a chunk begins (NULL: none does); the records up to @p are its own, and
 * the next begins at @next. */
void pass1_open(struct scan *sc, const u8 *p);
void pass1_cut(struct scan *sc, const u8 *p, const u8 *next);
/**
 * pass1_walk - one record after the other, from @p until @stop is reached or passed.
 * @end: of the bytes
 * Return: the first record that was not seen: at or behind @stop. Of a window: the first byte of
 * one that is cut off.
 */
const u8 *pass1_walk(struct scan *sc, const u8 *p, const u8 *stop, const u8 *end);
/**
 * pass1_blocks - pass1_walk() over all of [@p, @end), on several threads.
 * What can be told without what stands before it is; what is damaged or special is left to
 * pass1_walk(), and the outcome is the same.
 */
void pass1_blocks(struct scan *sc, const u8 *p, const u8 *end);
/** pass1_blocks_pay - they apply, and the bytes are many. */
bool pass1_blocks_pay(const struct session *s, size_t size);
/** pass1_populate - the pages up to @end will be read now. */
void pass1_populate(const u8 *p, const u8 *end);

/** session_crew - the threads of the session's passes, until session_end_crew(). */
struct crew *session_crew(struct session *s);
void session_end_crew(struct session *s);

/** session_drive_state - pass 1, then everything the state sinks get of a seekable file. */
int session_drive_state(struct session *s, const struct session_state_ops *ops, void *ctx,
			struct err *err);

/** ordered_pass - pass 2 of session_ordered(), of a seekable file. */
int ordered_pass(struct session *s, const struct session_ordered_ops *ops, void *ctx, int workers,
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

#endif
