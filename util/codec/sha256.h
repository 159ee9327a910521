/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compute the SHA-256 digest (FIPS 180-4). */
#ifndef PERF_CODEC_SHA256_H
#define PERF_CODEC_SHA256_H

#include "base/compat.h"

/** sha256 - compute the digest of @len bytes. */
void sha256(const void *data, size_t len, u8 digest[32]);

#endif
