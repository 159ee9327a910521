/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line table of a unit (DWARF 5, 6.2): the line of each address, and the names of files. */
#ifndef PERF_DWARF_LINE_TABLE_INTERNAL_H
#define PERF_DWARF_LINE_TABLE_INTERNAL_H

#include "dwarf/dwarf-internal.h"
#include "dwarf/ranges-internal.h"

/* A row: from its address up to that of the next one. */
struct line_row {
	u64 addr;
	u32 line, file;
};

struct line_table {
	const struct dw_unit *unit; /* borrowed */
	struct line_row *rows;      /* owned: sequences, in each of which addresses rise */
	size_t nr_rows, cap_rows;
	struct line_sequence {
		u32 first, nr;
	} * sequences; /* owned */
	size_t nr_sequences, cap_sequences;
	struct range_map by_addr; /* of sequences */
	struct line_file {
		const char *name; /* borrowed from the section */
		u64 folder;
	} * files; /* owned; before version 5 the first one is number 1 */
	size_t nr_files, cap_files;
	const char **folders; /* owned; number 0 is the folder of the compilation */
	size_t nr_folders, cap_folders;
};

/** line_table_read - read the table of a unit, which may have none. Release with
 * line_table_release(). */
void line_table_read(struct line_table *t, const struct dw_unit *u);
void line_table_release(struct line_table *t);
/** line_table_files - read only the names of files of a table. Release as above. */
void line_table_files(struct line_table *t, const struct dw_unit *u);

/* A row as the program of the table makes it. */
struct line_each {
	u64 addr;
	u32 line, file;
	bool statement; /* a statement begins there, so that it is a good place for a breakpoint */
	bool end;       /* the sequence ends in front of @addr, which has no line */
};
typedef void line_row_fn(void *ctx, const struct line_each *row);
/**
 * line_table_each - hand out all rows of the table of a unit in the order of its program, also
 * those that line_table_read() leaves out as they tell nothing new.
 * @files: receives the names of files, for line_table_path(); line_table_release() frees them
 */
void line_table_each(const struct dw_unit *u, struct line_table *files, line_row_fn *fn, void *ctx);
/** line_table_find - return the row that an address is in, or NULL. */
const struct line_row *line_table_find(const struct line_table *t, u64 addr);
/** line_table_ranges - append the addresses of all sequences to @to, as ranges of @of. */
void line_table_ranges(const struct line_table *t, struct range_list *to, u32 of);
/**
 * line_table_path - append the path of a file by its number. One that the compiler knew as relative
 * begins with the folder of the compilation. Return: whether there is such a file.
 */
struct strbuf;
bool line_table_path(const struct line_table *t, u64 file, struct strbuf *out);

#endif
