// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses to places and frames, each unique address once. Stacks are rewritten in place:
 * 64-bit words (markers included) -> 32-bit ids of the worker's addresses -> 32-bit frame ids
 * in printing order. An id is half a word, so the rewriting never overtakes what it reads.
 */
#include "base/compat.h"

#include "hist/hist-internal.h"

/* ---- unique addresses of one worker ---- */

static u32 addr_id(struct hist_worker *w, u64 ip, u32 epoch, u8 mode)
{
	u64 hash;
	size_t pos;

	hash = hash_u64(ip ^ hash_u64((u64)epoch << 8 | mode));
	index_reserve(&w->by_addr);
	index_for_each(&w->by_addr, hash, pos)
	{
		const struct resolve_req *r = &w->addrs[index_at(&w->by_addr, pos)];

		if (r->ip == ip && r->epoch == epoch && r->cpumode == mode)
			return index_at(&w->by_addr, pos);
	}
	VEC_GROW(w->addrs, w->nr_addrs + 1, w->cap_addrs);
	w->addrs[w->nr_addrs] = (struct resolve_req){ ip, epoch, mode };
	index_put(&w->by_addr, pos, hash, w->nr_addrs);
	return w->nr_addrs++;
}

static void stack_to_addrs(struct hist_worker *w, struct stack *s)
{
	u32_alias *ids = (u32_alias *)s->ips;
	u32 max = w->h->conf.max_stack, nr = 0, i;
	u8 mode = s->mode;

	for (i = 0; i < s->nr; i++) {
		u64 word = s->ips[i];

		if (word >= (u64)PERF_CONTEXT_MAX) {
			mode = callchain_mode(word);
			if (!mode) { /* no chain rather than a wrong one */
				nr = 0;
				break;
			}
			continue;
		}
		ids[nr++] = addr_id(w, word,
				    mode == PERF_RECORD_MISC_KERNEL ? s->kernel_epoch : s->epoch,
				    mode);
	}
	if (nr > max) { /* what is nearest to where printing begins stays */
		if (w->h->conf.chain.caller)
			memmove(ids, ids + (nr - max), max * sizeof(*ids));
		nr = max;
	}
	s->nr = nr;
}

static void worker_addrs(void *ctx, int worker, size_t item)
{
	struct hist *h = ctx;
	struct hist_worker *w = h->workers[item];
	size_t i;

	index_release(&w->by_raw);
	index_release(&w->by_stack);
	if (h->keep & (NEED_DSO | NEED_SYM))
		for (i = 0; i < w->nr_raws; i++)
			w->raws[i].place =
				addr_id(w, w->raws[i].ip, w->raws[i].epoch, w->raws[i].mode);
	for (i = 0; i < w->nr_stacks; i++)
		stack_to_addrs(w, &w->stacks[i]);
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
		t->dso_name[id] = intern_str_id(&h->dso_names, location_dso(l));
		hit_dso(h, id);
	}
	return t->dso_name[id];
}

u32 hist_place_id(struct hist *h, struct tables *t, const struct location *l, u64 addr)
{
	struct hist_place p = { .dso = dso_name_id(h, t, l), .sym = UINT32_MAX };
	size_t pos;
	u64 hash;

	if (hist_needs_symbol(h)) {
		if (l->symtab && l->sym != UINT32_MAX) {
			const struct symbol *sym = symtab_get(l->symtab, l->sym);

			p.sym = l->sym;
			p.symtab = l->symtab;
			p.start = sym->start;
			p.end = sym->end;
		} else {
			p.start = addr;
		}
	}
	hash = hash_u64(p.start ^ hash_u64((u64)p.dso << 1 ^ p.end << 33 ^ (p.sym == UINT32_MAX)));
	index_reserve(&t->by_place);
	index_for_each(&t->by_place, hash, pos)
	{
		const struct hist_place *q = &h->places[index_at(&t->by_place, pos)];

		if (q->start == p.start && q->end == p.end && q->dso == p.dso &&
		    (q->sym == UINT32_MAX) == (p.sym == UINT32_MAX))
			return index_at(&t->by_place, pos);
	}
	VEC_GROW(h->places, h->nr_places + 1, h->cap_places);
	p.key = h->conf.cols.need & NEED_SYM   ? h->nr_places
		: h->conf.cols.need & NEED_DSO ? p.dso
					       : 0;
	h->places[h->nr_places] = p;
	index_put(&t->by_place, pos, hash, h->nr_places);
	return h->nr_places++;
}

static char location_level(const struct location *l)
{
	return l->map ? (l->cpumode == PERF_RECORD_MISC_KERNEL ? 'k' : '.') : 0;
}

static u32 frame_id(struct hist *h, struct tables *t, const struct location *l, u64 ip)
{
	bool sym = l->symtab && l->sym != UINT32_MAX;
	struct hist_frame f = {
		.ip = ip,
		.addr = sym ? symtab_get(l->symtab, l->sym)->start : ip,
		.dso = l->dso ? l->dso->id + 1 : 0,
		.level = location_level(l),
	};
	size_t pos;
	u64 hash = hash_u64(f.addr ^ hash_u64((u64)f.dso << 1 | sym));

	index_reserve(&t->by_frame);
	index_for_each(&t->by_frame, hash, pos)
	{
		const struct hist_frame *q = &h->frames[index_at(&t->by_frame, pos)];

		if (q->addr == f.addr && q->dso == f.dso &&
		    (h->places[q->place].sym != UINT32_MAX) == sym)
			return index_at(&t->by_frame, pos);
	}
	f.place = hist_place_id(h, t, l, ip);
	VEC_GROW(h->frames, h->nr_frames + 1, h->cap_frames);
	h->frames[h->nr_frames] = f;
	index_put(&t->by_frame, pos, hash, h->nr_frames);
	return h->nr_frames++;
}

void tables_release(struct tables *t)
{
	index_release(&t->by_place);
	index_release(&t->by_frame);
	free(t->dso_name);
}

static void make_tables(struct hist *h, const struct resolve_req *reqs, size_t nr)
{
	u32 *locs = xcalloc(nr ? nr : 1, sizeof(*locs));
	bool stacks = hist_keeps_stacks(h);
	struct tables t = { 0 };
	size_t i;

	resolve_many(h->resolver, reqs, nr, locs, h->conf.workers);
	h->addrs = xcalloc(nr ? nr : 1, sizeof(*h->addrs));
	h->nr_addrs = nr;
	for (i = 0; i < nr; i++) {
		const struct location *l = resolver_get(h->resolver, locs[i]);

		h->addrs[i].place = hist_place_id(h, &t, l, l->addr);
		if (stacks)
			h->addrs[i].frame = frame_id(h, &t, l, reqs[i].ip);
	}
	tables_release(&t);
	free(locs);
}

/* ---- rewriting to final ids ---- */

static void stack_to_frames(const struct hist *h, const struct hist_worker *w, struct stack *s)
{
	u32_alias *ids = (u32_alias *)s->ips;
	u32 i, k, tmp;

	for (i = 0, k = 0; i < s->nr; i++) {
		ids[k] = h->addrs[w->addr_ids[ids[i]]].frame;
		k += !h->conf.hide_unresolved ||
		     h->places[h->frames[ids[k]].place].sym != UINT32_MAX;
	}
	s->nr = k;
	if (!h->conf.chain.caller)
		return;
	for (i = 0, k = s->nr; i + 1 < k; i++, k--) {
		tmp = ids[i];
		ids[i] = ids[k - 1];
		ids[k - 1] = tmp;
	}
}

static void worker_frames(void *ctx, int worker, size_t item)
{
	struct hist *h = ctx;
	struct hist_worker *w = h->workers[item];
	size_t i;

	if (h->keep & (NEED_DSO | NEED_SYM))
		for (i = 0; i < w->nr_raws; i++)
			w->raws[i].place = h->addrs[w->addr_ids[w->raws[i].place]].place;
	for (i = 0; i < w->nr_stacks; i++)
		stack_to_frames(h, w, &w->stacks[i]);
	free(w->addr_ids);
	w->addr_ids = NULL;
}

void hist_resolve(struct hist *h)
{
	struct resolve_req *reqs;
	size_t nr;

	/* Place 0 is nowhere: of rows that no address tells apart. */
	VEC_GROW(h->places, 1, h->cap_places);
	h->places[h->nr_places++] = (struct hist_place){ .sym = UINT32_MAX };
	if (!hist_needs_dso(h) || !h->nr_workers)
		return;
	if (h->at_once) {
		spots_to_places(h);
		return;
	}
	pool_run(h->conf.workers, h->nr_workers, worker_addrs, h);
	reqs = merge_addrs(h, &nr);
	make_tables(h, reqs, nr);
	free(reqs);
	h->workers[0]->addrs = NULL;
	pool_run(h->conf.workers, h->nr_workers, worker_frames, h);
}
