/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growing byte buffer that is always zero-terminated. Integers have formatters of their own,
 * because hot paths must not call printf for each event.
 */
#ifndef PERF_BASE_STRBUF_H
#define PERF_BASE_STRBUF_H

#include "base/compat.h"

struct strbuf {
	char *buf;    /* owned; NULL until the first byte */
	size_t len;   /* bytes in use, without the terminator */
	size_t alloc; /* bytes allocated */
};

#define STRBUF_INIT                                                                                \
	{                                                                                          \
		NULL, 0, 0                                                                         \
	}

/** strbuf_release - free the contents. The buffer is empty and may be used again. */
void strbuf_release(struct strbuf *sb);
/** strbuf_reset - empty the buffer and keep its memory. */
void strbuf_reset(struct strbuf *sb);
/** strbuf_grow - make room for @extra more bytes and the terminator. */
void strbuf_grow(struct strbuf *sb, size_t extra);
/** strbuf_add - append @len bytes of @data. */
void strbuf_add(struct strbuf *sb, const void *data, size_t len);
/** strbuf_addstr - append the string @s. Texts whose length is known here are copied here, too. */
static inline void strbuf_addstr(struct strbuf *sb, const char *s)
{
	size_t len = strlen(s);

	if (!__builtin_constant_p(len) || sb->len + len >= sb->alloc) {
		strbuf_add(sb, s, len);
		return;
	}
	memcpy(sb->buf + sb->len, s, len + 1);
	sb->len += len;
}

/** strbuf_addch - append one byte. */
static inline void strbuf_addch(struct strbuf *sb, char c)
{
	if (unlikely(sb->len + 1 >= sb->alloc))
		strbuf_grow(sb, 1);
	sb->buf[sb->len++] = c;
	sb->buf[sb->len] = '\0';
}

/** strbuf_addf - append formatted text. It is meant for cold paths. */
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) __printf(2, 3);
/** strbuf_vaddf - do what strbuf_addf() does, with a va_list. */
void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap) __printf(2, 0);
/** strbuf_addname - append a name that comes from a file; control bytes are escaped. */
void strbuf_addname(struct strbuf *sb, const char *s);
/** strbuf_pad - append blanks until the buffer is @len bytes long; a longer one stays as it is. */
void strbuf_pad(struct strbuf *sb, size_t len);
/** strbuf_dec - append @v in decimal, right-aligned in @width columns. */
void strbuf_dec(struct strbuf *sb, u64 v, unsigned int width);
/**
 * strbuf_hex - append @v in lower-case hex with at least @digits digits, filled up with zeros, and
 * right-aligned in @width columns.
 */
void strbuf_hex(struct strbuf *sb, u64 v, unsigned int digits, unsigned int width);
/**
 * strbuf_detach - return the zero-terminated text (never NULL), which the caller frees, and empty
 * the buffer.
 */
char *strbuf_detach(struct strbuf *sb);
/** strbuf_str - return the text, "" when it is empty. It is valid until the next change. */
const char *strbuf_str(const struct strbuf *sb);

#endif
