/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raw addresses to locations: which map, object, symbol. A location is interned once per unique
 * (object, address); everything above works with its u32 id.
 */
#ifndef PERF_RESOLVE_RESOLVE_H
#define PERF_RESOLVE_RESOLVE_H

#include "machine/machine.h"
#include "symbol/symbol.h"

#define LOC_NONE UINT32_MAX

struct location {
	u64 ip;			/* address as sampled (one of them, when several processes share the object) */
	u64 addr;		/* in the object's file; == ip when there is no map */
	const struct map *map;	/* borrowed, NULL: unknown */
	const struct dso *dso;	/* borrowed, NULL: unknown */
	const struct symtab *symtab; /* borrowed; NULL when dso is NULL or symbols were not asked for */
	u32 sym;		/* index in symtab, UINT32_MAX: none */
	u8 cpumode;		/* PERF_RECORD_MISC_* */
	u32 func;		/* dense id of (dso, symbol) or, without symbol, of (dso, address): what "same function" means */
};

struct resolver;

/** resolver_new - @machine (sealed) and @symbols are borrowed and must outlive it. */
struct resolver *resolver_new(const struct machine *machine, struct symbols *symbols);
void resolver_free(struct resolver *r);

/** resolve_addr - location id of an address; interned. One thread at a time. */
u32 resolve_addr(struct resolver *r, u32 epoch, u8 cpumode, u64 ip);
/** resolve_many - resolve @nr addresses, symbol lookups in parallel per dso on @workers threads; ids to @out. Same result for any number of workers. */
struct resolve_req {
	u64 ip;
	u32 epoch;
	u8 cpumode;
};
void resolve_many(struct resolver *r, const struct resolve_req *reqs, size_t nr, u32 *out, int workers);
/** resolver_get - a location by id; borrowed until the next resolve_*(). */
const struct location *resolver_get(const struct resolver *r, u32 loc);
u32 resolver_nr(const struct resolver *r);
/** location_symbol - printable symbol name, or NULL when there is none. */
const char *location_symbol(const struct location *l);
/** location_dso - short name of the object, "[unknown]" without one. */
const char *location_dso(const struct location *l);

#endif
