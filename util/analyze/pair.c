// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "analyze/pair.h"

#include "base/alloc.h"
#include "base/hash.h"

#define FINE_BITS 7 /* for the counts of quantiles: bits of the parts of a power of two */
#define FINE ((64 - FINE_BITS + 1) << FINE_BITS)
#define FIRST_SLOTS 1024

/* The starts without an end: slots of {used, time, key...}, hashed by the key. */
struct pairs {
	u32 nr_key, stride;
	u64 *slots; /* owned: (mask + 1) * stride words */
	size_t mask;
	struct pair_result r;
	u64 fine[FINE];
};

struct pairs *pairs_new(u32 nr_key, u32 cols, u64 start, u64 step)
{
	struct pairs *p = xzalloc(sizeof(*p));

	p->nr_key = nr_key;
	p->stride = nr_key + 2;
	p->mask = FIRST_SLOTS - 1;
	p->slots = xcalloc(FIRST_SLOTS * (size_t)p->stride, sizeof(*p->slots));
	p->r.min = UINT64_MAX;
	grid_init(&p->r.grid, cols, PAIR_ROWS, start, step);
	return p;
}

void pairs_free(struct pairs *p)
{
	if (!p)
		return;
	grid_release(&p->r.grid);
	free(p->slots);
	free(p);
}

/* ------------------------------------------------------------------ scales */

/* Return an index: values below 2^bits one by one, then 2^bits parts of each power of two. */
static u32 log_index(u64 v, u32 bits)
{
	u32 top;

	if (v < 1ULL << bits)
		return (u32)v;
	top = 63 - (u32)__builtin_clzll(v);
	return ((top - bits + 1) << bits) + ((u32)(v >> (top - bits)) & ((1u << bits) - 1));
}

static u64 log_low(u32 index, u32 bits)
{
	u32 power = index >> bits;

	if (!power)
		return index;
	return ((1ULL << bits) + (index & ((1u << bits) - 1))) << (power - 1);
}

u64 pair_row_low(u32 row)
{
	return row < PAIR_ROWS ? log_low(row, PAIR_ROW_BITS) : UINT64_MAX;
}

u64 pair_step_low(u32 step)
{
	static const u64 units[] = { 1, 1000, 1000000, 1000000000 };
	u32 unit;

	if (!step)
		return 0;
	unit = MIN((step - 1) / 10, 3u);
	return units[unit] << (step - 1 - 10 * unit);
}

static u32 step_of(u64 v)
{
	u32 unit = 0;

	if (!v)
		return 0;
	for (; v >= 1000 && unit < 3; unit++)
		v /= 1000;
	return MIN(10 * unit + 64 - (u32)__builtin_clzll(v), PAIR_STEPS - 1u);
}

/* ------------------------------------------------------------------ the starts */

static u64 *slot_at(const struct pairs *p, size_t i)
{
	return p->slots + i * p->stride;
}

static size_t home_of(const struct pairs *p, const u64 *key)
{
	u64 h = p->nr_key;

	for (u32 i = 0; i < p->nr_key; i++)
		h = hash_mix(h, key[i]);
	return hash_u64(h) & p->mask;
}

/* Return the slot with the key, or the free slot where it belongs. */
static u64 *find_slot(const struct pairs *p, const u64 *key)
{
	size_t i = home_of(p, key);

	while (slot_at(p, i)[0] && memcmp(slot_at(p, i) + 2, key, p->nr_key * sizeof(*key)))
		i = (i + 1) & p->mask;
	return slot_at(p, i);
}

static void grow(struct pairs *p)
{
	struct pairs old = *p;

	p->mask = 2 * p->mask + 1;
	p->slots = xcalloc((p->mask + 1) * p->stride, sizeof(*p->slots));
	for (size_t i = 0; i <= old.mask; i++) {
		const u64 *from = slot_at(&old, i);

		if (from[0])
			memcpy(find_slot(p, from + 2), from, p->stride * sizeof(*from));
	}
	free(old.slots);
}

/* Free a slot; entries after it that were displaced move up. */
static void remove_slot(struct pairs *p, const u64 *slot)
{
	size_t hole = (size_t)(slot - p->slots) / p->stride, i = hole;

	for (;;) {
		size_t home;

		i = (i + 1) & p->mask;
		if (!slot_at(p, i)[0])
			break;
		home = home_of(p, slot_at(p, i) + 2);
		if (((i - home) & p->mask) < ((i - hole) & p->mask))
			continue; /* it would be before its proper place */
		memcpy(slot_at(p, hole), slot_at(p, i), p->stride * sizeof(*slot));
		hole = i;
	}
	slot_at(p, hole)[0] = 0;
}

void pairs_start(struct pairs *p, const u64 *key, u64 time)
{
	u64 *slot = find_slot(p, key);

	p->r.starts++;
	if (slot[0]) {
		p->r.replaced++;
		slot[1] = time;
		return;
	}
	if (++p->r.open > p->mask / 2) {
		grow(p);
		slot = find_slot(p, key);
	}
	slot[0] = 1;
	slot[1] = time;
	memcpy(slot + 2, key, p->nr_key * sizeof(*key));
}

/* ------------------------------------------------------------------ the ends */

static void count_pair(struct pairs *p, u64 latency, u64 time)
{
	struct pair_result *r = &p->r;

	r->pairs++;
	r->sum = latency > UINT64_MAX - r->sum ? UINT64_MAX : r->sum + latency;
	r->min = MIN(r->min, latency);
	if (latency > r->max || !r->max_time) {
		r->max = latency;
		r->max_time = time;
	}
	r->steps[step_of(latency)]++;
	p->fine[log_index(latency, FINE_BITS)]++;
	grid_add(&r->grid, time, log_index(latency, PAIR_ROW_BITS));
}

/* Count a pair, unless it ends before it starts. */
static void close_pair(struct pairs *p, u64 start, u64 end)
{
	if (end < start)
		p->r.backwards++;
	else
		count_pair(p, end - start, end);
}

void pairs_add(struct pairs *p, u64 start, u64 end)
{
	p->r.starts++;
	p->r.ends++;
	close_pair(p, start, end);
}

void pairs_end(struct pairs *p, const u64 *key, u64 time)
{
	u64 *slot = find_slot(p, key), start = slot[1];

	p->r.ends++;
	if (!slot[0]) {
		p->r.alone++;
		return;
	}
	remove_slot(p, slot);
	p->r.open--;
	close_pair(p, start, time);
}

void pairs_no_key(struct pairs *p)
{
	p->r.no_key++;
}

const struct pair_result *pairs_result(struct pairs *p)
{
	if (!p->r.pairs)
		p->r.min = 0;
	return &p->r;
}

u64 pairs_quantile(const struct pairs *p, u32 millionths)
{
	u64 n = p->r.pairs, rank, seen = 0, v;

	if (!n)
		return 0;
	/* its rank, from 1 on, computed without overflow */
	rank = n / 1000000 * millionths + (n % 1000000 * millionths + 999999) / 1000000;
	rank = MAX(rank, (u64)1);
	for (u32 i = 0; i < FINE; i++) {
		seen += p->fine[i];
		if (seen < rank)
			continue;
		v = log_low(i, FINE_BITS);
		v += (log_low(i + 1, FINE_BITS) - v) / 2;
		return MIN(MAX(v, p->r.min), p->r.max);
	}
	return p->r.max;
}
