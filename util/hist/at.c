// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses that rows are told apart by, apart from where a sample was: of data, or of a sample for
 * what its object and symbol do not say (lines, sizes). A worker numbers them as they come; when
 * all are known each is resolved once, and becomes what its column compares.
 */
#include "base/compat.h"

#include "hist/hist-internal.h"
#include "resolve/srcline.h"

#include <elf.h>
#include <sys/mman.h>

#define PAGE 4096 /* a last symbol goes to the end of the page behind it */

/* ---- counting ---- */

u64 at_id(struct hist_worker *w, const struct key_addr *at)
{
	u64 hash = hash_u64(at->ip ^ hash_u64((u64)at->epoch << 32 | at->pid) ^ at->mode);
	size_t pos;

	index_reserve(&w->by_at);
	index_for_each(&w->by_at, hash, pos)
	{
		const struct key_addr *o = &w->ats[index_at(&w->by_at, pos)];

		if (o->ip == at->ip && o->epoch == at->epoch && o->pid == at->pid &&
		    o->mode == at->mode)
			return index_at(&w->by_at, pos);
	}
	VEC_GROW(w->ats, w->nr_ats + 1, w->cap_ats);
	w->ats[w->nr_ats] = *at;
	w->ats[w->nr_ats].id = w->nr_ats;
	index_put(&w->by_at, pos, hash, w->nr_ats);
	return w->nr_ats++;
}

/* ---- all workers' as one list ---- */

static int at_cmp(const void *a, const void *b, void *ctx)
{
	const struct key_addr *x = a, *y = b;

	(void)ctx;
	if (x->epoch != y->epoch)
		return x->epoch < y->epoch ? -1 : 1;
	if (x->ip != y->ip)
		return x->ip < y->ip ? -1 : 1;
	if (x->mode != y->mode)
		return x->mode < y->mode ? -1 : 1;
	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

/* Fill h->ats, in an order that does not depend on the workers; *@ids: by worker and number. */
static void gather(struct hist *h, u32 **ids)
{
	struct key_addr *all;
	size_t nr = 0, k = 0;

	for (int i = 0; i < h->nr_workers; i++)
		nr += h->workers[i]->nr_ats;
	all = xcalloc(nr + 1, sizeof(*all));
	for (int i = 0; i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		ids[i] = xcalloc(w->nr_ats + 1, sizeof(u32));
		for (size_t j = 0; j < w->nr_ats; j++) {
			all[k] = w->ats[j];
			all[k++].worker = i;
		}
		free(w->ats);
		w->ats = NULL;
		index_release(&w->by_at);
	}
	parallel_sort(all, nr, sizeof(*all), at_cmp, NULL, h->conf.workers);
	for (size_t i = 0; i < nr; i++) {
		if (!i || at_cmp(&all[i], &all[h->nr_ats - 1], NULL))
			all[h->nr_ats++] = all[i];
		ids[all[i].worker][all[i].id] = h->nr_ats - 1;
	}
	h->ats = all;
}

static void locate(struct hist *h)
{
	struct resolve_req *reqs = xcalloc(h->nr_ats + 1, sizeof(*reqs));
	u32 *locs = xcalloc(h->nr_ats + 1, sizeof(*locs));

	for (size_t i = 0; i < h->nr_ats; i++)
		reqs[i] = (struct resolve_req){ h->ats[i].ip, h->ats[i].epoch, h->ats[i].mode };
	if (h->resolver)
		resolve_many(h->resolver, reqs, h->nr_ats, locs, h->conf.workers);
	for (size_t i = 0; i < h->nr_ats; i++) {
		struct key_addr *at = &h->ats[i];
		const struct location *l;

		at->addr = at->ip;
		at->sym = UINT32_MAX;
		if (!h->resolver)
			continue;
		l = resolver_get(h->resolver, locs[i]);
		at->addr = l->addr;
		at->map = l->map;
		at->symtab = l->symtab;
		at->sym = l->symtab ? l->sym : UINT32_MAX;
		at->dso = l->dso ? hist_dso_id(h, l->dso) : 0;
	}
	free(reqs);
	free(locs);
}

/* ---- what a column compares ---- */

/* Memory that processes do not share although its name is the same. */
static bool own_memory(const struct key_addr *at)
{
	const struct dso *d = at->map ? at->map->dso : NULL;

	return d && at->mode != PERF_RECORD_MISC_KERNEL && !(at->map->flags & MAP_SHARED) &&
	       !d->maj && !d->min && !d->ino && !d->ino_generation;
}

static u64 at_start(const struct key_addr *at)
{
	return at->sym == UINT32_MAX ? UINT64_MAX : symtab_get(at->symtab, at->sym).start;
}

u64 hist_line_start(const struct hist *h, const struct key_addr *at)
{
	return at->addr & ~((u64)h->conf.line_size - 1);
}

static int cmp_u64(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

/* Lines of the kernel first, then by file; what is not mapped last. */
static int line_cmp(const void *a, const void *b, void *ctx)
{
	const struct hist *h = ctx;
	const struct key_addr *x = &h->ats[*(const u32 *)a], *y = &h->ats[*(const u32 *)b];
	const struct dso *d = x->map ? x->map->dso : NULL, *e = y->map ? y->map->dso : NULL;
	int ret = cmp_u64(x->mode, y->mode);

	if (!ret)
		ret = cmp_u64(!d, !e);
	if (!ret && d)
		ret = cmp_u64((u64)d->maj << 32 | d->min, (u64)e->maj << 32 | e->min);
	if (!ret && d)
		ret = cmp_u64(d->ino, e->ino);
	if (!ret && d)
		ret = cmp_u64(d->ino_generation, e->ino_generation);
	if (!ret && own_memory(x) && own_memory(y))
		ret = cmp_u64(x->pid, y->pid);
	return ret ? ret : cmp_u64(hist_line_start(h, x), hist_line_start(h, y));
}

/* @values: the rank of the line of each address; h->lines: an address in each. */
static void rank_lines(struct hist *h, u64 *values)
{
	u32 *ids = xcalloc(h->nr_ats + 1, sizeof(*ids)), nr = 0;

	for (size_t i = 0; i < h->nr_ats; i++)
		ids[i] = i;
	parallel_sort(ids, h->nr_ats, sizeof(*ids), line_cmp, h, h->conf.workers);
	h->lines = xcalloc(h->nr_ats + 1, sizeof(*h->lines));
	for (size_t i = 0; i < h->nr_ats; i++) {
		if (!i || line_cmp(&ids[i - 1], &ids[i], h))
			h->lines[nr++] = ids[i];
		values[ids[i]] = nr - 1;
		h->lines[nr - 1] = MIN(h->lines[nr - 1], ids[i]);
	}
	free(ids);
}

/*
 * The first of the same address. The kernel accesses memory of processes too, which it has no names
 * for: in rows of one function each that is told apart, in others the name is what is shown.
 */
static u64 first_same(struct hist *h, struct index *ix, u32 i)
{
	const struct key_addr *at = &h->ats[i];
	u64 hash = hash_u64(at->ip), start = at_start(at);
	bool apart = h->conf.cols.need & NEED_SYM;
	size_t pos;

	index_reserve(ix);
	index_for_each(ix, hash, pos)
	{
		struct key_addr *o = &h->ats[index_at(ix, pos)];

		if (o->ip != at->ip || (apart && at_start(o) != start))
			continue;
		if (o->sym == UINT32_MAX && !apart)
			*o = *at;
		return index_at(ix, pos);
	}
	index_put(ix, pos, hash, i);
	return i;
}

/* The first of the same address in the same object: of ends of branches. */
static u64 first_end(const struct hist *h, struct index *ix, u32 i)
{
	const struct key_addr *at = &h->ats[i];
	u64 hash = hash_u64(at->ip ^ hash_u64(at->dso));
	size_t pos;

	index_reserve(ix);
	index_for_each(ix, hash, pos)
	{
		const struct key_addr *o = &h->ats[index_at(ix, pos)];

		if (o->dso == at->dso && o->ip == at->ip)
			return index_at(ix, pos);
	}
	index_put(ix, pos, hash, i);
	return i;
}

static u64 text_of(struct hist *h, const struct key_addr *at, enum hist_key what)
{
	struct location l = { .ip = at->ip,
			      .addr = at->addr,
			      .map = at->map,
			      .dso = at->map ? at->map->dso : NULL,
			      .symtab = at->symtab,
			      .sym = at->sym };
	struct strbuf sb = STRBUF_INIT;
	u64 id;

	if (!h->srclines)
		h->srclines = srclines_new();
	srclines_whole_paths(h->srclines, h->conf.whole_paths);
	if (what == KEY_SRCFILE)
		srcfile_text(h->srclines, &l, &sb);
	else
		srcline_text(h->srclines, &l, &sb);
	id = intern_str_id(&h->texts, strbuf_str(&sb));
	strbuf_release(&sb);
	return id;
}

/* Of the kernel, by its symbols: what was recorded of it may have no end. 0: not known */
static u64 kernel_size(const struct key_addr *at)
{
	u32 nr = at->symtab ? symtab_nr(at->symtab) : 0;
	u64 start, first, size;

	if (!nr)
		return 0;
	start = at->addr - (at->ip - at->map->start);
	first = symtab_get(at->symtab, 0).start;
	size = symtab_get(at->symtab, nr - 1).start - first + PAGE - 1;
	size += PAGE - size % PAGE; /* pages of symbols as they were before the kernel moved */
	return start <= first ? size : start - first < size ? size - (start - first) : 0;
}

/* How much was mapped at once around an address, as far as nothing else has replaced it. */
static u64 map_size(const struct hist *h, const struct key_addr *at)
{
	u64 size = 0, start, end;

	if (!at->map)
		return 0;
	if (at->map->dso->kind == DSO_KERNEL)
		size = kernel_size(at);
	if (size)
		return size;
	/* at->map may be that of another process, for the same place in the same object */
	if (machine_find_range(h->machine, at->epoch,
			       at->mode == RESOLVE_ANY_MODE ? at->map->dso->cpumode : at->mode,
			       at->ip, &start, &end))
		return end - start;
	return at->map->end - at->map->start;
}

static u64 at_value(struct hist *h, struct index *ix, enum hist_key what, u32 i)
{
	const struct key_addr *at = &h->ats[i];
	struct symbol sym = { 0 };

	if (at->sym != UINT32_MAX)
		sym = symtab_get(at->symtab, at->sym);

	switch (what) {
	case KEY_DATA_DSO:
		return at->dso;
	case KEY_DSO_SIZE:
		return map_size(h, at);
	case KEY_SYM_SIZE:
		return sym.end - sym.start;
	case KEY_SRCLINE:
	case KEY_SRCFILE:
	case KEY_SRCLINE_FROM:
	case KEY_SRCLINE_TO:
		return text_of(h, at, what);
	case KEY_ADDR_FROM:
	case KEY_ADDR_TO:
		return first_end(h, ix, i);
	default:
		return first_same(h, ix, i);
	}
}

void ats_merge(struct hist *h)
{
	const struct hist_columns *c = &h->conf.cols;
	u32 **ids = xcalloc(h->nr_workers + 1, sizeof(*ids));
	u64 *values;

	gather(h, ids);
	locate(h);
	values = xcalloc(h->nr_ats + 1, sizeof(*values));
	for (u32 k = 0; k < c->nr_kept; k++) {
		struct index ix = { 0 };

		if (!kept_is_at(c->kept[k]))
			continue;
		if (c->kept[k] == KEY_DATA_LINE)
			rank_lines(h, values);
		for (size_t i = 0; i < h->nr_ats && c->kept[k] != KEY_DATA_LINE; i++)
			values[i] = at_value(h, &ix, c->kept[k], i);
		for (int i = 0; i < h->nr_workers; i++) {
			struct hist_worker *w = h->workers[i];

			for (size_t s = 0; s < w->nr_kept; s++) {
				u64 *v = &w->kept[s * c->nr_kept + k];

				*v = values[ids[i][*v]];
			}
		}
		index_release(&ix);
	}
	for (int i = 0; i < h->nr_workers; i++)
		free(ids[i]);
	free(ids);
	free(values);
	srclines_free(h->srclines);
	h->srclines = NULL;
}
