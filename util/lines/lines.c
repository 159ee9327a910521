// SPDX-License-Identifier: GPL-2.0-or-later
/* Count memory accesses: equal ones as one row. */
#include "base/compat.h"

#include "lines/lines-internal.h"

#include "base/alloc.h"
#include "base/hash.h"

struct clines *clines_new(const struct clines_conf *conf)
{
	struct clines *l = xzalloc(sizeof(*l));

	l->conf = *conf;
	return l;
}

void clines_worker_free(struct clines_worker *w)
{
	free(w->rows);
	free(w->slots);
	free(w);
}

void clines_free(struct clines *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->nr_workers; i++)
		clines_worker_free(l->workers[i]);
	free(l->workers);
	free(l->rows);
	free(l->lines);
	free(l->entries);
	free(l);
}

struct clines_worker *clines_worker(struct clines *l)
{
	struct clines_worker *w = xzalloc(sizeof(*w));

	w->l = l;
	VEC_GROW(l->workers, l->nr_workers + 1, l->cap_workers);
	l->workers[l->nr_workers++] = w;
	return w;
}

/* ---- rows ---- */

static bool same_row(const struct line_row *a, const struct line_row *b)
{
	return a->addr == b->addr && a->ip == b->ip && a->set == b->set && a->cpu == b->cpu &&
	       a->tid == b->tid && a->pid == b->pid && a->page == b->page && a->epoch == b->epoch &&
	       a->chain == b->chain && a->cpumode == b->cpumode;
}

static u64 row_hash(const struct line_row *r)
{
	u64 h = hash_mix(r->addr, r->ip);

	h = hash_mix(h, (u64)r->cpu << 32 | r->tid);
	h = hash_mix(h, (u64)r->set << 32 | r->epoch);
	return hash_u64(h ^ r->page ^ r->cpumode ^ (u64)r->chain << 32);
}

/* A slot has the upper half of the hash, by which most other rows are told apart without a look at
 * them, and the number of the row + 1. */
static u64 make_slot(u64 hash, size_t row)
{
	return (hash >> 32 << 32) | (row + 1);
}

static void grow_slots(struct clines_worker *w)
{
	size_t old = w->slots ? w->mask + 1 : 0, slots = old ? old * 2 : 1024;
	u64 *before = w->slots;

	w->slots = xcalloc(slots, sizeof(*w->slots));
	w->mask = slots - 1;
	for (size_t i = 0; i < old; i++) {
		size_t at;

		if (!before[i])
			continue;
		at = before[i] >> 32 & w->mask;
		while (w->slots[at])
			at = (at + 1) & w->mask;
		w->slots[at] = before[i];
	}
	free(before);
}

/* Count an access in the row that is equal to it; the row is added when it is new. The place in the
 * table is the upper half of the hash. */
static void count_access(struct clines_worker *w, const struct line_ahead *a)
{
	size_t at;

	if (!w->slots || w->nr * 2 > w->mask)
		grow_slots(w);
	for (at = a->hash >> 32 & w->mask; w->slots[at]; at = (at + 1) & w->mask) {
		struct line_row *r = &w->rows[(u32)w->slots[at] - 1];

		if (w->slots[at] >> 32 == a->hash >> 32 && same_row(r, &a->row)) {
			r->nr++;
			r->weight += a->row.weight;
			return;
		}
	}
	VEC_GROW(w->rows, w->nr + 1, w->cap);
	w->rows[w->nr] = a->row;
	w->slots[at] = make_slot(a->hash, w->nr++);
}

static void fetch_slot(const struct clines_worker *w, u64 hash)
{
	if (w->slots)
		__builtin_prefetch(&w->slots[hash >> 32 & w->mask]);
}

static void fetch_row(const struct clines_worker *w, u64 hash)
{
	const struct line_row *r;
	size_t at = hash >> 32 & w->mask;

	while (w->slots && w->slots[at] && w->slots[at] >> 32 != hash >> 32)
		at = (at + 1) & w->mask;
	if (!w->slots || !w->slots[at])
		return;
	r = &w->rows[(u32)w->slots[at] - 1];
	__builtin_prefetch(r, 1);
	__builtin_prefetch((const char *)(r + 1) - 1, 1);
}

/* Most rows are in no cache of the processor. An access is counted when others have come:
 * its slot is fetched first, and half-way its row. */
void clines_add(struct clines_worker *w, const struct line_access *a)
{
	struct line_ahead *new = &w->ahead[w->added % LINES_AHEAD];

	if (w->added >= LINES_AHEAD)
		count_access(w, new);
	new->row = (struct line_row){
		.addr = a->addr,
		.ip = a->ip,
		.page = a->phys / w->l->conf.line_size,
		.pid = a->pid,
		.tid = a->tid,
		.cpu = a->cpu,
		.epoch = a->epoch,
		.chain = a->chain,
		.cpumode = a->cpumode,
		.set = access_of(a->data_src, a->addr),
		.nr = 1,
		.weight = a->weight,
	};
	new->hash = row_hash(&new->row);
	fetch_slot(w, new->hash);
	if (w->added >= LINES_AHEAD / 2)
		fetch_row(w, w->ahead[(w->added - LINES_AHEAD / 2) % LINES_AHEAD].hash);
	w->added++;
}

void clines_worker_flush(struct clines_worker *w)
{
	u64 left = MIN(w->added, (u64)LINES_AHEAD);

	for (; left; left--)
		count_access(w, &w->ahead[(w->added - left) % LINES_AHEAD]);
	w->added = 0;
}

/* ---- counters ---- */

void line_counts_add(struct line_counts *a, const struct line_counts *b)
{
	for (u32 i = 0; i < ACCESS_COUNTS; i++)
		a->nr[i] += b->nr[i];
	a->accesses += b->accesses;
}

static u64 sum_of(const struct line_counts *c, const u8 *which, size_t nr)
{
	u64 sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += c->nr[which[i]];
	return sum;
}

u64 line_loads(const struct line_counts *c)
{
	static const u8 levels[] = { ACCESS_LCL_DRAM,       ACCESS_RMT_DRAM, ACCESS_LD_LLC,
				     ACCESS_LCL_HITM,       ACCESS_RMT_HITM, ACCESS_RMT_HIT,
				     ACCESS_LD_FILL_BUFFER, ACCESS_LD_L1,    ACCESS_LD_L2 };

	return sum_of(c, levels, sizeof(levels));
}

u64 line_stores(const struct line_counts *c)
{
	static const u8 levels[] = { ACCESS_ST_L1_HIT, ACCESS_ST_L1_MISS, ACCESS_ST_NO_LEVEL };

	return sum_of(c, levels, sizeof(levels));
}

/* ---- the result ---- */

const struct line_counts *clines_counts(const struct clines *l)
{
	return &l->counts;
}

const struct line *clines_of(const struct clines *l, size_t *nr)
{
	*nr = l->nr_lines;
	return l->lines;
}

const struct line_entry *clines_entries(const struct clines *l)
{
	return l->entries;
}

const struct line_row *clines_rows(const struct clines *l)
{
	return l->rows;
}
