/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The debug information of one object, as its readers share it. */
#ifndef PERF_DWARF_LINES_INTERNAL_H
#define PERF_DWARF_LINES_INTERNAL_H

#include "dwarf/libdw-internal.h"
#include "dwarf/lines.h"

struct unit_code;

/* What was compiled at once. */
struct unit {
	Dwarf_Die die;
	struct unit_code *code; /* its functions; NULL: not asked for yet; see inlined.c */
};

/* Addresses of one. */
struct unit_range {
	u64 start, end;
	u32 unit;
};

struct lines {
	struct libdw lib;
	int fd;
	Dwarf *dw;
	struct unit *units;
	size_t nr_units, cap_units;
	struct unit_range *ranges; /* sorted by start */
	size_t nr, cap;
	struct libdw_loads loads;
	u64 left; /* entries that may still be looked at: damaged ones lead round in circles */
};

/** lines_unit - the unit an address (as the headers number it) is in; NULL: none. */
struct unit *lines_unit(const struct lines *l, u64 addr);
/** unit_code_free - inlined.c */
void unit_code_free(struct unit_code *c);

#endif
