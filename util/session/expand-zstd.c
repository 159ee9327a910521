// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Expansion by means of libzstd. All compressed records of a file form one stream: the bytes from
 * one of them may end within a record that the next one completes.
 */
#include "base/compat.h"

#ifdef HAVE_LIBZSTD
#include "base/alloc.h"
#include "session/expand.h"
#include "wire/event.h"

#include <errno.h>
#include <zstd.h>

#define EXPAND_MAX ((size_t)1 << 28) /* for one record; 64 KB cannot legitimately contain more */
#define KEEP_MAX ((size_t)1 << 16)

struct expander {
	ZSTD_DStream *zs;
	ZSTD_inBuffer in;
	size_t made; /* bytes expanded from the record so far */
	bool drained;
	size_t nr_kept;
	u8 kept[KEEP_MAX];
};

struct expander *expander_new(void)
{
	struct expander *x = xmalloc(sizeof(*x));

	x->zs = ZSTD_createDStream();
	if (x->zs)
		ZSTD_initDStream(x->zs);
	x->in = (ZSTD_inBuffer){ 0 };
	x->made = x->nr_kept = 0;
	x->drained = true;
	return x;
}

void expander_free(struct expander *x)
{
	if (!x)
		return;
	ZSTD_freeDStream(x->zs);
	free(x);
}

void expand_keep(struct expander *x, const u8 *left, size_t n)
{
	x->nr_kept = n <= KEEP_MAX ? n : 0;
	memcpy(x->kept, left, x->nr_kept);
}

/* Begin to expand a record. COMPRESSED has the data in the rest of the record; COMPRESSED2 has u64
 * count, that many bytes, padding. */
int expand_begin(struct expander *x, const u8 *rec, u32 type, u32 size, bool swap)
{
	size_t head = sizeof(struct perf_event_header);
	u64 n = size - head;

	x->made = 0;
	x->drained = true;
	if (!x->zs)
		return -EINVAL;
	if (type == PERF_RECORD_COMPRESSED2) {
		if (n < 8)
			return -EINVAL;
		n = *(const u64_una *)(rec + head);
		head += 8;
		if (swap)
			n = __builtin_bswap64(n);
		if (n > size - head)
			return -EINVAL;
	}
	x->in = (ZSTD_inBuffer){ rec + head, (size_t)n, 0 };
	x->drained = false;
	return 0;
}

/* A damaged stream remains damaged until a new frame begins. */
static ssize_t give_up(struct expander *x)
{
	ZSTD_DCtx_reset(x->zs, ZSTD_reset_session_only);
	x->drained = true;
	x->nr_kept = 0;
	return -EINVAL;
}

ssize_t expand_more(struct expander *x, u8 *to)
{
	ZSTD_outBuffer out = { to, EXPAND_WINDOW, x->nr_kept };

	if (x->drained)
		return 0;
	memcpy(to, x->kept, x->nr_kept);
	do {
		size_t in = x->in.pos, was = out.pos;

		if (ZSTD_isError(ZSTD_decompressStream(x->zs, &out, &x->in)) ||
		    (in == x->in.pos && was == out.pos && in < x->in.size))
			return give_up(x);
	} while (out.pos < out.size && x->in.pos < x->in.size);
	/* With room left in the output, everything has been expanded. */
	x->drained = out.pos < out.size;
	x->made += out.pos - x->nr_kept;
	if (x->made > EXPAND_MAX)
		return give_up(x);
	return out.pos > x->nr_kept ? (ssize_t)out.pos : 0;
}

#endif
