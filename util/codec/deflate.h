/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes made smaller as RFC 1951 (raw) and RFC 1952 (gzip) have it. Without zlib they are wrapped
 * only: readers open them just the same.
 */
#ifndef PERF_CODEC_DEFLATE_H
#define PERF_CODEC_DEFLATE_H

#include "base/strbuf.h"

/** deflate_raw - append the deflate stream of @len bytes to @out; @level: 1 (fast) to 9 (small). */
void deflate_raw(struct strbuf *out, const void *data, size_t len, int level);
/** deflate_pieces - the same of bytes in several places. Not @last: what comes next is another such
 * stream, which may be made at the same time: streams behind each other are one. */
struct deflate_piece {
	const void *p;
	size_t len;
};
void deflate_pieces(struct strbuf *out, const struct deflate_piece *v, size_t nr, int level,
		    bool last);
/** deflate_gzip - append a gzip file of @len bytes to @out. It holds no time and no name, so that
 * equal data makes equal files. */
void deflate_gzip(struct strbuf *out, const void *data, size_t len, int level);

#endif
