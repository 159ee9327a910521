/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This finds addresses by the source: the code of functions by name, also where it was inlined, and
 * the addresses of source lines. Addresses are those of the object's headers. Texts are valid until
 * lines_close().
 */
#ifndef PERF_DWARF_SOURCE_H
#define PERF_DWARF_SOURCE_H

#include "dwarf/lines.h"

/* The code of a function: its own, or a copy that was inlined into another function. */
struct source_function {
	const char *name;    /* in the source; NULL: none */
	const char *linkage; /* NULL: the same */
	const char *file;    /* where the function begins in the source; NULL: unknown */
	u32 line;            /* 0: unknown */
	u64 entry;           /* its first instruction */
	u64 end;             /* behind the range that has @entry */
	bool inlined;
	u32 unit; /* for the functions below */
	u64 die;
};

struct source_functions {
	struct source_function *v; /* owned; in the order of their entries */
	size_t nr, cap;
};

/* Tells whether a function is wanted, by its names, of which @linkage may be NULL. It is asked on
 * several threads. */
typedef bool source_match_fn(void *ctx, const char *name, const char *linkage);

/** source_functions - append the code of all functions that @match wants. */
void source_functions(struct lines *l, source_match_fn *match, void *ctx,
		      struct source_functions *out);
/** source_functions_named - the same, quicker: @match wants only functions one of whose names is
 * @name. */
void source_functions_named(struct lines *l, const char *name, source_match_fn *match, void *ctx,
			    struct source_functions *out);
/**
 * source_functions_first - do what source_functions_named() does, still quicker, as far as
 * functions begin at the line of the first one that is found. Of others some are appended.
 * @file: the end of the path of the file that the first one begins in; NULL: any
 */
void source_functions_first(struct lines *l, const char *name, const char *file,
			    source_match_fn *match, void *ctx, struct source_functions *out);
/** source_functions_with - append the code of all functions of units that have lines of a file.
 * @file: the end of its path, from a slash on */
void source_functions_with(struct lines *l, const char *file, struct source_functions *out);
void source_functions_release(struct source_functions *f);
/**
 * source_function_at - find the function that has an address: with @inner the innermost one of
 * those that were inlined there. Return: whether there is one.
 */
bool source_function_at(struct lines *l, u64 addr, bool inner, struct source_function *out);

/* An address at which a source line begins. */
struct source_row {
	u64 addr;
	const char *file;
	u32 line;
	bool first; /* no row of another line has the address before it in the table */
};

struct source_rows {
	struct source_row *v; /* owned; by address */
	size_t nr, cap;
};

/**
 * source_file_rows - append where lines of a file begin.
 * @file: the end of its path, from a slash on
 * @first, @last: the lines that are wanted
 */
void source_file_rows(struct lines *l, const char *file, u32 first, u32 last,
		      struct source_rows *out);
/** source_function_rows - append where lines begin in the code of a function. Those of functions
 * that were inlined into it are left out; the lines of their calls begin where the copies do. */
void source_function_rows(struct lines *l, const struct source_function *f,
			  struct source_rows *out);
/**
 * source_line_begins - return the line that begins exactly at an address; 0: none does.
 * @file: receives its file
 */
u32 source_line_begins(struct lines *l, u64 addr, const char **file);
void source_rows_release(struct source_rows *r);
/** source_path_ends - tell whether a path is @tail, or ends in a slash and @tail. */
bool source_path_ends(const char *path, const char *tail);

#endif
