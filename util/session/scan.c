// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pass 1 over a seekable file: walk the record headers in the mapping.
 *
 * Leaves behind: chunks of whole, well-formed records (so that nobody after it meets a bad size),
 * the non-sample records in time order, counts and the time range of the samples. Foreign byte
 * order is turned here, in the private mapping, once.
 *
 * Where a header cannot be right, the walk looks for the next place from which records follow
 * one another plausibly, and counts what it stepped over.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "session/expand.h"
#include "session/prefault.h"
#include "session/session-internal.h"

#include <errno.h>

#define CHUNK_MAX ((size_t)1 << 20)
#define CHUNK_MIN ((size_t)1 << 16)
#define NEW_TYPES_END 256 /* no recorder numbers its records so high */
#define NEUTRAL_TYPE 0    /* what a record that could not be turned to native order becomes */

struct scan {
	struct session *s;
	struct session_index *ix;
	struct round_clock clock;
	struct id_cache cache;
	struct chunk cur; /* growing; p NULL when none is open */
	size_t chunk_size;
	u64 last_sample, last_key;
	bool fixed; /* inside expanded bytes: all of it stands at fixed_offset */
	u64 fixed_offset;
	struct prefault *prefault; /* NULL: none */
	u64 base_offset;           /* of base: of the parts of a directory */
	const u8 *base;            /* of the mapping */
	const u8 *origin;          /* the first record */
};

static u64 offset_of(const struct scan *sc, const u8 *p)
{
	return sc->fixed ? sc->fixed_offset : (u64)(p - sc->base) + sc->base_offset;
}

static u32 peek_type(const u8 *p, bool swap)
{
	u32 v = *(const u32_una *)p;

	return swap ? __builtin_bswap32(v) : v;
}

static u32 peek_size(const u8 *p, bool swap)
{
	u16 v = *(const u16_una *)(p + 6);

	return swap ? __builtin_bswap16(v) : v;
}

/* ---- finding the way again ---- */

/* A header that a recorder could have written: a type someone knows, and a size its body could
 * have. */
static bool plausible(const u8 *p, const u8 *end, bool swap)
{
	u32 type, size;

	if (end - p < (ptrdiff_t)sizeof(struct perf_event_header))
		return false;
	type = peek_type(p, swap);
	size = peek_size(p, swap);
	return record_name(type) && size >= sizeof(struct perf_event_header) && size <= end - p &&
	       (!(size & 7) || type == PERF_RECORD_COMPRESSED);
}

/*
 * The kernel's records are multiples of 8, and of types that have a name. Others are believed (a
 * recorder newer than this reader) when what follows could be a record again.
 */
static bool believable(const u8 *p, u32 type, u32 size, const u8 *end, bool swap)
{
	const u8 *next = p + size;
	bool odd = (size & 7) && type < PERF_RECORD_USER_TYPE_START;

	if (!type || type >= NEW_TYPES_END)
		return false;
	if ((record_name(type) && !odd) || next == end || plausible(next, end, swap))
		return true;
	return end - next >= (ptrdiff_t)sizeof(struct perf_event_header) && peek_type(next, swap) &&
	       peek_type(next, swap) < NEW_TYPES_END && !(peek_size(next, swap) & 7) &&
	       peek_size(next, swap) >= sizeof(struct perf_event_header);
}

/*
 * The next place behind @p from which records follow one another; NULL when there is none. Three
 * are enough at a distance from @origin that is a multiple of 8, as all but compressed records
 * have; elsewhere small integers look too much like headers, and it takes eight.
 */
static const u8 *resync(const u8 *origin, const u8 *p, const u8 *end, bool swap)
{
	for (p += sizeof(struct perf_event_header); p < end; p++) {
		int links = 0, want = (p - origin) & 7 ? 8 : 3;
		const u8 *q = p;

		while (links < want && q < end && plausible(q, end, swap)) {
			q += peek_size(q, swap);
			links++;
		}
		if (links == want || (links && q == end && want == 3))
			return p;
	}
	return NULL;
}

/* ---- chunks ---- */

/* The next chunk begins at @p, NULL: none is open. */
static void open_chunk(struct scan *sc, const u8 *p)
{
	sc->cur = (struct chunk){ .p = p, .end = p, .fixed = sc->fixed, .clock = sc->clock };
	if (p)
		sc->cur.offset = offset_of(sc, p);
}

/* The records from the chunk's start to @p are its own; the next begins at @next. */
static void cut_chunk(struct scan *sc, const u8 *p, const u8 *next)
{
	struct session_index *ix = sc->ix;

	if (sc->cur.p && p > sc->cur.p) {
		VEC_GROW(ix->chunks, ix->nr_chunks + 1, ix->cap_chunks);
		ix->chunks[ix->nr_chunks] = sc->cur;
		ix->chunks[ix->nr_chunks++].end = p;
		progress_add(sc->s->progress, sc->fixed ? 0 : (u64)(p - sc->cur.p));
	}
	open_chunk(sc, next);
}

u64 chunk_offset(const struct session *s, const u8 *rec, size_t *hint)
{
	const struct session_index *ix = s->index;
	const u8 *map = s->file->map;
	size_t i = *hint;

	if (rec >= map && rec < map + s->file->size)
		return (u64)(rec - map);
	if (i >= ix->nr_chunks || rec < ix->chunks[i].p || rec >= ix->chunks[i].end) {
		for (i = 0; i < ix->nr_chunks; i++) {
			if (rec >= ix->chunks[i].p && rec < ix->chunks[i].end)
				break;
		}
		if (i == ix->nr_chunks)
			return 0;
		*hint = i;
	}
	return ix->chunks[i].offset;
}

/* ---- one record ---- */

/* Turn a foreign record; one that is malformed becomes a record of no type. */
static bool turn(struct scan *sc, u8 *p, u32 size)
{
	u32 type = peek_type(p, true);
	struct evsel *e = sc->ix->first ? evsel_of(sc->s, p, type, size, true, &sc->cache) : NULL;

	if (!e && type < PERF_RECORD_USER_TYPE_START)
		e = sc->ix->first;
	if (!record_swap(e ? &e->layout : NULL, p, size))
		return true;
	*(u32_una *)p = NEUTRAL_TYPE;
	diag_add(&sc->s->diag, DIAG_BAD_RECORD, 1, offset_of(sc, p));
	return false;
}

static void see_sample(struct scan *sc, u64 time)
{
	struct session *s = sc->s;

	if (!s->nr_samples++) {
		s->first_time = s->last_time = time;
		s->in_order = true;
	} else {
		if (time < sc->last_sample)
			s->in_order = false;
		if (time < s->first_time)
			s->first_time = time;
		if (time > s->last_time)
			s->last_time = time;
	}
	sc->last_sample = time;
}

static void see_record(struct scan *sc, const u8 *p, u32 type, u32 size)
{
	struct session *s = sc->s;
	const struct id_places *pl = &sc->ix->places;
	u64 key;

	if (unlikely(s->by_event))
		count_by_event(s, p, type, size, &sc->cache);
	if (likely(type == PERF_RECORD_SAMPLE)) {
		s->counts[PERF_RECORD_SAMPLE]++;
		if (likely(!pl->mixed && pl->off_time > 0 && size >= (u32)pl->off_time + 8))
			key = *(const u64_una *)(p + pl->off_time);
		else
			key = record_key(s, &sc->clock, p, type, size, offset_of(sc, p),
					 &sc->cache);
		see_sample(sc, key);
	} else {
		u64 offset = offset_of(sc, p);

		count_record(s, p, type, size, offset);
		if (type == PERF_RECORD_FINISHED_ROUND)
			round_finished(&sc->clock);
		else if (type == PERF_RECORD_EVENT_UPDATE)
			session_event_update(s, p, size);
		if (!record_name(type))
			return;
		key = record_key(s, &sc->clock, p, type, size, offset, &sc->cache);
		refs_add(&sc->ix->side, key, p);
	}
	if (key > sc->clock.max)
		sc->clock.max = key;
	if (key < sc->last_key && key)
		sc->ix->sorted = false;
	if (key)
		sc->last_key = key;
}

/* ---- the walk ---- */

/*
 * A header at @p that cannot be right. Its own bytes may be damaged, or the size of the record at
 * @prev (NULL: none) that led here, so the search begins behind that one's header. Return: where to
 * go on, NULL to stop.
 */
static const u8 *step_over(struct scan *sc, const u8 *prev, const u8 *p, const u8 *end,
			   bool cut_off)
{
	struct diag *d = &sc->s->diag;
	const u8 *next = resync(sc->origin, prev ? prev : p, end, sc->s->file->swap);

	if (next || !cut_off)
		diag_add(d, DIAG_BAD_SIZE, 1, offset_of(sc, p));
	else if (!sc->s->file->clipped)
		diag_add(d, DIAG_TRUNCATED, 1, offset_of(sc, p));
	cut_chunk(sc, p, next);
	return next;
}

/* AUXTRACE: its bytes follow the record. Return: where the next record begins. */
static const u8 *skip_aux(struct scan *sc, const u8 *p, u32 size, const u8 *end)
{
	const u8 *next = p + size;
	u64 aux;

	if (size < 16)
		return next;
	aux = *(const u64_una *)(p + 8);
	if (aux > (u64)(end - next)) {
		diag_add(&sc->s->diag, DIAG_TRUNCATED, 1, offset_of(sc, p));
		aux = (u64)(end - next);
	}
	cut_chunk(sc, next, next + aux);
	return next + aux;
}

static const u8 *walk(struct scan *sc, const u8 *p, const u8 *end);

/* A compressed record: its bytes are walked as a chunk of their own, then the file goes on. */
static void walk_compressed(struct scan *sc, const u8 *p, u32 type, u32 size)
{
	struct session_index *ix = sc->ix;
	u64 offset = offset_of(sc, p);
	struct scan inner;
	const u8 *left;
	u8 *buf = NULL;
	size_t len = 0;

	if (sc->fixed || expand_record(&ix->expander, p, type, size, &buf, &len) < 0) {
		diag_add(&sc->s->diag, DIAG_BAD_COMPRESSED, 1, offset);
		return;
	}
	if (!buf)
		return;
	VEC_GROW(ix->expanded, ix->nr_expanded + 1, ix->cap_expanded);
	ix->expanded[ix->nr_expanded++].buf = buf;
	cut_chunk(sc, p, p + size);
	inner = *sc;
	inner.fixed = true;
	inner.prefault = NULL;
	inner.fixed_offset = offset;
	inner.chunk_size = SIZE_MAX;
	left = walk(&inner, buf, buf + len);
	/* The stream goes on in the next compressed record: what was cut there is completed. */
	expand_keep(ix->expander, left, (size_t)(buf + len - left));
	sc->clock = inner.clock;
	sc->cache = inner.cache;
	sc->last_sample = inner.last_sample;
	sc->last_key = inner.last_key;
	sc->cur.clock = inner.clock;
}

/* Return: the first byte of a record that is cut off by @end (expanded bytes only), else @end. */
static const u8 *walk(struct scan *sc, const u8 *p, const u8 *end)
{
	bool swap = sc->s->file->swap;
	const u8 *prev = NULL;

	sc->origin = p;
	open_chunk(sc, p);
	while (p < end) {
		bool room = end - p >= (ptrdiff_t)sizeof(struct perf_event_header);
		u32 type = room ? peek_type(p, swap) : 0;
		u32 size = room ? peek_size(p, swap) : UINT32_MAX;

		if (unlikely(size < sizeof(struct perf_event_header) || size > end - p ||
			     ((type > PERF_RECORD_MMAP2 || !type || (size & 7)) &&
			      !believable(p, type, size, end, swap)))) {
			if (sc->fixed && size > end - p && (!room || record_name(type)))
				break;
			p = step_over(sc, prev, p, end, size > end - p);
			if (!p)
				return end;
			prev = NULL;
			continue;
		}
		prev = p;
		if (swap && !turn(sc, (u8 *)p, size)) {
			p += size;
			continue;
		}
		see_record(sc, p, type, size);
		if (unlikely(type == PERF_RECORD_AUXTRACE)) {
			p = skip_aux(sc, p, size, end);
			prev = NULL;
			continue;
		}
		if (unlikely(type == PERF_RECORD_COMPRESSED || type == PERF_RECORD_COMPRESSED2))
			walk_compressed(sc, p, type, size);
		p += size;
		if ((size_t)(p - sc->cur.p) >= sc->chunk_size) {
			cut_chunk(sc, p, p);
			prefault_wait(sc->prefault, p + CHUNK_MAX);
		}
	}
	cut_chunk(sc, p, NULL);
	return p;
}

static void scan_bytes(struct scan *sc, const u8 *p, size_t size)
{
	sc->chunk_size = MAX(MIN(size / 64, CHUNK_MAX), CHUNK_MIN);
	if (!sc->s->file->swap) /* turning writes: those pages are copied, not read */
		sc->prefault = prefault_start(p, size);
	prefault_wait(sc->prefault, p + CHUNK_MAX);
	walk(sc, p, p + size);
	prefault_stop(sc->prefault);
	sc->prefault = NULL;
	/* Every file has a compressed stream of its own. */
	expander_free(sc->ix->expander);
	sc->ix->expander = NULL;
}

int session_scan(struct session *s, struct err *err)
{
	const struct perf_file *f = s->file;
	struct session_index *ix = s->index;
	struct scan sc = { .s = s, .ix = ix, .base = f->map };

	(void)err;
	if (f->pipe || ix->scanned)
		return 0;
	ix->scanned = true;
	ix->sorted = true;
	progress_start(s->progress, "Reading events...", f->data.size);
	if (f->data.size)
		scan_bytes(&sc, f->map + f->data.offset, f->data.size);
	for (size_t i = 0; i < f->nr_parts; i++) {
		/* Each part has rounds of its own: only the whole can be put in order. */
		ix->sorted = false;
		ix->one_window = true;
		sc.base = f->parts[i].map;
		sc.base_offset = f->parts[i].base;
		sc.clock = (struct round_clock){ 0 };
		scan_bytes(&sc, sc.base, f->parts[i].size);
	}
	counts_by_event_end(s);
	refs_sort(&ix->side);
	if (!s->has_time)
		s->first_time = s->last_time = 0;
	return 0;
}

/* ---- state ---- */

int session_drive_state(struct session *s, const struct session_state_ops *ops, void *ctx,
			struct err *err)
{
	struct session_index *ix = s->index;
	struct id_cache cache = { 0 };
	size_t hint = 0;
	int ret = session_scan(s, err);

	if (!ret && ops->events)
		ret = ops->events(ctx, &s->evlist, &s->file->env, err);
	for (size_t i = 0; !ret && i < ix->side.nr; i++) {
		const struct ref *r = &ix->side.v[i];
		struct session_event ev;

		record_event(s, r->rec, chunk_offset(s, r->rec, &hint), r->key, &cache, &ev);
		ret = deliver_state(s, ops, ctx, &ev, err);
	}
	if (!ret && ops->ready)
		ret = ops->ready(ctx, err);
	return ret;
}
