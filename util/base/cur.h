/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bounds-checked cursor every outside byte goes through. Errors are sticky:
 * after the first read past the end all reads give zero and cur_ok() is false,
 * so a parser needs one check at its end.
 */
#ifndef PERF_BASE_CUR_H
#define PERF_BASE_CUR_H

#include "base/compat.h"

struct cur {
	const u8 *p;   /* next byte; borrowed */
	const u8 *end; /* one past the last byte */
	bool swap;     /* integers are in the other byte order */
	bool bad;      /* a read went past the end */
};

static inline struct cur cur_make(const void *data, size_t len, bool swap)
{
	const u8 *p = data;

	/* Nothing may be NULL. */
	return (struct cur){ p, len ? p + len : p, swap, false };
}

static inline bool cur_ok(const struct cur *c)
{
	return !c->bad;
}

static inline size_t cur_left(const struct cur *c)
{
	return (size_t)(c->end - c->p);
}

/** cur_bytes - the next @n bytes, borrowed; NULL (and sticky error) when there are fewer. */
static inline const void *cur_bytes(struct cur *c, size_t n)
{
	const u8 *p = c->p;

	if (unlikely(c->bad || cur_left(c) < n)) {
		c->bad = true;
		return NULL;
	}
	c->p += n;
	return p;
}

static inline void cur_skip(struct cur *c, size_t n)
{
	(void)cur_bytes(c, n);
}

static inline u8 cur_u8(struct cur *c)
{
	const u8 *p = cur_bytes(c, 1);

	return p ? *p : 0;
}

#define CUR_DEFINE(bits)                                                                           \
	static inline u##bits cur_u##bits(struct cur *c)                                           \
	{                                                                                          \
		const void *p = cur_bytes(c, sizeof(u##bits));                                     \
		u##bits v = 0;                                                                     \
                                                                                                   \
		if (p)                                                                             \
			memcpy(&v, p, sizeof(v));                                                  \
		return c->swap ? __builtin_bswap##bits(v) : v;                                     \
	}
CUR_DEFINE(16)
CUR_DEFINE(32)
CUR_DEFINE(64)
#undef CUR_DEFINE

/** cur_str - a zero-terminated string inside the next @max bytes (consumes @max); NULL when
 * unterminated. */
static inline const char *cur_str(struct cur *c, size_t max)
{
	const char *s = cur_bytes(c, max);

	if (s && !memchr(s, 0, max)) {
		c->bad = true;
		return NULL;
	}
	return s;
}

#endif
