/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The debug information of one object, as its readers share it. */
#ifndef PERF_DWARF_LINES_INTERNAL_H
#define PERF_DWARF_LINES_INTERNAL_H

#include "base/intern.h"
#include "base/strbuf.h"
#include "dwarf/libdw-internal.h"
#include "dwarf/lines.h"

struct unit_code;

/* What was compiled at once. */
struct unit {
	Dwarf_Die die;
	struct unit_code *code; /* its functions; NULL: not asked for yet; see inlined.c */
};

/* Addresses of one of several: units, functions, what is in a function. */
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
	struct addr_range *ranges; /* of units, sorted */
	size_t nr, cap;
	struct libdw_loads loads;
	struct intern paths; /* made by lines_path() */
	struct strbuf path;  /* room for it */
	u64 left; /* entries that may still be looked at: damaged ones lead round in circles */
};

/** ranges_sort - by where they start. */
void ranges_sort(struct addr_range *v, size_t nr);
/** ranges_at - whose range of @nr sorted ones, the last that starts up to there, has @addr in it;
 * UINT32_MAX: not so. */
u32 ranges_at(const struct addr_range *v, size_t nr, u64 addr);
/** lines_unit - the unit an address (as the headers number it) is in; NULL: none. */
struct unit *lines_unit(const struct lines *l, u64 addr);
/** lines_path - of a file of @u: those that the compiler was told by where it stood begin there.
 * Borrowed until lines_close(). */
const char *lines_path(struct lines *l, struct unit *u, const char *file);
/** unit_code_free - inlined.c */
void unit_code_free(struct unit_code *c);

#endif
