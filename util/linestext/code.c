// SPDX-License-Identifier: GPL-2.0-or-later
/* The code that made accesses, and the threads that ran it, as text. */
#include "base/compat.h"

#include "linestext/linestext-internal.h"

void clines_row_code(const struct clines_table *t, const struct line_row *r, struct location *out)
{
	resolve_find(t->r->machine, t->r->symbols, r->epoch, r->cpumode, r->ip, out);
}

const char *clines_row_comm(struct clines_table *t, const struct line_row *r)
{
	if (t->thread.tid != r->tid || t->thread.pid != r->pid || !t->thread.until)
		machine_thread_at(t->r->machine, r->pid, r->tid, t->last_time, &t->thread);
	return machine_comm(t->r->machine, t->thread.comm);
}

static char level_of(u8 cpumode)
{
	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		return 'k';
	case PERF_RECORD_MISC_USER:
		return '.';
	case PERF_RECORD_MISC_GUEST_KERNEL:
		return 'g';
	case PERF_RECORD_MISC_GUEST_USER:
		return 'u';
	default:
		return 'H';
	}
}

void clines_row_texts(struct clines_table *t, const struct line_row *r, struct entry_texts *texts)
{
	struct location l;
	const char *symbol;

	clines_row_code(t, r, &l);
	symbol = location_symbol(&l);
	strbuf_addf(&texts->symbol, "[%c] ", level_of(r->cpumode));
	if (symbol)
		strbuf_addname(&texts->symbol, symbol);
	else
		strbuf_addf(&texts->symbol, "0x%016" PRIx64, l.addr);
	texts->unresolved = !symbol;
	strbuf_addname(&texts->object, t->show->verbose ? location_dso_long(&l) : location_dso(&l));
	if (t->show->objects && clines_has_key(t->show, CLINES_CODE))
		clines_put_field(t, r, &texts->field);
	if (t->show->no_source || !clines_has_key(t->show, CLINES_CODE))
		return;
	if (!t->sources)
		t->sources = srclines_new(t->r->symbols);
	srcline_text(t->sources, &l, &texts->source);
}

void entry_texts_release(struct entry_texts *x)
{
	strbuf_release(&x->symbol);
	strbuf_release(&x->object);
	strbuf_release(&x->source);
	strbuf_release(&x->field);
}
