/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walk text line by line in place, without copying and without trusting a terminator. */
#ifndef PERF_BASE_LINES_H
#define PERF_BASE_LINES_H

#include "base/compat.h"

struct line {
	const char *p, *end; /* borrowed; without the newline, or "\r\n" */
};

/**
 * next_line - the line at *@p, and *@p past it.
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
