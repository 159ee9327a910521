// SPDX-License-Identifier: GPL-2.0-or-later
/* Deflate by zlib. */
#include "base/compat.h"

#ifdef HAVE_ZLIB
#include "output/deflate.h"

#include "base/alloc.h"

#include <zlib.h>

/* zlib's sizes are 32 bits wide. */
#define PIECE ((size_t)1 << 30)

/* Memory is there or the program has ended: so nothing below can fail. */
static voidpf get_memory(voidpf ctx, uInt nr, uInt size)
{
	return xcalloc(nr, size);
}

static void give_back(voidpf ctx, voidpf p)
{
	free(p);
}

/* @bits: of the window; negative: raw, 16 more: gzip */
static void compress_all(struct strbuf *out, const void *data, size_t len, int level, int bits)
{
	z_stream z = { .zalloc = get_memory, .zfree = give_back };
	const u8 *p = data;
	int ret = Z_OK;

	deflateInit2(&z, level, Z_DEFLATED, bits, 9, Z_DEFAULT_STRATEGY);
	do {
		size_t piece = MIN(len, PIECE);

		z.next_in = (u8 *)p;
		z.avail_in = (uInt)piece;
		p += piece;
		len -= piece;
		do {
			strbuf_grow(out, MAX(piece / 4, (size_t)4096));
			z.next_out = (u8 *)out->buf + out->len;
			z.avail_out = (uInt)MIN(out->alloc - out->len - 1, PIECE);
			ret = deflate(&z, len ? Z_NO_FLUSH : Z_FINISH);
			out->len = (size_t)((char *)z.next_out - out->buf);
		} while (!z.avail_out || (!len && ret != Z_STREAM_END));
	} while (len);
	out->buf[out->len] = 0;
	deflateEnd(&z);
}

void deflate_raw(struct strbuf *out, const void *data, size_t len, int level)
{
	compress_all(out, data, len, level, -15);
}

void deflate_gzip(struct strbuf *out, const void *data, size_t len, int level)
{
	compress_all(out, data, len, level, 15 + 16);
}

#endif
