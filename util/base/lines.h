/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walk over text line by line, in place: nothing is copied, and no terminator is needed. */
#ifndef PERF_BASE_LINES_H
#define PERF_BASE_LINES_H

#include "base/compat.h"

struct line {
	const char *p, *end; /* borrowed; the line without its "\n" or "\r\n" */
};

/**
 * next_line - store the line that begins at *@p in @l and advance *@p to the next one.
 * @end: one past the last byte of the text
 * Return: false at the end of the text.
 */
static inline bool next_line(const char **p, const char *end, struct line *l)
{
	const char *nl;

	if (*p >= end)
		return false;
	nl = memchr(*p, '\n', (size_t)(end - *p));
	l->p = *p;
	l->end = nl ? nl : end;
	*p = nl ? nl + 1 : end;
	if (l->end > l->p && l->end[-1] == '\r')
		l->end--;
	return true;
}

#endif
