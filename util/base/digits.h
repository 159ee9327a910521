/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Integers as text, written into memory whose size the caller guarantees. */
#ifndef PERF_BASE_DIGITS_H
#define PERF_BASE_DIGITS_H

#include "base/compat.h"

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

#endif
