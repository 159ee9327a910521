// SPDX-License-Identifier: GPL-2.0-or-later
/* Sort (time, record) pairs by a natural merge sort, because rings write sorted runs. */
#include "base/alloc.h"
#include "base/compat.h"
#include "base/bisect.h"
#include "base/pool.h"
#include "session/session-internal.h"

#define PIECE ((size_t)8192)    /* records that are worth a job of a thread */
#define AT_ONCE ((size_t)16384) /* entries whose memory is populated in advance */

void refs_add(struct refs *r, u64 key, const u8 *rec)
{
	VEC_GROW(r->v, r->nr + 1, r->cap);
	r->v[r->nr++] = (struct ref){ key, rec };
}

void refs_expect(struct refs *r, size_t nr)
{
	VEC_GROW(r->v, r->nr + nr, r->cap);
	if (r->nr + nr <= r->brought)
		return;
	nr = MIN(MAX(nr, AT_ONCE), r->cap - r->nr);
	heap_populate(r->v + r->nr, nr * sizeof(*r->v));
	r->brought = r->nr + nr;
}

void refs_drop(struct refs *r, size_t n)
{
	if (!n)
		return;
	memmove(r->v, r->v + n, (r->nr - n) * sizeof(*r->v));
	r->nr -= n;
}

void refs_trim(struct refs *r)
{
	free(r->tmp);
	free(r->ends);
	r->tmp = NULL;
	r->ends = NULL;
	r->tmp_cap = r->cap_ends = 0;
	r->v = xrealloc(r->v, r->nr, sizeof(*r->v));
	r->cap = r->nr;
}

void refs_release(struct refs *r)
{
	free(r->v);
	free(r->tmp);
	free(r->ends);
	*r = (struct refs){ 0 };
}

/* Return the end of the ascending run that starts at @from. */
static size_t run_end(const struct ref *v, size_t from, size_t nr)
{
	size_t i = from + 1;

	while (i < nr && v[i - 1].key <= v[i].key)
		i++;
	return MIN(i, nr);
}

static void merge(const struct ref *a, size_t na, const struct ref *b, size_t nb, struct ref *out)
{
	while (na && nb) {
		if (a->key <= b->key) {
			*out++ = *a++;
			na--;
		} else {
			*out++ = *b++;
			nb--;
		}
	}
	memcpy(out, a, na * sizeof(*a));
	memcpy(out + na, b, nb * sizeof(*b));
}

/* One pass, in which neighbouring runs of @from are merged in pairs into @to. */
struct merging {
	const struct ref *from;
	struct ref *to;
	const size_t *ends;  /* the ends of the runs */
	size_t runs, pieces; /* pieces into which each pair is cut */
};

/*
 * Merge a piece: an equal part of the first run, with the elements of the second run that belong
 * there.
 */
static void merge_piece(void *ctx, int worker, size_t item)
{
	const struct merging *m = ctx;
	size_t run = item / m->pieces * 2, piece = item % m->pieces, last = m->pieces - 1;
	size_t start = run ? m->ends[run - 1] : 0, mid = m->ends[run];
	size_t na = mid - start, nb = (run + 1 < m->runs ? m->ends[run + 1] : mid) - mid;
	const struct ref *a = m->from + start, *b = m->from + mid;
	size_t a0 = na * piece / m->pieces, a1 = na * (piece + 1) / m->pieces;
	size_t b0 = piece ? FIRST_FROM(b, nb, key, a[a0].key) : 0;
	size_t b1 = piece < last ? FIRST_FROM(b, nb, key, a[a1].key) : nb;

	(void)worker;
	merge(a + a0, a1 - a0, b + b0, b1 - b0, m->to + start + a0 + b0);
}

static void merge_pass(struct refs *r, size_t runs, struct crew *crew)
{
	size_t pairs = (runs + 1) / 2, each = r->nr / pairs / PIECE;
	struct merging m = { r->v, r->tmp, r->ends, runs, .pieces = MAX(each, (size_t)1) };

	crew_run(r->nr > 2 * PIECE ? crew : NULL, pairs * m.pieces, merge_piece, &m);
	SWAP(r->v, r->tmp);
	SWAP(r->cap, r->tmp_cap);
	for (size_t i = 0; i < pairs; i++)
		r->ends[i] = r->ends[MIN(i * 2 + 1, runs - 1)];
}

void refs_sort(struct refs *r, struct crew *crew)
{
	size_t runs = 0, end = r->nr ? run_end(r->v, 0, r->nr) : 0;

	if (end == r->nr)
		return;
	if (r->nr > r->tmp_cap) {
		VEC_GROW(r->tmp, r->nr, r->tmp_cap);
		heap_populate(r->tmp, r->nr * sizeof(*r->tmp));
	}
	for (end = 0; end < r->nr;) {
		end = run_end(r->v, end, r->nr);
		VEC_GROW(r->ends, runs + 1, r->cap_ends);
		r->ends[runs++] = end;
	}
	for (; runs > 1; runs = (runs + 1) / 2)
		merge_pass(r, runs, crew);
}
