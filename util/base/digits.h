/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as text, into memory that the caller has made sure of. */
#ifndef PERF_BASE_DIGITS_H
#define PERF_BASE_DIGITS_H

#include "base/compat.h"

#define DIGITS_DEC 20 /* bytes a number may take in decimal */
#define DIGITS_HEX 16 /* in hex; that many are written to whatever the number */

/** digits_dec - @v in decimal at @p, which has room for DIGITS_DEC bytes. Return: behind it. */
char *digits_dec(char *p, u64 v);

/** digits_hex - @v in lower-case hex at @p, which has room for DIGITS_HEX bytes. Return: behind
 * it. */
char *digits_hex(char *p, u64 v);

#endif
