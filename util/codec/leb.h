/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of variable length (LEB128), which DWARF and its kin use: seven bits in each byte, the
 * lowest first, and the top bit of all bytes but the last. */
#ifndef PERF_CODEC_LEB_H
#define PERF_CODEC_LEB_H

#include "base/cur.h"
#include "base/strbuf.h"

/* Read the bits of a number. *@shift: receives how many they are; *@last: receives the last byte */
static inline u64 leb_bits(struct cur *c, u32 *shift, u8 *last)
{
	u64 v = 0;

	*shift = 0;
	do {
		*last = cur_u8(c);
		if (*shift < 64)
			v |= (u64)(*last & 0x7f) << *shift;
		*shift += 7;
	} while (*last & 0x80);
	return v;
}

/** cur_uleb - read an unsigned number; bits beyond 64 are dropped. */
static inline u64 cur_uleb(struct cur *c)
{
	u32 shift;
	u8 last;

	if (likely(!c->bad && c->p < c->end && *c->p < 0x80))
		return *c->p++;
	return leb_bits(c, &shift, &last);
}

/** cur_sleb - read a signed number; bits beyond 64 are dropped. */
static inline s64 cur_sleb(struct cur *c)
{
	u32 shift;
	u8 last;
	u64 v = leb_bits(c, &shift, &last);

	if (shift < 64 && last & 0x40)
		v |= ~0ULL << shift;
	return (s64)v;
}

/** strbuf_uleb - append an unsigned number. */
static inline void strbuf_uleb(struct strbuf *out, u64 v)
{
	for (; v >= 0x80; v >>= 7)
		strbuf_addch(out, (char)(v | 0x80));
	strbuf_addch(out, (char)v);
}

#endif
