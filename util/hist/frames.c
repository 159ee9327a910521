// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses to places and frames, each unique address once. Stacks are rewritten in place: ids of
 * the worker's addresses -> frame ids in printing order.
 */
#include "base/compat.h"

#include "hist/hist-internal.h"
#include "resolve/srcline.h"

/* ---- unique addresses of one worker ---- */

static void worker_addrs(void *ctx, int worker, size_t item)
{
	struct hist *h = ctx;
	struct hist_worker *w = h->workers[item];
	size_t i;

	index_release(&w->by_tally);
	index_release(&w->by_stack);
	if (h->conf.stacks)
		return; /* all addresses are known as the leaves of stacks and code sites */
	if (h->keep & (NEED_DSO | NEED_SYM))
		for (i = 0; i < w->nr_tallies; i++)
			w->tallies[i].place =
				addr_id(w, w->tallies[i].ip, w->tallies[i].epoch,
					hist_ip_mode(h, w->tallies[i].ip, w->tallies[i].mode));
	if (hist_keeps_from(h))
		for (i = 0; i < w->nr_bases; i++)
			w->bases[i].from = addr_id(w, w->bases[i].from, w->bases[i].from_epoch,
						   w->bases[i].from_mode);
}

/* ---- unique addresses of all workers ---- */

/* The first worker's table becomes the table of all: only the others' addresses are looked up in
 * it. */
static struct resolve_req *merge_addrs(struct hist *h, size_t *nr_reqs)
{
	struct hist_worker *all = h->workers[0];
	size_t k, own = all->nr_addrs;
	int i;

	for (i = 1; i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		w->addr_ids = xcalloc(w->nr_addrs ? w->nr_addrs : 1, sizeof(*w->addr_ids));
		for (k = 0; k < w->nr_addrs; k++)
			w->addr_ids[k] = addr_id(all, w->addrs[k].ip, w->addrs[k].epoch,
						 w->addrs[k].cpumode);
		free(w->addrs);
		w->addrs = NULL;
		index_release(&w->by_addr);
	}
	all->addr_ids = xcalloc(own ? own : 1, sizeof(*all->addr_ids));
	for (k = 0; k < own; k++)
		all->addr_ids[k] = k;
	index_release(&all->by_addr);
	*nr_reqs = all->nr_addrs;
	return all->addrs;
}

/* ---- places and frames ---- */

/* Note that something was in an object. */
static void hit_dso(struct hist *h, u32 id)
{
	size_t old = h->nr_dso_hit;

	if (id >= old) {
		h->nr_dso_hit = MAX((size_t)id + 1, old * 2);
		h->dso_hit = xrealloc(h->dso_hit, h->nr_dso_hit, sizeof(*h->dso_hit));
		memset(h->dso_hit + old, 0, (h->nr_dso_hit - old) * sizeof(*h->dso_hit));
	}
	h->dso_hit[id] = true;
}

static u32 dso_name_id(struct hist *h, struct tables *t, const struct location *l)
{
	u32 id, old = t->nr_dsos;

	if (!l->dso)
		return 0;
	id = l->dso->id;
	if (id >= t->nr_dsos) {
		t->nr_dsos = MAX((size_t)id + 1, t->nr_dsos * 2);
		t->dso_name = xrealloc(t->dso_name, t->nr_dsos, sizeof(u32));
		memset(t->dso_name + old, 0, (t->nr_dsos - old) * sizeof(u32));
	}
	if (!t->dso_name[id]) {
		t->dso_name[id] = hist_dso_id(h, l->dso);
		hit_dso(h, id);
	}
	return t->dso_name[id];
}

void tables_expect(struct tables *t, size_t nr)
{
	index_expect(&t->by_place, nr);
	VEC_GROW(t->places, t->nr_places + nr, t->cap_places);
}

void tables_name_object(struct hist *h, struct tables *t, const struct location *l)
{
	dso_name_id(h, t, l);
}

static char location_level(const struct location *l)
{
	return l->map ? (l->cpumode == PERF_RECORD_MISC_KERNEL ? 'k' : '.') : 0;
}

static char location_origin(const struct location *l)
{
	return l->symtab ? symtab_origin(l->symtab) : '!';
}

static u32 add_place(const struct hist *h, struct tables *t, struct hist_place p, u64 ip)
{
	VEC_GROW(t->places, t->nr_places + 1, t->cap_places);
	t->places[t->nr_places] = p;
	if (h->conf.branches) {
		VEC_GROW(t->place_ips, t->nr_places + 1, t->cap_place_ips);
		t->place_ips[t->nr_places] = ip;
	}
	return t->nr_places++;
}

static bool same_symbol(const struct hist_place *p, const struct hist_place *q)
{
	return (p->symtab == q->symtab && p->sym == q->sym) ||
	       hist_place_end(p) == hist_place_end(q);
}

static u64 place_hash(const struct hist_place *p, u64 ip)
{
	return hash_u64(p->start ^ ip << 7 ^ (u64)p->inlined << 17 ^
			hash_u64((u64)p->dso << 1 ^ (p->sym == UINT32_MAX)));
}

/* The number of @p, which is made when there is none like it. @ip: as in place_ips. What ends a
 * symbol is asked for only where two begin at one place: it is far away in memory. */
static u32 find_place(const struct hist *h, struct tables *t, struct hist_place p, u64 ip)
{
	u64 hash = place_hash(&p, ip);
	size_t pos;

	index_reserve(&t->by_place);
	index_for_each(&t->by_place, hash, pos)
	{
		u32 i = index_at(&t->by_place, pos);
		const struct hist_place *q = &t->places[i];

		if (q->start == p.start && q->dso == p.dso &&
		    (!t->place_ips || t->place_ips[i] == ip) && q->inlined == p.inlined &&
		    (q->sym == UINT32_MAX) == (p.sym == UINT32_MAX) && same_symbol(&p, q))
			return i;
	}
	index_put(&t->by_place, pos, hash, t->nr_places);
	return add_place(h, t, p, ip);
}

/* An inlined function is one wherever it is in an object. */
static u32 inlined_place(struct hist *h, struct tables *t, const struct location *l, u32 inlined)
{
	return find_place(h, t,
			  (struct hist_place){ .dso = dso_name_id(h, t, l),
					       .level = location_level(l),
					       .origin = location_origin(l),
					       .inlined = inlined },
			  0);
}

/* @start: where the symbol of a location begins, or, without one, the address that it is. */
static struct hist_place place_of(struct hist *h, struct tables *t, const struct location *l,
				  u64 start)
{
	bool named = l->symtab && l->sym != UINT32_MAX && hist_needs_symbol(h);

	return (struct hist_place){ .dso = dso_name_id(h, t, l),
				    .start = hist_needs_symbol(h) ? start : 0,
				    .sym = named ? l->sym : UINT32_MAX,
				    .symtab = named ? l->symtab : NULL,
				    .level = location_level(l),
				    .origin = location_origin(l) };
}

u32 hist_place_id(struct hist *h, struct tables *t, const struct location *l, u64 addr, u64 ip)
{
	struct hist_place p;

	if (l->symtab && l->sym != UINT32_MAX && hist_needs_symbol(h))
		addr = symtab_range(l->symtab, l->sym).start;
	p = place_of(h, t, l, addr);
	return find_place(h, t, p, h->conf.branches && hist_needs_symbol(h) && !p.symtab ? ip : 0);
}

void hist_place_tallies(struct hist *h, struct tables *t, const struct hist_worker *w,
			struct tally *r, size_t nr)
{
	struct hist_place p[PLACE_TALLIES];
	const struct index *ix = &t->by_place;

	for (size_t i = 0; i < nr; i++) {
		struct location l = object_location(w, r[i].epoch, r[i].place);

		p[i] = place_of(h, t, &l, r[i].ip);
		__builtin_prefetch(&ix->slots[place_hash(&p[i], 0) & ix->mask]);
	}
	for (size_t i = 0; i < nr; i++)
		r[i].place = find_place(h, t, p[i], 0);
}

struct srclines *frame_lines(struct hist *h, struct tables *t)
{
	if (!t->lines)
		t->lines = srclines_new();
	srclines_whole_paths(t->lines, h->conf.whole_paths);
	return t->lines;
}

/* In a function that is named anyway, where no line is known: how far into it, or, where frames are
 * lines, nothing. */
static u32 frame_line(struct hist *h, struct tables *t, const struct location *l)
{
	const char *file, *text;

	strbuf_reset(&t->line);
	srcline_text(frame_lines(h, t), l, &t->line);
	text = strbuf_str(&t->line);
	srcline_find(t->lines, l, &file);
	if (!file && l->dso && l->symtab && l->sym != UINT32_MAX && strrchr(text, '+'))
		text = h->conf.chain.line ? "" : strrchr(text, '+');
	if (!file && h->conf.stacks)
		text = ""; /* which wants files and nothing else */
	return intern_str_id(&h->frame_lines, text);
}

/* Do lines tell frames apart? Those of addresses do where some may be behind a call or not. */
static bool lines_differ(const struct hist *h)
{
	return h->conf.chain.line || (h->conf.chain.address && h->conf.inlines);
}

static bool same_frame(const struct hist *h, const struct tables *t, const struct hist_frame *q,
		       const struct hist_frame *f, bool sym, u32 inlined)
{
	const struct hist_place *p = &t->places[q->place];

	return q->addr == f->addr && q->dso == f->dso && (!lines_differ(h) || q->line == f->line) &&
	       (p->sym != UINT32_MAX) == sym && p->inlined == inlined;
}

/* @f has its line, if lines tell frames apart. */
static u32 find_frame(struct hist *h, struct tables *t, const struct location *l,
		      struct hist_frame f, u32 inlined)
{
	bool sym = l->symtab && l->sym != UINT32_MAX;
	u64 hash = hash_u64(f.addr ^ hash_u64((u64)f.dso << 1 | sym) ^
			    (lines_differ(h) ? f.line : 0) ^ (u64)inlined << 32);
	size_t pos;

	index_reserve(&t->by_frame);
	index_for_each(&t->by_frame, hash, pos)
	{
		struct hist_frame *q = &h->frames[index_at(&t->by_frame, pos)];

		if (same_frame(h, t, q, &f, sym, inlined)) {
			q->at = h->conf.chain.line || inlined ? MIN(q->at, f.at) : q->at;
			return index_at(&t->by_frame, pos);
		}
	}
	f.place = inlined ? inlined_place(h, t, l, inlined)
			  : hist_place_id(h, t, l, !sym && hist_whole_objects(h) ? 0 : f.ip, f.ip);
	if (h->conf.chain.address && !lines_differ(h))
		f.line = frame_line(h, t, l);
	VEC_GROW(h->frames, h->nr_frames + 1, h->cap_frames);
	h->frames[h->nr_frames] = f;
	index_put(&t->by_frame, pos, hash, h->nr_frames);
	return h->nr_frames++;
}

static struct hist_frame new_frame(const struct location *l, u64 ip, u64 addr, u32 line)
{
	return (struct hist_frame){
		.ip = ip,
		.addr = addr,
		.at = l->addr,
		.dso = l->dso ? l->dso->id + 1 : 0,
		.level = location_level(l),
		.line = line,
	};
}

/* What frames that lines do not tell apart are by: functions, or addresses. */
static u64 frame_addr(const struct hist *h, const struct location *l, u64 ip)
{
	bool sym = l->symtab && l->sym != UINT32_MAX;

	if (sym && !h->conf.chain.address)
		return symtab_range(l->symtab, l->sym).start;
	return !sym && hist_whole_objects(h) ? 0 : ip;
}

u32 hist_frame_id(struct hist *h, struct tables *t, const struct location *l, u64 ip)
{
	u32 line = lines_differ(h) ? frame_line(h, t, l) : 0;

	return find_frame(h, t, l, new_frame(l, ip, frame_addr(h, l, ip), line), 0);
}

u32 frame_at_line(struct hist *h, struct tables *t, const struct location *l, u64 ip, u32 inlined,
		  u32 line)
{
	u64 addr = inlined && !h->conf.chain.address ? 0 : frame_addr(h, l, ip);

	return find_frame(h, t, l, new_frame(l, ip, addr, line), inlined);
}

void tables_init(const struct hist *h, struct tables *t)
{
	*t = (struct tables){ 0 };
	add_place(h, t, (struct hist_place){ .sym = UINT32_MAX }, 0);
}

void tables_done(struct hist *h, struct tables *t)
{
	h->places = t->places;
	h->place_ips = t->place_ips;
	h->nr_places = t->nr_places;
	index_release(&t->by_place);
	index_release(&t->by_frame);
	free(t->dso_name);
	srclines_free(t->lines);
	strbuf_release(&t->line);
}

/* Locations are large, and not needed for longer. */
#define AT_ONCE ((size_t)1 << 16)

/* The frame of an address, and those that are inlined there. */
static void make_frame(struct hist *h, struct tables *t, const struct location *l, size_t addr,
		       u64 ip)
{
	struct location call = *l;

	if (h->runs && h->calls[addr])
		call.addr--;
	h->addrs[addr].frame = hist_frame_id(h, t, &call, ip);
	if (h->runs)
		inline_run_make(h, t, &call, addr, ip);
}

static void make_tables(struct hist *h, struct resolve_req *reqs, size_t nr)
{
	u32 *locs = xcalloc(AT_ONCE, sizeof(*locs));
	bool stacks = hist_keeps_stacks(h), whole = hist_whole_objects(h);
	struct tables t;

	tables_init(h, &t);
	if (h->conf.inlines && stacks)
		addrs_take_calls(h, reqs, nr);
	h->addrs = xcalloc(nr ? nr : 1, sizeof(*h->addrs));
	h->nr_addrs = nr;
	if (h->conf.origins || (h->conf.stacks && h->conf.stacks->sites))
		h->file_addrs = xcalloc(nr + 1, sizeof(*h->file_addrs));
	for (size_t i = 0; i < nr; i++) {
		const struct location *l;

		if (i % AT_ONCE == 0) {
			resolver_forget(h->resolver);
			resolve_many(h->resolver, reqs + i, MIN(nr - i, AT_ONCE), locs,
				     h->conf.workers);
		}
		l = resolver_get(h->resolver, locs[i % AT_ONCE]);
		if (h->file_addrs)
			h->file_addrs[i] = l->addr;
		h->addrs[i].place = hist_place_id(h, &t, l, whole ? 0 : l->addr, reqs[i].ip);
		if (stacks)
			make_frame(h, &t, l, i, reqs[i].ip);
	}
	resolver_forget(h->resolver);
	tables_done(h, &t);
	free(locs);
}

/* ---- rewriting to final ids ---- */

/* Leave out what comes before the last frame that chains are cut at. Samples are its own then. */
static void cut_stack(const struct hist *h, struct stack *s)
{
	u32 *ids = s->ids;
	u32 i;

	for (i = s->nr; i > 0 && !h->cuts[ids[i - 1]];)
		i--;
	if (!i)
		return;
	s->root = ids[i - 1] + 1;
	s->nr -= i - 1;
	memmove(ids, ids + i - 1, s->nr * sizeof(*ids));
	s->info = s->info ? s->info + i - 1 : NULL;
	s->key_addrs = s->key_addrs ? s->key_addrs + i - 1 : NULL;
}

static void swap_frames(struct stack *s, u32 i, u32 k)
{
	u32 *ids = s->ids;

	SWAP(ids[i], ids[k]);
	if (s->info)
		SWAP(s->info[i], s->info[k]);
	if (s->key_addrs)
		SWAP(s->key_addrs[i], s->key_addrs[k]);
}

/* The frame of an address or a code site of a worker. */
static inline u32 frame_of(const struct hist *h, const struct hist_worker *w, u32 id)
{
	return h->early ? w->addr_ids[id] : h->addrs[w->addr_ids[id]].frame;
}

static void stack_to_frames(const struct hist *h, struct hist_worker *w, struct stack *s)
{
	u32 *ids;
	u32 i, k;

	if (h->runs)
		stack_add_runs(h, w, s);
	ids = s->ids;
	for (i = 0, k = 0; i < s->nr; i++) {
		ids[k] = h->runs ? ids[i] : frame_of(h, w, ids[i]);
		if (s->info)
			s->info[k] = s->info[i];
		if (s->key_addrs)
			s->key_addrs[k] = s->key_addrs[i];
		k += !h->conf.hide_unresolved ||
		     h->places[h->frames[ids[k]].place].sym != UINT32_MAX;
	}
	s->nr = k;
	for (i = 0, k = s->nr; h->conf.chain.caller && i + 1 < k; i++, k--)
		swap_frames(s, i, k - 1);
	if (h->cuts)
		cut_stack(h, s);
}

/* --ignore-callees: which frames chains begin at. */
static void find_cuts(struct hist *h)
{
	size_t i;

	if (!h->conf.chain.ignore_callees)
		return;
	h->cuts = xcalloc(h->nr_frames + 1, sizeof(*h->cuts));
	for (i = 0; i < h->nr_frames; i++) {
		const char *name = hist_symbol_name(h, h->frames[i].place);

		h->cuts[i] = name && !regexec(h->conf.chain.ignore_callees, name, 0, NULL, 0);
	}
}

/* Of trees of stacks: see leaf_frame(). */
static void resolve_leaves(const struct hist *h, struct hist_worker *w)
{
	for (size_t i = 0; i < w->nr_stacks; i++)
		w->stacks[i].leaf = w->addr_ids[w->stacks[i].leaf];
	for (size_t i = 0; i < w->nr_site_counts; i++) {
		struct site_count *c = &w->site_counts[i];

		c->leaf = w->addr_ids[c->leaf];
		if (!h->early)
			c->addr = h->file_addrs[c->leaf];
	}
}

/* What rows will say of where they were seen. Bases still have numbers of addresses. */
static void note_seen(const struct hist *h, struct hist_worker *w)
{
	w->tally_addrs = xcalloc(w->nr_tallies + 1, sizeof(*w->tally_addrs));
	for (size_t i = 0; h->keep & (NEED_DSO | NEED_SYM) && i < w->nr_tallies; i++)
		w->tally_addrs[i] = h->file_addrs[w->addr_ids[w->tallies[i].place]];
	w->from_addrs = xcalloc(w->nr_bases + 1, sizeof(*w->from_addrs));
	for (size_t i = 0; hist_keeps_from(h) && i < w->nr_bases; i++)
		w->from_addrs[i] = h->file_addrs[w->addr_ids[w->bases[i].from]];
}

static void worker_frames(void *ctx, int worker, size_t item)
{
	struct hist *h = ctx;
	struct hist_worker *w = h->workers[item];
	size_t i;

	if (h->conf.origins && !h->early)
		note_seen(h, w);
	if (h->conf.stacks)
		resolve_leaves(h, w);
	else if (h->keep & (NEED_DSO | NEED_SYM))
		for (i = 0; i < w->nr_tallies; i++)
			w->tallies[i].place = h->addrs[w->addr_ids[w->tallies[i].place]].place;
	if (hist_keeps_from(h))
		for (i = 0; i < w->nr_bases; i++)
			w->bases[i].from = h->addrs[w->addr_ids[w->bases[i].from]].place;
	for (i = 0; i < w->nr_stacks; i++)
		stack_to_frames(h, w, &w->stacks[i]);
	for (i = 0; h->cuts && i < w->nr_tallies; i++)
		if (w->tallies[i].stack != UINT32_MAX && w->stacks[w->tallies[i].stack].root)
			w->tallies[i].place =
				h->frames[w->stacks[w->tallies[i].stack].root - 1].place;
	free(w->addr_ids);
	w->addr_ids = NULL;
}

void hist_resolve(struct hist *h)
{
	struct resolve_req *reqs;
	struct tables none;
	size_t nr;

	if (!hist_needs_dso(h) || !h->nr_workers) {
		tables_init(h, &none);
		tables_done(h, &none);
		return;
	}
	if (h->early) {
		early_finish(h);
		if (!h->conf.stacks)
			return;
		find_cuts(h);
		crew_run(h->crew, h->nr_workers, worker_frames, h);
		return;
	}
	crew_run(h->crew, h->nr_workers, worker_addrs, h);
	reqs = merge_addrs(h, &nr);
	make_tables(h, reqs, nr);
	free(reqs);
	find_cuts(h);
	h->workers[0]->addrs = NULL;
	crew_run(h->crew, h->nr_workers, worker_frames, h);
	free(h->file_addrs);
	h->file_addrs = NULL;
	if (h->conf.stacks)
		return; /* leaves are numbers of addresses */
	free(h->addrs);
	h->addrs = NULL;
}
