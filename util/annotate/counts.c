// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "annotate/counts.h"

#include "base/alloc.h"
#include "base/hash.h"

/* The addresses of one event in one epoch and mode. */
struct space {
	u32 event, epoch;
	u8 cpumode;
	struct map64 by_ip; /* address -> index in the worker's cells */
};

struct cell {
	u64 ip;
	u32 space;
	struct annotate_hits hits;
};

struct annotate_worker {
	struct map64 by_key[2]; /* epoch and mode -> space, of an event: see space_of() */
	struct space *spaces;
	size_t nr_spaces, cap_spaces, last;
	struct cell *cells;
	size_t nr_cells, cap_cells;
};

struct annotate_counts {
	struct annotate_worker **workers; /* owned */
	size_t nr_workers, cap_workers;
	struct annotate_function *functions;
	size_t nr, cap;
	struct annotate_hits *totals; /* by event */
	u32 nr_events;
	bool (*asked)(void *ctx, u32 epoch, u8 cpumode, u64 ip); /* NULL: all addresses are */
	void *asked_ctx;
};

struct annotate_counts *annotate_counts_new(void)
{
	return xzalloc(sizeof(struct annotate_counts));
}

static void worker_free(struct annotate_worker *w)
{
	for (size_t i = 0; i < w->nr_spaces; i++)
		map64_release(&w->spaces[i].by_ip);
	map64_release(&w->by_key[0]);
	map64_release(&w->by_key[1]);
	free(w->spaces);
	free(w->cells);
	free(w);
}

static void function_release(struct annotate_function *f)
{
	free(f->sites);
	free(f->totals);
	free(f->blocks);
}

void annotate_counts_free(struct annotate_counts *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->nr_workers; i++)
		worker_free(c->workers[i]);
	for (size_t i = 0; i < c->nr; i++)
		function_release(&c->functions[i]);
	free(c->workers);
	free(c->functions);
	free(c->totals);
	free(c);
}

struct annotate_worker *annotate_counts_worker(struct annotate_counts *c)
{
	struct annotate_worker *w = xzalloc(sizeof(*w));

	VEC_GROW(c->workers, c->nr_workers + 1, c->cap_workers);
	c->workers[c->nr_workers++] = w;
	return w;
}

/* ---- counting ---- */

/* Two maps make one key of three numbers: the first numbers (event, mode), the second those with an
 * epoch. */
static u32 space_of(struct annotate_worker *w, u32 event, u32 epoch, u8 cpumode)
{
	u32 *slot = map64_slot(&w->by_key[0], (u64)event << 8 | cpumode), kind;

	if (*slot == MAP64_NONE)
		*slot = (u32)w->by_key[0].nr;
	kind = *slot;
	slot = map64_slot(&w->by_key[1], (u64)kind << 32 | epoch);
	if (*slot == MAP64_NONE) {
		*slot = (u32)w->nr_spaces;
		VEC_GROW(w->spaces, w->nr_spaces + 1, w->cap_spaces);
		w->spaces[w->nr_spaces++] =
			(struct space){ .event = event, .epoch = epoch, .cpumode = cpumode };
	}
	return *slot;
}

void annotate_counts_add(struct annotate_worker *w, u32 event, u32 epoch, u8 cpumode, u64 ip,
			 u64 period)
{
	struct space *s = w->last < w->nr_spaces ? &w->spaces[w->last] : NULL;
	struct cell *cell;
	u32 *slot;

	if (!s || s->event != event || s->epoch != epoch || s->cpumode != cpumode) {
		w->last = space_of(w, event, epoch, cpumode);
		s = &w->spaces[w->last];
	}
	slot = map64_slot(&s->by_ip, ip);
	if (*slot == MAP64_NONE) {
		*slot = (u32)w->nr_cells;
		VEC_GROW(w->cells, w->nr_cells + 1, w->cap_cells);
		w->cells[w->nr_cells++] = (struct cell){ ip, (u32)w->last, { 0, 0 } };
	}
	cell = &w->cells[*slot];
	cell->hits.samples++;
	cell->hits.period += period;
}

/* ---- functions ---- */

static void hits_add(struct annotate_hits *to, const struct annotate_hits *more)
{
	to->samples += more->samples;
	to->period += more->period;
}

static struct annotate_function *function_of(struct annotate_counts *c, struct map64 *by_func,
					     const struct location *l)
{
	u32 *slot = map64_slot(by_func, l->func);
	struct annotate_function *f;
	struct sym_range range;

	if (*slot != MAP64_NONE)
		return &c->functions[*slot];
	*slot = (u32)c->nr;
	VEC_GROW(c->functions, c->nr + 1, c->cap);
	f = &c->functions[c->nr++];
	range = symtab_range(l->symtab, l->sym);
	*f = (struct annotate_function){ .at = *l, .start = range.start, .end = range.end };
	f->totals = xcalloc(c->nr_events, sizeof(*f->totals));
	return f;
}

static void add_cell(struct annotate_counts *c, struct map64 *by_func, const struct location *l,
		     u32 event, const struct annotate_hits *hits)
{
	struct annotate_function *f;

	hits_add(&c->totals[event], hits);
	if (!l->symtab || l->sym == UINT32_MAX)
		return;
	f = function_of(c, by_func, l);
	hits_add(&f->totals[event], hits);
	VEC_GROW(f->sites, f->nr_sites + 1, f->cap_sites);
	f->sites[f->nr_sites++] = (struct annotate_site){ l->addr, event, *hits };
}

static int by_place(const void *a, const void *b)
{
	const struct annotate_site *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->event < y->event ? -1 : x->event > y->event;
}

/* Sort the sites of a function, and make one of those that several workers or processes have. */
static void merge_sites(struct annotate_function *f)
{
	size_t nr = 0;

	qsort(f->sites, f->nr_sites, sizeof(*f->sites), by_place);
	for (size_t i = 0; i < f->nr_sites; i++) {
		if (nr && !by_place(&f->sites[nr - 1], &f->sites[i]))
			hits_add(&f->sites[nr - 1].hits, &f->sites[i].hits);
		else
			f->sites[nr++] = f->sites[i];
	}
	f->nr_sites = nr;
}

static bool is_asked(const struct annotate_counts *c, const struct space *s, u64 ip)
{
	return !c->asked || c->asked(c->asked_ctx, s->epoch, s->cpumode, ip);
}

static void take_worker(struct annotate_counts *c, const struct annotate_worker *w,
			struct resolver *r, struct map64 *by_func, int workers)
{
	struct resolve_req *reqs = xcalloc(w->nr_cells + 1, sizeof(*reqs));
	u32 *locs = xcalloc(w->nr_cells + 1, sizeof(*locs));
	const struct cell **asked = xcalloc(w->nr_cells + 1, sizeof(*asked));
	size_t nr = 0;

	for (size_t i = 0; i < w->nr_cells; i++) {
		const struct cell *cell = &w->cells[i];
		const struct space *s = &w->spaces[cell->space];

		if (!is_asked(c, s, cell->ip))
			continue;
		reqs[nr] = (struct resolve_req){ cell->ip, s->epoch, s->cpumode };
		asked[nr++] = cell;
	}
	resolve_many(r, reqs, nr, locs, workers);
	for (size_t i = 0; i < nr; i++)
		add_cell(c, by_func, resolver_get(r, locs[i]), w->spaces[asked[i]->space].event,
			 &asked[i]->hits);
	free(asked);
	free(reqs);
	free(locs);
}

void annotate_counts_only(struct annotate_counts *c,
			  bool (*asked)(void *ctx, u32 epoch, u8 cpumode, u64 ip), void *ctx)
{
	c->asked = asked;
	c->asked_ctx = ctx;
}

void annotate_counts_finish(struct annotate_counts *c, struct resolver *r, u32 nr_events,
			    int workers)
{
	struct map64 by_func = { 0 };

	c->nr_events = nr_events;
	c->totals = xcalloc(nr_events + (size_t)1, sizeof(*c->totals));
	for (size_t i = 0; i < c->nr_workers; i++)
		take_worker(c, c->workers[i], r, &by_func, workers);
	for (size_t i = 0; i < c->nr; i++)
		merge_sites(&c->functions[i]);
	map64_release(&by_func);
}

struct annotate_function *annotate_functions(const struct annotate_counts *c, size_t *nr)
{
	*nr = c->nr;
	return c->functions;
}

const struct annotate_function *annotate_find(const struct annotate_counts *c,
					      const struct symtab *symtab, u32 sym)
{
	size_t nr;
	const struct annotate_function *f = annotate_functions(c, &nr);

	for (size_t i = 0; i < nr; i++)
		if (f[i].at.symtab == symtab && f[i].at.sym == sym)
			return &f[i];
	return NULL;
}

struct annotate_hits annotate_total(const struct annotate_counts *c, u32 event)
{
	return event < c->nr_events ? c->totals[event] : (struct annotate_hits){ 0, 0 };
}

void annotate_keep(struct annotate_counts *c,
		   bool (*keep)(void *ctx, const struct annotate_function *f), void *ctx)
{
	size_t nr = 0;

	memset(c->totals, 0, c->nr_events * sizeof(*c->totals));
	for (size_t i = 0; i < c->nr; i++) {
		struct annotate_function f = c->functions[i];

		if (!keep(ctx, &f)) {
			function_release(&f);
			continue;
		}
		for (u32 e = 0; e < c->nr_events; e++)
			hits_add(&c->totals[e], &f.totals[e]);
		c->functions[nr++] = f;
	}
	c->nr = nr;
}

void annotate_add_block(struct annotate_function *f, const struct annotate_block *b)
{
	VEC_GROW(f->blocks, f->nr_blocks + 1, f->cap_blocks);
	f->blocks[f->nr_blocks++] = *b;
}
