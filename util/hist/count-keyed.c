// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting with key values, for rows without stacks. There may be nearly as many different sets of
 * values as samples, so one table leads from all that is kept of a sample to its tally, and the
 * tally, its base and its values have the same number. Many samples wait while memory brings what
 * they need of that table. Addresses among the values get their numbers at the end.
 */
#include "base/compat.h"

#include "hist/counting-internal.h"
#include "hist/rows-internal.h"

/* ---- a sample in the queue ---- */

static u32 owner_id(struct hist_worker *w, const struct hist_sample *s)
{
	struct key_owner o = { s->epoch, s->kernel_epoch, s->pid, s->cpumode };
	u64 hash = hash_u64(((u64)o.epoch << 32 | o.kernel_epoch) ^
			    hash_u64((u64)o.pid << 32 | o.cpumode));
	struct keyed *k = &w->keyed;
	size_t pos;

	index_reserve(&k->by_owner);
	index_for_each(&k->by_owner, hash, pos)
	{
		if (!memcmp(&k->owners[index_at(&k->by_owner, pos)], &o, sizeof(o)))
			return index_at(&k->by_owner, pos);
	}
	VEC_GROW(k->owners, k->nr_owners + 1, k->cap_owners);
	k->owners[k->nr_owners] = o;
	index_put(&k->by_owner, pos, hash, (u32)k->nr_owners);
	return (u32)k->nr_owners++;
}

/* Return the base of a sample, which has no set of values yet, and in @from the number of its
 * owner. */
static struct hist_base keyed_base(struct hist_worker *w, const struct hist_sample *s)
{
	const struct hist *h = w->h;
	bool whose = !s->filtered || h->conf.cols.hierarchy;
	struct hist_base b = { .evsel = s->evsel, .flags = s->filtered ? HIST_FILTERED : 0 };

	if (h->keep & NEED_COMM && whose)
		b.comm = s->comm;
	if (h->keep & NEED_THREAD && whose)
		b.tid = s->tid;
	if (h->keep & NEED_CPU && whose)
		b.cpu = s->cpu;
	if (h->conf.cols.need & NEED_ADDRS && (!s->filtered || filtered_have_keys(h)))
		b.from = owner_id(w, s);
	return b;
}

static u64 *waiting_values(const struct hist_worker *w, u32 at)
{
	return w->keyed.values + (size_t)at * w->h->conf.cols.nr_keys;
}

/* Put a sample into the queue. Its tally has the number of its place there as base. */
static struct pending *keyed_begin(struct hist_worker *w, const struct hist_sample *s)
{
	u32 at = w->nr_queued;
	u64 *values = waiting_values(w, at);

	w->keyed.bases[at] = keyed_base(w, s);
	if (likely(!s->filtered) || filtered_have_keys(w->h))
		key_values_of(w, s, values);
	else
		memset(values, 0, w->h->conf.cols.nr_keys * sizeof(*values));
	return tally_begin_at(w, s, NO_STACK, at);
}

/* ---- the table ---- */

static u64 keyed_hash(const struct hist_worker *w, const struct tally *t)
{
	const struct hist_base *b = &w->keyed.bases[t->base];
	const u64 *values = waiting_values(w, t->base);
	u64 hash = t->ip ^ (u64)t->place << 36 ^ (u64)t->epoch << 20 ^ t->mode;

	hash = hash_mix(hash, (u64)b->evsel << 32 | b->comm);
	hash = hash_mix(hash, (u64)b->tid << 32 | b->cpu);
	hash = hash_mix(hash, b->from << 8 ^ b->flags);
	for (u32 i = 0; i < w->h->conf.cols.nr_keys; i++)
		hash = hash_mix(hash, values[i]);
	return hash_u64(hash);
}

static bool same_words(const u64 *a, const u64 *b, u32 nr)
{
	u64 differ = 0;

	for (u32 i = 0; i < nr; i++)
		differ |= a[i] ^ b[i];
	return !differ;
}

/* Tell whether a sample counts in the tally of this number. */
static bool keyed_same(const struct hist_worker *w, const struct tally *s, u32 number)
{
	const struct tally *t = &w->tallies[number];
	u32 size = w->h->conf.cols.nr_keys;

	return t->ip == s->ip && t->epoch == s->epoch && t->place == s->place &&
	       t->mode == s->mode && likely(t->nr < UINT32_MAX) &&
	       same_words(w->key_values + (size_t)number * size, waiting_values(w, s->base),
			  size) &&
	       base_same(&w->bases[number], &w->keyed.bases[s->base]);
}

static void keyed_new(struct hist_worker *w, const struct pending *p, size_t pos)
{
	size_t number = w->nr_tallies++, size = w->h->conf.cols.nr_keys;

	VEC_GROW(w->tallies, w->nr_tallies, w->cap_tallies);
	VEC_GROW(w->bases, w->nr_tallies, w->cap_bases);
	VEC_GROW(w->key_values, w->nr_tallies * size, w->cap_key_values);
	w->tallies[number] = p->tally;
	w->bases[number] = w->keyed.bases[p->tally.base];
	w->nr_evsels = MAX(w->nr_evsels, w->bases[number].evsel + 1);
	memcpy(w->key_values + number * size, waiting_values(w, p->tally.base),
	       size * sizeof(*w->key_values));
	index_put(&w->by_tally, pos, p->hash, (u32)number);
}

static void keyed_add(struct hist_worker *w, const struct pending *p)
{
	size_t pos;

	index_reserve(&w->by_tally);
	index_for_each(&w->by_tally, p->hash, pos)
	{
		u32 number = index_at(&w->by_tally, pos);

		if (keyed_same(w, &p->tally, number)) {
			tally_merge(&w->tallies[number], &p->tally);
			return;
		}
	}
	keyed_new(w, p, pos);
}

static void fetch_words(const void *words, size_t size)
{
	for (size_t at = 0; at < size; at += 64)
		__builtin_prefetch((const char *)words + at);
	__builtin_prefetch((const char *)words + size - 1);
}

/* Have memory bring what counts a sample, whose slot is there. */
static void keyed_fetch(const struct hist_worker *w, u64 hash)
{
	u32 size = w->h->conf.cols.nr_keys;
	size_t pos;

	index_for_each(&w->by_tally, hash, pos)
	{
		u32 number = index_at(&w->by_tally, pos);

		tally_fetch(w, number);
		fetch_words(&w->bases[number], sizeof(*w->bases));
		fetch_words(w->key_values + (size_t)number * size, size * sizeof(u64));
		return;
	}
}

/* Count the samples that wait. */
static void keyed_count(struct hist_worker *w)
{
	u32 i;

	for (i = 0; i < w->nr_queued; i++) {
		w->queue[i].hash = keyed_hash(w, &w->queue[i].tally);
		tally_prefetch(w, w->queue[i].hash);
	}
	for (i = 0; w->by_tally.slots && i < w->nr_queued; i++)
		keyed_fetch(w, w->queue[i].hash);
	for (i = 0; i < w->nr_queued; i++)
		keyed_add(w, &w->queue[i]);
	w->nr_queued = 0;
}

/* No more samples will come: the tables become those that other strategies make. */
static void keyed_end(void *ctx, int worker, size_t item)
{
	const struct hist *h = ctx;
	struct hist_worker *w = h->workers[item];

	(void)worker;
	index_release(&w->by_tally);
	w->nr_bases = w->nr_key_sets = w->nr_tallies;
	if (h->conf.cols.need & NEED_ADDRS)
		key_addrs_number(w);
	for (size_t i = 0; i < w->nr_tallies; i++) {
		w->tallies[i].base = (u32)i;
		w->bases[i].key_set = i;
		w->bases[i].from = 0;
	}
	keyed_release(&w->keyed);
}

void keyed_release(struct keyed *k)
{
	free(k->values);
	free(k->bases);
	free(k->owners);
	index_release(&k->by_owner);
	*k = (struct keyed){ 0 };
}

static void keyed_finish(struct hist *h)
{
	rows_of_keyed(h);
	rows_order(h);
}

static void keyed_prepare(struct hist_worker *w)
{
	w->h->own_sets = true;
	w->keyed.values = xcalloc((size_t)PENDING * w->h->conf.cols.nr_keys, sizeof(u64));
	w->keyed.bases = xcalloc(PENDING, sizeof(*w->keyed.bases));
	VEC_GROW(w->keyed.owners, 1, w->keyed.cap_owners);
	w->keyed.owners[w->keyed.nr_owners++] = (struct key_owner){ 0 }; /* nobody */
}

/* ---- addresses are resolved at the end ---- */

static void count(struct hist_worker *w, const struct hist_sample *s)
{
	keyed_begin(w, s);
	if (w->nr_queued == PENDING)
		keyed_count(w);
}

static void flush(struct hist *h)
{
	for (int i = 0; i < h->nr_workers; i++)
		keyed_count(h->workers[i]);
	crew_run(h->crew, h->nr_workers, keyed_end, h);
}

const struct counting counting_keyed = {
	.early = &counting_early_keyed,
	.prepare = keyed_prepare,
	.add = count,
	.count = count,
	.flush = flush,
	.resolve = resolve_at_end,
	.finish = keyed_finish,
};

/* ---- addresses are resolved early ---- */

/* Find the functions of the waiting samples that the address cache does not know. @ids: receives
 * their numbers. */
static void functions_new(struct hist_worker *w, const u8 *which, u32 nr, u32 ids[PENDING])
{
	struct location at[PENDING];

	early_locate(w, which, nr, at);
	for (u32 i = 0; i < nr; i++) {
		struct early_frame f = early_function(w, &at[i]);

		ids[which[i]] = early_frame_id(w, &f);
		address_cache_put(&w->early.cache, &w->queue[which[i]].key, ids[which[i]], 0);
	}
}

/* Make the waiting tallies those of functions, or else of addresses in objects. */
static void set_functions(struct hist_worker *w)
{
	u32 ids[PENDING], i, nr = 0;
	u8 missing[PENDING];
	u64 more;

	for (i = 0; i < w->nr_queued; i++) {
		ids[i] = address_cache_find(&w->early.cache, &w->queue[i].key, &more);
		if (ids[i] == UINT32_MAX)
			missing[nr++] = (u8)i;
	}
	functions_new(w, missing, nr, ids);
	for (i = 0; i < w->nr_queued; i++) {
		const struct early_frame *f = &w->early.frames[ids[i]];
		struct tally *t = &w->queue[i].tally;

		t->start = f->addr;
		t->object = f->dso;
		t->sym = f->sym;
	}
}

static void count_functions(struct hist_worker *w)
{
	set_functions(w);
	keyed_count(w);
}

static void count_early(struct hist_worker *w, const struct hist_sample *s)
{
	struct pending *p = keyed_begin(w, s);
	const struct tally *t = &p->tally;

	p->key = address_cache_key(t->ip, t->epoch, hist_ip_mode(w->h, t->ip, t->mode), 0);
	address_cache_prefetch(&w->early.cache, &p->key);
	if (w->nr_queued == PENDING)
		count_functions(w);
}

static void flush_early(struct hist *h)
{
	for (int i = 0; i < h->nr_workers; i++)
		count_functions(h->workers[i]);
	crew_run(h->crew, h->nr_workers, keyed_end, h);
}

static void prepare_early(struct hist_worker *w)
{
	keyed_prepare(w);
	early_prepare(w);
}

const struct counting counting_early_keyed = {
	.prepare = prepare_early,
	.add = count_early,
	.count = count_early,
	.flush = flush_early,
	.resolve = early_places_resolve,
	.finish = keyed_finish,
};
