// SPDX-License-Identifier: GPL-2.0-or-later
/* Make cache lines of rows: look addresses up, put the rows in order, and group them. */
#include "base/compat.h"

#include "lines/lines-internal.h"

#include "base/alloc.h"

/* The order of one run, as qsort_r() hands it to comparisons. */
struct order {
	const struct clines *l;
	const struct line_place *places; /* by row.line, of addresses */
};

static int cmp_u64(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

/* ---- addresses are looked up ---- */

/* Equal addresses follow each other. */
static int addr_cmp(const void *a, const void *b)
{
	const struct line_row *x = a, *y = b;
	int ret = cmp_u64(x->cpumode, y->cpumode);

	ret = ret ? ret : cmp_u64(x->epoch, y->epoch);
	ret = ret ? ret : cmp_u64(x->pid, y->pid);
	return ret ? ret : cmp_u64(x->addr, y->addr);
}

static int code_cmp(const void *a, const void *b)
{
	const struct line_row *x = a, *y = b;
	int ret = cmp_u64(x->cpumode, y->cpumode);

	ret = ret ? ret : cmp_u64(x->epoch, y->epoch);
	return ret ? ret : cmp_u64(x->ip, y->ip);
}

static struct line_access access_in(const struct line_row *r)
{
	return (struct line_access){ .addr = r->addr,
				     .ip = r->ip,
				     .pid = r->pid,
				     .tid = r->tid,
				     .cpu = r->cpu,
				     .epoch = r->epoch,
				     .cpumode = r->cpumode };
}

/* Set the object of each row. An access whose code is nowhere is in no line. */
static void find_objects(struct clines *l)
{
	bool found = false;
	u32 object = 0;

	qsort(l->rows, l->nr_rows, sizeof(*l->rows), code_cmp);
	for (size_t i = 0; i < l->nr_rows; i++) {
		struct line_row *r = &l->rows[i];

		if (!i || code_cmp(r - 1, r)) {
			const struct line_access a = access_in(r);

			found = l->conf.object(l->conf.ctx, &a, &object);
		}
		r->object = object;
		if (!found && !(r->set & ACCESS_NOWHERE))
			r->set |= ACCESS_BIT(ACCESS_NO_MAP);
	}
}

/* Set the place of each address: row.line becomes its number in the result, which the caller
 * frees. */
static struct line_place *find_places(struct clines *l)
{
	struct line_place *places = xcalloc(l->nr_rows + 1, sizeof(*places));
	bool found = false;
	u32 nr = 0;

	qsort(l->rows, l->nr_rows, sizeof(*l->rows), addr_cmp);
	for (size_t i = 0; i < l->nr_rows; i++) {
		struct line_row *r = &l->rows[i];

		if (!i || addr_cmp(r - 1, r)) {
			const struct line_access a = access_in(r);

			found = l->conf.place(l->conf.ctx, &a, &places[nr++]);
		}
		r->line = nr - 1;
		if (!found && !(r->set & ACCESS_NOWHERE))
			r->set |= ACCESS_BIT(ACCESS_NO_MAP);
	}
	return places;
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

static void count_entry(struct line_entry *e, const struct line_row *r)
{
	enum line_cycles kind = kind_of(r->set);

	count_row(&e->counts, r);
	if (kind == CYCLES_KINDS)
		return;
	e->cycles[kind] += r->weight;
	e->loads[kind] += r->nr;
}

/* Count what is in no line, and leave it out of the rows. */
static void leave_out(struct clines *l)
{
	size_t nr = 0;

	for (size_t i = 0; i < l->nr_rows; i++) {
		const struct line_row *r = &l->rows[i];

		count_row(&l->counts, r);
		if (!(r->set & ACCESS_NOWHERE))
			l->rows[nr++] = *r;
	}
	l->nr_rows = nr;
}

/* ---- the order ---- */

static u64 line_start(const struct clines *l, u64 addr)
{
	return addr & ~((u64)l->conf.line_size - 1);
}

static int line_cmp(const struct order *o, const struct line_row *a, const struct line_row *b)
{
	const struct line_place *x = &o->places[a->line], *y = &o->places[b->line];
	int ret = cmp_u64(a->cpumode, b->cpumode);

	ret = ret ? ret : cmp_u64(x->device, y->device);
	ret = ret ? ret : cmp_u64(x->inode, y->inode);
	ret = ret ? ret : cmp_u64(x->generation, y->generation);
	ret = ret ? ret : cmp_u64(x->pid, y->pid);
	return ret ? ret : cmp_u64(line_start(o->l, x->addr), line_start(o->l, y->addr));
}

/* Processes that came later stand first, as in perf 6.1. */
static int key_cmp(enum clines_key key, const struct line_row *a, const struct line_row *b)
{
	switch (key) {
	case LINES_PID:
		return cmp_u64(b->pid, a->pid);
	case LINES_TID:
		return cmp_u64(a->tid, b->tid);
	case LINES_CODE:
		return cmp_u64(a->ip, b->ip);
	default:
		return cmp_u64(a->object, b->object);
	}
}

static u32 offset_of(const struct order *o, const struct line_row *r)
{
	return o->places[r->line].addr & (o->l->conf.line_size - 1);
}

static int entry_cmp(const struct order *o, const struct line_row *a, const struct line_row *b)
{
	const struct clines_conf *c = &o->l->conf;
	int ret = cmp_u64(offset_of(o, a), offset_of(o, b));

	for (u32 i = 0; !ret && i < c->nr_keys; i++)
		ret = key_cmp((enum clines_key)c->keys[i], a, b);
	return ret;
}

/* Rows that are shown as one have an order, too, so that the first of them is always the same. */
static int row_cmp(const void *a, const void *b, void *ctx)
{
	const struct line_row *x = a, *y = b;
	int ret = line_cmp(ctx, x, y);

	ret = ret ? ret : entry_cmp(ctx, x, y);
	ret = ret ? ret : cmp_u64(x->ip, y->ip);
	ret = ret ? ret : cmp_u64(x->pid, y->pid);
	ret = ret ? ret : cmp_u64(x->tid, y->tid);
	ret = ret ? ret : cmp_u64(x->cpu, y->cpu);
	ret = ret ? ret : cmp_u64(x->epoch, y->epoch);
	ret = ret ? ret : cmp_u64(x->addr, y->addr);
	ret = ret ? ret : cmp_u64(x->page, y->page);
	return ret ? ret : cmp_u64(x->set, y->set);
}

/* ---- groups ---- */

static struct line_entry *add_entry(struct clines *l, const struct order *o, size_t row)
{
	VEC_GROW(l->entries, l->nr_entries + 1, l->cap_entries);
	l->entries[l->nr_entries] = (struct line_entry){
		.offset = offset_of(o, &l->rows[row]),
		.row = (u32)row,
	};
	return &l->entries[l->nr_entries++];
}

static struct line *add_line(struct clines *l, const struct order *o, size_t row)
{
	const struct line_row *r = &l->rows[row];
	struct line *line;

	VEC_GROW(l->lines, l->nr_lines + 1, l->cap_lines);
	line = &l->lines[l->nr_lines++];
	*line = (struct line){ .place = o->places[r->line],
			       .addr = line_start(l, r->addr),
			       .cpumode = r->cpumode,
			       .entry = (u32)l->nr_entries,
			       .row = (u32)row };
	line->place.addr = line_start(l, line->place.addr);
	return line;
}

static void group(struct clines *l, const struct order *o)
{
	struct line *line = NULL;
	struct line_entry *e = NULL;

	for (size_t i = 0; i < l->nr_rows; i++) {
		const struct line_row *r = &l->rows[i];
		bool first = !i || line_cmp(o, r - 1, r);

		if (first)
			line = add_line(l, o, i);
		if (first || entry_cmp(o, r - 1, r)) {
			e = add_entry(l, o, i);
			line->nr_entries++;
		}
		count_entry(e, r);
		e->nr_rows++;
		line->nr_rows++;
	}
	for (size_t i = 0; i < l->nr_lines; i++)
		for (u32 k = 0; k < l->lines[i].nr_entries; k++)
			line_counts_add(&l->lines[i].counts,
					&l->entries[l->lines[i].entry + k].counts);
}

/* Put the rows of all workers into one array. */
static void gather(struct clines *l)
{
	size_t nr = 0, at = 0;

	for (size_t i = 0; i < l->nr_workers; i++)
		nr += l->workers[i]->nr;
	l->rows = xcalloc(nr + 1, sizeof(*l->rows));
	l->nr_rows = nr;
	for (size_t i = 0; i < l->nr_workers; i++) {
		struct clines_worker *w = l->workers[i];

		if (w->nr)
			memcpy(l->rows + at, w->rows, w->nr * sizeof(*w->rows));
		at += w->nr;
		free(w->rows);
		free(w->slots);
		free(w);
	}
	l->nr_workers = 0;
}

void clines_finish(struct clines *l)
{
	struct order o = { .l = l };
	struct line_place *places;

	gather(l);
	find_objects(l);
	places = find_places(l);
	leave_out(l);
	o.places = places;
	qsort_r(l->rows, l->nr_rows, sizeof(*l->rows), row_cmp, &o);
	group(l, &o);
	free(places);
}
