// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Handing samples to the worker that owns their stack. If each worker counted what it reads, then
 * the more there is to read, the nearer the table of each would come to all stacks there are. So
 * all samples of one stack are counted in one table, whoever reads them, and travel in blocks:
 *
 *	reader -+- blocks for worker 0 -> table of worker 0	the reader's own is no exception
 *	        +- blocks for worker 1 -> table of worker 1
 *
 * Whoever filled blocks counts them, several at a time, under the lock of the table. A table that
 * is busy is tried again later: nobody waits while there is room.
 */
#include "base/compat.h"

#include "hist/counting-internal.h"
#include "wire/event.h"

/* A block of samples that wait for a table. */
#define BLOCK_SIZE (4096 - 64)
#define BLOCKS 64 /* of each worker, or more if each table could not have two */

struct handoff_block {
	struct handoff_block *next;
	u32 used;
	u8 data[BLOCK_SIZE] __attribute__((aligned(8)));
};

struct handoff_list {
	struct handoff_block *first, *last;
	u32 nr;
};

/* ---- samples as bytes ---- */

/*
 * Return the bytes that a sample takes in a block. It is followed by its chain and, where columns
 * keep values, by the whole sample and its texts.
 */
static size_t packed_size(const struct hist *h, const struct hist_sample *s)
{
	const struct hist_columns *c = &h->conf.cols;
	size_t size = sizeof(*s) + s->nr_chain * sizeof(*s->chain);

	if (!c->nr_keys)
		return size;
	size += sizeof(*s->sample) + HIST_NR_TEXTS * sizeof(*s->texts);
	for (u32 i = 0; i < c->nr_keys; i++)
		if (key_is_text(c->keys[i].key))
			size += s->texts[HIST_TEXT(c->keys[i].key)].len;
	return ALIGN_UP(size, (size_t)8);
}

/* Copy @size bytes to *@at, and move that behind them. */
static void *put(u8 **at, const void *data, size_t size)
{
	void *to = *at;

	if (size)
		memcpy(to, data, size);
	*at += size;
	return to;
}

static void put_texts(const struct hist *h, u8 **at, struct hist_sample *s)
{
	const struct hist_columns *c = &h->conf.cols;
	struct hist_text *texts = (struct hist_text *)*at;

	*at += HIST_NR_TEXTS * sizeof(*texts);
	for (u32 i = 0; i < c->nr_keys; i++) {
		const struct hist_text *from = &s->texts[HIST_TEXT(c->keys[i].key)];

		if (key_is_text(c->keys[i].key))
			texts[HIST_TEXT(c->keys[i].key)] =
				(struct hist_text){ put(at, from->text, from->len), from->len };
	}
	s->texts = texts;
}

static void pack(const struct hist *h, u8 *at, const struct hist_sample *from)
{
	struct hist_sample *s = put(&at, from, sizeof(*from));

	s->chain = put(&at, from->chain, from->nr_chain * sizeof(*from->chain));
	if (!h->conf.cols.nr_keys)
		return;
	if (from->sample)
		s->sample = put(&at, from->sample, sizeof(*from->sample));
	put_texts(h, &at, s);
}

/* ---- blocks ---- */

/*
 * Return the worker that owns a stack. A few of its words are enough to spread stacks, and take
 * less time than all: those next to the sample, which differ most often, and some of its callers.
 */
static u32 owner_of(const struct hist *h, const struct hist_sample *s)
{
	u64 hash = s->nr_chain, nr = s->nr_chain;

	if (nr < 4)
		hash ^= s->ip;
	else
		hash ^= s->chain[1] ^ hash_u64(s->chain[2] ^ s->chain[3] << 24) ^
			hash_u64(s->chain[nr / 2] ^ s->chain[nr - nr / 4] << 24);
	return (u32)((hash_u64(hash) >> 32) * (u32)h->nr_workers >> 32);
}

/* Count the samples of a list in a table whose lock is held. */
static void unpack(struct hist_worker *w, struct handoff_list *l, struct hist_worker *table)
{
	struct handoff_block *p, *last = NULL;

	for (p = l->first; p; last = p, p = p->next) {
		u8 *at = p->data;

		while (at < p->data + p->used) {
			const struct hist_sample *s = (const struct hist_sample *)at;

			count_sample(table, s);
			at += packed_size(w->h, s);
		}
	}
	if (last) {
		last->next = w->handoff.spare;
		w->handoff.spare = l->first;
	}
	*l = (struct handoff_list){ 0 };
}

static bool try_deliver(struct hist_worker *w, u32 to, struct hist_worker *table)
{
	if (pthread_mutex_trylock(&table->handoff.lock))
		return false;
	unpack(w, &w->handoff.lists[to], table);
	pthread_mutex_unlock(&table->handoff.lock);
	return true;
}

static void deliver(struct hist_worker *w, u32 to, struct hist_worker *table)
{
	pthread_mutex_lock(&table->handoff.lock);
	unpack(w, &w->handoff.lists[to], table);
	pthread_mutex_unlock(&table->handoff.lock);
}

/* Make room when all blocks are full; this waits for a table if it must. */
static void make_room(struct hist_worker *w)
{
	u32 most = 0;

	for (u32 i = 0; i < (u32)w->h->nr_workers; i++)
		if (w->handoff.lists[i].nr > w->handoff.lists[most].nr)
			most = i;
	deliver(w, most, w->h->workers[most]);
}

static u32 blocks_max(const struct hist *h)
{
	return MAX(BLOCKS, 2 * h->nr_workers);
}

/* Append an empty block to a list. */
static struct handoff_block *block_add(struct hist_worker *w, struct handoff_list *l)
{
	struct handoff_block *p;

	if (!w->handoff.spare && w->handoff.nr_blocks >= blocks_max(w->h))
		make_room(w);
	p = w->handoff.spare;
	if (p)
		w->handoff.spare = p->next;
	else {
		p = xmalloc(sizeof(*p));
		w->handoff.nr_blocks++;
	}
	p->next = NULL;
	p->used = 0;
	if (l->last)
		l->last->next = p;
	else
		l->first = p;
	l->last = p;
	l->nr++;
	return p;
}

static void hand_on(struct hist_worker *w, const struct hist_sample *s)
{
	const struct hist *h = w->h;
	u32 to = owner_of(h, s), some = blocks_max(h) / 2 / (u32)h->nr_workers;
	size_t size = packed_size(h, s);
	struct handoff_list *l;

	if (size > BLOCK_SIZE) {
		pthread_mutex_lock(&h->workers[to]->handoff.lock);
		count_sample(h->workers[to], s);
		pthread_mutex_unlock(&h->workers[to]->handoff.lock);
		return;
	}
	if (!w->handoff.lists)
		w->handoff.lists = xcalloc((size_t)h->nr_workers, sizeof(*w->handoff.lists));
	l = &w->handoff.lists[to];
	if (!l->last || l->last->used + size > BLOCK_SIZE) {
		if (l->nr >= some)
			try_deliver(w, to, h->workers[to]);
		block_add(w, l);
	}
	pack(h, l->last->data + l->last->used, s);
	l->last->used += (u32)size;
}

void handoff_add(struct hist_worker *w, const struct hist_sample *s)
{
	if (w->h->nr_workers > 1)
		hand_on(w, s);
	else
		count_sample(w, s);
}

static void deliver_all(void *ctx, int worker, size_t item)
{
	struct hist *h = ctx;
	struct hist_worker *w = h->workers[item];

	(void)worker;
	for (u32 i = 0; w->handoff.lists && i < (u32)h->nr_workers; i++) {
		u32 to = ((u32)item + i) % (u32)h->nr_workers;

		deliver(w, to, h->workers[to]);
	}
	handoff_release(w);
}

void handoff_finish(struct hist *h)
{
	if (h->nr_workers > 1)
		crew_run(h->crew, h->nr_workers, deliver_all, h);
}

static void free_list(struct handoff_block *p)
{
	for (struct handoff_block *next; p; p = next) {
		next = p->next;
		free(p);
	}
}

void handoff_release(struct hist_worker *w)
{
	for (u32 i = 0; w->handoff.lists && i < (u32)w->h->nr_workers; i++)
		free_list(w->handoff.lists[i].first);
	free_list(w->handoff.spare);
	free(w->handoff.lists);
	w->handoff.lists = NULL;
	w->handoff.spare = NULL;
	w->handoff.nr_blocks = 0;
}
