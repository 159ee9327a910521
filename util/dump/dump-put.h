/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that append to a buffer which is known to have enough room. A dump of millions of
 * samples consists of little else. The caller uses strbuf_grow() first and put_terminate() at the
 * end.
 */
#ifndef PERF_DUMP_DUMP_PUT_H
#define PERF_DUMP_DUMP_PUT_H

#include "base/strbuf.h"

#define PUT_NUMBER_MAX 20 /* digits; so many bytes are written even if fewer are used */

static inline void put_text(struct strbuf *out, const char *text, size_t len)
{
	memcpy(out->buf + out->len, text, len);
	out->len += len;
}

/* Appends a string literal. */
#define PUT_TEXT(out, text) put_text(out, text, sizeof(text) - 1)

static inline void put_dec(struct strbuf *out, u64 v)
{
	char tmp[2 * PUT_NUMBER_MAX];
	unsigned int i = PUT_NUMBER_MAX;

	do {
		tmp[--i] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	memcpy(out->buf + out->len, tmp + i, PUT_NUMBER_MAX);
	out->len += PUT_NUMBER_MAX - i;
}

/* Appends a number like %d. */
static inline void put_int(struct strbuf *out, u32 v)
{
	if ((s32)v < 0)
		PUT_TEXT(out, "-");
	put_dec(out, (s32)v < 0 ? -v : v);
}

static inline void put_hex(struct strbuf *out, u64 v)
{
	unsigned int nr = v ? (67 - (unsigned int)__builtin_clzll(v)) / 4 : 1, i;
	char *p = out->buf + out->len;

	for (i = nr; i--; v >>= 4)
		p[i] = "0123456789abcdef"[v & 15];
	out->len += nr;
}

/* Appends a number like %#x: "0x1f", but "0" without prefix. */
static inline void put_alt_hex(struct strbuf *out, u64 v)
{
	if (v)
		PUT_TEXT(out, "0x");
	put_hex(out, v);
}

/* Appends a number like %016x. */
static inline void put_hex16(struct strbuf *out, u64 v)
{
	char *p = out->buf + out->len;
	unsigned int i;

	for (i = 16; i--; v >>= 4)
		p[i] = "0123456789abcdef"[v & 15];
	out->len += 16;
}

static inline void put_terminate(struct strbuf *out)
{
	out->buf[out->len] = '\0';
}

#endif
