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
/** srcfile_text - "file.c"; nothing when it is not known. */
void srcfile_text(struct srclines *s, const struct location *l, struct strbuf *out);

#endif
