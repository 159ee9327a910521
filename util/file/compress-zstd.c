// SPDX-License-Identifier: GPL-2.0-or-later
/* Make COMPRESSED records by means of libzstd. */
#include "base/compat.h"

#ifdef HAVE_LIBZSTD
#include "base/alloc.h"
#include "file/compress.h"
#include "wire/event.h"

#include <errno.h>
#include <zstd.h>

/* The bytes of a record apart from its header. */
#define ROOM ((size_t)65535 - sizeof(struct perf_event_header))
/*
 * zstd adds 3 bytes to a block that it cannot compress, and at most 18 at the start of the stream.
 */
#define OVERHEAD ((size_t)21)

/*
 * Large blocks compress better than small ones, but a block that is split between records makes a
 * record that yields nothing by itself. So the result of a piece is held back until that of the
 * next one is known. If this is too long for a record, its start goes to the record with the other.
 *
 *	pieces:	 |---- a ----|------- b -------|--- c ---|
 *	records: |aaaaaabbbbbbbbbb|bbbbbb|ccccc|
 */
struct compressor {
	ZSTD_CStream *zs;
	u8 *held; /* owned; nr_held bytes, which end with the end of a piece */
	size_t nr_held, cap;
};

void compressor_free(struct compressor *c)
{
	if (!c)
		return;
	ZSTD_freeCStream(c->zs);
	free(c->held);
	free(c);
}

/*
 * The fast levels look back half a megabyte, with a table of 16,000 entries, which is too little
 * for records of several rings. A larger window takes no more time and compensates for the cost of
 * short blocks.
 */
static bool set_level(ZSTD_CStream *zs, int level)
{
	if (ZSTD_isError(ZSTD_CCtx_setParameter(zs, ZSTD_c_compressionLevel, level)))
		return false;
	return level > 2 || (!ZSTD_isError(ZSTD_CCtx_setParameter(zs, ZSTD_c_windowLog, 21)) &&
			     !ZSTD_isError(ZSTD_CCtx_setParameter(zs, ZSTD_c_hashLog, 16)));
}

int compressor_new(struct compressor **out, int level, struct err *err)
{
	struct compressor *c = xzalloc(sizeof(*c));

	c->zs = ZSTD_createCStream();
	if (!c->zs || !set_level(c->zs, level)) {
		compressor_free(c);
		return err_set(err, -ENOMEM, "zstd cannot compress at level %d", level);
	}
	*out = c;
	return 0;
}

/* Write the first @n held bytes as a record. */
static void put_record(struct compressor *c, size_t n, struct strbuf *out)
{
	struct perf_event_header h = { .type = PERF_RECORD_COMPRESSED,
				       .size = (u16)(sizeof(h) + n) };

	strbuf_add(out, &h, sizeof(h));
	strbuf_add(out, c->held, n);
	c->nr_held -= n;
	memmove(c->held, c->held + n, c->nr_held);
}

/*
 * Return how many bytes to take, so that two records hold them and the held bytes even if they do
 * not compress at all.
 */
static size_t piece_max(const struct compressor *c)
{
	size_t fits = (c->nr_held ? 2 : 1) * ROOM - c->nr_held - OVERHEAD;

	return MIN(fits, (size_t)COMPRESS_PIECE);
}

/* Compress a piece as one block of zstd. */
static int add_piece(struct compressor *c, const void *data, size_t len, struct strbuf *out,
		     struct err *err)
{
	ZSTD_inBuffer in = { data, len, 0 };
	ZSTD_outBuffer to = { NULL, len + OVERHEAD, 0 };
	size_t before = c->nr_held, left;

	VEC_GROW(c->held, before + to.size, c->cap);
	to.dst = c->held + before;
	left = ZSTD_compressStream2(c->zs, &to, &in, ZSTD_e_flush);
	if (ZSTD_isError(left) || left || in.pos < len)
		return err_set(err, -EIO, "zstd failed to compress: %s",
			       ZSTD_isError(left) ? ZSTD_getErrorName(left)
						  : "the result is larger than the input");
	c->nr_held += to.pos;
	if (before)
		put_record(c, to.pos > ROOM ? ROOM : before, out);
	return 0;
}

int compressor_add(struct compressor *c, const void *data, size_t len, struct strbuf *out,
		   struct err *err)
{
	const u8 *p = data;
	int rc = 0;

	while (len && !rc) {
		size_t n = MIN(len, piece_max(c));

		rc = add_piece(c, p, n, out, err);
		p += n;
		len -= n;
	}
	if (c->nr_held && !rc)
		put_record(c, c->nr_held, out);
	return rc;
}

#endif
