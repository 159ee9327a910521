// SPDX-License-Identifier: GPL-2.0-or-later
/* Make rows and entries of those lines that are shown. */
#include "base/compat.h"

#include "lines/lines-internal.h"

#include "base/alloc.h"

static int cmp_u64(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

static u32 offset_of(const struct clines *l, const struct line_row *r)
{
	return (u32)(r->addr & (l->conf.line_size - 1));
}

/* ---- entries are added up ---- */

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

		line_count_row(&out->counts, r);
		if (kind == CYCLES_KINDS)
			continue;
		out->cycles[kind] += r->weight;
		out->loads[kind] += r->nr;
	}
}

/* ---- the order of lines ---- */

/* The order of lines: those of the kernel, then by file, process and address. */
static int place_cmp(const void *a, const void *b)
{
	const struct line *p = a, *q = b;
	const struct line_place *x = &p->place, *y = &q->place;
	int ret = cmp_u64(p->cpumode, q->cpumode);

	ret = ret ? ret : cmp_u64(x->device, y->device);
	ret = ret ? ret : cmp_u64(x->inode, y->inode);
	ret = ret ? ret : cmp_u64(x->generation, y->generation);
	ret = ret ? ret : cmp_u64(x->pid, y->pid);
	return ret ? ret : cmp_u64(x->addr, y->addr);
}

/* Make a line. Its span of rows is that of clines.order, until the rows are copied. */
static void make_line(const struct clines *l, u32 number, struct line *out)
{
	const struct line_span *s = &l->spans[number];
	struct line_owner o = clines_owner(l, s->owner);

	*out = (struct line){
		.place = { o.device, o.inode, o.generation, o.pid, s->at },
		.addr = s->addr,
		.cpumode = (u8)o.cpumode,
		.row = s->row,
		.nr_rows = s->nr,
	};
	clines_sum(l, number, &out->counts);
}

/* ---- the order of rows ---- */

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

/* Rows of two workers that are equal become one. Return: how many are left. */
static u32 merge_rows(const struct clines *l, struct line_row *rows, u32 nr)
{
	u32 left = 0;

	for (u32 i = 0; i < nr; i++) {
		if (left && !row_cmp(&rows[left - 1], &rows[i], (void *)l)) {
			rows[left - 1].nr += rows[i].nr;
			rows[left - 1].weight += rows[i].weight;
		} else {
			rows[left++] = rows[i];
		}
	}
	return left;
}

/* Copy the rows of a line, which is the last one so far, and put them in their order. */
static void make_rows(struct clines *l, struct line *line)
{
	const struct clines_conf *c = &l->conf;
	struct line_row *rows = l->rows + l->nr_rows;

	for (u32 i = 0; i < line->nr_rows; i++) {
		struct line_row *r = &rows[i];
		struct line_access a;

		*r = *clines_row(l, l->order[line->row + i]);
		a = (struct line_access){ .ip = r->ip, .epoch = r->epoch, .cpumode = r->cpumode };
		c->object(c->ctx, &a, &r->object);
	}
	qsort_r(rows, line->nr_rows, sizeof(*rows), row_cmp, l);
	line->row = (u32)l->nr_rows;
	line->nr_rows = merge_rows(l, rows, line->nr_rows);
	l->nr_rows += line->nr_rows;
}

static void make_entries(struct clines *l, struct line *line)
{
	struct line_entry *e = NULL;

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

void clines_show(struct clines *l, const u32 *lines, size_t nr)
{
	size_t nr_rows = 0;

	l->nr_lines = lines ? nr : l->nr_spans;
	l->lines = xcalloc(l->nr_lines + 1, sizeof(*l->lines));
	for (size_t i = 0; i < l->nr_lines; i++) {
		make_line(l, lines ? lines[i] : (u32)i, &l->lines[i]);
		nr_rows += l->lines[i].nr_rows;
	}
	qsort(l->lines, l->nr_lines, sizeof(*l->lines), place_cmp);
	l->rows = xmalloc((nr_rows + 1) * sizeof(*l->rows));
	for (size_t i = 0; i < l->nr_lines; i++) {
		make_rows(l, &l->lines[i]);
		make_entries(l, &l->lines[i]);
	}
}
