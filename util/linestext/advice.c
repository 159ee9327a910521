// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Advice tells what a line holds, and whether its fields are shared. When a thread waits for a
 * field that no other thread stores to, it waits because of its neighbours in the line: false
 * sharing, which ends when they are apart.
 */
#include "base/compat.h"

#include "linestext/linestext-internal.h"

#include "arch/arch.h"
#include "base/alloc.h"
#include "datatype/datatype.h"

/* These CPUs and threads store to a place in a line. */
struct stores {
	u64 nr;
	u32 tid, row; /* the first one */
	bool several; /* threads */
};

static bool is_store(const struct line_row *r)
{
	return r->set & ACCESS_BIT(ACCESS_STORE);
}

static bool is_contended(const struct line_row *r)
{
	return r->set & (ACCESS_BIT(ACCESS_LCL_HITM) | ACCESS_BIT(ACCESS_RMT_HITM) |
			 ACCESS_BIT(ACCESS_LCL_PEER) | ACCESS_BIT(ACCESS_RMT_PEER));
}

static u32 offset_of(const struct clines_table *t, const struct line_row *r)
{
	return (u32)(r->addr & (t->line_size - 1));
}

static struct stores *find_stores(const struct clines_table *t, const struct line *line)
{
	const struct line_row *rows = clines_rows(t->lines);
	struct stores *s = xcalloc(t->line_size, sizeof(*s));

	for (u32 i = line->row; i < line->row + line->nr_rows; i++) {
		struct stores *at = &s[offset_of(t, &rows[i])];

		if (!is_store(&rows[i]))
			continue;
		if (!at->nr) {
			at->tid = rows[i].tid;
			at->row = i;
		}
		at->several |= at->tid != rows[i].tid;
		at->nr += rows[i].nr;
	}
	return s;
}

bool clines_advise(const struct clines_table *t, const struct line *line, struct line_advice *out)
{
	const struct line_row *rows = clines_rows(t->lines);
	struct stores *s = find_stores(t, line);
	u64 most = 0;

	*out = (struct line_advice){ 0 };
	for (u32 i = line->row; i < line->row + line->nr_rows; i++) {
		const struct stores *at = &s[offset_of(t, &rows[i])];

		if (!is_contended(&rows[i]))
			continue;
		out->contended += rows[i].nr;
		if (!at->several && (!at->nr || at->tid == rows[i].tid))
			out->apart += rows[i].nr;
	}
	for (u32 i = 0; i < t->line_size; i++) {
		if (s[i].nr <= most)
			continue;
		most = s[i].nr;
		out->offset = i;
		out->row = s[i].row;
		out->tid = s[i].tid;
		out->several = s[i].several;
	}
	free(s);
	return most && out->apart && out->apart * 2 >= out->contended;
}

void clines_put_field(struct clines_table *t, const struct line_row *r, struct strbuf *out)
{
	struct location l;
	struct datatype type;

	if (!t->types)
		t->types = datatypes_new(arch_of(t->r->session.file->env.arch));
	clines_row_code(t, r, &l);
	if (datatype_at(t->types, &l, &type))
		datatype_offset_text(&type, out);
}

void clines_put_data(struct clines_table *t, const struct line *line, struct strbuf *out)
{
	const struct line_row *r = clines_rows(t->lines) + line->row;
	struct location l;
	const char *symbol;

	resolve_find(t->r->machine, t->r->symbols, r->epoch, r->cpumode, line->addr, &l);
	if (!location_symbol(&l)) /* the line may begin before the first variable in it */
		resolve_find(t->r->machine, t->r->symbols, r->epoch, r->cpumode, r->addr, &l);
	symbol = location_symbol(&l);
	if (symbol) {
		strbuf_addname(out, symbol);
		strbuf_addf(out, "+%#" PRIx64, l.addr - symtab_get(l.symtab, l.sym).start);
	} else {
		strbuf_addstr(out, "memory");
	}
	strbuf_addstr(out, " of ");
	strbuf_addname(out, location_dso(&l));
}

void clines_put_advice(struct clines_table *t, const struct line *line, struct strbuf *out)
{
	struct line_advice a;
	struct strbuf field = STRBUF_INIT;

	if (!clines_advise(t, line, &a))
		return;
	clines_put_field(t, clines_rows(t->lines) + a.row, &field);
	strbuf_addf(out,
		    "  hint: move the field at 0x%x%s%s%s, which %s %d stores to, to a line of its "
		    "own:\n        %" PRIu64 " of %" PRIu64
		    " contended loads are of fields that no other thread stores to\n",
		    a.offset, field.len ? " (" : "", strbuf_str(&field), field.len ? ")" : "",
		    a.several ? "among others thread" : "thread", (s32)a.tid, a.apart, a.contended);
	strbuf_release(&field);
}
