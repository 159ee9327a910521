/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of source files. */
#ifndef PERF_PROBE_SOURCE_TEXT_H
#define PERF_PROBE_SOURCE_TEXT_H

#include "probe/object.h"

struct source_text {
	char *path;         /* owned: where it was found */
	struct strbuf text; /* owned */
	const char **lines; /* owned array: where each line begins, and the end */
	size_t nr, cap;     /* lines */
};

/**
 * source_text_read - read a source file, as the compiler was given it, or below --source.
 * Return: 0, or a negative errno and a sentence.
 */
int source_text_read(struct source_text *t, const struct probe_target *target, const char *path,
		     struct err *err);
void source_text_release(struct source_text *t);
/** source_text_line - return line @line, the first of which is 1, of *@len bytes; NULL: there is
 * none. */
const char *source_text_line(const struct source_text *t, u32 line, size_t *len);
/** source_text_matches - tell whether a line matches a pattern: blanks do not count. */
bool source_text_matches(const struct source_text *t, u32 line, const char *pattern);

#endif
