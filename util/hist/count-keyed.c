// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting with key values, for rows without stacks. There may be nearly as many different sets of
 * values as samples, so one table leads from all that is kept of a sample to its tally, and the
 * tally and its set of values have the same number. Many samples wait while memory brings what
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

/* Return the owner of a sample: most often it is that of the sample before. */
static u32 owner_of(struct hist_worker *w, const struct hist_sample *s)
{
	struct keyed *k = &w->keyed;
	const struct key_owner *o = &k->owners[k->last_owner];

	if (o->epoch != s->epoch || o->kernel_epoch != s->kernel_epoch || o->pid != s->pid ||
	    o->cpumode != s->cpumode || !k->last_owner)
		k->last_owner = owner_id(w, s);
	return k->last_owner;
}

static u64 *waiting_set(const struct hist_worker *w, u32 at)
{
	return w->keyed.sets + (size_t)at * w->h->set_size;
}

/* Put the key values of a sample into its set. Those that only sums ask for become part of the
 * base. */
static void keyed_set(struct hist_worker *w, const struct hist_sample *s, u64 *set,
		      struct hist_base *base)
{
	const struct hist *h = w->h;
	const struct hist_columns *c = &h->conf.cols;
	u64 values[ARRAY_SIZE(c->keys)], kind[ARRAY_SIZE(c->keys)];

	key_values_of(w, s, values);
	for (u32 i = 0; i < c->nr_keys; i++) {
		u32 word = h->key_word[i];

		if (word & KEY_OF_KIND)
			kind[word & ~KEY_OF_KIND] = values[i];
		else
			set[word] = values[i];
	}
	set[0] = key_kind_of(w, kind);
	if (unlikely(c->key_at[KEY_PARALLELISM])) {
		base->parallelism = (u32)values[c->key_at[KEY_PARALLELISM] - 1];
		if (!(c->need & NEED_PARALLELISM))
			set[h->key_word[c->key_at[KEY_PARALLELISM] - 1]] = 0;
	}
	if (unlikely(c->key_at[KEY_CLASSES])) {
		base->classes = (u32)values[c->key_at[KEY_CLASSES] - 1];
		set[h->key_word[c->key_at[KEY_CLASSES] - 1]] = 0;
	}
}

/* Return the base of a sample, in @from the number of its owner, and fill its set. */
static u32 keyed_base(struct hist_worker *w, const struct hist_sample *s, u64 *set)
{
	const struct hist *h = w->h;
	bool whose = !s->filtered || h->conf.cols.hierarchy;
	struct hist_base b = { .evsel = s->evsel, .flags = s->filtered ? HIST_FILTERED : 0 };
	u32 *cached;

	if (h->keep & NEED_COMM && whose)
		b.comm = s->comm;
	if (h->keep & NEED_THREAD && whose)
		b.tid = s->tid;
	if (h->keep & NEED_CPU && whose)
		b.cpu = s->cpu;
	if (likely(!s->filtered) || filtered_have_keys(h)) {
		keyed_set(w, s, set, &b);
		b.from = h->conf.cols.need & NEED_ADDRS ? owner_of(w, s) : 0;
		b.from_mode = b.from > 0; /* so that the owner is hashed */
	} else {
		memset(set, 0, h->set_size * sizeof(*set));
	}
	cached = &w->base_cache[(b.evsel * 29 + b.comm * 7 + b.tid * 3 + b.cpu + b.from) %
				BASE_CACHE];
	if (!*cached || !base_same(&w->bases[*cached - 1], &b))
		*cached = base_find(w, &b) + 1;
	return *cached - 1;
}

/* Put a sample into the queue. */
static struct pending *keyed_begin(struct hist_worker *w, const struct hist_sample *s)
{
	u32 base = keyed_base(w, s, waiting_set(w, w->nr_queued));

	return tally_begin_at(w, s, NO_STACK, base);
}

/* ---- the table ---- */

static u64 keyed_hash(const struct hist_worker *w, u32 at)
{
	const struct tally *t = &w->queue[at].tally;
	const u64 *set = waiting_set(w, at);
	u64 hash = t->ip ^ (u64)t->place << 36 ^ (u64)t->epoch << 20 ^ t->mode;

	hash = hash_mix(hash, (u64)t->base << 32 ^ set[0]);
	for (u32 i = 1; i < w->h->set_size; i++)
		hash = hash_mix(hash, set[i]);
	return hash_u64(hash);
}

static bool same_words(const u64 *a, const u64 *b, u32 nr)
{
	u64 differ = 0;

	for (u32 i = 0; i < nr; i++)
		differ |= a[i] ^ b[i];
	return !differ;
}

/* Tell whether the sample at a place in the queue counts in the tally of this number. */
static bool keyed_same(const struct hist_worker *w, u32 at, u32 number)
{
	const struct tally *t = &w->tallies[number], *s = &w->queue[at].tally;
	u32 size = w->h->set_size;

	return t->ip == s->ip && t->base == s->base && t->epoch == s->epoch &&
	       t->place == s->place && t->mode == s->mode && likely(t->nr < UINT32_MAX) &&
	       same_words(w->key_values + (size_t)number * size, waiting_set(w, at), size);
}

static void keyed_new(struct hist_worker *w, u32 at, size_t pos)
{
	size_t number = w->nr_tallies++, size = w->h->set_size;

	VEC_GROW(w->tallies, w->nr_tallies, w->cap_tallies);
	VEC_GROW(w->key_values, w->nr_tallies * size, w->cap_key_values);
	w->tallies[number] = w->queue[at].tally;
	memcpy(w->key_values + number * size, waiting_set(w, at), size * sizeof(*w->key_values));
	index_put(&w->by_tally, pos, w->queue[at].hash, (u32)number);
}

static void keyed_add(struct hist_worker *w, u32 at)
{
	size_t pos;

	index_reserve(&w->by_tally);
	index_for_each(&w->by_tally, w->queue[at].hash, pos)
	{
		u32 number = index_at(&w->by_tally, pos);

		if (keyed_same(w, at, number)) {
			tally_merge(&w->tallies[number], &w->queue[at].tally);
			return;
		}
	}
	keyed_new(w, at, pos);
}

/* Have memory bring what counts a sample, whose slot is there. */
static void keyed_fetch(const struct hist_worker *w, u64 hash)
{
	u32 size = w->h->set_size;
	size_t pos;

	index_for_each(&w->by_tally, hash, pos)
	{
		u32 number = index_at(&w->by_tally, pos);

		tally_fetch(w, number);
		__builtin_prefetch(w->key_values + (size_t)number * size);
		__builtin_prefetch(w->key_values + (size_t)number * size + size - 1);
		return;
	}
}

/* Count the samples that wait. */
static void keyed_count(struct hist_worker *w)
{
	u32 i;

	for (i = 0; i < w->nr_queued; i++) {
		w->queue[i].hash = keyed_hash(w, i);
		tally_prefetch(w, w->queue[i].hash);
	}
	for (i = 0; w->by_tally.slots && i < w->nr_queued; i++)
		keyed_fetch(w, w->queue[i].hash);
	for (i = 0; i < w->nr_queued; i++)
		keyed_add(w, i);
	w->nr_queued = 0;
}

/* The tables become those that other strategies make. */
static void keyed_end(struct hist_worker *w)
{
	index_release(&w->by_tally);
	w->nr_key_sets = w->nr_tallies;
	if (w->h->conf.cols.need & NEED_ADDRS)
		key_addrs_number(w);
	for (size_t i = 0; i < w->nr_bases; i++)
		w->bases[i].from = w->bases[i].from_mode = 0;
}

static void keyed_prepare(struct hist_worker *w)
{
	w->keyed.sets = xcalloc((size_t)PENDING * w->h->set_size, sizeof(u64));
	VEC_GROW(w->keyed.owners, 1, w->keyed.cap_owners);
	w->keyed.owners[w->keyed.nr_owners++] = (struct key_owner){ 0 }; /* nobody */
}

/* ---- addresses are resolved at the end ---- */

static void count(struct hist_worker *w, const struct hist_sample *s)
{
	keyed_begin(w, s);
}

const struct counting counting_keyed = {
	.early = &counting_early_keyed,
	.prepare = keyed_prepare,
	.count = count,
	.flush = keyed_count,
	.end = keyed_end,
	.resolve = resolve_at_end,
	.merge = rows_of_keyed,
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
	for (i = 0; i < w->nr_queued; i++)
		tally_in_function(&w->queue[i].tally, &w->early.frames[ids[i]]);
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
}

const struct counting counting_early_keyed = {
	.at_once = true,
	.prepare = keyed_prepare,
	.count = count_early,
	.flush = count_functions,
	.end = keyed_end,
	.resolve = early_places_resolve,
	.merge = rows_of_keyed,
};
