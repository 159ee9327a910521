/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state behind lines.h and source.h: the units of an object, and what was read of each. */
#ifndef PERF_DWARF_LINES_INTERNAL_H
#define PERF_DWARF_LINES_INTERNAL_H

#include "base/intern.h"
#include "dwarf/line-table-internal.h"
#include "dwarf/source-index-internal.h"
#include "dwarf/source.h"
#include "objcache/objcache.h"
#include "symbol/symbol.h"

#include <pthread.h>

/* ---- split debug information (split.c) ----
 *
 * Debug information that the linker need not read stands in a file beside each object file (.dwo),
 * or in a package of all of them (.dwp, DWARF 5, 7.3.5; in DWARF 4 extensions of GNU). The unit in
 * the program is its skeleton.
 */

struct dw_split {
	struct dw_file *file;  /* owned; NULL: that of the package */
	struct dw_part *parts; /* owned: the unit's parts of the package; NULL */
	struct dw_unit own;    /* the unit, when it is of a package */
	struct dw_unit *unit;  /* the unit, wherever it is; NULL: not found */
};

/**
 * dw_split_open - find the unit that a skeleton stands for.
 * @package: borrowed, NULL: there is none
 * @folder: of the program, where files are looked for that are not where the compiler left them
 * Return: whether it was found. dw_split_close() is needed in both cases.
 */
bool dw_split_open(struct dw_split *s, const struct dw_unit *skeleton, struct dw_file *package,
		   const char *folder);
void dw_split_close(struct dw_split *s);

/* ---- the functions of a unit and what was inlined into them (code.c) ----
 *
 * Functions are listed by one walk over the unit. The inlined ones are listed for a function when
 * one of its addresses is asked for.
 */

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

/* ---- all of it ---- */

/* The state of a unit tells what was read of it. */
struct unit_state {
	bool table_read, code_read, split_tried, lacking;
	struct line_table table;
	const char **paths; /* owned, by number of the file; NULL: not asked for */
	struct unit_code code;
	struct dw_split split;
};

/* The data of an object that are kept on disk. */
struct lines_kept {
	struct objcache *cache; /* borrowed; NULL: nothing is */
	struct objcache_key key;
	struct index_origin origin;
	struct objcache_file file; /* @index lies in it, or else in @made */
	struct strbuf made;
	struct source_index index;
	bool there; /* an earlier run has kept @index */
};

struct lines {
	struct dw_file *file;
	struct dw_file *package;  /* NULL: there is none */
	struct elf_image object;  /* whose layout addresses refer to; not open: that of @file */
	char *folder;             /* of the program; NULL */
	u64 module_at;            /* of a module: where the address 0 is; else 0 */
	struct read_lines *other; /* owned: another reader, and @file is NULL; NULL: our own */
	struct range_map by_addr; /* of units */
	struct line_unit {
		pthread_mutex_t lock;
		struct unit_state *state; /* owned; NULL: not asked for */
	} * units;                        /* owned, as many as file->units */
	pthread_mutex_t paths_lock;
	struct intern paths; /* all that were handed out */
	struct lines_kept kept;
	char *marked_file; /* owned: what source_units_with() was asked for; NULL */
	bool *marked;      /* owned: and said */
};

/** lines_lock - return what was read of a unit, which is locked until lines_unlock(). */
struct unit_state *lines_lock(struct lines *l, u32 unit);
void lines_unlock(struct lines *l, u32 unit);
/** lines_need_files - read the names of files of a locked unit unless they were read. */
void lines_need_files(struct lines *l, u32 unit, struct unit_state *s);
/** lines_need_table - read the line table of a locked unit unless it was read. */
void lines_need_table(struct lines *l, u32 unit, struct unit_state *s);
/** lines_entries - return the unit that has the entries of a locked unit: its own, or those of the
 * split file. */
const struct dw_unit *lines_entries(struct lines *l, u32 unit, struct unit_state *s);
/** lines_need_code - list the functions of a locked unit unless they were listed. */
void lines_need_code(struct lines *l, u32 unit, struct unit_state *s);
/** lines_path - return the path of a file of a locked unit, whose files were read; it is valid
 * until lines_close(). NULL: there is no such file. */
const char *lines_path(struct lines *l, struct unit_state *s, u64 file);

/** lines_keep - keep on disk the units and, unless they are NULL, the names with their places and
 * texts. They are in the index from then on. */
void lines_keep(struct lines *l, const struct source_index *names);
/** source_extent - fill in where the code of an entry begins and ends. Return: whether it has code.
 */
bool source_extent(const struct dw_die *d, struct source_function *f);
/**
 * source_units_with - tell which units with code have a file in their line table.
 * @file: the end of its path, from a slash on
 * Return: one for each unit; valid until the next call.
 */
const bool *source_units_with(struct lines *l, const char *file);

/* ---- readers other than our own (line-readers.c) ---- */

/* The lines of an object by way of a reader. */
struct read_lines;

/** read_lines_open - return NULL when there are none. read_lines_close() frees the result. */
struct read_lines *read_lines_open(const struct line_source *by, const char *debug);
void read_lines_close(struct read_lines *r);
/** read_lines_find, read_lines_inlined - do what lines_find() and lines_inlined() do, for an
 * address of the headers. */
u32 read_lines_find(struct read_lines *r, u64 addr, const char **file);
size_t read_lines_inlined(struct read_lines *r, u64 addr, struct inlined *out);

#endif
