// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The seam to libzstd. All compressed records of a file are one stream: the bytes expanded
 * from one may end inside a record that the next one completes.
 */
#include "base/compat.h"

#ifdef HAVE_LIBZSTD
#include "base/alloc.h"
#include "session/expand.h"
#include "wire/event.h"

#include <errno.h>
#include <zstd.h>

#define EXPAND_MAX ((size_t)1 << 28) /* of one record: 64 KB cannot honestly hold more */

struct expander {
	ZSTD_DStream *zs;
	u8 *kept; /* owned */
	size_t nr_kept;
};

void expand_keep(struct expander *x, const u8 *left, size_t n)
{
	free(x->kept);
	x->kept = NULL;
	x->nr_kept = n;
	if (!n)
		return;
	x->kept = xmalloc(n);
	memcpy(x->kept, left, n);
}

void expander_free(struct expander *x)
{
	if (!x)
		return;
	ZSTD_freeDStream(x->zs);
	free(x->kept);
	free(x);
}

static struct expander *expander_new(void)
{
	struct expander *x = xzalloc(sizeof(*x));

	x->zs = ZSTD_createDStream();
	if (x->zs)
		ZSTD_initDStream(x->zs);
	return x;
}

/* COMPRESSED: the rest of the record. COMPRESSED2: u64 count, that many bytes, padding. */
static int take_input(const u8 *rec, u32 type, u32 size, ZSTD_inBuffer *in)
{
	size_t head = sizeof(struct perf_event_header);

	*in = (ZSTD_inBuffer){ rec + head, size - head, 0 };
	if (type == PERF_RECORD_COMPRESSED)
		return 0;
	if (in->size < 8 || *(const u64_una *)in->src > in->size - 8)
		return -EINVAL;
	in->size = (size_t) * (const u64_una *)in->src;
	in->src = rec + head + 8;
	return 0;
}

int expand_record(struct expander **xp, const u8 *rec, u32 type, u32 size, u8 **buf, size_t *len)
{
	struct expander *x = *xp ? *xp : (*xp = expander_new());
	ZSTD_outBuffer out = { NULL, 0, x->nr_kept };
	ZSTD_inBuffer in;
	size_t cap = 0, left = 1;
	u8 *to = NULL;

	if (!x->zs || take_input(rec, type, size, &in) < 0)
		return -EINVAL;
	do {
		VEC_GROW(to, out.pos + (1U << 18), cap);
		out.dst = to;
		out.size = cap;
		left = ZSTD_decompressStream(x->zs, &out, &in);
	} while (!ZSTD_isError(left) && (in.pos < in.size || out.pos == out.size) &&
		 out.pos < EXPAND_MAX);
	if (ZSTD_isError(left) || in.pos < in.size) {
		free(to);
		return -EINVAL;
	}
	memcpy(to, x->kept ? (const void *)x->kept : "", x->nr_kept);
	*buf = xrealloc(to, MAX(out.pos, (size_t)1), 1); /* it may be kept for long */
	*len = out.pos;
	return 0;
}

#endif
