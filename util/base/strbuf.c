// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/strbuf.h"

#include "base/alloc.h"
#include "base/units.h"
#include "base/escape.h"

void strbuf_release(struct strbuf *sb)
{
	free(sb->buf);
	*sb = (struct strbuf)STRBUF_INIT;
}

void strbuf_reset(struct strbuf *sb)
{
	sb->len = 0;
	if (sb->buf)
		sb->buf[0] = '\0';
}

void __attribute__((noinline)) strbuf_grow(struct strbuf *sb, size_t extra)
{
	size_t want = sb->len + extra + 1;

	if (want <= sb->alloc)
		return;
	sb->alloc = MAX(want, MAX(sb->alloc * 2, (size_t)64));
	sb->buf = xrealloc(sb->buf, sb->alloc, 1);
}

void strbuf_add(struct strbuf *sb, const void *data, size_t len)
{
	char *p;

	if (unlikely(sb->len + len >= sb->alloc))
		strbuf_grow(sb, len);
	p = sb->buf + sb->len;
	p[len] = '\0';
	sb->len += len;
	if (len)
		memcpy(p, data,
		       len); /* in the end, so that nothing has to be kept during the call */
}

void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap)
{
	size_t room = sb->alloc - sb->len;
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(room ? sb->buf + sb->len : NULL, room, fmt, again);
	va_end(again);
	if (n > 0 && (size_t)n >= room) {
		strbuf_grow(sb, (size_t)n);
		n = vsnprintf(sb->buf + sb->len, (size_t)n + 1, fmt, ap);
	}
	if (n > 0)
		sb->len += (size_t)n;
	else if (room) /* what an error has left is no text */
		sb->buf[sb->len] = '\0';
}

void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(sb, fmt, ap);
	va_end(ap);
}

void strbuf_addname(struct strbuf *sb, const char *s)
{
	size_t len = strlen(s), room = len * 4 + 1;

	if (likely(!escape_needed_in(s, len))) {
		strbuf_add(sb, s, len);
		return;
	}
	strbuf_grow(sb, room);
	sb->len += escape_name(sb->buf + sb->len, room, s);
}

void strbuf_pad(struct strbuf *sb, size_t len)
{
	if (sb->len >= len)
		return;
	strbuf_grow(sb, len - sb->len);
	memset(sb->buf + sb->len, ' ', len - sb->len);
	sb->len = len;
	sb->buf[len] = '\0';
}

static void add_aligned(struct strbuf *sb, const char *digits, unsigned int nr, unsigned int width)
{
	unsigned int blanks = width > nr ? width - nr : 0;

	strbuf_grow(sb, blanks + nr);
	if (blanks)
		memset(sb->buf + sb->len, ' ', blanks);
	memcpy(sb->buf + sb->len + blanks, digits, nr);
	sb->len += blanks + nr;
	sb->buf[sb->len] = '\0';
}

void strbuf_dec(struct strbuf *sb, u64 v, unsigned int width)
{
	char tmp[DIGITS_DEC];

	if (!width) {
		strbuf_grow(sb, DIGITS_DEC);
		sb->len = (size_t)(digits_dec(sb->buf + sb->len, v) - sb->buf);
		sb->buf[sb->len] = '\0';
		return;
	}
	add_aligned(sb, tmp, (unsigned int)(digits_dec(tmp, v) - tmp), width);
}

void strbuf_hex(struct strbuf *sb, u64 v, unsigned int digits, unsigned int width)
{
	char tmp[2 * DIGITS_HEX];
	unsigned int n;

	digits = MIN(digits, (unsigned int)DIGITS_HEX);
	memset(tmp, '0', DIGITS_HEX);
	n = (unsigned int)(digits_hex(tmp + DIGITS_HEX, v) - (tmp + DIGITS_HEX));
	digits = MAX(digits, n);
	add_aligned(sb, tmp + DIGITS_HEX + n - digits, digits, width);
}

char *strbuf_detach(struct strbuf *sb)
{
	char *s = sb->buf ? sb->buf : xstrdup("");

	*sb = (struct strbuf)STRBUF_INIT;
	return s;
}

const char *strbuf_str(const struct strbuf *sb)
{
	return sb->buf ? sb->buf : "";
}
