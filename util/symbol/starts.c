// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What tables share that lie over a file: where each symbol starts and where the file tells of it,
 * eight bytes for each; and which symbols reach past the start of others.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/bisect.h"
#include "symbol/symbol-internal.h"

#define PER_BUCKET 4 /* symbols, about: two lines of the processor's cache */
#define IN_LINE 8    /* symbols of a bucket that are faster looked at in turn than by halves */

void starts_done(struct starts *s)
{
	u32 width, nr, i, b = 0;

	if (!s->nr)
		return;
	s->at = xrealloc(s->at, s->nr, sizeof(*s->at));
	width = s->at[s->nr - 1].start;
	while (width >> s->shift > MAX(s->nr / PER_BUCKET, 1U))
		s->shift++;
	nr = (width >> s->shift) + 1;
	s->buckets = xmalloc(((size_t)nr + 1) * sizeof(*s->buckets));
	for (i = 0; i < s->nr; i++)
		while (b <= s->at[i].start >> s->shift)
			s->buckets[b++] = i;
	s->buckets[nr] = s->nr;
	s->nr_buckets = nr + 1;
}

bool starts_good(const struct starts *s)
{
	u32 i = 0;

	/* Each bucket begins with the first symbol that starts in it or behind. */
	if (!s->nr || s->shift > 31 || (s->at[s->nr - 1].start >> s->shift) + 2ULL != s->nr_buckets)
		return false;
	for (u32 b = 0; b + 1 < s->nr_buckets; b++) {
		while (s->at[i].start >> s->shift < b)
			i++;
		if (s->buckets[b] != i)
			return false;
	}
	return s->buckets[s->nr_buckets - 1] == s->nr;
}

u32 starts_find(const struct starts *s, u64 addr)
{
	u32 lo, hi, last = s->nr - 1;
	u64 off = addr - s->base;

	if (!s->nr || addr < s->base)
		return UINT32_MAX;
	if (off >= s->at[last].start)
		return last;
	lo = s->buckets[off >> s->shift];
	hi = s->buckets[(off >> s->shift) + 1];
	if (hi - lo > IN_LINE)
		return lo + (u32)FIRST_BEHIND(&s->at[lo], hi - lo, start, off) - 1;
	while (lo < hi && s->at[lo].start <= off)
		lo++;
	return lo - 1;
}

void starts_ask(const struct starts *s, u64 addr, int step)
{
	u64 off = addr - s->base;
	const u32 *bucket;

	if (!s->nr || addr < s->base || off >= s->at[s->nr - 1].start)
		return;
	bucket = &s->buckets[off >> s->shift];
	if (!step)
		__builtin_prefetch(bucket);
	else
		__builtin_prefetch(&s->at[bucket[0] + (bucket[1] - bucket[0]) / 2]);
}

void starts_release(struct starts *s)
{
	free(s->at);
	free(s->buckets);
	*s = (struct starts){ 0 };
}

/* ---- what reaches past the start of another ---- */

void reaches_make(struct reaches *r, u32 nr, u64 (*start)(const void *, u32),
		  u64 (*end)(const void *, u32), const void *table)
{
	size_t cap = 0;
	u32 i, o;

	for (i = 0; i + 1 < nr; i++) {
		if (end(table, i) <= start(table, i + 1))
			continue;
		o = r->nr - 1; /* UINT32_MAX: none */
		while (o != UINT32_MAX && end(table, r->v[o].idx) <= start(table, i))
			o = r->v[o].outer;
		VEC_GROW(r->v, (size_t)r->nr + 1, cap);
		r->v[r->nr++] = (struct reach){ i, o };
	}
	if (r->nr)
		r->v = xrealloc(r->v, r->nr, sizeof(*r->v));
}

u32 reaches_find(const struct reaches *r, u32 idx, u64 addr, u64 (*end)(const void *, u32),
		 const void *table)
{
	u32 lo = 0, hi = r->nr;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (r->v[mid].idx < idx)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (lo--; lo != UINT32_MAX && addr >= end(table, r->v[lo].idx);)
		lo = r->v[lo].outer;
	return lo == UINT32_MAX ? UINT32_MAX : r->v[lo].idx;
}
