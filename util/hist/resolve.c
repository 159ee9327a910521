// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resolving at the end: each unique address of all workers is looked up once and becomes a place
 * and a frame. Stacks are rewritten where they stand, from numbers of the worker's addresses to
 * frames in printing order.
 */
#include "base/compat.h"

#include "hist/counting-internal.h"

/* ---- unique addresses of one worker ---- */

static void worker_addrs(void *ctx, int worker, size_t item)
{
	struct hist *h = ctx;
	struct hist_worker *w = h->workers[item];
	size_t i;

	index_release(&w->by_tally);
	index_release(&w->by_stack);
	if (h->conf.stacks)
		return; /* stacks and code sites have all addresses already */
	if (h->keep & (NEED_DSO | NEED_SYM))
		for (i = 0; i < w->nr_tallies; i++)
			w->tallies[i].addr =
				addr_id(w, w->tallies[i].ip, w->tallies[i].epoch,
					hist_ip_mode(h, w->tallies[i].ip, w->tallies[i].mode));
	if (hist_keeps_from(h))
		for (i = 0; i < w->nr_bases; i++)
			w->bases[i].from = addr_id(w, w->bases[i].from, w->bases[i].from_epoch,
						   w->bases[i].from_mode);
}

/* ---- unique addresses of all workers ---- */

/*
 * Make the first worker's table that of all, so that only the addresses of the others are looked
 * up.
 */
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

/* So many addresses are resolved at a time, as locations are large. */
#define AT_ONCE ((size_t)1 << 16)

/* Tell whether lines, or functions that were inlined, are part of frames. */
static bool frames_need_lines(const struct hist *h)
{
	return hist_keeps_stacks(h) &&
	       (h->conf.inlines || h->conf.chain.line || h->conf.chain.address);
}

/* Return where the code of an address is: behind a call, that is the call. */
static struct location call_of(const struct hist *h, const struct location *l, size_t addr)
{
	struct location call = *l;

	if (h->conf.inlines && h->calls && h->calls[addr])
		call.addr--;
	return call;
}

/* Make the frame of an address, and those of functions inlined there. */
static void make_frame(struct hist *h, struct place_table *t, const struct location *l, size_t addr,
		       u64 ip)
{
	struct location call = call_of(h, l, addr);

	h->addrs[addr].frame = frame_id(h, t, &call, ip);
	if (h->runs && may_inline(l))
		inline_run_make(h, t, &call, addr, ip);
}

/* Note whether functions may have been inlined anywhere, and make room for them. */
static void prepare_inlines(struct hist *h, const u32 *locs, size_t nr)
{
	size_t i = 0;

	while (i < nr && !may_inline(resolver_get(h->resolver, locs[i])))
		i++;
	h->conf.inlines = i < nr;
	if (i < nr)
		inline_runs_init(h, nr);
}

/* Return the locations of @nr addresses whose lines or inlined functions frames need, and set *@nr
 * to their number. @first: number of the first address */
static struct location *lined_calls(const struct hist *h, size_t first, const u32 *locs, size_t *nr)
{
	bool all = h->conf.chain.line || h->conf.chain.address;
	struct location *calls = xcalloc(*nr + 1, sizeof(*calls));
	size_t kept = 0;

	for (size_t i = 0; i < *nr; i++) {
		const struct location *l = resolver_get(h->resolver, locs[i]);

		if (all || may_inline(l))
			calls[kept++] = call_of(h, l, first + i);
	}
	*nr = kept;
	return calls;
}

/* Resolve @nr addresses. @first: number of the first of them */
static void resolve_some(struct hist *h, const struct resolve_req *reqs, size_t first, size_t nr,
			 u32 *locs)
{
	struct location *calls;

	resolver_forget(h->resolver);
	resolve_many(h->resolver, reqs + first, nr, locs, h->conf.workers);
	if (h->conf.inlines)
		prepare_inlines(h, locs, nr);
	if (!frames_need_lines(h))
		return;
	calls = lined_calls(h, first, locs, &nr);
	lines_ahead(h, calls, nr);
	free(calls);
}

static void make_tables(struct hist *h, struct resolve_req *reqs, size_t nr)
{
	/* The debug information that lines need is read once if all are asked for together. */
	size_t at_once = frames_need_lines(h) ? MAX(nr, 1U) : AT_ONCE;
	u32 *locs = xcalloc(at_once, sizeof(*locs));
	bool stacks = hist_keeps_stacks(h), whole = hist_whole_objects(h);
	struct place_table t;

	place_table_init(h, &t);
	h->conf.inlines = h->conf.inlines && stacks;
	if (h->conf.inlines)
		calls_note(h, reqs, nr);
	h->addrs = xcalloc(nr ? nr : 1, sizeof(*h->addrs));
	if (h->conf.origins || (h->conf.stacks && h->conf.stacks->sites))
		h->file_addrs = xcalloc(nr + 1, sizeof(*h->file_addrs));
	for (size_t i = 0; i < nr; i++) {
		const struct location *l;

		if (i % at_once == 0)
			resolve_some(h, reqs, i, MIN(nr - i, at_once), locs);
		l = resolver_get(h->resolver, locs[i % at_once]);
		if (h->file_addrs)
			h->file_addrs[i] = l->addr;
		h->addrs[i].place = place_id(h, &t, l, whole ? 0 : l->addr, reqs[i].ip);
		if (stacks)
			make_frame(h, &t, l, i, reqs[i].ip);
	}
	resolver_forget(h->resolver);
	place_table_done(h, &t);
	free(locs);
}

/* ---- rewriting to final ids ---- */

/* Cut a stack at the last frame that chains are cut at; the samples become that frame's own. */
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

/* Return the frame of a number that a worker has in its stacks. */
static inline u32 frame_of(const struct hist *h, const struct hist_worker *w, u32 id)
{
	return h->addrs[w->addr_ids[id]].frame;
}

static void stack_to_frames(const struct hist *h, struct hist_worker *w, struct stack *s)
{
	bool done = h->runs && stack_add_runs(h, w, s);
	u32 *ids = s->ids;
	u32 i, k;

	for (i = 0, k = 0; i < s->nr; i++) {
		ids[k] = done ? ids[i] : frame_of(h, w, ids[i]);
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

/* Find the frames that --ignore-callees cuts chains at. */
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

/* Trees of stacks ask for the frame and the place of leaves: these get numbers in h->addrs. */
static void resolve_leaves(const struct hist *h, struct hist_worker *w)
{
	for (size_t i = 0; i < w->nr_stacks; i++)
		w->stacks[i].leaf = w->addr_ids[w->stacks[i].leaf];
	for (size_t i = 0; i < w->trees.nr_sites; i++) {
		struct site_count *c = &w->trees.sites[i];

		c->leaf = w->addr_ids[c->leaf];
		if (h->file_addrs)
			c->addr = h->file_addrs[c->leaf];
	}
}

/*
 * Keep the addresses that rows show with conf.origins, while bases still have numbers of
 * addresses.
 */
static void note_seen(const struct hist *h, struct hist_worker *w)
{
	w->tally_addrs = xcalloc(w->nr_tallies + 1, sizeof(*w->tally_addrs));
	for (size_t i = 0; h->keep & (NEED_DSO | NEED_SYM) && i < w->nr_tallies; i++)
		w->tally_addrs[i] = h->file_addrs[w->addr_ids[w->tallies[i].addr]];
	w->from_addrs = xcalloc(w->nr_bases + 1, sizeof(*w->from_addrs));
	for (size_t i = 0; hist_keeps_from(h) && i < w->nr_bases; i++)
		w->from_addrs[i] = h->file_addrs[w->addr_ids[w->bases[i].from]];
}

static void worker_frames(void *ctx, int worker, size_t item)
{
	struct hist *h = ctx;
	struct hist_worker *w = h->workers[item];
	size_t i;

	if (h->conf.origins)
		note_seen(h, w);
	if (h->conf.stacks)
		resolve_leaves(h, w);
	else if (h->keep & (NEED_DSO | NEED_SYM))
		for (i = 0; i < w->nr_tallies; i++)
			w->tallies[i].place = h->addrs[w->addr_ids[w->tallies[i].addr]].place;
	if (hist_keeps_from(h))
		for (i = 0; i < w->nr_bases; i++)
			w->bases[i].from = h->addrs[w->addr_ids[w->bases[i].from]].place;
	for (i = 0; i < w->nr_stacks; i++)
		stack_to_frames(h, w, &w->stacks[i]);
	for (i = 0; h->cuts && i < w->nr_tallies; i++)
		if (w->tallies[i].stack != NO_STACK && w->stacks[w->tallies[i].stack].root)
			w->tallies[i].place =
				h->frames[w->stacks[w->tallies[i].stack].root - 1].place;
	free(w->addr_ids);
	w->addr_ids = NULL;
}

void stacks_resolve(struct hist *h)
{
	find_cuts(h);
	crew_run(h->crew, h->nr_workers, worker_frames, h);
}

void resolve_at_end(struct hist *h)
{
	struct resolve_req *reqs;
	size_t nr;

	crew_run(h->crew, h->nr_workers, worker_addrs, h);
	reqs = merge_addrs(h, &nr);
	make_tables(h, reqs, nr);
	free(reqs);
	h->workers[0]->addrs = NULL;
	stacks_resolve(h);
	free(h->file_addrs);
	h->file_addrs = NULL;
	if (h->conf.stacks)
		return; /* their leaves are numbers of addresses */
	free(h->addrs);
	h->addrs = NULL;
}
