/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers and text. Written: digits, into memory whose size the caller guarantees, sizes and
 * durations in the units that people read. Parsed: sizes and times with the units of options. */
#ifndef PERF_BASE_UNITS_H
#define PERF_BASE_UNITS_H

#include "base/strbuf.h"

#define DIGITS_DEC 20 /* the most bytes a number takes in decimal */
#define DIGITS_HEX 16 /* the same in hex; this many bytes may be written for any number */

/**
 * digits_dec - write @v in decimal at @p, which has room for DIGITS_DEC bytes.
 * Return: the byte after the last digit.
 */
char *digits_dec(char *p, u64 v);

/**
 * digits_hex - write @v in lower-case hex at @p, which has room for DIGITS_HEX bytes.
 * Return: the byte after the last digit.
 */
char *digits_hex(char *p, u64 v);

/** digits_three - write a number below 1000 in three digits at @p. Return: the byte after them. */
char *digits_three(char *p, u32 v);

#define DIGITS_THOUSANDTHS 32 /* the most bytes that digits_thousandths() writes in few columns */

/**
 * digits_thousandths - write @value right-aligned in at least one column, a point, and @part as
 * three digits.
 * @p: has room for DIGITS_THOUSANDTHS, or for @width and four bytes if that is more
 * Return: the byte after the last digit.
 */
char *digits_thousandths(char *p, u64 value, u32 part, unsigned int width);

/**
 * page_size_text - append a page size such as "4K" or "2M" to @out; "N/A" when @size is 0, which
 * means unknown.
 */
void page_size_text(u64 size, struct strbuf *out);

/**
 * duration_unit - return the largest of "ns", "us", "ms" and "s" that is not longer than @ns. @one
 * receives the length of that unit in ns.
 */
const char *duration_unit(u64 ns, u64 *one);

/**
 * duration_text - append "999ns", "1.23us", "45.6ms" or "789s": three digits, the rest is cut off.
 */
void duration_text(u64 ns, struct strbuf *out);

/*
 * A text that has anything else before or behind the amount is none for the following functions,
 * and so is one that 64 bits cannot hold.
 */

/** size_parse - parse a number and B, K, M or G. Return: @text is such a size, and @out has its
 * bytes. */
bool size_parse(const char *text, u64 *out);
/** bytes_parse - parse a size as size_parse() does; a number alone is a number of bytes. */
bool bytes_parse(const char *text, u64 *out);
/** span_parse - parse a number and s, m, h or d. Return: @text is such a time, and @ms has its
 * milliseconds. */
bool span_parse(const char *text, u64 *ms);
/** duration_parse - parse a number, maybe with decimals, and ns, us, ms or s; alone it is one of
 * ms. Return: @text is such a time, and @ns has its nanoseconds. */
bool duration_parse(const char *text, u64 *ns);
/** seconds_parse - parse a number of seconds, maybe with decimals, from @least to @most. Return:
 * @text is one, and @out has it. */
bool seconds_parse(const char *text, double least, double most, double *out);

#endif
