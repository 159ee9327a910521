/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the debug information of one object, which the readers of this room share. */
#ifndef PERF_DWARF_LINES_INTERNAL_H
#define PERF_DWARF_LINES_INTERNAL_H

#include "base/intern.h"
#include "base/strbuf.h"
#include "dwarf/libdw-internal.h"
#include "dwarf/lines.h"

struct unit_code;

/* A compilation unit. */
struct unit {
	Dwarf_Die die;
	struct unit_code *code; /* its functions, see inlined.c; NULL: not read yet */
};

/* Addresses that belong to a unit, a function or a part of a function. */
struct addr_range {
	u64 start, end;
	u32 of;
};

struct lines {
	struct libdw lib;
	int fd;
	Dwarf *dw;
	struct unit *units;
	size_t nr_units, cap_units;
	struct addr_range *ranges; /* the ranges of units, sorted */
	size_t nr, cap;
	struct libdw_loads loads;
	struct intern paths; /* results of lines_path() */
	struct strbuf path;  /* scratch space for lines_path() */
	u64 left;            /* entries that may still be visited; damaged ones can form cycles */
};

/** ranges_sort - sort by start address. */
void ranges_sort(struct addr_range *v, size_t nr);
/**
 * ranges_at - return the owner of the range that contains @addr: of @nr sorted ranges, the last one
 * that starts at or before it. UINT32_MAX: none.
 */
u32 ranges_at(const struct addr_range *v, size_t nr, u64 addr);
/** lines_unit - return the unit that contains an address (as the headers number it), or NULL. */
struct unit *lines_unit(const struct lines *l, u64 addr);
/**
 * lines_path - return the path of a file of @u. A path that the compiler knew as relative begins
 * with the compilation directory. It is valid until lines_close().
 */
const char *lines_path(struct lines *l, struct unit *u, const char *file);
/** unit_code_free - free the functions of a unit, see inlined.c. */
void unit_code_free(struct unit_code *c);

#endif
