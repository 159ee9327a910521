/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state behind lines.h and source.h: the units of an object, and what was read of each. */
#ifndef PERF_DWARF_LINES_INTERNAL_H
#define PERF_DWARF_LINES_INTERNAL_H

#include "base/intern.h"
#include "dwarf/code-internal.h"
#include "dwarf/line-table-internal.h"
#include "dwarf/source.h"
#include "dwarf/split-internal.h"
#include "symbol/symbol.h"

#include <pthread.h>

/* The state of a unit tells what was read of it. */
struct unit_state {
	bool table_read, code_read, split_tried, lacking;
	struct line_table table;
	const char **paths; /* owned, by number of the file; NULL: not asked for */
	struct unit_code code;
	struct dw_split split;
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

/** source_extent - fill in where the code of an entry begins and ends. Return: whether it has code.
 */
bool source_extent(const struct dw_die *d, struct source_function *f);
/** source_unit_has_file - tell whether the line table of a unit names a file. @file: the end of its
 * path, from a slash on */
bool source_unit_has_file(const struct dw_unit *u, const char *file);

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
