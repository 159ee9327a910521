// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pass 1 over a seekable file: it walks over the record headers in the mapping.
 *
 * Its results are: chunks of complete, well-formed records (so that no later code meets an invalid
 * size), the non-sample records in time order, counts, and the time range of the samples. Bytes
 * that are generated on the way (expanded or converted ones) are not kept: pass 2 generates them
 * again from the chunks. Only side-band records among them are copied.
 *
 * After a header that cannot be right, the walk searches the next place at which a plausible
 * sequence of records begins, and counts what it has skipped.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "base/pool.h"
#include "session/deferred.h"
#include "session/pieces.h"

#include <errno.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

#define CHUNK_MAX ((size_t)1 << 18) /* small enough for a processor's cache */
#define CHUNK_MIN ((size_t)1 << 16)
#define STEP ((size_t)1 << 22) /* bytes whose pages are populated at once */
#define RECORD_MAX ((size_t)1 << 16)
#define REFS_AHEAD 8 /* distance in side-band records of prefetching */
#define PAGE_MASK_4K                                                                               \
	((uintptr_t)4095) /* a start that is not page-aligned on larger pages is refused: harmless \
			   */

static u64 offset_of(const struct scan *sc, const u8 *p)
{
	return sc->expanded ? sc->base_offset : (u64)(p - sc->base) + sc->base_offset;
}

static u64 place_of(const struct scan *sc, const u8 *p)
{
	return sc->expanded ? file_place(sc->base_offset, sc->cur.window, (size_t)(p - sc->base))
			    : file_place(offset_of(sc, p), 0, 0);
}

/* ---- chunks ---- */

void pass1_open(struct scan *sc, const u8 *p)
{
	sc->cur_at = p;
	sc->t->low = UINT64_MAX;
	if (!p)
		return;
	sc->cur.clock = sc->t->clock;
	if (sc->expanded) {
		sc->cur.from = (u32)(p - sc->base);
	} else {
		sc->cur.p = p;
		sc->cur.offset = offset_of(sc, p);
	}
}

static void add_chunk(struct scan *sc, u32 len)
{
	struct tally *t = sc->t;

	if (sc->s->counts_only)
		return;
	VEC_GROW(t->chunks, t->nr_chunks + 1, t->cap_chunks);
	t->chunks[t->nr_chunks] = sc->cur;
	t->chunks[t->nr_chunks].low = t->low;
	t->chunks[t->nr_chunks++].len = len;
}

void pass1_cut(struct scan *sc, const u8 *p, const u8 *next)
{
	if (sc->cur_at && p > sc->cur_at) {
		add_chunk(sc, (u32)(p - sc->cur_at));
		progress_add(sc->s->progress, sc->expanded ? 0 : (u64)(p - sc->cur_at));
	}
	pass1_open(sc, next);
}

/* The current span ends before @p, and the next one begins at @next (NULL: none). */
static void cut_span(struct scan *sc, const u8 *p, const u8 *next)
{
	struct session_index *ix = sc->ix;

	if (sc->expanded)
		return;
	if (sc->span && p > sc->span) {
		VEC_GROW(ix->spans, ix->nr_spans + 1, ix->cap_spans);
		ix->spans[ix->nr_spans++] = (struct span){ sc->span, p };
	}
	sc->span = next;
}

/* ---- one record ---- */

/*
 * Keep a side-band record for its callback, which is called later, when these bytes may not exist
 * any more.
 */
static void keep_side(struct scan *sc, u64 key, const u8 *p, u32 type, u32 size, u64 offset)
{
	if (sc->ix->state_only && !is_state_record(type) && type != PERF_RECORD_CALLCHAIN_DEFERRED_)
		return;
	if (sc->swapped || sc->expanded)
		p = slabs_copy(&sc->ix->copies, p, size, offset);
	refs_add(&sc->t->side, key, p);
}

void pass1_record(struct scan *sc, const u8 *p, u32 type, u32 size, u64 offset, u64 place)
{
	struct session *s = sc->s;
	const struct id_places *pl = &sc->ix->places;
	struct tally *t = sc->t;
	u64 key;

	if (unlikely(s->by_event))
		tally_event(t, s, p, type, size, false, sc->cache);
	if (likely(type == PERF_RECORD_SAMPLE)) {
		t->counts[PERF_RECORD_SAMPLE]++;
		if (s->counts_only) {
			t->nr_samples++;
			return;
		}
		if (likely(!pl->mixed && pl->off_time > 0 && size >= (u32)pl->off_time + 8))
			key = *(const u64_una *)(p + pl->off_time);
		else
			key = record_key(s, &t->clock, p, type, size, place, sc->cache);
		tally_sample(t, key);
		if (s->file_order)
			key = place;
	} else {
		tally_count(t, p, type, size, offset);
		if (type == PERF_RECORD_FINISHED_ROUND)
			tally_round(t);
		else if (type == PERF_RECORD_EVENT_UPDATE)
			session_event_update(s, p, size);
		else if (type == PERF_RECORD_ID_INDEX)
			guest_ids_note(&s->guests, (const wire_header *)p);
		if (s->counts_only || !record_name(type))
			return;
		key = record_key(s, &t->clock, p, type, size, place, sc->cache);
		keep_side(sc, key, p, type, size, offset);
	}
	tally_key(t, key);
}

/* ---- the walk ---- */

/* The end of the file cuts off the record at @p. Of a shorter file the reader has counted that. */
static void cut_record(struct scan *sc, const u8 *p, const u8 *end)
{
	struct diag *d = &sc->t->diag;

	if (!sc->s->file->clipped)
		diag_add(d, DIAG_TRUNCATED, 1, offset_of(sc, p));
	if (end - p >= (ptrdiff_t)FRAME_HEADER)
		diag_note(d, DIAG_TRUNCATED, frame_type(p, sc->s->file->swap), offset_of(sc, p));
}

/*
 * Skip a header at @p that cannot be right. Either its own bytes are damaged, or the size of the
 * record before, so the search begins after the header of that record. Return: where to continue,
 * or NULL to stop.
 */
static const u8 *step_over(struct scan *sc, const u8 *p, const u8 *end, bool cut_off)
{
	struct diag *d = &sc->t->diag;
	const u8 *from = sc->prev ? sc->prev : p;
	const u8 *next =
		frame_resync(from, end, (u64)(from - sc->origin), sc->s->file->swap, false);

	if (next || !cut_off)
		diag_record(d, DIAG_BAD_SIZE, frame_type(p, sc->s->file->swap), offset_of(sc, p));
	else
		cut_record(sc, p, end);
	pass1_cut(sc, p, next);
	cut_span(sc, p, next);
	sc->prev = NULL;
	return next;
}

/* Skip the data after an AUXTRACE record. Return: the next record. */
static const u8 *skip_aux(struct scan *sc, const u8 *p, const u8 *native, u32 size, const u8 *end)
{
	const u8 *next = p + size;
	u64 aux;

	if (size < 16)
		return next;
	aux = *(const u64_una *)(native + 8);
	if (aux > (u64)(end - next)) {
		diag_record(&sc->t->diag, DIAG_TRUNCATED, PERF_RECORD_AUXTRACE, offset_of(sc, p));
		aux = (u64)(end - next);
		cut_span(sc, p, next + aux);
	}
	pass1_cut(sc, next, next + aux);
	sc->prev = NULL;
	return next + aux;
}

/*
 * Process one window of expanded bytes. Every window leaves a chunk, so that pass 2 finds all of
 * them.
 */
static void walk_window(struct scan *sc, struct scan *inner, size_t len)
{
	struct tally *t = sc->t;
	size_t first = t->nr_chunks;
	const u8 *left, *end = sc->window + len;

	inner->prev = NULL;
	left = pass1_walk(inner, sc->window, end, end);
	/* The stream continues in the next window, which completes the last record. */
	expand_keep(sc->expander, left, (size_t)(end - left));
	if (t->nr_chunks == first)
		add_chunk(inner, 0);
	for (; first < t->nr_chunks; first++)
		t->chunks[first].kept = (u32)(end - left);
	inner->cur.window++;
	inner->cur.new_stream = false;
}

static void walk_compressed(struct scan *sc, const u8 *p, u32 type, u32 size)
{
	u64 offset = offset_of(sc, p);
	struct scan inner = *sc;
	bool new_stream = !sc->expander;
	ssize_t len = -EINVAL;

	if (sc->expanded) {
		diag_record(&sc->t->diag, DIAG_BAD_COMPRESSED, type, offset);
		return;
	}
	if (!sc->expander) {
		sc->expander = expander_new();
		sc->window = xmalloc(EXPAND_WINDOW);
	}
	pass1_cut(sc, p, p + size);
	sc->ix->expanded = true;
	inner.expanded = true;
	inner.base = inner.origin = sc->window;
	inner.base_offset = offset;
	inner.chunk_size = SIZE_MAX;
	inner.cur = (struct chunk){
		.p = p, .offset = offset, .expanded = true, .new_stream = new_stream
	};
	inner.cur_at = NULL;
	if (!expand_begin(sc->expander, p, type, size, sc->s->file->swap))
		while ((len = expand_more(sc->expander, sc->window)) > 0)
			walk_window(sc, &inner, (size_t)len);
	if (len < 0) {
		diag_record(&sc->t->diag, DIAG_BAD_COMPRESSED, type, offset);
		add_chunk(&inner, 0);
	}
	sc->cur.clock = sc->t->clock;
}

/* Return the record in native order, or NULL when it is malformed. */
static const u8 *native_record(struct scan *sc, const u8 *p, u32 type, u32 size)
{
	if (!sc->swapped)
		return p;
	memcpy(sc->swapped, p, size);
	if (swap_record(sc->s, sc->swapped, type, size, sc->cache))
		return sc->swapped;
	diag_record(&sc->t->diag, DIAG_BAD_RECORD, type, offset_of(sc, p));
	return NULL;
}

/* Tell whether the next window may complete the record. */
static bool may_go_on(const struct scan *sc, const u8 *p, u32 type, u32 size, const u8 *end)
{
	return sc->expanded &&
	       (end - p < (ptrdiff_t)FRAME_HEADER || (size > end - p && record_name(type)));
}

const u8 *pass1_walk(struct scan *sc, const u8 *p, const u8 *stop, const u8 *end)
{
	bool swap = sc->s->file->swap;
	const u8 *rec;

	pass1_open(sc, p);
	while (p < stop) {
		bool room;
		u32 type, size;

		if (sc->counting) {
			p = counting_run(sc->counting, p, stop, &sc->prev);
			if (p == stop)
				break;
		}
		room = end - p >= (ptrdiff_t)FRAME_HEADER;
		type = room ? frame_type(p, swap) : 0;
		size = room ? frame_size(p, swap) : UINT32_MAX;
		if (unlikely(size < FRAME_HEADER || size > end - p ||
			     ((type > PERF_RECORD_MMAP2 || !type || (size & 7)) &&
			      !frame_believable(p, type, size, end, swap)))) {
			if (may_go_on(sc, p, type, size, end))
				break;
			p = step_over(sc, p, end, size > end - p);
			if (!p)
				return end;
			continue;
		}
		sc->prev = p;
		rec = native_record(sc, p, type, size);
		if (rec)
			pass1_record(sc, rec, type, size, offset_of(sc, p), place_of(sc, p));
		if (unlikely(type == PERF_RECORD_AUXTRACE && rec)) {
			p = skip_aux(sc, p, rec, size, end);
			continue;
		}
		if (unlikely(rec &&
			     (type == PERF_RECORD_COMPRESSED || type == PERF_RECORD_COMPRESSED2)))
			walk_compressed(sc, p, type, size);
		p += size;
		if ((size_t)(p - sc->cur_at) >= sc->chunk_size)
			pass1_cut(sc, p, p);
	}
	pass1_cut(sc, p, NULL);
	return p;
}

/* ---- a file ---- */

void pass1_populate(const u8 *p, const u8 *end)
{
	uintptr_t from = (uintptr_t)p & ~PAGE_MASK_4K;

	/* Without this call (before Linux 5.14) the walk causes page faults. */
	(void)madvise((void *)from, (size_t)((uintptr_t)end - from), MADV_POPULATE_READ);
}

#define MAPPED_AROUND                                                                              \
	((uintptr_t)1 << 16) /* bytes that the kernel maps with a page, as it is set */

void mapping_release(const struct session *s, const u8 *p, const u8 *end)
{
	uintptr_t map = (uintptr_t)s->file->map;
	uintptr_t from = MAX((uintptr_t)p & ~(MAPPED_AROUND - 1), map);
	uintptr_t to = MIN(ALIGN_UP((uintptr_t)end, MAPPED_AROUND), map + s->file->size);

	if (from < to)
		(void)madvise((void *)from, to - from, MADV_DONTNEED);
}

struct crew *session_crew(struct session *s)
{
	struct session_index *ix = s->index;

	if (!ix->crew)
		ix->crew = crew_new(ix->workers ? ix->workers : pool_cpus());
	return ix->crew;
}

void session_end_crew(struct session *s)
{
	crew_free(s->index->crew);
	s->index->crew = NULL;
}

void pass1_span_begin(struct scan *sc, const u8 *p, size_t size)
{
	sc->chunk_size = MAX(MIN(size / 64, CHUNK_MAX), CHUNK_MIN);
	sc->origin = sc->span = p;
	sc->prev = NULL;
}

void pass1_span_end(struct scan *sc, const u8 *end)
{
	cut_span(sc, end, NULL);
	/* Every file has a compressed stream of its own. */
	expander_free(sc->expander);
	sc->expander = NULL;
	free(sc->window);
	sc->window = NULL;
}

static void scan_bytes(struct scan *sc, const u8 *p, size_t size)
{
	const u8 *end = p + size;

	pass1_span_begin(sc, p, size);
	if (pass1_blocks_pay(sc->s, size)) {
		pass1_blocks(sc, p, end);
	} else {
		while (p < end) {
			const u8 *stop = p + MIN(STEP, (size_t)(end - p));

			pass1_populate(p, stop);
			p = pass1_walk(sc, p, stop, end);
		}
	}
	pass1_span_end(sc, end);
}

static void scan_parts(struct scan *sc)
{
	const struct perf_file *f = sc->s->file;

	for (size_t i = 0; i < f->nr_parts; i++) {
		/* Each part has its own rounds, so only the whole can be sorted. */
		sc->t->sorted = false;
		sc->ix->one_window = true;
		sc->base = f->parts[i].map;
		sc->fd = -1;
		sc->base_offset = f->parts[i].base;
		sc->t->clock = (struct round_clock){ 0 };
		scan_bytes(sc, sc->base, f->parts[i].size);
	}
}

/* Collect the records that complete call chains, which are needed before any sample. */
static void collect_deferred(struct session *s, struct id_cache *cache)
{
	struct session_index *ix = s->index;

	if (!ix->t.counts[PERF_RECORD_CALLCHAIN_DEFERRED_])
		return;
	for (size_t i = 0; i < ix->t.side.nr; i++) {
		const struct ref *r = &ix->t.side.v[i];

		if (rec_type(r->rec) == PERF_RECORD_CALLCHAIN_DEFERRED_)
			deferred_add(&ix->deferred, s, r->rec, r->key, cache);
	}
	deferred_sort(&ix->deferred);
}

/* Convert the lowest key of each chunk to that of it and all later chunks. */
static void lows_from_the_end(struct tally *t)
{
	u64 low = UINT64_MAX;

	for (size_t i = t->nr_chunks; i--;)
		low = t->chunks[i].low = MIN(low, t->chunks[i].low);
}

void pass1_begin(struct scan *sc, struct session *s, struct id_cache *cache)
{
	const struct perf_file *f = s->file;

	*sc = (struct scan){ .s = s,
			     .ix = s->index,
			     .t = &s->index->t,
			     .cache = cache,
			     .base = f->map,
			     .fd = f->fd };
	s->index->scanned = true;
	if (f->swap)
		sc->swapped = xmalloc(RECORD_MAX);
}

void pass1_end(struct scan *sc)
{
	struct session *s = sc->s;
	struct session_index *ix = sc->ix;

	free(sc->swapped);
	sc->swapped = NULL;
	refs_sort(&ix->t.side, session_crew(s));
	refs_trim(&ix->t.side);
	lows_from_the_end(&ix->t);
	collect_deferred(s, sc->cache);
	tally_publish(&ix->t, s);
}

int session_scan(struct session *s, struct err *err)
{
	const struct perf_file *f = s->file;
	struct session_index *ix = s->index;
	struct id_cache cache = { 0 };
	struct counting counting;
	struct scan sc;

	(void)err;
	if (session_is_stream(s) || ix->scanned)
		return 0;
	pass1_begin(&sc, s, &cache);
	counting_init(&counting, s, &ix->t);
	if (counting_applies(s))
		sc.counting = &counting;
	progress_start(s->progress, "Reading events...", f->data.size);
	if (f->data.size)
		scan_bytes(&sc, f->map + f->data.offset, f->data.size);
	scan_parts(&sc);
	counting_end(&counting);
	pass1_end(&sc);
	if (!ix->workers) /* no other pass follows immediately */
		session_end_crew(s);
	return 0;
}

/* ---- state ---- */

/* Prefetch the next records: in time order they are rarely adjacent in memory. */
static inline void fetch_refs(const struct refs *side, size_t i)
{
	const u8 *rec;

	if (i + REFS_AHEAD >= side->nr)
		return;
	rec = side->v[i + REFS_AHEAD].rec;
	__builtin_prefetch(rec);
	__builtin_prefetch(rec + 64); /* most MMAP2 records have about a hundred bytes */
}

#define BEHIND ((size_t)4 << 20) /* bytes of the mapping that are released at once */
#define AGAIN                                                                                      \
	(BEHIND * 4) /* the distance of a second release, because records of other CPUs come from  \
			there for a while */

/*
 * Release pages. If pass 1 has used read() or released what it had mapped, this walk maps pages
 * again, with those around them, and thereby most of the file. They need not stay, because few
 * records are used later; a page that is needed again is read again.
 */
static void drop_pages(const struct session *s, size_t from, size_t to)
{
	if (s->index->read || s->index->sparse)
		(void)madvise(s->file->map + from, to - from, MADV_DONTNEED);
}

/* Release everything up to the next record from time to time. */
static void drop_behind(const struct session *s, const u8 *rec, size_t *from)
{
	size_t to;

	if (!in_mapping(s, rec))
		return;
	to = (size_t)(rec - s->file->map) & ~(BEHIND - 1);
	if (to <= *from)
		return;
	drop_pages(s, *from > AGAIN ? *from - AGAIN : 0, to);
	*from = to;
}

#define REFS_PAST ((size_t)1 << 16) /* refs whose memory is released at once */

/* Release the memory of refs that have been used, because callbacks need memory as well. */
static void drop_refs(const struct refs *side, size_t i)
{
	if (i % REFS_PAST == 0 && i)
		heap_discard(side->v + i - REFS_PAST, REFS_PAST * sizeof(*side->v));
}

int drive_record(struct session *s, const struct session_state_ops *ops, void *ctx,
		 const struct ref *r, const u8 *bytes, struct id_cache *cache, struct err *err)
{
	bool is_state = is_state_record(rec_type(bytes));
	u64 offset = record_offset(s, r->rec);
	struct session_event ev;

	if (!ops->other && !is_state)
		return 0;
	if (ops->plain && is_state && !s->guests.nr)
		record_event_plain(bytes, offset, r->key, &ev);
	else
		record_event(s, bytes, offset, r->key, cache, &ev);
	return deliver_state(s, ops, ctx, &ev, err);
}

int session_drive_state(struct session *s, const struct session_state_ops *ops, void *ctx,
			struct err *err)
{
	struct session_index *ix = s->index;
	struct id_cache cache = { 0 };
	struct side_reader reader;
	size_t dropped = 0;
	int ret;

	ix->state_only = !ops->other && !ops->again;
	ret = session_scan(s, err);
	if (!ret && ops->events)
		ret = ops->events(ctx, &s->evlist, &s->file->env, err);
	side_reader_init(&reader, s);
	for (size_t i = 0; !ret && (ops->state || ops->other) && i < ix->t.side.nr; i++) {
		const struct ref *r = &ix->t.side.v[i];

		if (!ops->again)
			drop_refs(&ix->t.side, i);
		if (!reader.piece) {
			fetch_refs(&ix->t.side, i);
			drop_behind(s, r->rec, &dropped);
		}
		ret = drive_record(s, ops, ctx, r, side_record(&reader, r->rec), &cache, err);
	}
	if (!ops->again)
		refs_release(&ix->t.side); /* it is used once */
	if (!reader.piece)
		drop_pages(s, 0, (size_t)s->file->size);
	side_reader_release(&reader);
	if (!ret && ops->ready)
		ret = ops->ready(ctx, err);
	return ret;
}
