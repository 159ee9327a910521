/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raw addresses to locations: which map, object, symbol. A location is interned once per unique
 * (object, file address, cpumode), or per (address, cpumode) where nothing is mapped; everything
 * above works with its u32 id.
 */
#ifndef PERF_RESOLVE_RESOLVE_H
#define PERF_RESOLVE_RESOLVE_H

#include "machine/machine.h"
#include "symbol/symbol.h"

#define LOC_NONE UINT32_MAX

/* A cpumode to ask with when none was recorded: in the process, and if nothing is there, in the
 * kernel. The location has the one it was found in, or this. */
#define RESOLVE_ANY_MODE 64

struct location {
	u64 ip;   /* address as sampled (the first seen, when processes share the object) */
	u64 addr; /* in the object's file; == ip when there is no map */
	const struct map *map; /* borrowed, NULL: unknown; the first one seen */
	const struct dso *dso; /* borrowed, NULL: unknown */
	const struct symtab
		*symtab; /* borrowed; NULL when dso is NULL or symbols were not asked for */
	u32 sym;         /* index in symtab, UINT32_MAX: none */
	u8 cpumode;      /* PERF_RECORD_MISC_* */
	u32 func; /* dense id of (dso, symbol) or, without symbol, of (dso, address): what "same
		     function" means */
};

struct resolver;

/** resolver_new - @machine (sealed) and @symbols are borrowed and must outlive it. @symbols NULL:
 * objects only. */
struct resolver *resolver_new(const struct machine *machine, struct symbols *symbols);
void resolver_free(struct resolver *r);

/** resolve_addr - location id of an address; interned. One thread at a time. */
u32 resolve_addr(struct resolver *r, u32 epoch, u8 cpumode, u64 ip);

struct resolve_req {
	u64 ip;
	u32 epoch;
	u8 cpumode;
};
/**
 * resolve_many - resolve @nr addresses, symbol lookups in parallel per dso on @workers threads; ids
 * to @out. Same result for any number of workers. One call at a time.
 */
void resolve_many(struct resolver *r, const struct resolve_req *reqs, size_t nr, u32 *out,
		  int workers);

/** resolver_get - a location by id; borrowed until the next resolve_*(). */
const struct location *resolver_get(const struct resolver *r, u32 loc);
/** resolver_forget - give back what all locations so far take; ids begin anew, those of functions
 * (location.func) go on. */
void resolver_forget(struct resolver *r);
/** resolver_nr, resolver_nr_funcs - sizes of the dense id ranges. */
u32 resolver_nr(const struct resolver *r);
u32 resolver_nr_funcs(const struct resolver *r);

/**
 * resolve_find - the location of an address, without interning it: for formatting on many threads.
 * @out->func is not set. Thread-safe when the machine is sealed.
 */
void resolve_find(const struct machine *m, struct symbols *s, u32 epoch, u8 cpumode, u64 ip,
		  struct location *out);

/* The mapping that an address was found in last. All 0: none yet. */
struct resolve_near {
	u64 start, end;
	const struct map *map;
	const struct symtab *symtab;
	u32 epoch;
	u8 cpumode;
};
/** resolver_place - resolver_find() but for the symbol: out->sym says that there is none. */
void resolver_place(const struct resolver *r, struct resolve_near *near, u32 epoch, u8 cpumode,
		    u64 ip, struct location *out);
/**
 * resolver_find - the same on the machine and with the symbols of @r, of which nothing else is
 * read.
 * @near: of the caller; spares it the search for the mapping, and the lock of the symbols, as long
 * as it asks for addresses of the same one
 */
void resolver_find(const struct resolver *r, struct resolve_near *near, u32 epoch, u8 cpumode,
		   u64 ip, struct location *out);

/** resolve_kernel_name - the function at a kernel address, and where it starts; NULL: none.
 * Borrowed; thread-safe as resolve_find(). */
const char *resolve_kernel_name(const struct machine *m, struct symbols *s, u64 addr, u64 *start);

/** location_symbol - printable symbol name, or NULL when there is none; borrowed. */
const char *location_symbol(const struct location *l);
/** location_dso - short name of the object, "[unknown]" without one; borrowed. */
const char *location_dso(const struct location *l);
/** location_dso_long - path of the object as `script` shows it, "[unknown]" without one; borrowed. */
const char *location_dso_long(const struct location *l);

#endif
