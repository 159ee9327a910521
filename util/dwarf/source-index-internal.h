/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This index of the units and functions of an object is kept on disk, so that only the units that
 * are asked for are read. All numbers are of the byte order of this machine; sections
 * follow each other without gaps, and all of them are aligned as their elements need it:
 *
 *	header  struct head of source-index.c
 *	units   struct kept_unit, sorted by offset
 *	pieces  struct kept_piece, sorted by address
 *	names   struct kept_name
 *	places  u32; those of a name follow each other, and rise
 *	texts   zero-terminated; the first one is empty and stands for none
 */
#ifndef PERF_DWARF_SOURCE_INDEX_INTERNAL_H
#define PERF_DWARF_SOURCE_INDEX_INTERNAL_H

#include "base/strbuf.h"
#include "dwarf/dwarf-internal.h"
#include "dwarf/ranges-internal.h"

#define SOURCE_INDEX_VERSION 2 /* of the layout, and of what the reader of units finds */

/*
 * An index is of one file with debug information. The build-id does not tell that: tools change
 * this information and leave the build-id as it is.
 */
struct index_origin {
	u64 len[DW_SECTIONS]; /* of its sections */
	u64 sample;           /* a hash of some of their bytes */
};

struct kept_unit {
	u64 off, root, end, abbrevs_off, root_abbrev, lines_off, low_pc, str_base, addr_base,
		rnglists_base, ranges_base;
	u64 comp_dir; /* where it is in section @comp_dir_in */
	u16 tag, version;
	u8 addr, offset, type;
	u8 has_lines, is_c;
	u8 comp_dir_in; /* DW_SECTIONS: there is none */
	u8 unused[6];
};

struct kept_piece {
	u64 start;
	u32 of, unused;
};

/* A function: code of all entries with one pair of names. */
struct kept_name {
	u32 name, linkage; /* places in the texts */
	u32 first, nr;     /* of its places: offsets of entries in section DW_INFO */
};

struct source_index {
	/* all arrays are borrowed */
	const struct kept_unit *units;
	const struct kept_piece *pieces;
	const struct kept_name *names;
	const u32 *places;
	const char *texts;
	u32 nr_units, nr_pieces, nr_names, nr_places;
	size_t texts_len;
	bool listed; /* the functions are there; without, there are no names, places and texts */
};

/** index_origin_of - describe the file. */
struct index_origin index_origin_of(const struct dw_file *f);
/** index_fits - tell whether units of a file can be kept: those that are in it as a whole. */
bool index_fits(const struct dw_file *f);

/**
 * source_index_read - read what source_index_write() wrote.
 * @data: @len bytes, aligned to 8; the index borrows them
 * Return: whether it makes sense, and is of that origin.
 */
bool source_index_read(struct source_index *x, const void *data, size_t len,
		       const struct index_origin *origin);
/** source_index_write - append an index to @out. */
void source_index_write(const struct source_index *x, const struct index_origin *origin,
			struct strbuf *out);

/** kept_unit_of - describe a unit. */
struct kept_unit kept_unit_of(const struct dw_unit *u);
/** kept_units_take - give a file without units those of an index. Return: false when they are not
 * units of the file, which has none then. */
bool kept_units_take(struct dw_file *f, const struct source_index *x);

#endif
