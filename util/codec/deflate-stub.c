// SPDX-License-Identifier: GPL-2.0-or-later
/* Without zlib, write stored blocks, which every reader of deflate accepts. */
#include "base/compat.h"

#ifndef HAVE_ZLIB
#include "codec/deflate.h"

#define BLOCK ((size_t)65535)

static void store(struct strbuf *out, const void *data, size_t len, bool last)
{
	const char *p = data;

	do {
		size_t n = MIN(len, BLOCK);
		u8 head[5] = { last && n == len, (u8)n, (u8)(n >> 8), (u8)~n, (u8)(~n >> 8) };

		strbuf_add(out, head, sizeof(head));
		strbuf_add(out, p, n);
		p += n;
		len -= n;
	} while (len);
}

void deflate_raw(struct strbuf *out, const void *data, size_t len, int level)
{
	store(out, data, len, true);
}

void deflate_pieces(struct strbuf *out, const struct deflate_piece *v, size_t nr, int level,
		    bool last)
{
	for (size_t i = 0; i < nr; i++)
		store(out, v[i].p, v[i].len, last && i + 1 == nr);
}

static u32 crc32_of(const u8 *p, size_t len)
{
	u32 table[256], crc = UINT32_MAX;

	for (u32 i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
	}
	while (len--)
		crc = crc >> 8 ^ table[(crc ^ *p++) & 0xff];
	return ~crc;
}

static void add_le32(struct strbuf *out, u32 v)
{
	for (int shift = 0; shift < 32; shift += 8)
		strbuf_addch(out, (char)(v >> shift));
}

void deflate_gzip(struct strbuf *out, const void *data, size_t len, int level)
{
	static const u8 head[10] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3 };

	strbuf_add(out, head, sizeof(head));
	deflate_raw(out, data, len, level);
	add_le32(out, crc32_of(data, len));
	add_le32(out, (u32)len);
}

#endif
