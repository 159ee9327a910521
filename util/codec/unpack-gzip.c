// SPDX-License-Identifier: GPL-2.0-or-later
/* Unpack gzip files by means of zlib. */
#include "base/compat.h"
#include "codec/unpack-internal.h"

#include <errno.h>

#ifdef HAVE_ZLIB
#include <zlib.h>

#define GZIP_WINDOW (15 + 16) /* the largest window; a gzip header is expected */

/* Unpack what is left of the stream. Return: as of inflate(), or a negative errno. */
static int inflate_all(z_stream *z, struct unpack_sink *to, int *ret)
{
	u8 piece[UNPACK_PIECE];
	int got = Z_OK;

	while (!*ret && got == Z_OK) {
		z->next_out = piece;
		z->avail_out = sizeof(piece);
		got = inflate(z, Z_NO_FLUSH);
		if (got == Z_OK || got == Z_STREAM_END)
			*ret = unpack_put(to, piece, sizeof(piece) - z->avail_out);
	}
	return got;
}

int unpack_gzip(const u8 *in, size_t len, struct unpack_sink *to)
{
	z_stream z = { .next_in = (u8 *)in, .avail_in = (uInt)len };
	int ret = 0, got;

	if (len > UINT32_MAX) /* the sizes of zlib have 32 bits */
		return -EFBIG;
	if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
		return -ENOMEM;
	got = inflate_all(&z, to, &ret);
	inflateEnd(&z);
	return ret ? ret : got == Z_STREAM_END ? 0 : -EINVAL;
}
#else
int unpack_gzip(const u8 *in, size_t len, struct unpack_sink *to)
{
	(void)in;
	(void)len;
	(void)to;
	return -ENOTSUP;
}
#endif
