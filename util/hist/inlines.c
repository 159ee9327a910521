// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inlined functions as frames. The functions that were inlined at an address are looked up once,
 * when its frame is made. Afterwards they are put into the stacks.
 */
#include "base/compat.h"

#include "hist/places-internal.h"
#include "resolve/srcline.h"

void calls_note(struct hist *h, struct resolve_req *reqs, size_t nr)
{
	h->calls = xcalloc(nr + 1, sizeof(*h->calls));
	for (size_t i = 0; i < nr; i++) {
		h->calls[i] = reqs[i].cpumode & ADDR_CALL;
		reqs[i].cpumode &= (u8)~ADDR_CALL;
	}
}

void inline_runs_init(struct hist *h, size_t nr)
{
	h->runs = xcalloc(nr + 1, sizeof(*h->runs));
	VEC_GROW(h->run_frames, 1, h->cap_run_frames);
	h->run_frames[h->nr_run_frames++] = 0; /* run 0 is none */
}

struct srclines *hist_lines(struct hist *h)
{
	if (!h->srclines)
		h->srclines = srclines_new(h->resolver ? resolver_symbols(h->resolver) : NULL);
	srclines_whole_paths(h->srclines, h->conf.whole_paths);
	return h->srclines;
}

void lines_ahead(struct hist *h, const struct location *l, size_t nr)
{
	srclines_ahead(hist_lines(h), l, nr, h->conf.inlines, h->conf.workers);
}

static u32 text_id(struct hist *h, struct place_table *t, const struct inline_frame *f)
{
	strbuf_reset(&t->line);
	srcline_shown(hist_lines(h), f->file, f->line, &t->line);
	return intern_str_id(&h->frame_lines, strbuf_str(&t->line));
}

void inline_run_make(struct hist *h, struct place_table *t, const struct location *l, size_t addr,
		     u64 ip)
{
	const struct inline_frame *in;
	u32 nr = srcline_inlines(hist_lines(h), l, &in), at, i;

	if (!nr)
		return;
	at = h->nr_run_frames;
	VEC_GROW(h->run_frames, (size_t)at + nr + 2, h->cap_run_frames);
	h->nr_run_frames += nr + 2;
	h->run_frames[at] = nr + 1;
	for (i = 0; i <= nr; i++) {
		u32 name = in[i].name ? intern_str_id(&h->inline_names, in[i].name) : 0;
		u32 line = h->conf.chain.line || h->conf.chain.address ? text_id(h, t, &in[i]) : 0;

		h->run_frames[at + 1 + i] = frame_at_line(h, t, l, ip, name, line);
	}
	h->runs[addr] = at;
}

bool stack_add_runs(const struct hist *h, struct hist_worker *w, struct stack *s)
{
	struct stack to = *s;
	bool any = false;
	size_t nr = 0;
	u32 i, k, at;

	for (i = 0; i < s->nr; i++) {
		at = h->runs[w->addr_ids[s->ids[i]]];
		nr += at ? h->run_frames[at] : 1;
		any |= at;
	}
	if (!any)
		return false;
	to.ids = arena_alloc(&w->arena, nr * sizeof(*to.ids) + 1);
	to.info = s->info ? arena_alloc(&w->arena, nr * sizeof(*to.info)) : NULL;
	to.key_addrs = s->key_addrs ? arena_alloc(&w->arena, nr * sizeof(*to.key_addrs)) : NULL;
	to.nr = 0;
	for (i = 0; i < s->nr; i++) {
		u32 addr = w->addr_ids[s->ids[i]], of;

		at = h->runs[addr];
		of = at ? h->run_frames[at] : 1;
		for (k = 0; k < of; k++, to.nr++) {
			to.ids[to.nr] = at ? h->run_frames[at + 1 + k] : h->addrs[addr].frame;
			if (s->info)
				to.info[to.nr] = s->info[i];
			if (s->key_addrs)
				to.key_addrs[to.nr] = s->key_addrs[i];
		}
	}
	*s = to;
	return true;
}

void inline_runs_release(struct hist *h)
{
	free(h->calls);
	free(h->runs);
	free(h->run_frames);
	intern_release(&h->inline_names);
}
