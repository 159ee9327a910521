// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whose table a sample is counted in. Would each worker count what it reads, then the more there is
 * to read, the nearer the table of each came to all stacks there are. So samples of one chain have
 * one table, whoever reads them:
 *
 *	reads  -+- parcels to 0 -> table 0	its own table's are parcels too
 *	        +- parcels to 1 -> table 1
 *
 * Parcels are delivered several at a time, by who filled them, under the lock of the table. A table
 * that is busy is asked again later: nobody waits for one while there is room.
 */
#include "base/compat.h"

#include "hist/hist-internal.h"
#include "wire/event.h"

#define PARCEL_SIZE (4096 - 64)
#define PARCELS 64 /* of a worker, or so many that each table can have two */

struct parcel {
	struct parcel *next;
	u32 used;
	u8 data[PARCEL_SIZE] __attribute__((aligned(8)));
};

/* ---- samples as bytes ---- */

/* What follows a sample: its chain, and where columns keep something, all of it and its texts. */
static size_t carried_size(const struct hist *h, const struct hist_sample *s)
{
	const struct hist_columns *c = &h->conf.cols;
	size_t size = sizeof(*s) + s->nr_chain * sizeof(*s->chain);

	if (!c->nr_kept)
		return size;
	size += sizeof(*s->sample) + HIST_NR_TEXTS * sizeof(*s->texts);
	for (u32 i = 0; i < c->nr_kept; i++)
		if (kept_is_text(c->kept[i]))
			size += s->texts[HIST_TEXT(c->kept[i])].len;
	return ALIGN_UP(size, (size_t)8);
}

/* @size bytes at *@at, which goes on behind them. */
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
	for (u32 i = 0; i < c->nr_kept; i++) {
		const struct hist_text *from = &s->texts[HIST_TEXT(c->kept[i])];

		if (kept_is_text(c->kept[i]))
			texts[HIST_TEXT(c->kept[i])] =
				(struct hist_text){ put(at, from->text, from->len), from->len };
	}
	s->texts = texts;
}

static void carry(const struct hist *h, u8 *at, const struct hist_sample *from)
{
	struct hist_sample *s = put(&at, from, sizeof(*from));

	s->chain = put(&at, from->chain, from->nr_chain * sizeof(*from->chain));
	if (!h->conf.cols.nr_kept)
		return;
	if (from->sample)
		s->sample = put(&at, from->sample, sizeof(*from->sample));
	put_texts(h, &at, s);
}

/* ---- parcels ---- */

/*
 * The table of a chain. A few of its words are enough to spread chains, and are looked at in less
 * time than all: those next to the sample, which differ most often, and some of its callers.
 */
static u32 table_of(const struct hist *h, const struct hist_sample *s)
{
	u64 hash = s->nr_chain, nr = s->nr_chain;

	if (nr < 4)
		hash ^= s->ip;
	else
		hash ^= s->chain[1] ^ hash_u64(s->chain[2] ^ s->chain[3] << 24) ^
			hash_u64(s->chain[nr / 2] ^ s->chain[nr - nr / 4] << 24);
	return (u32)((hash_u64(hash) >> 32) * (u32)h->nr_workers >> 32);
}

/* Count what is in a list, in a table whose lock is held. */
static void unpack(struct hist_worker *w, struct parcels *l, struct hist_worker *table)
{
	struct parcel *p, *last = NULL;

	for (p = l->first; p; last = p, p = p->next) {
		u8 *at = p->data;

		while (at < p->data + p->used) {
			const struct hist_sample *s = (const struct hist_sample *)at;

			hist_count(table, s);
			at += carried_size(w->h, s);
		}
	}
	if (last) {
		last->next = w->spare;
		w->spare = l->first;
	}
	*l = (struct parcels){ 0 };
}

static bool try_deliver(struct hist_worker *w, u32 to, struct hist_worker *table)
{
	if (pthread_mutex_trylock(&table->lock))
		return false;
	unpack(w, &w->parcels[to], table);
	pthread_mutex_unlock(&table->lock);
	return true;
}

static void deliver(struct hist_worker *w, u32 to, struct hist_worker *table)
{
	pthread_mutex_lock(&table->lock);
	unpack(w, &w->parcels[to], table);
	pthread_mutex_unlock(&table->lock);
}

/* All parcels are full: wait for a table, if need be. */
static void make_room(struct hist_worker *w)
{
	u32 most = 0;

	for (u32 i = 0; i < (u32)w->h->nr_workers; i++)
		if (w->parcels[i].nr > w->parcels[most].nr)
			most = i;
	deliver(w, most, w->h->workers[most]);
}

static u32 parcels_max(const struct hist *h)
{
	return MAX(PARCELS, 2 * h->nr_workers);
}

/* A new parcel at the end of a list. */
static struct parcel *parcel_add(struct hist_worker *w, struct parcels *l)
{
	struct parcel *p;

	if (!w->spare && w->nr_parcels >= parcels_max(w->h))
		make_room(w);
	p = w->spare;
	if (p)
		w->spare = p->next;
	else {
		p = xmalloc(sizeof(*p));
		w->nr_parcels++;
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

void hist_hand_on(struct hist_worker *w, const struct hist_sample *s)
{
	const struct hist *h = w->h;
	u32 to = table_of(h, s), some = parcels_max(h) / 2 / (u32)h->nr_workers;
	size_t size = carried_size(h, s);
	struct parcels *l;

	if (size > PARCEL_SIZE) {
		pthread_mutex_lock(&h->workers[to]->lock);
		hist_count(h->workers[to], s);
		pthread_mutex_unlock(&h->workers[to]->lock);
		return;
	}
	if (!w->parcels)
		w->parcels = xcalloc((size_t)h->nr_workers, sizeof(*w->parcels));
	l = &w->parcels[to];
	if (!l->last || l->last->used + size > PARCEL_SIZE) {
		if (l->nr >= some)
			try_deliver(w, to, h->workers[to]);
		parcel_add(w, l);
	}
	carry(h, l->last->data + l->last->used, s);
	l->last->used += (u32)size;
}

static void deliver_all(void *ctx, int worker, size_t item)
{
	struct hist *h = ctx;
	struct hist_worker *w = h->workers[item];

	(void)worker;
	for (u32 i = 0; w->parcels && i < (u32)h->nr_workers; i++) {
		u32 to = ((u32)item + i) % (u32)h->nr_workers;

		deliver(w, to, h->workers[to]);
	}
	parcels_release(w);
}

void parcels_deliver(struct hist *h)
{
	if (h->hands_on)
		crew_run(h->crew, h->nr_workers, deliver_all, h);
}

static void free_list(struct parcel *p)
{
	for (struct parcel *next; p; p = next) {
		next = p->next;
		free(p);
	}
}

void parcels_release(struct hist_worker *w)
{
	for (u32 i = 0; w->parcels && i < (u32)w->h->nr_workers; i++)
		free_list(w->parcels[i].first);
	free_list(w->spare);
	free(w->parcels);
	w->parcels = NULL;
	w->spare = NULL;
	w->nr_parcels = 0;
}
