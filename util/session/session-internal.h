/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by the files of the session room. */
#ifndef PERF_SESSION_INTERNAL_H
#define PERF_SESSION_INTERNAL_H

#include "base/alloc.h"
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
 * Pass 1 has checked that every record of a chunk is complete. A record that could not be converted
 * to native order is not, and ends the chunk.
 */
static inline bool rec_whole(const u8 *rec, const u8 *end)
{
	return likely(rec_size(rec) >= sizeof(wire_header) && rec_size(rec) <= end - rec);
}

#define PREFETCH_BYTES 1024 /* distance in bytes from the current record to the prefetched ones */

/*
 * prefetch_walk - prefetch the memory that a walk will reach. Small records do not need it, because
 * the processor prefetches the following lines by itself. Large records, such as those with call
 * chains, skip too many lines for that.
 */
static inline void prefetch_walk(const u8 *rec, u32 size)
{
	if (size <= 128)
		return;
	for (size_t line = 0; line < 3; line++)
		__builtin_prefetch(rec + PREFETCH_BYTES + line * 64);
}

/* ---- copies ---- */

/*
 * Copies of records whose bytes do not stay where they were read: records from a pipe, from a
 * compressed record, or of the other byte order. Each copy keeps the record's offset in the file.
 */

struct slab;

/* A queue of copies. A slab is freed when all copies in it have been dropped. */
struct slabs {
	struct slab *all, *cur; /* owned; cur: the slab for new copies, NULL at first */
	size_t live;            /* bytes of copies that are still needed */
};

/**
 * slabs_copy - return a copy, aligned to 8, of a record in any byte order. It lives until
 * slabs_drop().
 */
u8 *slabs_copy(struct slabs *s, const void *rec, size_t size, u64 offset);
/** slabs_drop - drop @copy, whose size is still @size. */
void slabs_drop(struct slabs *s, const u8 *copy, size_t size);
/** slabs_release - drop all copies. */
void slabs_release(struct slabs *s);
/** copy_offset - return the offset in the file that was stored with a copy. */
u64 copy_offset(const u8 *copy);

/* ---- time order ---- */

struct crew;

/* A record and its place in time order. */
struct ref {
	u64 key;
	const u8 *rec; /* native byte order; in the mapping, or a copy (session/copies.c) */
};

struct refs {
	struct ref *v; /* owned */
	size_t nr, cap;
	size_t brought;  /* number of refs whose memory was populated by refs_expect() */
	struct ref *tmp; /* owned; scratch space of refs_sort(), like */
	size_t *ends;    /* owned */
	size_t tmp_cap, cap_ends;
};

void refs_add(struct refs *r, u64 key, const u8 *rec);
/** refs_expect - prepare for @nr more refs. */
void refs_expect(struct refs *r, size_t nr);
/**
 * refs_sort - sort by key; equal keys keep their order. Runs that are sorted already are merged.
 * @crew: the threads; NULL: the caller alone
 */
void refs_sort(struct refs *r, struct crew *crew);
/** refs_trim - release unused memory; nothing will be added any more. */
void refs_trim(struct refs *r);
/** refs_drop - remove the first @n. */
void refs_drop(struct refs *r, size_t n);
void refs_release(struct refs *r);

struct piece;

/* Consecutive records of the mapping that are in time order, as a ring wrote them at once. */
struct run {
	u64 key; /* of the next record */
	u64 nth; /* number of the run in file order */
	const u8 *rec;
	struct piece *piece; /* its bytes, for whoever reads them (session/pieces.h); at first NULL
			      */
	const struct marks *marks; /* NULL: every record has to be looked at */
	u32 mark;                  /* the one of the next record */
	u32 nr; /* records left; if there is more than one, all are samples with a time */
};

/* An alternative to refs for files whose samples have times: one entry for each run instead of one
 * for each record. At first all members except off_time are 0. */
struct runs {
	struct run *v; /* owned; a heap with the next run at the top */
	size_t nr_runs, cap;
	struct run open; /* a run that still grows; nr is 0 when there is none */
	const u8 *open_end;
	u64 open_last; /* key of its last record */
	u64 nth;
	size_t nr; /* records */
	s16 off_time;
};

/** runs_apply - tell whether this session, after pass 1, can use runs. */
bool runs_apply(const struct session *s);
/**
 * runs_add - add a record of the mapping that follows those added before.
 * @bytes: the record, which may be a copy of what is in the mapping at @rec
 */
void runs_add(struct runs *r, u64 key, const u8 *rec, const u8 *bytes);

/* Consecutive samples of the mapping that contain their times and are in time order. */
struct stretch {
	const u8 *rec, *end;
	u64 first, last; /* times in ns */
	u32 nr;
	/* These are set where the file is read once: */
	u32 mark;                  /* the first of those of its samples that are wanted, */
	u32 nr_marks;              /* and their number */
	const struct marks *marks; /* borrowed from the buffer; NULL: they were not looked for */
};

/* A sample that is wanted. */
struct mark {
	u64 key;
	u32 at;    /* bytes from the start of the part of the file that it is in */
	u32 event; /* number; UNKNOWN_EVENT: it is not known */
};
#define UNKNOWN_EVENT UINT32_MAX

/* Samples of a part of the file. */
struct marks {
	struct mark *v; /* owned */
	size_t nr, cap;
	const u8 *at;    /* the address in the mapping of the part, */
	const u8 *bytes; /* and the buffer with what is in it; borrowed */
};

/** runs_add_stretch - add such samples at once, which follow those added before. */
void runs_add_stretch(struct runs *r, const struct stretch *s);
/** runs_add_marks - add the samples of a stretch that have marks. They are a run of their own. */
void runs_add_marks(struct runs *r, const struct stretch *s);
/**
 * runs_first - return the run whose next record is the first in time order; equal keys keep their
 * order. It is valid until the next call for these runs.
 * Return: NULL when there is none up to @limit
 */
struct run *runs_first(struct runs *r, u64 limit);
/**
 * runs_others - return the key of the first record of all runs but that of runs_first(); UINT64_MAX
 * when there is none. Records of that run with lower keys come before all others.
 */
u64 runs_others(const struct runs *r);

#define RUNS_FETCH_AHEAD 1024 /* distance in bytes from the next record to what is prefetched */

/**
 * runs_fetch - prefetch what follows the next record of a run. This may be the first walk that
 * touches the mapping, in as many places as there are runs.
 */
static inline void runs_fetch(const u8 *next)
{
	__builtin_prefetch(next + RUNS_FETCH_AHEAD);
	__builtin_prefetch(next + RUNS_FETCH_AHEAD + 64);
}

/**
 * runs_step - remove the record that runs_first() has shown, and those of its run up to @next.
 * @nr: their number, up to run.nr
 * @next, @key: the record behind them and its key; of no use when the run has no more records
 */
void runs_step(struct runs *r, u32 nr, const u8 *next, u64 key);
/** runs_plain - tell whether a record contains its key, so that it can be part of a stretch. */
static inline bool runs_plain(const struct runs *r, const u8 *rec)
{
	return rec_type(rec) == PERF_RECORD_SAMPLE && rec_size(rec) >= (size_t)r->off_time + 8;
}
/** runs_key - return the key of a record that contains it. */
static inline u64 runs_key(const struct runs *r, const u8 *rec)
{
	return *(const u64_una *)(rec + r->off_time);
}
void runs_release(struct runs *r);

/*
 * How rounds limit the disorder of records. FINISHED_ROUND means that every ring was read once, so
 * no later record can be older than what the round before that one had seen.
 */
struct round_clock {
	u64 max;      /* latest time seen */
	u64 prev_max; /* at the end of the round before */
	u64 limit;    /* no later record is older than this */
};

static inline void round_finished(struct round_clock *c)
{
	c->limit = c->prev_max;
	c->prev_max = c->max;
}

/* ---- which event ---- */

/* The places of ids in records, if they are the same for all events. */
struct id_places {
	bool lone;         /* there is one event, so no id is needed */
	bool mixed;        /* the events disagree */
	bool all_trailers; /* every event has sample_id_all */
	s16 off_id;        /* in samples; -1 none */
	u8 rev_id;         /* from the end of other records; 0 none */
	s16 off_time;      /* in samples, when !mixed; -1 none */
	u8 rev_time;       /* from the end of other records, when !mixed; 0 none */
	u16 trailer;       /* size of what ends other records, of all events; 0: they differ */
};

/* Ids are consecutive numbers, so neighbours use different slots. */
#define ID_SLOTS 64

struct id_cache {
	struct id_slot {
		u64 id;
		struct evsel *evsel; /* NULL: the slot is empty */
	} slots[ID_SLOTS];
};

/* ---- pass 1 ---- */

#define PLACE_BITS 24 /* enough for the records in one compressed record */

/* A sequence of complete, well-formed records. */
struct chunk {
	const u8 *p; /* the first record, or the compressed record that contains all of them */
	u64 offset;  /* offset of @p in the file */
	u32 len;     /* 0: there is nothing to read, but the expander has to process it */
	bool expanded;
	/* If expanded: */
	bool new_stream;  /* the first window of a file */
	u32 window, from; /* number of the window in that record; start of the chunk in it */
	u32 kept;         /* bytes at the end of the window with which the next one begins */
	struct round_clock clock; /* its state before the first record */
	u64 low; /* the lowest key except 0; after pass 1, that of this and all later chunks */
};

/* The results of pass 1 for a sequence of records. tally_join() joins those of two sequences. */
struct tally {
	u64 counts[256];
	struct event_counts *of_event; /* owned */
	size_t nr_of_event, cap_of_event;
	struct diag diag;
	struct round_clock clock;
	u32 rounds; /* the number of rounds, up to 2 */
	u64 nr_samples, first_time, last_time;
	u64 head_sample, tail_sample; /* times of the first and last sample in file order */
	u64 head_key, tail_key;       /* the first and last key that is not 0 */
	bool in_order;                /* the samples are in time order */
	bool sorted;                  /* the keys are sorted */
	u64 low;                      /* the lowest key except 0 since the chunk began */
	struct refs side;             /* non-sample records */
	struct chunk *chunks;         /* owned */
	size_t nr_chunks, cap_chunks;
	struct stretch *stretches; /* owned; long ones among the samples, in file order */
	size_t nr_stretches, cap_stretches;
};

/* A range of the data section, or of a part, without damage: complete records, AUXTRACE records
 * with their data, and compressed records. */
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
	u32 *forms; /* owned; if places.mixed: one event for each layout */
	size_t nr_forms, cap_forms;
	struct evsel *first;
	bool scanned;
	struct diag diag_before; /* the counts of opening, before the first run over a stream */
	bool one_window; /* rounds do not limit disorder: everything has to be sorted at once */
	bool expanded;   /* some chunks are expanded */
	bool partial;    /* pass 1 has not come to the end of the file, but samples are delivered */
	bool ordered;    /* a pass in the order of time follows that looks at the mapping */
	bool read;       /* pass 1 used read(), so few pages of the file are mapped */
	bool sparse;     /* little is looked at of large samples: pages of the file are mapped when
			    they are touched, and released behind */
	bool state_only; /* of the side-band, only state records are wanted */
	struct onepass *one; /* borrowed; the run that reads the file once; NULL: none */
	int workers;         /* threads of pass 1; 0: one for each CPU */
	struct crew *crew;   /* owned; the threads of the passes, or NULL */
	struct tally t;      /* for all records; side is sorted after pass 1 */
	struct span *spans;  /* owned */
	size_t nr_spans, cap_spans;
	struct slabs copies;          /* copies of side-band records that cannot stay in place */
	struct deferred_set deferred; /* for a seekable file after pass 1; read-only then */
};

/** places_init - forget all events and examine those of the session. */
void places_init(struct session *s);
/** places_add - take the event with index @i into account. */
void places_add(struct session *s, size_t i);
/**
 * event_of_id - return the event with that id, or the one that is used in its place; NULL when it
 * is unknown.
 */
struct evsel *event_of_id(const struct session *s, u64 id);
struct evsel *find_by_places(struct session *s, const u8 *rec, u32 type, size_t size, bool swap,
			     struct id_cache *cache);

/* Buffers for decoded samples. */
struct decoder {
	struct sample full; /* for events with fields of variable size */
	struct sample flat; /* for other events; most of its fields never change */
};

/* The fixed fields of samples as perf record asks for them with tracepoints, behind the header. */
struct usual_fields {
	u64 id, ip;
	u32 pid, tid;
	u64 time;
	u32 cpu, unused;
	u64 period;
} __attribute__((packed));

#define USUAL_FIELDS                                                                               \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW)

/**
 * decode_usual - do what sample_decode_flat() does, for a layout of USUAL_FIELDS, whose places are
 * known. Return: 0, or -EINVAL when the record is too short.
 */
static inline int decode_usual(const u8 *rec, size_t size, struct sample *s)
{
	const struct usual_fields *u = (const void *)(rec + sizeof(wire_header));
	const u8 *raw = (const u8 *)(u + 1);

	if (unlikely(size < sizeof(wire_header) + sizeof(*u) + 4 ||
		     *(const u32_una *)raw > size - sizeof(wire_header) - sizeof(*u) - 4))
		return -EINVAL;
	s->misc = *(const u16_una *)(rec + 4);
	s->cpumode = s->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	s->id = u->id;
	s->ip = u->ip;
	s->pid = u->pid;
	s->tid = u->tid;
	s->time = u->time;
	s->addr = 0;
	s->stream_id = ~0ULL;
	s->cpu = u->cpu;
	s->period = u->period;
	s->raw_size = *(const u32_una *)raw;
	s->raw = raw + 4;
	return 0;
}

/**
 * decode_next - decode a sample into @d, where it is valid until the next call; NULL when that is
 * impossible.
 */
static inline __attribute__((always_inline)) struct sample *
decode_next(struct decoder *d, const struct wire_layout *l, const u8 *rec, size_t size)
{
	if (likely(l->sample_type == USUAL_FIELDS))
		return likely(!decode_usual(rec, size, &d->flat)) ? &d->flat : NULL;
	if (likely(!l->has_var || l->lone_raw))
		return likely(sample_decode_flat(l, rec, size, &d->flat) == 0) ? &d->flat : NULL;
	return sample_decode(l, rec, size, &d->full) < 0 ? NULL : &d->full;
}

static inline struct id_slot *id_slot(struct id_cache *cache, u64 id)
{
	return &cache->slots[id % ID_SLOTS];
}

/**
 * evsel_of - return the event of a record in native order (@swap: in the other order); NULL when it
 * is unknown.
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

/** nth_place - return the place of the @n-th record with the same offset. */
static inline u64 nth_place(u64 offset, u64 n)
{
	return offset << PLACE_BITS | MIN(n, ((u64)1 << PLACE_BITS) - 1);
}

/**
 * file_place - return the place of a record in file order. All records from one compressed record
 * have its offset; their position in its contents distinguishes them.
 * @window, @at: for those, the number of the window and the offset in it; otherwise 0
 */
static inline u64 file_place(u64 offset, u32 window, size_t at)
{
	return nth_place(offset, ((u64)window * EXPAND_WINDOW + at) / FRAME_HEADER);
}

/** chunk_place - return the place of the record @at bytes after the start of a chunk. */
static inline u64 chunk_place(const struct chunk *c, size_t at)
{
	return c->expanded ? file_place(c->offset, c->window, c->from + at)
			   : file_place(c->offset + at, 0, 0);
}

/**
 * record_key - return the key of a native record for time order. @place, see file_place(), is used
 * instead in files without times.
 */
u64 record_key(struct session *s, const struct round_clock *clock, const u8 *rec, u32 type,
	       size_t size, u64 place, struct id_cache *cache);
/**
 * is_state_record - tell whether records of that type change the meaning of addresses or threads.
 */
bool is_state_record(u32 type);
/** record_event_plain - fill in @ev with the contents of the record's header and nothing else. */
void record_event_plain(const u8 *rec, u64 offset, u64 key, struct session_event *ev);
/** record_event - fill in @ev for a record that is not a sample. */
void record_event(struct session *s, const u8 *rec, u64 offset, u64 key, struct id_cache *cache,
		  struct session_event *ev);
/** deliver_state - pass a record to the state or the other callback. */
int deliver_state(struct session *s, const struct session_state_ops *ops, void *ctx,
		  const struct session_event *ev, struct err *err);
/** count_unread - count a sample that could not be decoded, or whose event is unknown. */
void count_unread(struct diag *d, const struct session_event *ev);
/** in_mapping - tell whether the record is in the file's mapping and not a copy. */
bool in_mapping(const struct session *s, const u8 *rec);
/** record_offset - return the offset in the file of a record that a ref points to. */
u64 record_offset(const struct session *s, const u8 *rec);
/**
 * swap_record - convert a foreign record to native order, in place. A malformed record gets an
 * unused type. Return: whether it was well-formed.
 */
bool swap_record(struct session *s, u8 *rec, u32 type, u32 size, struct id_cache *cache);

/* ---- tallies ---- */

/** tally_init - begin a tally. tally_release() frees it, tally_reset() empties it. */
void tally_init(struct tally *t);
void tally_reset(struct tally *t);
void tally_release(struct tally *t);
/**
 * tally_count - count a native record by type, with losses and unknown types, as every reader has
 * to.
 */
void tally_count(struct tally *t, const u8 *rec, u32 type, size_t size, u64 offset);
/** tally_event - count a record (@swap: in the other order) for its event; needed for by_event. */
void tally_event(struct tally *t, struct session *s, const u8 *rec, u32 type, size_t size,
		 bool swap, struct id_cache *cache);
/**
 * tally_samples - count @nr samples for an event at once (NULL: an unknown one); needed for
 * by_event.
 */
void tally_samples(struct tally *t, const struct session *s, const struct evsel *e, u64 nr);
/** tally_sample - note the time of one more sample. */
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
/* Consecutive samples whose keys are their times. */
struct sample_run {
	u64 nr;
	u64 first, last, low, high; /* times in ns, none of which is 0 */
	bool in_order;
};
/** tally_run - do what tally_sample() and tally_key() do, for each of these samples. */
void tally_run(struct tally *t, const struct sample_run *r);
#define LONG_STRETCH 32 /* samples of a stretch that is worth being noted */
/** tally_stretch - note a stretch that is long enough, so that it need not be found again. */
static inline void tally_stretch(struct tally *t, const struct stretch *s)
{
	if (s->nr < LONG_STRETCH)
		return;
	VEC_GROW(t->stretches, t->nr_stretches + 1, t->cap_stretches);
	t->stretches[t->nr_stretches++] = *s;
}
/**
 * tally_stretch_at - return the stretch that was noted at a record of the mapping; NULL: there is
 * none. Records are asked for in file order.
 * @next: number of the stretch to look at, 0 at first
 */
static inline const struct stretch *tally_stretch_at(const struct tally *t, size_t *next,
						     const u8 *rec)
{
	while (*next < t->nr_stretches && t->stretches[*next].rec < rec)
		++*next;
	return *next < t->nr_stretches && t->stretches[*next].rec == rec ? &t->stretches[(*next)++]
									 : NULL;
}
/** tally_key - note the key of one more record of any kind. */
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
/**
 * tally_join - add the results of @next, which follows directly on the records of @t. Its chunks
 * and refs are copied.
 */
void tally_join(struct tally *t, const struct tally *next);
/** tally_publish - set the public members of the session. of_event is moved there. */
void tally_publish(struct tally *t, struct session *s);

/* ---- counting alone ---- */

#define COUNTED_TYPES 128

/* Counts that are added to the tally by counting_end(). */
struct counting {
	struct session *s;
	struct tally *t;
	struct {
		u64 id, nr;
	} slots[ID_SLOTS]; /* samples by id, until another id uses the slot */
	bool plain[COUNTED_TYPES];
	u64 types[COUNTED_TYPES]; /* counts of plain records */
};

/** counting_applies - tell whether only counts are wanted and all ids are at the usual place. */
bool counting_applies(const struct session *s);
void counting_init(struct counting *c, struct session *s, struct tally *t);
/**
 * counting_run - count samples and plain records, starting at @p.
 * @last: receives the last of them
 * Return: the first record that is of another kind, damaged, or reaches beyond @stop.
 */
const u8 *counting_run(struct counting *c, const u8 *p, const u8 *stop, const u8 **last);
void counting_end(struct counting *c);

/* ---- walking a file ---- */

/* The state of pass 1 within a range of bytes. */
struct scan {
	struct session *s;
	struct session_index *ix;
	struct tally *t;
	struct id_cache *cache;
	struct counting *counting; /* NULL: more than counts are wanted */
	/* Samples of long stretches are marked with these, which are borrowed: */
	struct marks *marks; /* there is room for those of all samples; NULL: they are not */
	const bool *wants;   /* by number of the event; NULL: all are wanted */
	struct chunk cur;    /* the chunk that grows; p is NULL when there is none */
	const u8 *cur_at;    /* its first record */
	size_t chunk_size;
	const u8 *base;   /* offsets are relative to this byte, */
	int fd;           /* the file that is mapped there; -1: not open */
	u64 base_offset;  /* which has this offset in the file */
	const u8 *origin; /* the first record */
	const u8 *span;   /* the start of the current span; NULL: none */
	const u8 *prev;   /* the record before this one, or NULL */
	u8 *swapped; /* owned; buffer for a record of the other byte order; NULL: native file */
	struct expander *expander; /* owned; NULL before the first compressed record */
	u8 *window;                /* owned; its window */
	bool expanded;             /* this is a scan of a window */
};

/** pass1_record - process one well-formed native record that is neither COMPRESSED nor AUXTRACE. */
void pass1_record(struct scan *sc, const u8 *p, u32 type, u32 size, u64 offset, u64 place);
/** pass1_open - begin a chunk at @p, or none when @p is NULL. */
void pass1_open(struct scan *sc, const u8 *p);
/** pass1_cut - end the chunk before @p and begin the next one at @next. */
void pass1_cut(struct scan *sc, const u8 *p, const u8 *next);
/**
 * pass1_walk - process one record after the other, from @p until @stop is reached or passed.
 * @end: end of the bytes
 * Return: the first record that was not processed, at or after @stop. In a window, the start of a
 * record that is cut off.
 */
const u8 *pass1_walk(struct scan *sc, const u8 *p, const u8 *stop, const u8 *end);
/**
 * pass1_blocks - do the work of pass1_walk() for all of [@p, @end) on several threads. They process
 * what does not depend on earlier records; damaged and special records are left to pass1_walk(), so
 * that the result is the same.
 */
void pass1_blocks(struct scan *sc, const u8 *p, const u8 *end);
/**
 * pass1_blocks_pay - tell whether pass1_blocks() can be used and is worth it for that many bytes.
 */
bool pass1_blocks_pay(const struct session *s, size_t size);
/**
 * pass1_take - do the work of pass1_walk() for the ordinary records of a buffer, which has @len
 * bytes of the mapping from the record @p on.
 * @t: receives what there is to join, with addresses in the mapping
 * Return: the first record, in the mapping, that is special, damaged, or cut off by the end of the
 * buffer
 */
const u8 *pass1_take(struct scan *sc, const u8 *p, const u8 *bytes, size_t len, struct tally *t);
/** pass1_begin - prepare pass 1 over a file. pass1_end() frees what @sc owns. @cache: zero */
void pass1_begin(struct scan *sc, struct session *s, struct id_cache *cache);
/** pass1_end - complete the results when all records were processed. */
void pass1_end(struct scan *sc);
/** pass1_span - begin the range of bytes at @p, or end it there. */
void pass1_span_begin(struct scan *sc, const u8 *p, size_t size);
void pass1_span_end(struct scan *sc, const u8 *end);
/** pass1_blocks_apply - tell whether most records can be interpreted on their own. */
bool pass1_blocks_apply(const struct session *s);
/**
 * pass1_is_sparse - tell from records in the middle whether most bytes are in samples that are
 * larger than a page, which have copies of stacks.
 */
bool pass1_is_sparse(const struct session *s, const u8 *p, const u8 *end);
/** pass1_populate - map the pages up to @end, because they are going to be read. */
void pass1_populate(const u8 *p, const u8 *end);
/** mapping_release - release the pages up to @end of the file's mapping, with those that the kernel
 * mapped around them. */
void mapping_release(const struct session *s, const u8 *p, const u8 *end);

/* ---- the passes ---- */

/** session_crew - return the threads of the session's passes; session_end_crew() ends them. */
struct crew *session_crew(struct session *s);
void session_end_crew(struct session *s);

/** drive_record - pass a record that is no sample to its callback. @bytes: what is in it */
int drive_record(struct session *s, const struct session_state_ops *ops, void *ctx,
		 const struct ref *r, const u8 *bytes, struct id_cache *cache, struct err *err);
/** session_drive_state - do pass 1, and then call the state callbacks for a seekable file. */
int session_drive_state(struct session *s, const struct session_state_ops *ops, void *ctx,
			struct err *err);

/**
 * follow_pass - do what ordered_pass() does, with less work for each sample, where
 * follow_applies().
 */
int follow_pass(struct session *s, const struct session_ordered_ops *ops, void *ctx,
		struct err *err);
/** follow_applies - tell whether follow_pass() can deliver what is wanted from this session. */
bool follow_applies(const struct session *s, const struct session_ordered_ops *ops);

struct follow;
struct held;

/* Whoever runs pass 1 while samples are delivered (onepass.c). */
struct follow_reader {
	void *ctx;
	/* Called before samples up to @limit are delivered. */
	int (*settle)(void *ctx, u64 limit, struct err *err);
	const bool *void_;          /* what is delivered is of no use any more */
	const struct refs *between; /* records to be delivered between the samples */
};

/** follow_new - prepare to deliver samples of chunks. follow_free() frees it. @reader: copied;
 * NULL: pass 1 has seen the whole file */
struct follow *follow_new(struct session *s, const struct session_ordered_ops *ops, void *ctx,
			  const struct follow_reader *reader);
void follow_free(struct follow *f);
/** follow_wants - tell for each event, by its number, whether its samples are delivered; NULL: all
 * are. Borrowed. */
const bool *follow_wants(const struct follow *f);
/** follow_more - go on with the chunks that pass 1 has found so far. */
int follow_more(struct follow *f, struct err *err);
/** follow_end - deliver all that is left, after pass 1. */
int follow_end(struct follow *f, struct err *err);
/** follow_needs - return the lowest address of a sample that waits; NULL: none does. */
const u8 *follow_needs(const struct follow *f);
/** follow_passed - return how many of the records between the samples were delivered. They are
 * removed then. */
size_t follow_passed(struct follow *f);
/** follow_held - look for records in these buffers first. They are borrowed. */
void follow_held(struct follow *f, const struct held *held, size_t nr);

/* Bytes from which on it is worth to read a file once. */
#ifndef ONE_PASS_FROM
#define ONE_PASS_FROM ((u64)8 << 20)
#endif

/** onepass_applies - tell whether the file can be tried to be read once, see onepass.c. */
bool onepass_applies(const struct session *s, const struct session_ordered_ops *ops);
/**
 * onepass_run - do what session_ordered() does, while the file is read once.
 * @again: set when all that was done is of no use, and has to be done in two passes
 */
int onepass_run(struct session *s, const struct session_ordered_ops *ops, void *ctx, bool *again,
		struct err *err);

/** ordered_pass - do pass 2 of session_ordered() for a seekable file. */
int ordered_pass(struct session *s, const struct session_ordered_ops *ops, void *ctx, int workers,
		 struct err *err);

/** evlist_add_file_attr - make an event of the @i-th attr of the file. */
void session_add_attr(struct session *s, size_t i);
/**
 * session_refresh_names - update the names of events after EVENT_DESC, EVENT_UPDATE and GROUP_DESC
 * records of a pipe.
 */
void session_refresh_names(struct session *s);
/** session_event_update - apply an EVENT_UPDATE record. */
void session_event_update(struct session *s, const u8 *rec, size_t size);

/* ---- pipes ---- */

int stream_samples(struct session *s, const struct session_sample_ops *ops, void *ctx,
		   struct err *err);
int stream_ordered(struct session *s, const struct session_ordered_ops *ops, void *ctx,
		   struct err *err);

#endif
