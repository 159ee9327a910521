/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compression of records to COMPRESSED records; the only user of libzstd for writing. The whole
 * file is one zstd stream, as perf 6.1 expects. From each COMPRESSED record at least one byte can
 * be expanded without the next, because 6.1 takes a record that yields nothing for damage.
 */
#ifndef PERF_FILE_COMPRESS_H
#define PERF_FILE_COMPRESS_H

#include "base/err.h"
#include "base/strbuf.h"

/* The most bytes that are compressed in one step. */
#define COMPRESS_PIECE 131072
/* The most bytes that one COMPRESSED record expands to: the end of a piece, and what could not be
 * compressed of the next one. */
#define COMPRESS_EXPANDED_MAX (COMPRESS_PIECE + 65536)
#define COMPRESS_LEVEL_MAX 22

struct compressor;

/**
 * compressor_new - begin a stream of @level, from 1 to COMPRESS_LEVEL_MAX. Return: 0, or -ENOTSUP
 * and a sentence when perf was built without libzstd.
 */
int compressor_new(struct compressor **c, int level, struct err *err);
/**
 * compressor_add - append @len bytes of records to @out, as complete COMPRESSED records. Return: 0,
 * or a negative errno and a sentence.
 */
int compressor_add(struct compressor *c, const void *data, size_t len, struct strbuf *out,
		   struct err *err);
/** compressor_free - free the stream; @c may be NULL. */
void compressor_free(struct compressor *c);

#endif
