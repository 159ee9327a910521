// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Key addresses: addresses that tell rows apart beside where samples were, such as those of data,
 * or of samples where object and symbol do not say enough (lines, sizes). Each worker numbers them
 * as they come. In the end each is resolved once, and becomes the value that its column compares.
 */
#include "base/compat.h"

#include "hist/tables-internal.h"
#include "resolve/srcline.h"

#include <elf.h>
#include <sys/mman.h>

#define PAGE 4096 /* the last symbol of an object ends with the next page */

/* ---- counting ---- */

u64 key_addr_of(enum hist_key what, const struct hist_sample *s)
{
	switch (what) {
	case KEY_DATA:
	case KEY_DATA_DSO:
	case KEY_DATA_LINE:
		return s->sample->addr;
	case KEY_ADDR_FROM:
	case KEY_SRCLINE_FROM:
		return s->from;
	default:
		return s->ip;
	}
}

struct key_at key_at_of(const struct hist *h, enum hist_key what, u64 ip,
			const struct key_owner *owner)
{
	struct key_at at = { .ip = ip, .mode = (u8)owner->cpumode };

	switch (what) {
	case KEY_DATA_LINE:
		at.pid = owner->pid;
		break;
	case KEY_DATA:
	case KEY_DATA_DSO:
		break;
	case KEY_ADDR_FROM:
	case KEY_SRCLINE_FROM:
	case KEY_ADDR_TO:
	case KEY_SRCLINE_TO:
	case KEY_INSTR:
		at.mode = RESOLVE_ANY_MODE;
		break;
	default:
		at.mode = hist_ip_mode(h, ip, (u8)owner->cpumode);
		break;
	}
	at.epoch = at.mode == PERF_RECORD_MISC_KERNEL ? owner->kernel_epoch : owner->epoch;
	return at;
}

static u64 key_at_hash(const struct key_at *a)
{
	return hash_u64(a->ip ^ hash_u64((u64)a->epoch << 32 | a->pid) ^ a->mode);
}

static bool key_at_same(const struct key_at *a, const struct key_at *b)
{
	return a->ip == b->ip && a->epoch == b->epoch && a->pid == b->pid && a->mode == b->mode;
}

u64 key_addr_id(struct hist_worker *w, const struct key_at *addr)
{
	u64 hash = key_at_hash(addr);
	size_t pos;

	index_reserve(&w->by_key_addr);
	index_for_each(&w->by_key_addr, hash, pos)
	{
		if (key_at_same(&w->key_addrs[index_at(&w->by_key_addr, pos)], addr))
			return index_at(&w->by_key_addr, pos);
	}
	VEC_GROW(w->key_addrs, w->nr_key_addrs + 1, w->cap_key_addrs);
	w->key_addrs[w->nr_key_addrs] = *addr;
	index_put(&w->by_key_addr, pos, hash, w->nr_key_addrs);
	return w->nr_key_addrs++;
}

/* ---- the numbers of addresses in key values ---- */

#define LATELY (1U << 14)

/*
 * Addresses of a worker that came lately. One that comes again much later gets another number:
 * those of all workers are sorted anyway, and equal ones become one. A table of all addresses would
 * cost as much again where nearly each sample has one of its own.
 */
struct lately {
	struct {
		u64 ip;
		u32 number; /* + 1; 0: there is none */
	} v[LATELY];
};

/* Return the first column whose address of a sample is the same as that of the @k-th. */
static u32 same_address(const struct hist *h, u32 k)
{
	static const struct key_owner someone = { 1, 2, 3, PERF_RECORD_MISC_USER };
	const struct hist_columns *c = &h->conf.cols;
	struct sample sample = { .addr = 1 };
	const struct hist_sample s = { .ip = 2, .from = 3, .sample = &sample };
	struct key_at at[2];

	for (u32 i = 0; i < k; i++) {
		const enum hist_key what[2] = { c->keys[i].key, c->keys[k].key };

		if (!key_is_addr(what[0]))
			continue;
		for (u32 j = 0; j < 2; j++)
			at[j] = key_at_of(h, what[j], key_addr_of(what[j], &s), &someone);
		if (key_at_same(&at[0], &at[1]))
			return i;
	}
	return k;
}

static u64 *word_of(const struct hist_worker *w, size_t set, u32 k)
{
	return &w->key_values[set * w->h->set_size + w->h->key_word[k]];
}

static u64 number_of(struct hist_worker *w, struct lately *lately, const struct key_at *at)
{
	size_t slot = hash_u64(at->ip) % LATELY;
	u64 number = lately->v[slot].number;

	if (number && lately->v[slot].ip == at->ip && key_at_same(&w->key_addrs[number - 1], at))
		return number - 1;
	VEC_GROW(w->key_addrs, w->nr_key_addrs + 1, w->cap_key_addrs);
	w->key_addrs[w->nr_key_addrs++] = *at;
	lately->v[slot].ip = at->ip;
	lately->v[slot].number = (u32)w->nr_key_addrs;
	return w->nr_key_addrs - 1;
}

/* Return a base if all bases say the same of addresses: who accesses them, and that samples are not
 * left out. NULL: they differ. */
static const struct hist_base *base_of_all(const struct hist_worker *w)
{
	for (size_t i = 0; i < w->nr_bases; i++)
		if (w->bases[i].flags & HIST_FILTERED || w->bases[i].from != w->bases[0].from)
			return NULL;
	return w->bases;
}

/* Number the addresses that are the @k-th key. @words: the words of the keys that have them, @nr
 * words; the first is that of key @k */
static void number_keys(struct hist_worker *w, struct lately *lately, u32 k, const u32 *words,
			u32 nr)
{
	const struct hist_base *all = base_of_all(w), *b = all;
	enum hist_key what = w->h->conf.cols.keys[k].key;
	bool filtered = filtered_have_keys(w->h);

	for (size_t i = 0; i < w->nr_tallies; i++) {
		u64 *set = &w->key_values[i * w->h->set_size], number;
		struct key_at at;

		if (!all)
			b = &w->bases[w->tallies[i].base];
		if (b->flags & HIST_FILTERED && !filtered)
			continue;
		at = key_at_of(w->h, what, set[words[0]], &w->keyed.owners[b->from]);
		number = number_of(w, lately, &at);
		for (u32 j = 0; j < nr; j++)
			set[words[j]] = number;
	}
}

void key_addrs_number(struct hist_worker *w)
{
	const struct hist_columns *c = &w->h->conf.cols;
	struct lately *lately = xcalloc(1, sizeof(*lately));
	u32 words[ARRAY_SIZE(c->keys)];

	for (u32 k = 0; k < c->nr_keys; k++) {
		u32 nr = 0;

		if (!key_is_addr(c->keys[k].key) || same_address(w->h, k) != k)
			continue;
		for (u32 j = k; j < c->nr_keys; j++)
			if (key_is_addr(c->keys[j].key) && same_address(w->h, j) == k)
				words[nr++] = w->h->key_word[j];
		number_keys(w, lately, k, words, nr);
	}
	free(lately);
}

/* ---- all workers' as one list ---- */

/* The addresses of all workers, one worker's after the other's. */
struct all_addrs {
	struct key_at *v;
	size_t nr;
};

enum { LEVEL_EPOCH, LEVEL_IP, LEVEL_REST, NR_LEVELS };

static u64 addr_key(const void *ctx, u32 id, u32 level)
{
	const struct key_at *a = &((const struct all_addrs *)ctx)->v[id];

	return level == LEVEL_EPOCH ? a->epoch
	       : level == LEVEL_IP  ? a->ip
				    : (u64)a->mode << 32 | a->pid;
}

static void ask_addr(const void *ctx, u32 id, int step)
{
	if (!step)
		__builtin_prefetch(&((const struct all_addrs *)ctx)->v[id]);
}

static struct all_addrs take_addrs(struct hist *h)
{
	struct all_addrs all = { 0 };
	size_t nr = 1;

	for (int i = 0; i < h->nr_workers; i++)
		nr += h->workers[i]->nr_key_addrs;
	for (int i = 0; i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		if (!i) { /* the first list grows, so that it is not copied */
			all.v = xrealloc(w->key_addrs, nr, sizeof(*all.v));
		} else {
			if (w->nr_key_addrs)
				memcpy(all.v + all.nr, w->key_addrs,
				       w->nr_key_addrs * sizeof(*all.v));
			free(w->key_addrs);
		}
		all.nr += w->nr_key_addrs;
		w->key_addrs = NULL;
		index_release(&w->by_key_addr);
	}
	return all;
}

/*
 * Fill h->key_addrs, in an order that does not depend on the workers. Return: by number among those
 * of all workers, the new number; the caller frees.
 */
static u32 *gather(struct hist *h)
{
	struct all_addrs all = take_addrs(h);
	struct id_order by = { .key = addr_key, .levels = NR_LEVELS, .ask = ask_addr, .ctx = &all };
	u32 *sorted = sort_ids(NULL, all.nr, &by, h->crew);
	u32 *ids = xcalloc(all.nr + 1, sizeof(*ids));
	size_t nr = 0;

	for (size_t i = 0; i < all.nr; i++) {
		nr += !i || !key_at_same(&all.v[sorted[i - 1]], &all.v[sorted[i]]);
		ids[sorted[i]] = (u32)nr - 1;
	}
	h->key_addrs = xcalloc(nr + 1, sizeof(*h->key_addrs));
	h->nr_key_addrs = nr;
	for (size_t i = 0; i < all.nr; i++) {
		const struct key_at *a = &all.v[sorted[i]];
		struct key_addr *to = &h->key_addrs[ids[sorted[i]]];

		to->ip = to->addr = a->ip;
		to->epoch = a->epoch;
		to->pid = a->pid;
		to->mode = a->mode;
		to->sym = UINT32_MAX;
	}
	free(sorted);
	free(all.v);
	return ids;
}

#define LOCATED 4096 /* addresses in one turn of a thread */

static void locate_some(void *ctx, int worker, size_t turn)
{
	struct hist *h = ctx;
	size_t i = turn * LOCATED, end = MIN(i + LOCATED, h->nr_key_addrs);
	struct resolve_near near = { 0 };
	struct location l;

	(void)worker;
	for (; i < end; i++) {
		struct key_addr *addr = &h->key_addrs[i];

		resolver_find(h->resolver, &near, addr->epoch, addr->mode, addr->ip, &l);
		addr->addr = l.addr;
		addr->map = l.map;
		addr->symtab = l.symtab;
		addr->sym = l.symtab ? l.sym : UINT32_MAX;
	}
}

/* Look the addresses up. They stand in their order, so that the next one is mostly in the same
 * mapping. */
static void locate(struct hist *h)
{
	const struct dso *last = NULL;
	u32 id = 0;

	if (!h->resolver)
		return;
	crew_run(h->crew, (h->nr_key_addrs + LOCATED - 1) / LOCATED, locate_some, h);
	for (size_t i = 0; i < h->nr_key_addrs; i++) {
		const struct map *map = h->key_addrs[i].map;

		if (map && map->dso != last) {
			last = map->dso;
			id = hist_dso_id(h, last);
		}
		h->key_addrs[i].dso = map ? id : 0;
	}
}

/* ---- what a column compares ---- */

/* Tell whether an address is in memory that processes do not share, although it has the same name
 * in each. */
static bool own_memory(const struct key_addr *addr)
{
	const struct dso *d = addr->map ? addr->map->dso : NULL;

	return d && addr->mode != PERF_RECORD_MISC_KERNEL && !(addr->map->flags & MAP_SHARED) &&
	       !d->maj && !d->min && !d->ino && !d->ino_generation;
}

static u64 symbol_start(const struct key_addr *addr)
{
	return addr->sym == UINT32_MAX ? UINT64_MAX : symtab_get(addr->symtab, addr->sym).start;
}

u64 hist_line_start(const struct hist *h, const struct key_addr *addr)
{
	return addr->addr & ~((u64)h->conf.line_size - 1);
}

static int cmp_u64(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

/*
 * Compare cache lines: those of the kernel first, then by file, and last where nothing is mapped.
 */
static int line_cmp(const void *a, const void *b, void *ctx)
{
	const struct hist *h = ctx;
	const struct key_addr *x = &h->key_addrs[*(const u32 *)a],
			      *y = &h->key_addrs[*(const u32 *)b];
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

/*
 * Rank cache lines. @values: by address, the rank of its line. h->lines gets an address in each
 * line.
 */
static void rank_lines(struct hist *h, u64 *values)
{
	u32 *ids = xcalloc(h->nr_key_addrs + 1, sizeof(*ids)), nr = 0;

	for (size_t i = 0; i < h->nr_key_addrs; i++)
		ids[i] = i;
	parallel_sort(ids, h->nr_key_addrs, sizeof(*ids), line_cmp, h, h->conf.workers);
	h->lines = xcalloc(h->nr_key_addrs + 1, sizeof(*h->lines));
	for (size_t i = 0; i < h->nr_key_addrs; i++) {
		if (!i || line_cmp(&ids[i - 1], &ids[i], h))
			h->lines[nr++] = ids[i];
		values[ids[i]] = nr - 1;
		h->lines[nr - 1] = MIN(h->lines[nr - 1], ids[i]);
	}
	free(ids);
}

static bool same_data(const struct hist *h, const struct key_addr *o, const struct key_addr *addr)
{
	return o->ip == addr->ip &&
	       (!(h->conf.cols.need & NEED_SYM) || symbol_start(o) == symbol_start(addr));
}

/*
 * Return the first key address that is the same. The kernel also accesses memory of processes,
 * which it has no names for: rows that have a function each tell that apart, in others the name is
 * shown.
 */
static u64 first_same(struct hist *h, struct index *ix, u32 i)
{
	const struct key_addr *addr = &h->key_addrs[i];
	u64 hash = hash_u64(addr->ip);
	bool apart = h->conf.cols.need & NEED_SYM;
	size_t pos;

	index_reserve(ix);
	index_for_each(ix, hash, pos)
	{
		struct key_addr *o = &h->key_addrs[index_at(ix, pos)];

		if (!same_data(h, o, addr))
			continue;
		if (o->sym == UINT32_MAX && !apart)
			*o = *addr;
		return index_at(ix, pos);
	}
	index_put(ix, pos, hash, i);
	return i;
}

#define RANGES 16

/*
 * Tell whether equal addresses stand next to each other: they do where the address spaces have
 * ranges of their own.
 */
static bool equal_are_neighbours(const struct hist *h)
{
	u64 first[RANGES], last[RANGES];
	u32 nr = 0;

	for (size_t i = 0; i < h->nr_key_addrs; i++) {
		u64 ip = h->key_addrs[i].ip;

		if (nr && ip >= last[nr - 1]) {
			last[nr - 1] = ip;
			continue;
		}
		if (nr == RANGES)
			return false;
		first[nr] = last[nr] = ip;
		nr++;
	}
	for (u32 i = 0; i < nr; i++)
		for (u32 k = 0; k < i; k++)
			if (first[i] <= last[k] && first[k] <= last[i])
				return false;
	return true;
}

/* Do for all key addresses what first_same() does, where equal ones are neighbours. */
static void first_of_neighbours(struct hist *h, u64 *values)
{
	size_t from = 0; /* the first address that equals the one at hand */

	for (size_t i = 0; i < h->nr_key_addrs; i++) {
		const struct key_addr *addr = &h->key_addrs[i];
		size_t k;

		if (addr->ip != h->key_addrs[from].ip)
			from = i;
		for (k = from; k < i && (values[k] != k || !same_data(h, &h->key_addrs[k], addr));)
			k++;
		values[i] = k;
		if (k < i && h->key_addrs[k].sym == UINT32_MAX && !(h->conf.cols.need & NEED_SYM))
			h->key_addrs[k] = *addr;
	}
}

/* Return the first key address that is the same in the same object: of ends of branches. */
static u64 first_end(const struct hist *h, struct index *ix, u32 i)
{
	const struct key_addr *addr = &h->key_addrs[i];
	u64 hash = hash_u64(addr->ip ^ hash_u64(addr->dso));
	size_t pos;

	index_reserve(ix);
	index_for_each(ix, hash, pos)
	{
		const struct key_addr *o = &h->key_addrs[index_at(ix, pos)];

		if (o->dso == addr->dso && o->ip == addr->ip)
			return index_at(ix, pos);
	}
	index_put(ix, pos, hash, i);
	return i;
}

static void line_text(struct hist *h, const struct location *l, enum hist_key what,
		      struct strbuf *out)
{
	if (what == KEY_SRCFILE)
		srcfile_text(hist_lines(h), l, out);
	else
		srcline_text(hist_lines(h), l, out);
}

static struct location location_of(const struct key_addr *addr)
{
	return (struct location){ .ip = addr->ip,
				  .addr = addr->addr,
				  .map = addr->map,
				  .dso = addr->map ? addr->map->dso : NULL,
				  .symtab = addr->symtab,
				  .sym = addr->sym,
				  .cpumode = addr->mode };
}

static bool is_line(enum hist_key what)
{
	return what == KEY_SRCLINE || what == KEY_SRCFILE || what == KEY_SRCLINE_FROM ||
	       what == KEY_SRCLINE_TO;
}

/* Look the lines of all key addresses up at once. */
static void look_lines_up(struct hist *h)
{
	struct location *l = xcalloc(h->nr_key_addrs + 1, sizeof(*l));

	for (size_t i = 0; i < h->nr_key_addrs; i++)
		l[i] = location_of(&h->key_addrs[i]);
	srclines_ahead(hist_lines(h), l, h->nr_key_addrs, false, h->conf.workers);
	free(l);
}

static u64 text_of(struct hist *h, const struct key_addr *addr, enum hist_key what)
{
	struct location l = location_of(addr);
	struct strbuf sb = STRBUF_INIT;
	u64 id;

	if (what >= KEY_TYPE && what <= KEY_TYPE_LINE)
		h->conf.place_text(&h->conf, what, &l, &sb);
	else
		line_text(h, &l, what, &sb);
	id = intern_str_id(&h->texts, strbuf_str(&sb));
	strbuf_release(&sb);
	return id;
}

/*
 * Return the size of the kernel by its symbols, as the recorded mapping may have no end; 0: not
 * known.
 */
static u64 kernel_size(const struct key_addr *addr)
{
	u32 nr = addr->symtab ? symtab_nr(addr->symtab) : 0;
	u64 start, first, size;

	if (!nr)
		return 0;
	start = addr->addr - (addr->ip - addr->map->start);
	first = symtab_get(addr->symtab, 0).start;
	size = symtab_get(addr->symtab, nr - 1).start - first + PAGE - 1;
	size += PAGE - size % PAGE; /* pages count from where symbols were before the kernel was
				       relocated */
	return start <= first ? size : start - first < size ? size - (start - first) : 0;
}

/* Return the size of the mapping around an address, as far as no other mapping has replaced it. */
static u64 map_size(const struct hist *h, const struct key_addr *addr)
{
	u64 size = 0, start, end;

	if (!addr->map)
		return 0;
	if (addr->map->dso->kind == DSO_KERNEL)
		size = kernel_size(addr);
	if (size)
		return size;
	/* addr->map may be a mapping of another process, of the same part of the same object */
	if (machine_find_range(h->machine, addr->epoch,
			       addr->mode == RESOLVE_ANY_MODE ? addr->map->dso->cpumode
							      : addr->mode,
			       addr->ip, &start, &end))
		return end - start;
	return addr->map->end - addr->map->start;
}

static u64 addr_value(struct hist *h, struct index *ix, enum hist_key what, u32 i)
{
	const struct key_addr *addr = &h->key_addrs[i];
	struct symbol sym = { 0 };

	if (addr->sym != UINT32_MAX)
		sym = symtab_get(addr->symtab, addr->sym);

	switch (what) {
	case KEY_DATA_DSO:
		return addr->dso;
	case KEY_DSO_SIZE:
		return map_size(h, addr);
	case KEY_SYM_SIZE:
		return sym.end - sym.start;
	case KEY_SRCLINE:
	case KEY_SRCFILE:
	case KEY_SRCLINE_FROM:
	case KEY_SRCLINE_TO:
	case KEY_TYPE:
	case KEY_TYPE_OFF:
	case KEY_TYPE_LINE:
		return text_of(h, addr, what);
	case KEY_ADDR_FROM:
	case KEY_ADDR_TO:
		return first_end(h, ix, i);
	default:
		return first_same(h, ix, i);
	}
}

static bool is_first_same(enum hist_key what)
{
	return what == KEY_DATA || what == KEY_INSTR || what == KEY_SYM_OFF;
}

void key_addrs_merge(struct hist *h)
{
	const struct hist_columns *c = &h->conf.cols;
	u32 *all_ids = gather(h);
	u64 *values;

	locate(h);
	values = xcalloc(h->nr_key_addrs + 1, sizeof(*values));
	for (u32 k = 0; k < c->nr_keys; k++) {
		const u32 *ids = all_ids;
		struct index ix = { 0 };

		if (!key_is_addr(c->keys[k].key))
			continue;
		if (is_line(c->keys[k].key))
			look_lines_up(h);
		if (c->keys[k].key == KEY_DATA_LINE)
			rank_lines(h, values);
		else if (is_first_same(c->keys[k].key) && equal_are_neighbours(h))
			first_of_neighbours(h, values);
		else
			for (size_t i = 0; i < h->nr_key_addrs; i++)
				values[i] = addr_value(h, &ix, c->keys[k].key, i);
		for (int i = 0; i < h->nr_workers; i++) {
			struct hist_worker *w = h->workers[i];

			for (size_t s = 0; s < w->nr_key_sets; s++) {
				u64 *v = word_of(w, s, k);

				*v = values[ids[*v]];
			}
			ids += w->nr_key_addrs;
		}
		index_release(&ix);
	}
	free(all_ids);
	free(values);
}

void key_addrs_keep_ips(struct hist *h)
{
	for (int i = 0; h->conf.origins && i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		w->key_addr_ips = xcalloc(w->nr_key_addrs + 1, sizeof(*w->key_addr_ips));
		for (size_t k = 0; k < w->nr_key_addrs; k++)
			w->key_addr_ips[k] = w->key_addrs[k].ip;
	}
}
