// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pass 1 on several threads. The bytes are cut into blocks anywhere; each is walked from the first
 * place in it where a record surely begins, and as far as everything is ordinary, into a tally of
 * its own. Then the blocks are joined in order: one that begins just where the walk up to it ended
 * counts, of any other (the place was no start of a record after all) the bytes are walked again,
 * and so is what a block left over. So nothing depends on the guess, and nothing on the threads.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "base/pool.h"
#include "session/session-internal.h"

#include <unistd.h>

#define BLOCK_SIZE ((size_t)1 << 19)
/* Where nothing but counts is kept, less often together: with what threads cost to start. */
#define COUNT_BLOCK ((size_t)1 << 20)
#define COUNT_WAVE 256
#define TAIL ((size_t)1 << 12) /* read behind a block; a last record beyond it is left to join */
#define WAVE 64                /* blocks whose tallies are there at a time */
#define WORTH_IT (BLOCK_SIZE * 8)

struct block {
	const u8 *p, *stop; /* where it was cut */
	const u8 *from;     /* the first record; NULL: none was found */
	const u8 *to;       /* behind the last that was seen */
	const u8 *last;     /* that one */
	struct tally t;
};

struct wave {
	const struct scan *sc;
	const u8 *end;     /* of all bytes */
	size_t block_size; /* at the most */
	struct block *blocks;
	u8 **buffers; /* owned; of workers that read; NULL: not yet */
};

bool pass1_blocks_pay(const struct session *s, size_t size)
{
	const struct id_places *pl = &s->index->places;

	/* Times must not depend on the rounds before, nor the bytes on being turned. */
	return size >= WORTH_IT && !s->file->swap && !pl->mixed &&
	       (!s->has_time || (pl->off_time > 0 && pl->rev_time && pl->all_trailers));
}

/* A record that can be told on its own, and changes nothing for those after it. */
static inline bool ordinary(const struct id_places *pl, u32 type, u32 size)
{
	if (likely(type == PERF_RECORD_SAMPLE))
		return pl->off_time <= 0 || size >= (u32)pl->off_time + 8;
	switch (type) {
	case PERF_RECORD_AUXTRACE:
	case PERF_RECORD_COMPRESSED:
	case PERF_RECORD_COMPRESSED2:
	case PERF_RECORD_EVENT_UPDATE:
		return false;
	default:
		return record_name(type);
	}
}

/* The record at *@p, which ends before @end. Return: false when it is not ordinary. */
static inline bool walk_one(struct scan *sc, struct block *b, const u8 **p, const u8 *end)
{
	const u8 *rec = *p;
	u64 offset = (u64)(rec - sc->base) + sc->base_offset;
	u32 type, size;

	if (unlikely(end - rec < (ptrdiff_t)FRAME_HEADER))
		return false;
	type = rec_type(rec);
	size = rec_size(rec);
	if (unlikely(size < FRAME_HEADER || size > end - rec || (size & 7) ||
		     !ordinary(&sc->ix->places, type, size)))
		return false;
	ask_ahead(rec, size);
	pass1_record(sc, rec, type, size, offset, file_place(offset, 0, 0));
	b->last = rec;
	*p = rec + size;
	return true;
}

/* Where samples tell their times, and nothing else is asked of them. */
static bool has_runs(const struct scan *sc)
{
	const struct session *s = sc->s;

	return sc->ix->places.off_time > 0 && !s->file_order && !s->by_event && !s->counts_only;
}

/* Samples from @p on, as long as nothing else comes and the chunk is not full. */
static const u8 *walk_samples(struct scan *sc, struct block *b, const u8 *p, const u8 *end)
{
	u32 off_time = (u32)sc->ix->places.off_time;
	size_t room = sc->chunk_size - (size_t)(p - sc->cur_at);
	const u8 *stop = p + MIN((size_t)(b->stop - p), room);
	struct sample_run r = { .low = UINT64_MAX, .in_order = true };

	while (p < stop && end - p >= (ptrdiff_t)FRAME_HEADER) {
		u32 size = rec_size(p);
		u64 time;

		if (unlikely(rec_type(p) != PERF_RECORD_SAMPLE || size < off_time + 8 ||
			     size > end - p || (size & 7)))
			break;
		time = *(const u64_una *)(p + off_time);
		if (unlikely(!time))
			break;
		ask_ahead(p, size);
		r.first = r.nr ? r.first : time;
		r.in_order &= time >= r.last;
		r.low = MIN(r.low, time);
		r.high = MAX(r.high, time);
		r.last = time;
		r.nr++;
		b->last = p;
		p += size;
	}
	if (r.nr)
		tally_run(sc->t, &r);
	return p;
}

static void walk_block(struct scan *sc, struct block *b, const u8 *end)
{
	bool runs = has_runs(sc);
	const u8 *p = b->from;

	pass1_open(sc, p);
	while (p < b->stop) {
		const u8 *next = runs ? walk_samples(sc, b, p, end) : p;

		if (next == p && !walk_one(sc, b, &next, end))
			break;
		p = next;
		if ((size_t)(p - sc->cur_at) >= sc->chunk_size)
			pass1_cut(sc, p, p);
	}
	pass1_cut(sc, p, NULL);
	b->to = p;
}

/* Of a block whose records have to be counted and no more. */
static void count_block(struct scan *sc, struct block *b, const u8 *end)
{
	struct counting c;
	const u8 *p = b->from;

	counting_init(&c, sc->s, sc->t);
	while (p < b->stop) {
		p = counting_run(&c, p, b->stop, &b->last);
		if (p < b->stop && !walk_one(sc, b, &p, end))
			break;
	}
	counting_end(&c);
	b->to = p;
}

static const u8 *rebase(const u8 *p, const u8 *from, const u8 *to)
{
	return p ? to + (p - from) : NULL;
}

/* What was found in a buffer is in the mapping at the same place. */
static void rebase_block(struct block *b, const u8 *from, const u8 *to)
{
	struct tally *t = &b->t;

	b->from = rebase(b->from, from, to);
	b->to = rebase(b->to, from, to);
	b->last = rebase(b->last, from, to);
	for (size_t i = 0; i < t->side.nr; i++)
		t->side.v[i].rec = rebase(t->side.v[i].rec, from, to);
	for (size_t i = 0; i < t->nr_chunks; i++)
		t->chunks[i].p = rebase(t->chunks[i].p, from, to);
}

/*
 * Reading is no dearer than mapping page by page, and takes no memory: the mapping of a file larger
 * than memory would push out everything else, only to be needed again a pass later. Return: false
 * when that does not work.
 */
static bool read_block(struct scan *sc, struct block *b, const struct wave *w, u8 **buffer)
{
	const u8 *at = b->p, *stop = b->stop;
	size_t want = (size_t)(stop - at) + MIN(TAIL, (size_t)(w->end - stop));

	if (sc->fd < 0)
		return false;
	if (!*buffer)
		*buffer = xmalloc(w->block_size + TAIL);
	if (pread(sc->fd, *buffer, want, (off_t)(at - sc->base)) != (ssize_t)want)
		return false;
	b->stop = *buffer + (stop - at);
	b->from = frame_start(*buffer, b->stop);
	sc->base = *buffer - (at - sc->base);
	if (b->from && sc->s->counts_only)
		count_block(sc, b, *buffer + want);
	else if (b->from)
		walk_block(sc, b, *buffer + want);
	b->stop = stop;
	rebase_block(b, *buffer, at);
	return true;
}

static void run_block(void *arg, int worker, size_t item)
{
	struct wave *w = arg;
	struct block *b = &w->blocks[item];
	struct id_cache cache = { 0 };
	struct scan sc = *w->sc;

	sc.t = &b->t;
	sc.cache = &cache;
	sc.cur = (struct chunk){ 0 };
	sc.counting = NULL;
	if (read_block(&sc, b, w, &w->buffers[worker]))
		return;
	pass1_populate(b->p, b->stop);
	b->from = frame_start(b->p, b->stop);
	if (!b->from)
		return;
	if (sc.s->counts_only)
		count_block(&sc, b, w->end);
	else
		walk_block(&sc, b, w->end);
}

/* Return: where the next block has to begin. */
static const u8 *join_block(struct scan *sc, const struct block *b, const u8 *p, const u8 *end)
{
	if (b->from == p && b->last) {
		tally_join(sc->t, &b->t);
		sc->prev = b->last;
		p = b->to;
	}
	return p < b->stop ? pass1_walk(sc, p, b->stop, end) : p;
}

void pass1_blocks(struct scan *sc, const u8 *p, const u8 *end)
{
	bool counts = sc->s->counts_only;
	struct crew *crew = session_crew(sc->s);
	int workers = crew_workers(crew);
	struct wave w = { .sc = sc, .end = end, .block_size = counts ? COUNT_BLOCK : BLOCK_SIZE };
	size_t nr = MIN(((size_t)(end - p) + w.block_size - 1) / w.block_size,
			(size_t)(counts ? COUNT_WAVE : WAVE));

	sc->ix->read = sc->fd >= 0;
	w.blocks = xcalloc(nr, sizeof(*w.blocks));
	w.buffers = xcalloc((size_t)workers, sizeof(*w.buffers));
	for (size_t i = 0; i < nr; i++)
		tally_init(&w.blocks[i].t);
	for (const u8 *at = p; at < end;) {
		size_t n = 0, side = 0;

		for (; n < nr && at < end; n++) {
			struct block *b = &w.blocks[n];

			tally_reset(&b->t);
			b->p = at;
			b->stop = at += MIN(w.block_size, (size_t)(end - at));
			b->from = b->to = b->last = NULL;
		}
		crew_run(crew, n, run_block, &w);
		for (size_t i = 0; i < n; i++)
			side += w.blocks[i].t.side.nr;
		refs_expect(&sc->t->side, side);
		for (size_t i = 0; i < n; i++)
			p = join_block(sc, &w.blocks[i], p, end);
	}
	for (size_t i = 0; i < nr; i++)
		tally_release(&w.blocks[i].t);
	free(w.blocks);
	for (int i = 0; i < workers; i++)
		free(w.buffers[i]);
	free(w.buffers);
}
