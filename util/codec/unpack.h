/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open files for reading that may have been compressed as a whole, as distributions do with the
 * modules of the kernel: with xz, gzip or zstd.
 */
#ifndef PERF_CODEC_UNPACK_H
#define PERF_CODEC_UNPACK_H

#include "base/compat.h"

/**
 * unpacked_open - open a file. One that is compressed is unpacked into memory, which goes with the
 * descriptor; it may take @max bytes.
 * Return: a descriptor that can be mapped, or a negative errno: -EINVAL when the file is damaged,
 * -EFBIG when it has more bytes, -ENOTSUP when the library for its format was not there at build
 * time.
 */
int unpacked_open(const char *path, size_t max);

#endif
