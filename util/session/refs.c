// SPDX-License-Identifier: GPL-2.0-or-later
/* Sorting of (time, record) pairs: a natural merge sort, since rings write sorted runs. */
#include "base/alloc.h"
#include "base/compat.h"
#include "session/session-internal.h"

void refs_add(struct refs *r, u64 key, const u8 *rec)
{
	VEC_GROW(r->v, r->nr + 1, r->cap);
	r->v[r->nr++] = (struct ref){ key, rec };
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
	r->tmp = NULL;
	r->tmp_cap = 0;
	r->v = xrealloc(r->v, r->nr, sizeof(*r->v));
	r->cap = r->nr;
}

void refs_release(struct refs *r)
{
	free(r->v);
	free(r->tmp);
	*r = (struct refs){ 0 };
}

/* The end of the ascending run that starts at @from. */
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

/* One pass: neighbouring runs of @from are merged pairwise into @to. Return: the runs left. */
static size_t merge_pass(const struct ref *from, struct ref *to, size_t nr)
{
	size_t runs = 0;

	for (size_t i = 0; i < nr; runs++) {
		size_t mid = run_end(from, i, nr);
		size_t end = mid < nr ? run_end(from, mid, nr) : mid;

		merge(from + i, mid - i, from + mid, end - mid, to + i);
		i = end;
	}
	return runs;
}

void refs_sort(struct refs *r)
{
	size_t sorted = r->nr ? run_end(r->v, 0, r->nr) : 0;

	if (sorted == r->nr)
		return;
	VEC_GROW(r->tmp, r->nr, r->tmp_cap);
	for (;;) {
		size_t runs = merge_pass(r->v, r->tmp, r->nr);
		struct ref *v = r->v;
		size_t cap = r->cap;

		r->v = r->tmp;
		r->cap = r->tmp_cap;
		r->tmp = v;
		r->tmp_cap = cap;
		if (runs <= 1)
			return;
	}
}
