// SPDX-License-Identifier: GPL-2.0-or-later
/* Find the line of each row: addresses are looked up, and rows are put in order by line. */
#include "base/compat.h"

#include "lines/lines-internal.h"

#include "base/alloc.h"
#include "base/hash.h"

#define NO_LINE UINT32_MAX
#define CODES 512 /* addresses of code whose objects are remembered */

/* The object of an address of code. */
struct code {
	u64 ip;
	u32 epoch, object;
	u8 cpumode;
	bool asked, known;
};

/* This is needed while lines are looked up. */
struct finder {
	struct clines *l;
	struct line_slots table; /* of spans */
	u32 *line_of;            /* by number of a row; NO_LINE: in none */
	struct code codes[CODES];
	struct line_owner last;
	u32 last_id; /* of that owner; 0: none yet */
};

/* ---- one row ---- */

static struct line_access access_of_row(const struct line_row *r)
{
	return (struct line_access){
		.addr = r->addr,
		.ip = r->ip,
		.pid = r->pid,
		.tid = r->tid,
		.cpu = r->cpu,
		.epoch = r->epoch,
		.cpumode = r->cpumode,
	};
}

/* Tell whether something is mapped where the code of a row is. */
static bool has_object(struct finder *f, const struct line_access *a)
{
	const struct clines_conf *c = &f->l->conf;
	struct code *m = &f->codes[hash_u64(a->ip) % CODES];

	if (!m->asked || m->ip != a->ip || m->epoch != a->epoch || m->cpumode != a->cpumode) {
		*m = (struct code){ a->ip, a->epoch, 0, a->cpumode, true, false };
		m->known = c->object(c->ctx, a, &m->object);
	}
	return m->known;
}

static u32 owner_of(struct finder *f, const struct line_place *p, u8 cpumode)
{
	const struct line_owner o = { p->device, p->inode, p->generation, p->pid, cpumode };

	if (!f->last_id || memcmp(&o, &f->last, sizeof(o))) {
		f->last = o;
		f->last_id = intern_id(&f->l->owners, (const char *)&o, sizeof(o));
	}
	return f->last_id;
}

/* Return the number of a line; it is added when it is new. */
static u32 line_at(struct finder *f, u32 owner, u64 at, u64 addr)
{
	struct clines *l = f->l;
	struct line_slots *t = &f->table;
	u64 hash = hash_u64(hash_mix(at, owner));
	size_t slot;

	line_slots_grow(t, l->nr_spans);
	for (slot = hash >> 32 & t->mask; t->slots[slot]; slot = (slot + 1) & t->mask) {
		u32 number = (u32)t->slots[slot] - 1;

		if (t->slots[slot] >> 32 == hash >> 32 && l->spans[number].at == at &&
		    l->spans[number].owner == owner)
			return number;
	}
	VEC_GROW(l->spans, l->nr_spans + 1, l->cap_spans);
	l->spans[l->nr_spans] = (struct line_span){ .at = at, .addr = addr, .owner = owner };
	line_slots_put(t, slot, hash, l->nr_spans);
	return (u32)l->nr_spans++;
}

/* Find the line of a row, and count the row. */
static u32 find_line(struct finder *f, struct line_row *r)
{
	const struct clines_conf *c = &f->l->conf;
	const struct line_access a = access_of_row(r);
	u64 mask = ~((u64)c->line_size - 1);
	struct line_place place = { 0 };
	struct line_span *s;
	u32 line;

	if (!(r->set & ACCESS_NOWHERE) && (!has_object(f, &a) || !c->place(c->ctx, &a, &place)))
		r->set |= ACCESS_BIT(ACCESS_NO_MAP);
	line_count_row(&f->l->counts, r);
	if (r->set & ACCESS_NOWHERE)
		return NO_LINE;
	line = line_at(f, owner_of(f, &place, r->cpumode), place.addr & mask, r->addr & mask);
	s = &f->l->spans[line];
	s->addr = MIN(s->addr, r->addr & mask);
	s->set |= r->set;
	s->nr++;
	return line;
}

/* ---- all rows ---- */

static size_t number_rows(struct clines *l)
{
	size_t nr = 0;

	for (size_t i = 0; i < l->nr_workers; i++) {
		clines_worker_flush(l->workers[i]);
		l->workers[i]->first = (u32)nr;
		nr += l->workers[i]->nr;
	}
	return nr;
}

static void find_lines(struct finder *f)
{
	for (size_t i = 0; i < f->l->nr_workers; i++) {
		struct clines_worker *w = f->l->workers[i];

		free(w->table.slots);
		w->table.slots = NULL;
		for (size_t k = 0; k < w->nr; k++)
			f->line_of[w->first + k] = find_line(f, &w->rows[k]);
	}
}

/* Put the numbers of rows in the order of their lines. */
static void order_rows(struct clines *l, const u32 *line_of, size_t nr_rows)
{
	u32 row = 0;

	for (size_t i = 0; i < l->nr_spans; i++) {
		l->spans[i].row = row;
		row += l->spans[i].nr;
		l->spans[i].nr = 0;
	}
	l->order = xmalloc((row + 1UL) * sizeof(*l->order));
	for (size_t i = 0; i < nr_rows; i++) {
		struct line_span *s;

		if (line_of[i] == NO_LINE)
			continue;
		s = &l->spans[line_of[i]];
		l->order[s->row + s->nr++] = (u32)i;
	}
}

void clines_finish(struct clines *l)
{
	struct finder *f = xzalloc(sizeof(*f));
	size_t nr_rows = number_rows(l);

	f->l = l;
	f->line_of = xmalloc((nr_rows + 1) * sizeof(*f->line_of));
	find_lines(f);
	free(f->table.slots);
	order_rows(l, f->line_of, nr_rows);
	free(f->line_of);
	free(f);
}

/* ---- the result ---- */

size_t clines_nr(const struct clines *l)
{
	return l->nr_spans;
}

u32 clines_set(const struct clines *l, size_t line)
{
	return l->spans[line].set;
}

void clines_sum(const struct clines *l, size_t line, struct line_counts *out)
{
	const struct line_span *s = &l->spans[line];

	memset(out, 0, sizeof(*out));
	for (u32 i = 0; i < s->nr; i++)
		line_count_row(out, clines_row(l, l->order[s->row + i]));
}
