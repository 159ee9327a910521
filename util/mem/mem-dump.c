// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "mem/mem-dump.h"

#include "base/units.h"

struct dumping {
	const struct mem_dump *d;
	struct recording *r;
	const char *sep;
};

static void put_titles(const struct mem_dump *d, struct strbuf *out)
{
	strbuf_addstr(out, "# PID, TID, IP, ADDR, ");
	if (d->phys)
		strbuf_addstr(out, "PHYS ADDR, ");
	if (d->page_size)
		strbuf_addstr(out, "DATA PAGE SIZE, ");
	strbuf_addstr(out, "LOCAL WEIGHT, DSRC, SYMBOL\n");
}

static void put_code(const struct location *l, struct strbuf *out)
{
	const char *symbol = location_symbol(l);

	if (l->dso)
		strbuf_addname(out, location_dso_long(l));
	else
		strbuf_addstr(out, "???");
	strbuf_addch(out, ':');
	strbuf_addname(out, symbol ? symbol : "???");
	strbuf_addch(out, '\n');
}

static int on_ready(void *ctx, struct err *err)
{
	const struct dumping *g = ctx;

	return recording_bind_switch(g->r, err);
}

static int on_sample(void *ctx, int worker __unused, const struct session_event *ev,
		     struct strbuf *out, struct err *err __unused)
{
	const struct dumping *g = ctx;
	const struct sample *s = ev->sample;
	const char *sep = g->sep;
	struct thread_at at = { 0 };
	struct location place;

	if (!s || !recording_switch_takes(g->r, ev) || !recording_takes(g->r, ev, &at))
		return 0;
	recording_place(g->r, ev, &at, &place);
	if (g->d->hide_unresolved && !location_symbol(&place))
		return 0;
	strbuf_addf(out, "%d%s%d%s0x%" PRIx64 "%s0x%" PRIx64 "%s", (s32)s->pid, sep, (s32)s->tid,
		    sep, s->ip, sep, s->addr, sep);
	if (g->d->phys)
		strbuf_addf(out, "0x%016" PRIx64 "%s", s->phys_addr, sep);
	if (g->d->page_size) {
		page_size_text(s->data_page_size, out);
		strbuf_addstr(out, sep);
	}
	strbuf_addf(out, "%" PRIu64 "%s0x%" PRIx64 "%s", s->weight, sep, s->data_src, sep);
	put_code(&place, out);
	return 0;
}

static int on_write(void *ctx, const char *text, size_t len, struct err *err __unused)
{
	const struct dumping *g = ctx;

	return g->d->write(g->d->ctx, text, len);
}

int mem_dump_run(const struct mem_dump *d, struct recording *r, int workers, struct err *err)
{
	static const struct recording_ops ops = { .ready = on_ready,
						  .format = on_sample,
						  .write = on_write };
	struct dumping g = { d, r, d->separator ? d->separator : " " };
	struct strbuf titles = STRBUF_INIT;
	int ret;

	recording_symbols(r);
	ret = recording_prepare(r, err) ?: recording_settle_time(r, err);
	if (!ret) {
		put_titles(d, &titles);
		ret = d->write(d->ctx, titles.buf, titles.len);
	}
	if (!ret)
		ret = recording_ordered(r, &ops, &g, event_switch_any(&r->on_off) ? 1 : workers,
					err);
	strbuf_release(&titles);
	return ret;
}
