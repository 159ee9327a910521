// SPDX-License-Identifier: GPL-2.0-or-later
/* Unpack zstd files by means of libzstd. */
#include "base/compat.h"
#include "codec/unpack-internal.h"

#include <errno.h>

#ifdef HAVE_LIBZSTD
#include <zstd.h>

int unpack_zstd(const u8 *in, size_t len, struct unpack_sink *to)
{
	ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer from = { in, len, 0 };
	u8 piece[UNPACK_PIECE];
	size_t more = 1; /* 0 at the end of a frame */
	int ret = z ? 0 : -ENOMEM;

	while (!ret && (from.pos < from.size || more)) {
		ZSTD_outBuffer out = { piece, sizeof(piece), 0 };
		size_t before = from.pos;

		more = ZSTD_decompressStream(z, &out, &from);
		if (ZSTD_isError(more) || (more && from.pos == before && !out.pos))
			ret = -EINVAL; /* damaged, or cut off */
		else
			ret = unpack_put(to, piece, out.pos);
	}
	ZSTD_freeDStream(z);
	return ret;
}
#else
int unpack_zstd(const u8 *in, size_t len, struct unpack_sink *to)
{
	(void)in;
	(void)len;
	(void)to;
	return -ENOTSUP;
}
#endif
