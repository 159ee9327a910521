// SPDX-License-Identifier: GPL-2.0-or-later
/* Unpack xz files by means of liblzma. */
#include "base/compat.h"
#include "codec/unpack-internal.h"

#include <errno.h>

#ifdef HAVE_LIBLZMA
#include <lzma.h>

#define DECODER_MEMORY (80ULL << 20) /* the most that xz -9 needs */

int unpack_xz(const u8 *in, size_t len, struct unpack_sink *to)
{
	lzma_stream xz = LZMA_STREAM_INIT;
	u8 piece[UNPACK_PIECE];
	lzma_ret got = LZMA_OK;
	int ret = 0;

	if (lzma_stream_decoder(&xz, DECODER_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
		return -ENOMEM;
	xz.next_in = in;
	xz.avail_in = len;
	while (!ret && got == LZMA_OK) {
		xz.next_out = piece;
		xz.avail_out = sizeof(piece);
		got = lzma_code(&xz, LZMA_FINISH);
		if (got == LZMA_OK || got == LZMA_STREAM_END)
			ret = unpack_put(to, piece, sizeof(piece) - xz.avail_out);
	}
	lzma_end(&xz);
	return ret ? ret : got == LZMA_STREAM_END ? 0 : -EINVAL;
}
#else
int unpack_xz(const u8 *in, size_t len, struct unpack_sink *to)
{
	(void)in;
	(void)len;
	(void)to;
	return -ENOTSUP;
}
#endif
