// SPDX-License-Identifier: GPL-2.0-or-later
/* Compress by means of zlib. */
#include "base/compat.h"

#ifdef HAVE_ZLIB
#include "codec/deflate.h"

#include "base/alloc.h"

#include <zlib.h>

/* The sizes of zlib have 32 bits. */
#define PIECE ((size_t)1 << 30)

/* Memory is available or the program has ended, so nothing below can fail. */
static voidpf get_memory(voidpf ctx, uInt nr, uInt size)
{
	return xcalloc(nr, size);
}

static void give_back(voidpf ctx, voidpf p)
{
	free(p);
}

/* Compress a piece. @flush: argument of deflate() after the last bytes */
static void compress_piece(struct strbuf *out, z_stream *z, const u8 *p, size_t len, int flush)
{
	int ret = Z_OK;

	do {
		size_t n = MIN(len, PIECE);

		z->next_in = (u8 *)p;
		z->avail_in = (uInt)n;
		p += n;
		len -= n;
		do {
			strbuf_grow(out, MAX(n / 4, (size_t)4096));
			z->next_out = (u8 *)out->buf + out->len;
			z->avail_out = (uInt)MIN(out->alloc - out->len - 1, PIECE);
			ret = deflate(z, len ? Z_NO_FLUSH : flush);
			out->len = (size_t)((char *)z->next_out - out->buf);
		} while (!z->avail_out || (!len && flush == Z_FINISH && ret != Z_STREAM_END));
	} while (len);
	out->buf[out->len] = 0;
}

/*
 * @bits: size of the window, negative for raw, plus 16 for gzip; @flush: argument of deflate() at
 * the end
 */
static void compress_all(struct strbuf *out, const struct deflate_piece *v, size_t nr, int level,
			 int bits, int flush)
{
	z_stream z = { .zalloc = get_memory, .zfree = give_back };

	deflateInit2(&z, level, Z_DEFLATED, bits, 9, Z_DEFAULT_STRATEGY);
	for (size_t i = 0; i < nr; i++)
		compress_piece(out, &z, v[i].p, v[i].len, i + 1 < nr ? Z_NO_FLUSH : flush);
	deflateEnd(&z);
}

void deflate_pieces(struct strbuf *out, const struct deflate_piece *v, size_t nr, int level,
		    bool last)
{
	compress_all(out, v, nr, level, -15, last ? Z_FINISH : Z_SYNC_FLUSH);
}

void deflate_raw(struct strbuf *out, const void *data, size_t len, int level)
{
	compress_all(out, &(struct deflate_piece){ data, len }, 1, level, -15, Z_FINISH);
}

void deflate_gzip(struct strbuf *out, const void *data, size_t len, int level)
{
	compress_all(out, &(struct deflate_piece){ data, len }, 1, level, 15 + 16, Z_FINISH);
}

#endif
