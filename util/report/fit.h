/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text that has to fit a terminal. Width is counted in columns of the terminal: an East Asian
 * character or an emoji takes two, a combining mark none, a byte that is no UTF-8 one.
 */
#ifndef PERF_REPORT_FIT_H
#define PERF_REPORT_FIT_H

#include "base/strbuf.h"

/* The width that lines may have. */
struct fit {
	unsigned int columns; /* of the terminal; 0: lines are as wide as their text */
	bool utf8;            /* the terminal shows UTF-8: the ellipsis is one character */
};

/** fit_columns - return the columns that @len bytes of text take. Sequences of colour take none. */
size_t fit_columns(const char *s, size_t len);

/**
 * fit_shorten - shorten the text that was appended from @from on to @columns columns. Its middle is
 * replaced by an ellipsis, so that names with the same beginning stay apart, and characters are
 * left out as a whole. Text that fits stays as it is.
 */
void fit_shorten(struct strbuf *out, size_t from, size_t columns, bool utf8);

/**
 * fit_in_line - shorten the text between @at and @end so that its line fits: what stands in front
 * of it, from the last newline on, and what stands behind it stay whole.
 * @least: the columns that the text keeps, however little room there is
 */
void fit_in_line(struct strbuf *out, size_t at, size_t end, const struct fit *fit, size_t least);

/** fit_pad - append blanks until the text from @from on takes @columns columns. */
void fit_pad(struct strbuf *out, size_t from, size_t columns);

/**
 * fit_widths - take @excess columns away from @nr widths, always from the widest.
 * @least: what each keeps at least; a width that is smaller already stays
 * Return: the columns that could not be taken away.
 */
size_t fit_widths(u16 *width, const u16 *least, size_t nr, size_t excess);

#endif
