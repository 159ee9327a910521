/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the two languages of --filter. */
#ifndef PERF_EVENTS_FILTER_INTERNAL_H
#define PERF_EVENTS_FILTER_INTERNAL_H

#include "events/filter.h"

#define FILTER_DEPTH_MAX 32 /* of parentheses and ! */

struct filter_parser {
	const char *text, *p; /* all of it, the next byte */
	struct filter_error *fe;
	unsigned int depth;
};

/** filter_fail - fill in the error at @at, unless there is one already. Return: -EINVAL. */
int filter_fail(struct filter_parser *fp, const char *at, const char *fmt, ...) __printf(3, 4);
/** filter_help - append to the lines below the error. */
void filter_help(struct filter_parser *fp, const char *fmt, ...) __printf(2, 3);

/** filter_blank - skip white space. Return: the next byte. */
char filter_blank(struct filter_parser *fp);
/** filter_take - skip white space and @token. Return: was it there? */
bool filter_take(struct filter_parser *fp, const char *token);
/** filter_word - length of the letters, digits and _ at the next byte. */
size_t filter_word(const char *p);
/** filter_mistaken_op - what was meant by an operator of other languages ("=>", "=", "and") at @p.
 * Return: the right one, NULL when @p is none of them; *@len: how long the wrong one is. */
const char *filter_mistaken_op(const char *p, size_t *len);
/** filter_nearest - ", did you mean 'x'?" for @word of @len bytes, or "". Return: @out. */
const char *filter_nearest(const char *word, size_t len, const char *const *names, size_t nr,
			   char *out, size_t size);

#endif
