// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sorting: by a comparison, on several threads, and ids by the numbers that they are of, a byte
 * after the other, which is several times as fast where there are many.
 */
#include "base/compat.h"

#include "hist/hist-internal.h"

/* ---- by a comparison: equal parts, then merges of neighbours ---- */

struct sort {
	char *v, *tmp;
	size_t nr, size, part;
	int (*cmp)(const void *, const void *, void *);
	void *ctx;
};

static void sort_part(void *ctx, int worker, size_t i)
{
	struct sort *s = ctx;
	size_t from = i * s->part, to = MIN(from + s->part, s->nr);

	if (from < to)
		qsort_r(s->v + from * s->size, to - from, s->size, s->cmp, s->ctx);
}

static void merge_part(void *ctx, int worker, size_t i)
{
	struct sort *s = ctx;
	size_t a = MIN(i * 2 * s->part, s->nr), mid = MIN(a + s->part, s->nr),
	       end = MIN(mid + s->part, s->nr);
	size_t b = mid, size = s->size;
	char *out = s->tmp + a * size;

	while (a < mid && b < end) {
		bool left = s->cmp(s->v + a * size, s->v + b * size, s->ctx) <= 0;

		memcpy(out, s->v + (left ? a++ : b++) * size, size);
		out += size;
	}
	memcpy(out, s->v + a * size, (mid - a) * size);
	memcpy(out + (mid - a) * size, s->v + b * size, (end - b) * size);
}

void parallel_sort(void *v, size_t nr, size_t size, int (*cmp)(const void *, const void *, void *),
		   void *ctx, int workers)
{
	struct sort s = { .v = v, .nr = nr, .size = size, .part = nr, .cmp = cmp, .ctx = ctx };
	size_t parts = 1;
	char *swap;

	while (parts < (size_t)workers && nr / parts > 2048)
		parts *= 2;
	s.part = (nr + parts - 1) / parts;
	pool_run(workers, parts, sort_part, &s);
	if (parts == 1)
		return;
	s.tmp = xmalloc(nr * size);
	for (; parts > 1; parts /= 2, s.part *= 2) {
		pool_run(workers, parts / 2, merge_part, &s);
		swap = s.v;
		s.v = s.tmp;
		s.tmp = swap;
	}
	if (s.v != v) {
		memcpy(v, s.v, nr * size);
		s.tmp = s.v;
	}
	free(s.tmp);
}

/* ---- ids by numbers ---- */

#define DIGIT 11 /* bits */
#define FEW 32   /* of so many at most, a comparison decides */

/* An id, and the number at hand that it is sorted by. Rows are many: no padding. */
struct keyed {
	u64 key;
	u32 id;
} __attribute__((packed, aligned(4)));

struct id_sort {
	const struct id_order *by;
	struct keyed *v, *tmp;
};

static int keyed_cmp(const void *pa, const void *pb, void *ctx)
{
	const struct keyed *a = pa, *b = pb;
	const struct id_order *by = ctx;

	return by->cmp(&a->id, &b->id, by->ctx);
}

/* Those at [@from, @to) by one digit of their keys; equal ones stay as they are. */
static void sort_digit(struct id_sort *s, size_t from, size_t to, u32 shift)
{
	u32 place[1 << DIGIT] = { 0 }, mask = ARRAY_SIZE(place) - 1, sum = 0;
	struct keyed *swap;

	for (size_t i = from; i < to; i++)
		place[s->v[i].key >> shift & mask]++;
	for (u32 d = 0; d <= mask; d++) {
		u32 nr = place[d];

		place[d] = sum;
		sum += nr;
	}
	for (size_t i = from; i < to; i++)
		s->tmp[from + place[s->v[i].key >> shift & mask]++] = s->v[i];
	swap = s->v;
	s->v = s->tmp;
	s->tmp = swap;
}

/* By the keys they have now. Return: not all are equal. */
static bool sort_keys(struct id_sort *s, size_t from, size_t to)
{
	u64 all = s->v[from].key, any = all;
	struct keyed *v = s->v;

	for (size_t i = from; i < to; i++) {
		all &= v[i].key;
		any |= v[i].key;
	}
	for (u32 shift = 0; shift < 64; shift += DIGIT)
		if ((all ^ any) >> shift & ((1U << DIGIT) - 1))
			sort_digit(s, from, to, shift);
	if (s->v != v) { /* the rest is where it was */
		memcpy(v + from, s->v + from, (to - from) * sizeof(*v));
		s->tmp = s->v;
		s->v = v;
	}
	return all != any;
}

static void sort_level(struct id_sort *s, size_t from, size_t to, u32 level)
{
	const struct id_order *by = s->by;

	for (; to - from > FEW && level < by->levels; level++) {
		size_t i, end;

		for (i = from; i < to; i++)
			s->v[i].key = by->key(by->ctx, s->v[i].id, level);
		if (!sort_keys(s, from, to))
			continue;
		for (i = from; i < to; i = end) {
			for (end = i + 1; end < to && s->v[end].key == s->v[i].key;)
				end++;
			if (end - i > 1)
				sort_level(s, i, end, level + 1);
		}
		return;
	}
	qsort_r(s->v + from, to - from, sizeof(*s->v), keyed_cmp, (void *)by);
}

void sort_ids(u32 *ids, size_t nr, const struct id_order *by)
{
	struct id_sort s = { .by = by,
			     .v = xmalloc(nr * sizeof(*s.v)),
			     .tmp = xmalloc(nr * sizeof(*s.tmp)) };
	size_t i;

	for (i = 0; i < nr; i++)
		s.v[i].id = ids[i];
	if (nr > 1)
		sort_level(&s, 0, nr, 0);
	for (i = 0; i < nr; i++)
		ids[i] = s.v[i].id;
	free(s.v);
	free(s.tmp);
}
