/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decoders behind unpack.h, one for each format. */
#ifndef PERF_CODEC_UNPACK_INTERNAL_H
#define PERF_CODEC_UNPACK_INTERNAL_H

#include "base/compat.h"

#define UNPACK_PIECE 65536 /* bytes that decoders make at a time */

/* Unpacked bytes go here. */
struct unpack_sink {
	int fd;
	size_t left; /* bytes that it still takes */
};

/** unpack_put - take @nr bytes. Return: 0 or a negative errno. */
int unpack_put(struct unpack_sink *to, const void *bytes, size_t nr);

/**
 * unpack_xz, unpack_gzip, unpack_zstd - unpack a whole file of the format that magic bytes told.
 * Return: 0; -EINVAL when it is damaged or cut off, -ENOTSUP when its library is not in this
 * program; or what unpack_put() returned.
 */
int unpack_xz(const u8 *in, size_t len, struct unpack_sink *to);
int unpack_gzip(const u8 *in, size_t len, struct unpack_sink *to);
int unpack_zstd(const u8 *in, size_t len, struct unpack_sink *to);

#endif
