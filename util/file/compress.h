/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records to COMPRESSED records. One zstd stream for the whole file, as perf 6.1 reads it; of each
 * record at least a byte can be expanded by itself, since 6.1 takes a record without result for
 * damage. The seam to libzstd for writing.
 */
#ifndef PERF_FILE_COMPRESS_H
#define PERF_FILE_COMPRESS_H

#include "base/err.h"
#include "base/strbuf.h"

/* What is compressed at once, at most. */
#define COMPRESS_PIECE 131072
/* What one COMPRESSED record expands to has at most so many bytes: the end of a piece, and of the
 * next what could not be compressed. */
#define COMPRESS_EXPANDED_MAX (COMPRESS_PIECE + 65536)
#define COMPRESS_LEVEL_MAX 22

struct compressor;

/** compressor_new - a stream of @level, 1 to COMPRESS_LEVEL_MAX. Return: 0, -ENOTSUP with a
 * sentence without libzstd. */
int compressor_new(struct compressor **c, int level, struct err *err);
/** compressor_add - append @len bytes of records to @out, as whole COMPRESSED records. Return: 0,
 * or negative errno and a sentence. */
int compressor_add(struct compressor *c, const void *data, size_t len, struct strbuf *out,
		   struct err *err);
/** compressor_free - NULL is fine. */
void compressor_free(struct compressor *c);

#endif
