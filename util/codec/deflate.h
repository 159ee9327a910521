/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compression as RFC 1951 (raw deflate) and RFC 1952 (gzip) define it. Without zlib the data are
 * only wrapped in that format, and readers open the result all the same.
 */
#ifndef PERF_CODEC_DEFLATE_H
#define PERF_CODEC_DEFLATE_H

#include "base/strbuf.h"

/**
 * deflate_raw - append the deflate stream of @len bytes to @out. @level goes from 1 (fast) to 9
 * (small).
 */
void deflate_raw(struct strbuf *out, const void *data, size_t len, int level);
/* Bytes in one place; they stay the caller's. */
struct deflate_piece {
	const void *p;
	size_t len;
};
/**
 * deflate_pieces - compress bytes in @nr places as deflate_raw() does. Unless @last is set, the
 * result is meant to be followed by another such stream. Streams may be made in parallel, because
 * one behind the other they form a single stream.
 */
void deflate_pieces(struct strbuf *out, const struct deflate_piece *v, size_t nr, int level,
		    bool last);
/**
 * deflate_gzip - append a gzip file of @len bytes to @out. It contains neither a time nor a name,
 * so equal data make equal files.
 */
void deflate_gzip(struct strbuf *out, const void *data, size_t len, int level);

#endif
