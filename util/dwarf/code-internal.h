/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of a unit and what was inlined into them. Functions are listed by one walk over the
 * unit. The inlined ones are listed for a function when one of its addresses is asked for.
 */
#ifndef PERF_DWARF_CODE_INTERNAL_H
#define PERF_DWARF_CODE_INTERNAL_H

#include "dwarf/dwarf-internal.h"
#include "dwarf/ranges-internal.h"

struct unit_code {
	const struct dw_unit *unit; /* borrowed: the one with the entries, split or not */
	struct code_function {
		u64 off; /* of its entry */
		bool read;
		struct inline_node {
			u64 off;    /* of its entry */
			u32 parent; /* the node it is in; RANGE_NONE: the function itself */
		} * nodes;          /* owned; outer ones come before those inlined into them */
		size_t nr_nodes, cap_nodes;
		struct range_map by_addr; /* of nodes */
	} * functions;                    /* owned */
	size_t nr, cap;
	struct range_map by_addr; /* of functions */
	u64 left;                 /* ranges that may still be read */
};

/** unit_code_read - list the functions of a unit. Release with unit_code_release(). */
void unit_code_read(struct unit_code *c, const struct dw_unit *u);
void unit_code_release(struct unit_code *c);
/** unit_code_function - return a function by its number, with what was inlined into it. */
const struct code_function *unit_code_function(struct unit_code *c, u32 function);
/**
 * unit_code_inlined - find the entries of the functions that were inlined at an address.
 * @offs: room for @max offsets; the innermost is first
 * Return: their number.
 */
size_t unit_code_inlined(struct unit_code *c, u64 addr, u64 *offs, size_t max);

#endif
