// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interned locations. Ids are given in the order of requests, so they do not depend on the workers.
 */
#include "resolve/resolve.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/pool.h"

#define SYM_NONE UINT32_MAX
#define REQS_PER_ITEM 4096

struct resolver {
	const struct machine *machine; /* borrowed */
	struct symbols *symbols;       /* borrowed, may be NULL */
	struct location *locs;
	size_t nr, cap;
	u32 *slots; /* open addressing over (dso, addr, cpumode): a location or LOC_NONE */
	size_t mask;
	struct map64 funcs; /* (dso, symbol) -> func */
	u32 nr_funcs;
};

struct resolver *resolver_new(const struct machine *machine, struct symbols *symbols)
{
	struct resolver *r = xzalloc(sizeof(*r));

	r->machine = machine;
	r->symbols = symbols;
	return r;
}

void resolver_forget(struct resolver *r)
{
	free(r->locs);
	free(r->slots);
	r->locs = NULL;
	r->slots = NULL;
	r->nr = r->cap = r->mask = 0;
}

struct symbols *resolver_symbols(const struct resolver *r)
{
	return r->symbols;
}

void resolver_free(struct resolver *r)
{
	if (!r)
		return;
	resolver_forget(r);
	map64_release(&r->funcs);
	free(r);
}

/*
 * The recorded map of the kernel ends with its text. Its other code (.init.text) follows, and only
 * the symbols say how far it extends.
 */
static const struct map *find_map(const struct machine *m, struct symbols *s, u32 epoch, u8 cpumode,
				  u64 ip)
{
	const struct map *map;

	if (cpumode == RESOLVE_ANY_MODE) {
		map = machine_find_map(m, epoch, PERF_RECORD_MISC_USER, ip);
		return map ? map : find_map(m, s, epoch, PERF_RECORD_MISC_KERNEL, ip);
	}
	map = machine_find_map(m, epoch, cpumode, ip);
	if (map || cpumode != PERF_RECORD_MISC_KERNEL || !s)
		return map;
	map = machine_kernel_map(m);
	if (!map || ip < map->end || symtab_find(symbols_load(s, map->dso), ip) == SYM_NONE)
		return NULL;
	return map;
}

static u8 mode_of(const struct map *map, u8 cpumode)
{
	return cpumode == RESOLVE_ANY_MODE && map ? map->dso->cpumode : cpumode;
}

static u64 loc_hash(const struct dso *dso, u64 addr, u8 cpumode)
{
	return hash_mix(hash_u64(addr), (u64)(dso ? dso->id + 1 : 0) << 8 | cpumode);
}

static void grow_slots(struct resolver *r)
{
	size_t slots = r->slots ? (r->mask + 1) * 2 : 1024, i, at;

	free(r->slots);
	r->slots = xmalloc(slots * sizeof(*r->slots));
	memset(r->slots, 0xff, slots * sizeof(*r->slots));
	r->mask = slots - 1;
	for (i = 0; i < r->nr; i++) {
		at = loc_hash(r->locs[i].dso, r->locs[i].addr, r->locs[i].cpumode) & r->mask;
		while (r->slots[at] != LOC_NONE)
			at = (at + 1) & r->mask;
		r->slots[at] = (u32)i;
	}
}

/* Return the location of an address in a map. A new one is added, without symbol and func. */
static u32 intern_loc(struct resolver *r, const struct map *map, u8 cpumode, u64 ip)
{
	const struct dso *dso = map ? map->dso : NULL;
	u64 addr = map ? map_to_file(map, ip) : ip;
	size_t at;

	cpumode = mode_of(map, cpumode);
	if (!r->slots || (r->nr + 1) * 4 > (r->mask + 1) * 3)
		grow_slots(r);
	for (at = loc_hash(dso, addr, cpumode) & r->mask; r->slots[at] != LOC_NONE;
	     at = (at + 1) & r->mask) {
		const struct location *l = &r->locs[r->slots[at]];

		if (l->addr == addr && l->dso == dso && l->cpumode == cpumode)
			return r->slots[at];
	}
	VEC_GROW(r->locs, r->nr + 1, r->cap);
	r->locs[r->nr] = (struct location){
		.ip = ip,
		.addr = addr,
		.map = map,
		.dso = dso,
		.sym = SYM_NONE,
		.cpumode = cpumode,
	};
	r->slots[at] = (u32)r->nr;
	return (u32)r->nr++;
}

static void set_func(struct resolver *r, struct location *l)
{
	u32 *slot;

	if (l->sym == SYM_NONE) {
		l->func = r->nr_funcs++;
		return;
	}
	slot = map64_slot(&r->funcs, (u64)l->dso->id << 32 | l->sym);
	if (*slot == MAP64_NONE)
		*slot = r->nr_funcs++;
	l->func = *slot;
}

static void find_symbol(struct location *l)
{
	if (l->symtab)
		l->sym = symtab_find(l->symtab, l->addr);
}

u32 resolve_addr(struct resolver *r, u32 epoch, u8 cpumode, u64 ip)
{
	size_t before = r->nr;
	u32 loc = intern_loc(r, find_map(r->machine, r->symbols, epoch, cpumode, ip), cpumode, ip);
	struct location *l = &r->locs[loc];

	if (loc < before)
		return loc;
	if (r->symbols && l->dso)
		l->symtab = symbols_load(r->symbols, l->dso);
	find_symbol(l);
	set_func(r, l);
	return loc;
}

/* ---- many at once ---- */

struct batch {
	struct resolver *r;
	const struct resolve_req *reqs;
	const struct map **maps; /* maps of the requests */
	size_t nr;
	size_t first;   /* number of the first new location */
	u32 *order;     /* new locations with an object, grouped by object */
	size_t *groups; /* start of each group in order; one more at the end */
	size_t nr_groups;
};

static void find_maps(void *ctx, int worker, size_t item)
{
	struct batch *b = ctx;
	size_t i = item * REQS_PER_ITEM, end = MIN(i + REQS_PER_ITEM, b->nr);

	(void)worker;
	for (; i < end; i++)
		b->maps[i] = find_map(b->r->machine, b->r->symbols, b->reqs[i].epoch,
				      b->reqs[i].cpumode, b->reqs[i].ip);
}

static void resolve_group(void *ctx, int worker, size_t item)
{
	struct batch *b = ctx;
	struct resolver *r = b->r;
	const struct symtab *t = symbols_load(r->symbols, r->locs[b->order[b->groups[item]]].dso);
	size_t i;

	(void)worker;
	for (i = b->groups[item]; i < b->groups[item + 1]; i++) {
		struct location *l = &r->locs[b->order[i]];

		l->symtab = t;
		find_symbol(l);
	}
}

/* Sort the new locations by object with a counting sort. */
static void group_by_dso(struct batch *b)
{
	const struct resolver *r = b->r;
	size_t nr_dsos, i, at = 0, *start;

	machine_dsos(r->machine, &nr_dsos);
	start = xcalloc(nr_dsos + 1, sizeof(*start));
	for (i = b->first; i < r->nr; i++) {
		if (r->locs[i].dso)
			start[r->locs[i].dso->id]++;
	}
	b->groups = xcalloc(nr_dsos + 1, sizeof(*b->groups));
	for (i = 0; i < nr_dsos; i++) {
		size_t n = start[i];

		if (n)
			b->groups[b->nr_groups++] = at;
		start[i] = at;
		at += n;
	}
	b->groups[b->nr_groups] = at;
	b->order = xmalloc(at * sizeof(*b->order) + 1);
	for (i = b->first; i < r->nr; i++) {
		if (r->locs[i].dso)
			b->order[start[r->locs[i].dso->id]++] = (u32)i;
	}
	free(start);
}

void resolve_many(struct resolver *r, const struct resolve_req *reqs, size_t nr, u32 *out,
		  int workers)
{
	struct batch b = { .r = r, .reqs = reqs, .nr = nr, .first = r->nr };
	size_t i;

	b.maps = xcalloc(nr + 1, sizeof(*b.maps));
	pool_run(workers, (nr + REQS_PER_ITEM - 1) / REQS_PER_ITEM, find_maps, &b);
	for (i = 0; i < nr; i++)
		out[i] = intern_loc(r, b.maps[i], reqs[i].cpumode, reqs[i].ip);
	free(b.maps);
	if (r->symbols && r->nr > b.first) {
		group_by_dso(&b);
		pool_run(workers, b.nr_groups, resolve_group, &b);
		free(b.order);
		free(b.groups);
	}
	for (i = b.first; i < r->nr; i++)
		set_func(r, &r->locs[i]);
}

void resolve_find(const struct machine *m, struct symbols *s, u32 epoch, u8 cpumode, u64 ip,
		  struct location *out)
{
	const struct map *map = find_map(m, s, epoch, cpumode, ip);

	*out = (struct location){
		.ip = ip,
		.addr = map ? map_to_file(map, ip) : ip,
		.map = map,
		.dso = map ? map->dso : NULL,
		.sym = SYM_NONE,
		.cpumode = mode_of(map, cpumode),
	};
	if (s && map)
		out->symtab = symbols_load(s, map->dso);
	find_symbol(out);
}

void resolver_place(const struct resolver *r, struct resolve_near *near, u32 epoch, u8 cpumode,
		    u64 ip, struct location *out)
{
	const struct map *map = near->map;

	if (!map || near->epoch != epoch || near->cpumode != cpumode || ip < near->start ||
	    ip >= near->end) {
		near->epoch = epoch;
		near->cpumode = cpumode;
		map = near->map = machine_find_range(r->machine, epoch, cpumode, ip, &near->start,
						     &near->end);
		if (!map)
			map = find_map(r->machine, r->symbols, epoch, cpumode, ip);
		near->symtab = r->symbols && map ? symbols_load(r->symbols, map->dso) : NULL;
	}
	*out = (struct location){
		.ip = ip,
		.addr = map ? map_to_file(map, ip) : ip,
		.map = map,
		.dso = map ? map->dso : NULL,
		.symtab = near->symtab,
		.sym = SYM_NONE,
		.cpumode = mode_of(map, cpumode),
	};
}

void resolver_find(const struct resolver *r, struct resolve_near *near, u32 epoch, u8 cpumode,
		   u64 ip, struct location *out)
{
	resolver_place(r, near, epoch, cpumode, ip, out);
	find_symbol(out);
}

const struct location *resolver_get(const struct resolver *r, u32 loc)
{
	return &r->locs[loc];
}

u32 resolver_nr(const struct resolver *r)
{
	return (u32)r->nr;
}

u32 resolver_nr_funcs(const struct resolver *r)
{
	return r->nr_funcs;
}

const char *resolve_kernel_name(const struct machine *m, struct symbols *s, u64 addr, u64 *start)
{
	struct location l;

	resolve_find(m, s, MACHINE_EPOCH_KERNEL, PERF_RECORD_MISC_KERNEL, addr, &l);
	if (!l.symtab || l.sym == SYM_NONE)
		return NULL;
	*start = addr - (l.addr - symtab_get(l.symtab, l.sym).start);
	return location_symbol(&l);
}

const char *location_symbol(const struct location *l)
{
	return l->sym == SYM_NONE ? NULL : symtab_name(l->symtab, l->sym);
}

const char *location_dso(const struct location *l)
{
	return l->dso ? l->dso->short_name : "[unknown]";
}

const char *location_dso_long(const struct location *l)
{
	if (!l->dso)
		return "[unknown]";
	/* As in perf, a module is shown by its path only if the file contains its build-id. */
	return l->dso->kind == DSO_MODULE && !l->dso->build_id_size ? l->dso->short_name
								    : l->dso->path;
}
