/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From raw addresses to locations: map, object and symbol. A location is interned once for each
 * (object, file address, cpumode), or for each (address, cpumode) where nothing is mapped. All
 * later steps use its u32 id.
 */
#ifndef PERF_RESOLVE_RESOLVE_H
#define PERF_RESOLVE_RESOLVE_H

#include "machine/machine.h"
#include "symbol/symbol.h"

#define LOC_NONE UINT32_MAX

/* A cpumode for addresses without one: it searches the process and then the kernel. The location
 * gets the cpumode in which it was found, or this one. */
#define RESOLVE_ANY_MODE 64

struct location {
	u64 ip;   /* the sampled address; the first one, if processes share the object */
	u64 addr; /* address in the object's file; equal to ip without a map */
	const struct map *map; /* borrowed; the first one, or NULL: unknown */
	const struct dso *dso; /* borrowed; NULL: unknown */
	const struct symtab
		*symtab; /* borrowed; NULL when dso is NULL or symbols were not requested */
	u32 sym;         /* index in symtab; UINT32_MAX: none */
	u8 cpumode;      /* PERF_RECORD_MISC_* */
	u32 func; /* dense id of (dso, symbol) or, without symbol, of (dso, address), by which
		     functions are compared */
};

struct resolver;

/**
 * resolver_new - make a resolver. @machine (sealed) and @symbols are borrowed and must outlive it.
 * @symbols NULL: resolve objects only
 */
struct resolver *resolver_new(const struct machine *machine, struct symbols *symbols);
/** resolver_symbols - return its symbols. */
struct symbols *resolver_symbols(const struct resolver *r);
/** resolver_free - free the resolver and its locations. */
void resolver_free(struct resolver *r);

/** resolve_addr - return the location id of an address. One thread at a time may call it. */
u32 resolve_addr(struct resolver *r, u32 epoch, u8 cpumode, u64 ip);

struct resolve_req {
	u64 ip;
	u32 epoch;
	u8 cpumode;
};
/**
 * resolve_many - resolve @nr addresses and store the ids in @out. Symbols are looked up in
 * parallel, by object, on @workers threads; the result does not depend on their number. One thread
 * at a time may call it.
 */
void resolve_many(struct resolver *r, const struct resolve_req *reqs, size_t nr, u32 *out,
		  int workers);

/** resolver_get - return a location by id. It is valid until the next resolve_*(). */
const struct location *resolver_get(const struct resolver *r, u32 loc);
/**
 * resolver_forget - free all locations. Ids start from 0 again, except those of functions
 * (location.func).
 */
void resolver_forget(struct resolver *r);
/** resolver_nr - return the number of location ids. */
u32 resolver_nr(const struct resolver *r);
/** resolver_nr_funcs - return the number of function ids. */
u32 resolver_nr_funcs(const struct resolver *r);

/**
 * resolve_find - look up the location of an address without interning it, for formatting on many
 * threads. @out->func is not set. It is thread-safe when the machine is sealed.
 */
void resolve_find(const struct machine *m, struct symbols *s, u32 epoch, u8 cpumode, u64 ip,
		  struct location *out);

/* A cache with the mapping of the last address. All members 0: empty. */
struct resolve_near {
	u64 start, end;
	const struct map *map;
	const struct symtab *symtab;
	u32 epoch;
	u8 cpumode;
};
/** resolver_place - find what resolver_find() finds, but not the symbol; out->sym says that there
 * is none. */
void resolver_place(const struct resolver *r, struct resolve_near *near, u32 epoch, u8 cpumode,
		    u64 ip, struct location *out);
/**
 * resolver_find - do what resolve_find() does, with the machine and the symbols of @r, from which
 * nothing else is read.
 * @near: the caller's cache; it saves the search for the mapping, and the lock of the
 *	symbols, while addresses are in the same mapping
 */
void resolver_find(const struct resolver *r, struct resolve_near *near, u32 epoch, u8 cpumode,
		   u64 ip, struct location *out);

/**
 * resolve_kernel_name - return the function at a kernel address and store its start address; NULL:
 * none. The name is borrowed. It is thread-safe like resolve_find().
 */
const char *resolve_kernel_name(const struct machine *m, struct symbols *s, u64 addr, u64 *start);

/**
 * location_symbol - return the printable name of the symbol, or NULL when there is none. It is
 * borrowed.
 */
const char *location_symbol(const struct location *l);
/** location_dso - return the short name of the object, or "[unknown]". It is borrowed. */
const char *location_dso(const struct location *l);
/**
 * location_dso_long - return the path of the object as `script` shows it, or "[unknown]". It is
 * borrowed.
 */
const char *location_dso_long(const struct location *l);

#endif
