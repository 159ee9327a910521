// SPDX-License-Identifier: GPL-2.0-or-later
/* Make cache lines of rows: look addresses up, find the line of each row, and put rows in order. */
#include "base/compat.h"

#include "lines/lines-internal.h"

#include "base/alloc.h"
#include "base/hash.h"

/* A table by which lines are found while rows are looked up. */
struct finder {
	struct clines *l;
	u32 *slots; /* open addressing: a line + 1; 0: free */
	size_t mask;
};

static int cmp_u64(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

static u32 offset_of(const struct clines *l, const struct line_row *r)
{
	return (u32)(r->addr & (l->conf.line_size - 1));
}

/* ---- what is counted ---- */

static void count_row(struct line_counts *c, const struct line_row *r)
{
	for (u32 set = r->set; set; set &= set - 1)
		c->nr[__builtin_ctz(set)] += r->nr;
	c->accesses += r->nr;
}

/* Return of what kind a load is, CYCLES_KINDS for what is no load. */
static enum line_cycles kind_of(u32 set)
{
	if (set & ACCESS_BIT(ACCESS_RMT_HITM))
		return CYCLES_RMT_HITM;
	if (set & ACCESS_BIT(ACCESS_LCL_HITM))
		return CYCLES_LCL_HITM;
	if (set & ACCESS_BIT(ACCESS_RMT_PEER))
		return CYCLES_RMT_PEER;
	if (set & ACCESS_BIT(ACCESS_LCL_PEER))
		return CYCLES_LCL_PEER;
	return set & ACCESS_BIT(ACCESS_LOAD) ? CYCLES_LOAD : CYCLES_KINDS;
}

void clines_entry_sums(const struct clines *l, const struct line_entry *e, struct line_sums *out)
{
	memset(out, 0, sizeof(*out));
	for (u32 i = 0; i < e->nr_rows; i++) {
		const struct line_row *r = &l->rows[e->row + i];
		enum line_cycles kind = kind_of(r->set);

		count_row(&out->counts, r);
		if (kind == CYCLES_KINDS)
			continue;
		out->cycles[kind] += r->weight;
		out->loads[kind] += r->nr;
	}
}

/* ---- lines are found ---- */

/* The order of lines: those of the kernel, then by file, process and address. */
static int place_cmp(const struct line *a, const struct line *b)
{
	const struct line_place *x = &a->place, *y = &b->place;
	int ret = cmp_u64(a->cpumode, b->cpumode);

	ret = ret ? ret : cmp_u64(x->device, y->device);
	ret = ret ? ret : cmp_u64(x->inode, y->inode);
	ret = ret ? ret : cmp_u64(x->generation, y->generation);
	ret = ret ? ret : cmp_u64(x->pid, y->pid);
	return ret ? ret : cmp_u64(x->addr, y->addr);
}

static u64 place_hash(const struct line *l)
{
	u64 h = hash_mix(l->place.addr, l->place.inode);

	return hash_u64(hash_mix(h, l->place.device ^ l->place.generation) ^
			((u64)l->place.pid << 8 | l->cpumode));
}

static void grow(struct finder *f)
{
	size_t slots = f->slots ? (f->mask + 1) * 2 : 1024;

	free(f->slots);
	f->slots = xcalloc(slots, sizeof(*f->slots));
	f->mask = slots - 1;
	for (size_t i = 0; i < f->l->nr_lines; i++) {
		size_t at = place_hash(&f->l->lines[i]) & f->mask;

		while (f->slots[at])
			at = (at + 1) & f->mask;
		f->slots[at] = (u32)i + 1;
	}
}

/* Return the number of a line; it is added when it is new. */
static u32 line_of(struct finder *f, const struct line *key)
{
	struct clines *l = f->l;
	size_t at;

	if (!f->slots || l->nr_lines * 2 > f->mask)
		grow(f);
	for (at = place_hash(key) & f->mask; f->slots[at]; at = (at + 1) & f->mask)
		if (!place_cmp(&l->lines[f->slots[at] - 1], key))
			return f->slots[at] - 1;
	VEC_GROW(l->lines, l->nr_lines + 1, l->cap_lines);
	l->lines[l->nr_lines++] = *key;
	f->slots[at] = (u32)l->nr_lines;
	return (u32)l->nr_lines - 1;
}

#define NO_LINE UINT32_MAX

/* Find the object of a row's code and the line of its data. */
static void find_line(struct finder *f, struct line_row *r)
{
	const struct clines_conf *c = &f->l->conf;
	const struct line_access a = {
		.addr = r->addr,
		.ip = r->ip,
		.pid = r->pid,
		.tid = r->tid,
		.cpu = r->cpu,
		.epoch = r->epoch,
		.cpumode = r->cpumode,
	};
	struct line key = { .addr = r->addr & ~((u64)c->line_size - 1), .cpumode = r->cpumode };
	struct line *line;

	r->line = NO_LINE;
	if (!(r->set & ACCESS_NOWHERE) &&
	    (!c->object(c->ctx, &a, &r->object) || !c->place(c->ctx, &a, &key.place)))
		r->set |= ACCESS_BIT(ACCESS_NO_MAP);
	count_row(&f->l->counts, r);
	if (r->set & ACCESS_NOWHERE)
		return;
	key.place.addr &= ~((u64)c->line_size - 1);
	r->line = line_of(f, &key);
	line = &f->l->lines[r->line];
	line->addr = MIN(line->addr, key.addr);
	line->nr_rows++;
	count_row(&line->counts, r);
}

/* ---- the order ---- */

static int line_cmp(const void *a, const void *b, void *ctx)
{
	const struct line *lines = ctx;

	return place_cmp(&lines[*(const u32 *)a], &lines[*(const u32 *)b]);
}

/* Put lines in their order, and give each its span of rows. @rank: receives, by the old number of a
 * line, the new one */
static void sort_lines(struct clines *l, u32 *rank)
{
	u32 *order = xcalloc(l->nr_lines + 1, sizeof(*order)), row = 0;
	struct line *sorted = xcalloc(l->nr_lines + 1, sizeof(*sorted));

	for (size_t i = 0; i < l->nr_lines; i++)
		order[i] = (u32)i;
	qsort_r(order, l->nr_lines, sizeof(*order), line_cmp, l->lines);
	for (size_t i = 0; i < l->nr_lines; i++) {
		sorted[i] = l->lines[order[i]];
		sorted[i].row = row;
		row += sorted[i].nr_rows;
		rank[order[i]] = (u32)i;
	}
	l->nr_rows = row;
	free(order);
	free(l->lines);
	l->lines = sorted;
}

/* Processes that came later stand first, as in perf 6.1. */
static int key_cmp(enum clines_key key, const struct line_row *a, const struct line_row *b)
{
	switch (key) {
	case CLINES_PID:
		return cmp_u64(b->pid, a->pid);
	case CLINES_TID:
		return cmp_u64(a->tid, b->tid);
	case CLINES_CODE:
		return cmp_u64(a->ip, b->ip);
	default:
		return cmp_u64(a->object, b->object);
	}
}

static int entry_cmp(const struct clines *l, const struct line_row *a, const struct line_row *b)
{
	int ret = cmp_u64(offset_of(l, a), offset_of(l, b));

	for (u32 i = 0; !ret && i < l->conf.nr_keys; i++)
		ret = key_cmp((enum clines_key)l->conf.keys[i], a, b);
	return ret;
}

/* Rows that are shown as one have an order, too, so that the first of them is always the same. */
static int row_cmp(const void *a, const void *b, void *ctx)
{
	const struct line_row *x = a, *y = b;
	int ret = entry_cmp(ctx, x, y);

	ret = ret ? ret : cmp_u64(x->ip, y->ip);
	ret = ret ? ret : cmp_u64(x->pid, y->pid);
	ret = ret ? ret : cmp_u64(x->tid, y->tid);
	ret = ret ? ret : cmp_u64(x->cpu, y->cpu);
	ret = ret ? ret : cmp_u64(x->epoch, y->epoch);
	ret = ret ? ret : cmp_u64(x->addr, y->addr);
	ret = ret ? ret : cmp_u64(x->page, y->page);
	ret = ret ? ret : cmp_u64(x->chain, y->chain);
	return ret ? ret : cmp_u64(x->set, y->set);
}

/* Move the rows of all workers to the spans of their lines. */
static void place_rows(struct clines *l, const u32 *rank)
{
	u32 *next = xcalloc(l->nr_lines + 1, sizeof(*next));

	l->rows = xcalloc(l->nr_rows + 1, sizeof(*l->rows));
	for (size_t i = 0; i < l->nr_lines; i++)
		next[i] = l->lines[i].row;
	for (size_t i = 0; i < l->nr_workers; i++) {
		struct clines_worker *w = l->workers[i];

		for (size_t k = 0; k < w->nr; k++)
			if (w->rows[k].line != NO_LINE)
				l->rows[next[rank[w->rows[k].line]]++] = w->rows[k];
		clines_worker_free(w);
	}
	l->nr_workers = 0;
	free(next);
}

static void make_entries(struct clines *l, struct line *line)
{
	struct line_entry *e = NULL;

	qsort_r(l->rows + line->row, line->nr_rows, sizeof(*l->rows), row_cmp, l);
	line->entry = (u32)l->nr_entries;
	for (u32 i = line->row; i < line->row + line->nr_rows; i++) {
		if (!e || entry_cmp(l, &l->rows[i - 1], &l->rows[i])) {
			VEC_GROW(l->entries, l->nr_entries + 1, l->cap_entries);
			e = &l->entries[l->nr_entries++];
			*e = (struct line_entry){ offset_of(l, &l->rows[i]), i, 0 };
		}
		e->nr_rows++;
	}
	line->nr_entries = (u32)l->nr_entries - line->entry;
}

void clines_finish(struct clines *l)
{
	struct finder f = { .l = l };
	u32 *rank;

	for (size_t i = 0; i < l->nr_workers; i++) {
		clines_worker_flush(l->workers[i]);
		for (size_t k = 0; k < l->workers[i]->nr; k++)
			find_line(&f, &l->workers[i]->rows[k]);
	}
	free(f.slots);
	rank = xcalloc(l->nr_lines + 1, sizeof(*rank));
	sort_lines(l, rank);
	place_rows(l, rank);
	free(rank);
	for (size_t i = 0; i < l->nr_lines; i++)
		make_entries(l, &l->lines[i]);
}
