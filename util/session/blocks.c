// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pass 1 on several threads. The bytes are cut into blocks at arbitrary places. Each block is
 * walked from the first place in it where a record surely begins, up to the first record that is
 * not ordinary, with a tally of its own. The blocks are then joined in order: the result of a block
 * counts if it begins exactly where the walk up to it has ended. If that place was not the start of
 * a record after all, the bytes are walked again, and so are the bytes that a block has left over.
 * The result does not depend on the guess, nor on the number of threads.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "base/pool.h"
#include "session/session-internal.h"

#include <pthread.h>
#include <unistd.h>

#define BLOCK_SIZE ((size_t)1 << 17)
#define COUNT_BLOCK ((size_t)1 << 20)  /* if only counts are needed */
#define SPARSE_BLOCK ((size_t)1 << 22) /* if most bytes are not looked at */
#define TAIL                                                                                       \
	((size_t)1 << 12) /* bytes read beyond a block; a last record that reaches further is left \
			     to the joining */
#define SLOTS 8           /* for each worker, the number of tallies that exist at a time */
#define WORTH_IT ((size_t)1 << 22)
#define MAPPED_AT_ONCE ((u64)256 << 20) /* bytes of a file whose pages may all be mapped */
#define LOOKED_AT 64                    /* records */
#define LARGE 4096                      /* bytes of a record */

struct block {
	const u8 *p, *stop; /* the range of the block */
	const u8 *from;     /* the first record; NULL: none was found */
	const u8 *to;       /* the end of the last record that was processed */
	const u8 *last;     /* the last record */
	bool done;          /* protected by lock: it can be joined */
	struct tally t;
};

struct pass1 {
	struct scan begin; /* the state with which each block begins */
	const u8 *p, *end; /* all bytes */
	size_t size;       /* the largest size of a block */
	struct block *slots;
	size_t nr_slots;
	u8 **buffers; /* owned; one for each worker that reads; NULL: not allocated */
	/* These are for the joining thread: */
	struct scan *sc;
	const u8 *at; /* everything before this is joined */
	pthread_mutex_t lock;
	pthread_cond_t room;
	size_t joined; /* protected by lock, like */
	bool joining;  /* a thread is joining */
};

bool pass1_blocks_apply(const struct session *s)
{
	const struct id_places *pl = &s->index->places;

	/* Times must not depend on earlier rounds, and the bytes must be native. */
	return !s->file->swap && !pl->mixed &&
	       (!s->has_time || (pl->off_time > 0 && pl->rev_time && pl->all_trailers));
}

bool pass1_blocks_pay(const struct session *s, size_t size)
{
	return size >= WORTH_IT && pass1_blocks_apply(s);
}

/* Tell whether a record can be interpreted on its own and does not affect the following ones. */
static inline bool ordinary(const struct id_places *pl, u32 type, u32 size)
{
	if (likely(type == PERF_RECORD_SAMPLE))
		return pl->off_time <= 0 || size >= (u32)pl->off_time + 8;
	switch (type) {
	case PERF_RECORD_AUXTRACE:
	case PERF_RECORD_COMPRESSED:
	case PERF_RECORD_COMPRESSED2:
	case PERF_RECORD_EVENT_UPDATE:
	case PERF_RECORD_ID_INDEX:
		return false;
	default:
		return record_name(type);
	}
}

/* Process the record at *@p, which ends before @end. Return: false when it is not ordinary. */
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
	prefetch_walk(rec, size);
	pass1_record(sc, rec, type, size, offset, file_place(offset, 0, 0));
	b->last = rec;
	*p = rec + size;
	return true;
}

/* Tell whether samples have times and nothing else is needed from them. */
static bool has_runs(const struct scan *sc)
{
	const struct session *s = sc->s;

	return sc->ix->places.off_time > 0 && !s->file_order && !s->by_event && !s->counts_only;
}

/* A walk over samples that are marked, if marks is not NULL. */
struct marking {
	struct marks *marks;
	struct mark *next;
	const bool *wants;
};

/* Begin a stretch at @p. */
static inline struct stretch open_stretch(const struct marking *g, const u8 *p)
{
	return (struct stretch){ .rec = p,
				 .marks = g->marks,
				 .mark = g->marks ? (u32)(g->next - g->marks->v) : 0 };
}

/* Mark a sample of the event @e, if it is wanted. */
static inline void mark_sample(struct marking *g, const u8 *p, u64 time, const struct evsel *e)
{
	*g->next = (struct mark){ time, (u32)(p - g->marks->bytes),
				  likely(e) ? e->idx : UNKNOWN_EVENT };
	g->next += !g->wants || !e || g->wants[e->idx];
}

/* Take samples into a new stretch, until one is earlier than the one before, another record comes,
 * or @stop is reached. *@last: becomes the last of them */
static inline void walk_stretch(struct scan *sc, struct marking *g, struct stretch *s,
				const u8 **last, const u8 *stop, const u8 *end)
{
	const u32 off_time = (u32)sc->ix->places.off_time, least = off_time + 8;
	const u8 *p = s->rec;
	u64 time, before = 1; /* a time of 0 is none */
	u32 nr = 0;

	while (p < stop && end - p >= (ptrdiff_t)FRAME_HEADER) {
		const u32 size = rec_size(p);

		if (unlikely(rec_type(p) != PERF_RECORD_SAMPLE || size < least || size > end - p ||
			     (size & 7)))
			break;
		time = *(const u64_una *)(p + off_time);
		if (unlikely(time < before))
			break;
		prefetch_walk(p, size);
		if (g->marks)
			mark_sample(g, p, time,
				    evsel_of(sc->s, p, PERF_RECORD_SAMPLE, size, false, sc->cache));
		before = time;
		*last = p;
		p += size;
		nr++;
	}
	s->end = p;
	s->nr = nr;
	s->last = before;
	s->first = nr ? *(const u64_una *)(s->rec + off_time) : 0;
	s->nr_marks = g->marks ? (u32)(g->next - g->marks->v) - s->mark : 0;
}

static void join_stretch(struct sample_run *r, const struct stretch *s)
{
	r->in_order &= s->first >= r->last;
	r->first = r->nr ? r->first : s->first;
	r->last = s->last;
	r->low = MIN(r->low, s->first);
	r->high = MAX(r->high, s->last);
	r->nr += s->nr;
}

/* Process samples from @p on, until another record comes or the chunk is full. */
static const u8 *walk_samples(struct scan *sc, struct block *b, const u8 *p, const u8 *end)
{
	size_t room = sc->chunk_size - (size_t)(p - sc->cur_at);
	const u8 *stop = p + MIN((size_t)(b->stop - p), room);
	struct sample_run r = { .low = UINT64_MAX, .in_order = true };
	struct marking g = { sc->marks, sc->marks ? sc->marks->v + sc->marks->nr : NULL,
			     sc->wants };

	for (;;) {
		struct stretch s = open_stretch(&g, p);

		walk_stretch(sc, &g, &s, &b->last, stop, end);
		if (!s.nr)
			break;
		tally_stretch(sc->t, &s);
		join_stretch(&r, &s);
		p = s.end;
	}
	if (g.marks)
		g.marks->nr = (size_t)(g.next - g.marks->v);
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

/* Count the records of a block, which is all that is needed. */
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

/* Convert pointers into a buffer to pointers to the same places of the mapping. */
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
	for (size_t i = 0; i < t->nr_stretches; i++) {
		t->stretches[i].rec = rebase(t->stretches[i].rec, from, to);
		t->stretches[i].end = rebase(t->stretches[i].end, from, to);
	}
}

const u8 *pass1_take(struct scan *sc, const u8 *p, const u8 *bytes, size_t len, struct tally *t)
{
	struct block b = { .from = bytes, .stop = bytes + len, .t = *t };
	struct scan part = *sc;

	tally_reset(&b.t);
	part.t = &b.t;
	part.cur = (struct chunk){ 0 };
	part.base = bytes - (p - sc->base);
	walk_block(&part, &b, bytes + len);
	rebase_block(&b, bytes, p);
	if (b.last)
		sc->prev = b.last;
	*t = b.t;
	return b.to;
}

/*
 * Read a block with read(). That is not more expensive than mapping page by page, and takes no
 * memory: mapping a file larger than memory would displace everything else. Where most pages are
 * not looked at it is more expensive. Return: false when it was not read.
 */
static bool read_block(struct scan *sc, struct block *b, const struct pass1 *all, u8 **buffer)
{
	const u8 *at = b->p, *stop = b->stop;
	size_t want = (size_t)(stop - at) + MIN(TAIL, (size_t)(all->end - stop));

	if (!sc->ix->read)
		return false;
	if (!*buffer)
		*buffer = xmalloc(all->size + TAIL);
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

/* Walk a block in the mapping. */
static void walk_mapped(struct scan *sc, struct block *b, const struct pass1 *all)
{
	b->from = frame_start(b->p, b->stop);
	if (!b->from)
		return;
	if (sc->s->counts_only)
		count_block(sc, b, all->end);
	else
		walk_block(sc, b, all->end);
}

static void take_block(const struct pass1 *all, struct block *b, u8 **buffer)
{
	struct id_cache cache = { 0 };
	struct scan sc = all->begin;

	sc.t = &b->t;
	sc.cache = &cache;
	sc.cur = (struct chunk){ 0 };
	sc.counting = NULL;
	if (read_block(&sc, b, all, buffer))
		return;
	if (!sc.ix->sparse)
		pass1_populate(b->p, b->stop);
	walk_mapped(&sc, b, all);
	if (sc.ix->sparse)
		mapping_release(sc.s, b->p, b->stop);
}

/* Join a block. Return: where the next block has to begin. */
static const u8 *join_block(struct scan *sc, const struct block *b, const u8 *p, const u8 *end)
{
	if (b->from == p && b->last) {
		tally_join(sc->t, &b->t);
		sc->prev = b->last;
		p = b->to;
	}
	return p < b->stop ? pass1_walk(sc, p, b->stop, end) : p;
}

/*
 * Join the first block that is not joined and the finished blocks after it. The thread that has
 * finished a block does so, unless another thread is joining.
 */
static void join_done(struct pass1 *all, struct block *b)
{
	pthread_mutex_lock(&all->lock);
	b->done = true;
	if (all->joining) {
		pthread_mutex_unlock(&all->lock);
		return;
	}
	all->joining = true;
	while ((b = &all->slots[all->joined % all->nr_slots])->done) {
		pthread_mutex_unlock(&all->lock);
		all->at = join_block(all->sc, b, all->at, all->end);
		pthread_mutex_lock(&all->lock);
		b->done = false;
		all->joined++;
		pthread_cond_broadcast(&all->room);
	}
	all->joining = false;
	pthread_mutex_unlock(&all->lock);
}

/* Wait for the slot of a block, which is free when the block before in that slot was joined. */
static struct block *await_slot(struct pass1 *all, size_t item)
{
	pthread_mutex_lock(&all->lock);
	while (item >= all->joined + all->nr_slots)
		pthread_cond_wait(&all->room, &all->lock);
	pthread_mutex_unlock(&all->lock);
	return &all->slots[item % all->nr_slots];
}

static void run_block(void *ctx, int worker, size_t item)
{
	struct pass1 *all = ctx;
	struct block *b = await_slot(all, item);

	tally_reset(&b->t);
	b->p = all->p + item * all->size;
	b->stop = b->p + MIN(all->size, (size_t)(all->end - b->p));
	b->from = b->to = b->last = NULL;
	take_block(all, b, &all->buffers[worker]);
	join_done(all, b);
}

bool pass1_is_sparse(const struct session *s, const u8 *p, const u8 *end)
{
	const u8 *at = frame_start(p + ALIGN_UP((size_t)(end - p) / 2, 8), end);
	size_t nr = 0, large = 0;

	if (p < s->file->map || p >= s->file->map + s->file->size)
		return false; /* it is another file of a directory */
	for (; at && nr < LOOKED_AT && rec_whole(at, end); at += rec_size(at), nr++)
		large += rec_type(at) == PERF_RECORD_SAMPLE && rec_size(at) > LARGE;
	return large > nr / 2;
}

/* Tell whether the pages that pass 1 maps serve the next pass as well: it needs the mapping, and
 * the file is small beside any memory. */
static bool stays_mapped(const struct scan *sc)
{
	return sc->ix->ordered && (u64)sc->s->file->size <= MAPPED_AT_ONCE;
}

void pass1_blocks(struct scan *sc, const u8 *p, const u8 *end)
{
	struct crew *crew = session_crew(sc->s);
	size_t workers = (size_t)crew_workers(crew);
	struct pass1 all = { .p = p, .end = end, .nr_slots = workers * SLOTS, .sc = sc, .at = p };

	sc->ix->sparse = pass1_is_sparse(sc->s, p, end);
	sc->ix->read = sc->fd >= 0 && !sc->ix->sparse && !stays_mapped(sc);
	all.begin = *sc;
	all.size = sc->ix->sparse ? SPARSE_BLOCK : sc->s->counts_only ? COUNT_BLOCK : BLOCK_SIZE;
	all.slots = xcalloc(all.nr_slots, sizeof(*all.slots));
	all.buffers = xcalloc(workers, sizeof(*all.buffers));
	for (size_t i = 0; i < all.nr_slots; i++)
		tally_init(&all.slots[i].t);
	pthread_mutex_init(&all.lock, NULL);
	pthread_cond_init(&all.room, NULL);
	crew_run(crew, ((size_t)(end - p) + all.size - 1) / all.size, run_block, &all);
	pthread_mutex_destroy(&all.lock);
	pthread_cond_destroy(&all.room);
	for (size_t i = 0; i < all.nr_slots; i++)
		tally_release(&all.slots[i].t);
	free(all.slots);
	for (size_t i = 0; i < workers; i++)
		free(all.buffers[i]);
	free(all.buffers);
}
