// SPDX-License-Identifier: GPL-2.0-or-later
/* Count memory accesses: equal ones as one row. */
#include "base/compat.h"

#include "lines/lines-internal.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stddef.h>

struct clines *clines_new(const struct clines_conf *conf)
{
	struct clines *l = xzalloc(sizeof(*l));

	l->conf = *conf;
	for (u32 i = 0; i < conf->nr_keys; i++)
		l->conf.threads |= conf->keys[i] == CLINES_TID;
	return l;
}

void clines_worker_free(struct clines_worker *w)
{
	free(w->rows);
	free(w->table.slots);
	free(w);
}

void clines_free(struct clines *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->nr_workers; i++)
		clines_worker_free(l->workers[i]);
	free(l->workers);
	intern_release(&l->owners);
	free(l->spans);
	free(l->order);
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

_Static_assert(ACCESS_COUNTS <= 29, "line_row.set has a bit for each counter");
_Static_assert(sizeof(struct line_row) == 64, "a row has no padding");

static bool same_row(const struct line_row *a, const struct line_row *b)
{
	return !memcmp(a, b, offsetof(struct line_row, nr));
}

static u64 row_hash(const struct line_row *r)
{
	u64 h = hash_mix(r->addr, r->ip);

	h = hash_mix(h, (u64)r->cpu << 32 | r->tid);
	h = hash_mix(h, (u64)r->set << 32 | r->epoch);
	return hash_u64(h ^ r->page ^ r->cpumode ^ (u64)r->chain << 32);
}

void line_slots_grow(struct line_slots *t, size_t nr)
{
	size_t old = t->slots ? t->mask + 1 : 0, slots = old ? old * 2 : 1024;
	u64 *before = t->slots;

	if (nr * 2 < old)
		return;
	t->slots = xcalloc(slots, sizeof(*t->slots));
	t->mask = slots - 1;
	for (size_t i = 0; i < old; i++) {
		size_t at;

		if (!before[i])
			continue;
		at = before[i] >> 32 & t->mask;
		while (t->slots[at])
			at = (at + 1) & t->mask;
		t->slots[at] = before[i];
	}
	free(before);
}

/* Count an access in the row that is equal to it; the row is added when it is new. */
static void count_access(struct clines_worker *w, const struct line_ahead *a)
{
	struct line_slots *t = &w->table;
	size_t at;

	line_slots_grow(t, w->nr);
	for (at = a->hash >> 32 & t->mask; t->slots[at]; at = (at + 1) & t->mask) {
		struct line_row *r = &w->rows[(u32)t->slots[at] - 1];

		if (t->slots[at] >> 32 == a->hash >> 32 && same_row(r, &a->row)) {
			r->nr++;
			r->weight += a->row.weight;
			return;
		}
	}
	VEC_GROW(w->rows, w->nr + 1, w->cap);
	w->rows[w->nr] = a->row;
	line_slots_put(t, at, a->hash, w->nr++);
}

static void fetch_slot(const struct line_slots *t, u64 hash)
{
	if (t->slots)
		__builtin_prefetch(&t->slots[hash >> 32 & t->mask]);
}

static void fetch_row(const struct clines_worker *w, u64 hash)
{
	const struct line_slots *t = &w->table;
	const struct line_row *r;
	size_t at = hash >> 32 & t->mask;

	while (t->slots && t->slots[at] && t->slots[at] >> 32 != hash >> 32)
		at = (at + 1) & t->mask;
	if (!t->slots || !t->slots[at])
		return;
	r = &w->rows[(u32)t->slots[at] - 1];
	__builtin_prefetch(r, 1);
	__builtin_prefetch((const char *)(r + 1) - 1, 1);
}

/* Return what an access counts as. Few data sources make most accesses. */
static u32 set_of(struct clines_worker *w, const struct line_access *a)
{
	size_t at = hash_u64(a->data_src) % LINES_SOURCES;

	if (!a->addr)
		return access_of(a->data_src, 0);
	if (!w->sets[at] || w->sources[at] != a->data_src) {
		w->sources[at] = a->data_src;
		w->sets[at] = access_of(a->data_src, a->addr);
	}
	return w->sets[at];
}

/* Make the row of one access. Mappings begin where lines begin, so that any address of a line tells
 * to what it belongs. */
static void make_row(struct clines_worker *w, const struct line_access *a, struct line_row *out)
{
	const struct clines_conf *c = &w->l->conf;

	*out = (struct line_row){
		.addr = a->addr,
		.ip = a->ip,
		.pid = a->pid,
		.epoch = a->epoch,
		.cpumode = a->cpumode & 7,
		.set = set_of(w, a) & ((1U << ACCESS_COUNTS) - 1),
		.nr = 1,
	};
	if (c->lines_only) {
		out->addr &= ~((u64)c->line_size - 1);
		return;
	}
	out->page = a->phys / c->line_size;
	out->tid = c->threads ? a->tid : 0;
	out->cpu = a->cpu;
	out->chain = a->chain;
	out->weight = a->weight;
}

/* Most rows are in no cache of the processor. An access is counted when others have come:
 * its slot is fetched first, and half-way its row. */
void clines_add(struct clines_worker *w, const struct line_access *a)
{
	struct line_ahead *new = &w->ahead[w->added % LINES_AHEAD];

	if (w->added >= LINES_AHEAD)
		count_access(w, new);
	make_row(w, a, &new->row);
	new->hash = row_hash(&new->row);
	fetch_slot(&w->table, new->hash);
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
