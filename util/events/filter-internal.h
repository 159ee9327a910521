/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by the parsers of the two filter languages. */
#ifndef PERF_EVENTS_FILTER_INTERNAL_H
#define PERF_EVENTS_FILTER_INTERNAL_H

#include "events/filter.h"

#define FILTER_DEPTH_MAX 32 /* nesting of parentheses and ! */

struct filter_parser {
	const char *text, *p; /* the whole filter; the next byte */
	struct filter_error *fe;
	unsigned int depth;
};

/** filter_fail - record an error at @at, unless one is recorded already. Return: -EINVAL. */
int filter_fail(struct filter_parser *fp, const char *at, const char *fmt, ...) __printf(3, 4);
/** filter_help - append to the lines below the error. */
void filter_help(struct filter_parser *fp, const char *fmt, ...) __printf(2, 3);

/** filter_blank - skip white space. Return: the next byte. */
char filter_blank(struct filter_parser *fp);
/** filter_take - skip white space and then @token. Return: whether the token was there. */
bool filter_take(struct filter_parser *fp, const char *token);
/** filter_word - return the number of letters, digits and underscores at @p. */
size_t filter_word(const char *p);
/**
 * filter_mistaken_op - recognise an operator of another language ("=>", "=", "and") at @p.
 * @len: receives the length of that operator
 * Return: the operator that was meant, or NULL.
 */
const char *filter_mistaken_op(const char *p, size_t *len);
/**
 * filter_nearest - write ", did you mean 'x'?" to @out when a name is near the @len bytes of @word,
 * otherwise "". Return: @out.
 */
const char *filter_nearest(const char *word, size_t len, const char *const *names, size_t nr,
			   char *out, size_t size);

#endif
