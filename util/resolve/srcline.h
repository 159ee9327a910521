/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines of locations. Objects are opened once, when the first line of one is asked for. */
#ifndef PERF_RESOLVE_SRCLINE_H
#define PERF_RESOLVE_SRCLINE_H

#include "base/strbuf.h"
#include "resolve/resolve.h"

struct srclines;

/** srclines_new - no object is open. Free with srclines_free(). */
struct srclines *srclines_new(void);
void srclines_free(struct srclines *s);
/** srclines_whole_paths - of files show more than the last part from now on. */
void srclines_whole_paths(struct srclines *s, bool whole);

/**
 * srcline_find - file (as the compiler was told; borrowed) and line of a location whose symbol was
 * looked for. One thread at a time. Return: the line, 0 when it is not known.
 */
u32 srcline_find(struct srclines *s, const struct location *l, const char **file);
/** srcline_text - "file.c:12", else "function+3", "object[1a0]", "??:0", appended to @out. */
void srcline_text(struct srclines *s, const struct location *l, struct strbuf *out);
/** srcline_shown - the same of a file and line that are known; NULL: they are not. */
void srcline_shown(const struct srclines *s, const char *file, u32 line, struct strbuf *out);
/** srcfile_text - "file.c"; nothing when it is not known. */
void srcfile_text(struct srclines *s, const struct location *l, struct strbuf *out);

/* A function and the line of it that an address is at. */
struct inline_frame {
	const char *name; /* as printed; NULL: the function that has the symbol */
	const char *file; /* as the compiler was told; NULL: not known */
	u32 line;
};
/**
 * srcline_inlines - the functions that were inlined at a location whose symbol was looked for. One
 * thread at a time.
 * @out: them, the innermost one first, and behind them the function they are in; borrowed until
 * srclines_free()
 * Return: how many were inlined; 0: none, and @out is not set.
 */
u32 srcline_inlines(struct srclines *s, const struct location *l, const struct inline_frame **out);

#endif
