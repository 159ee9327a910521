/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find source lines of locations. An object is opened when its first line is requested. Any number
 * of threads may ask. */
#ifndef PERF_RESOLVE_SRCLINE_H
#define PERF_RESOLVE_SRCLINE_H

#include "base/strbuf.h"
#include "resolve/resolve.h"

struct srclines;

/**
 * srclines_new - begin without open objects. srclines_free() frees it.
 * @symbols: whose cache has what earlier runs found, and gets what is found; borrowed, NULL: none
 */
struct srclines *srclines_new(const struct symbols *symbols);
void srclines_free(struct srclines *s);
/**
 * srclines_whole_paths - choose whether files are shown with their whole path or only its last
 * part.
 */
void srclines_whole_paths(struct srclines *s, bool whole);

/**
 * srcline_find - return file (as the compiler was given it; borrowed) and line of a location whose
 * symbol was looked up. Return: the line; 0 when it is unknown.
 */
u32 srcline_find(struct srclines *s, const struct location *l, const char **file);
/** srcline_text - append "file.c:12", or else "function+3", "object[1a0]" or "??:0". */
void srcline_text(struct srclines *s, const struct location *l, struct strbuf *out);
/** srcline_shown - append a known file and line; NULL: unknown. */
void srcline_shown(const struct srclines *s, const char *file, u32 line, struct strbuf *out);
/** srcfile_text - append "file.c"; nothing when it is unknown. */
void srcfile_text(struct srclines *s, const struct location *l, struct strbuf *out);

/* A function, and its line for an address. */
struct inline_frame {
	const char *name; /* the name to show; NULL: the function with the symbol */
	const char *file; /* as the compiler was given it; NULL: unknown */
	u32 line;
	const char *raw; /* the name in the debug information; NULL likewise */
};
/**
 * srcline_inlines - return the functions that were inlined at a location whose symbol was looked
 * up.
 * @out: receives them, the innermost first, followed by the function that contains them;
 *	valid until srclines_free()
 * Return: how many were inlined; 0: none, and @out is not set.
 */
u32 srcline_inlines(struct srclines *s, const struct location *l, const struct inline_frame **out);

/**
 * srclines_ahead - look many locations up on @workers threads, so that the functions above find
 * them. The debug information that was read for it is freed again.
 * @l: @nr locations; their symbols need not have been looked up
 * @inlines: also what was inlined there
 */
void srclines_ahead(struct srclines *s, const struct location *l, size_t nr, bool inlines,
		    int workers);

#endif
