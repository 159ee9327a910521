/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bounds-checked cursor over bytes from outside; every reader of such bytes uses it. An error is
 * sticky: after the first read beyond the end, all reads return zero and cur_ok() returns false, so
 * a parser needs a single check at its end.
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

/**
 * cur_make - return a cursor at the first of @len bytes. @swap: integers are in the other byte
 * order. The data stay the caller's and have to outlive the cursor.
 */
static inline struct cur cur_make(const void *data, size_t len, bool swap)
{
	const u8 *p = data;

	/* @data may be NULL when @len is 0, and NULL + 0 is undefined. */
	return (struct cur){ p, len ? p + len : p, swap, false };
}

/** cur_ok - tell whether every read so far stayed within the data. */
static inline bool cur_ok(const struct cur *c)
{
	return !c->bad;
}

/** cur_left - return the number of bytes that have not been read. */
static inline size_t cur_left(const struct cur *c)
{
	return (size_t)(c->end - c->p);
}

/**
 * cur_bytes - return the next @n bytes, which stay the data's; when there are fewer, return NULL
 * and set the sticky error.
 */
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

/** cur_skip - pass over @n bytes. */
static inline void cur_skip(struct cur *c, size_t n)
{
	(void)cur_bytes(c, n);
}

/**
 * cur_u8 - return the next byte. cur_u16(), cur_u32() and cur_u64() return an integer in native
 * byte order.
 */
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

/**
 * cur_str - return the zero-terminated string within the next @max bytes and consume all of them;
 * return NULL and set the sticky error when no zero byte is among them.
 */
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
