// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "profile/namespaces.h"

#include "base/alloc.h"
#include "wire/records.h"

#define LINK_CGROUP 6 /* as the kernel numbers them in the record */

void namespaces_note(struct namespaces *n, const wire_header *rec, u64 time)
{
	struct rec_namespaces r;

	if (rec_namespaces_decode(rec, rec->size, &r) || r.nr <= LINK_CGROUP)
		return;
	VEC_GROW(n->list, n->nr + 1, n->cap);
	n->list[n->nr++] = (struct namespace_at){ r.tid, time, r.links[LINK_CGROUP * 2],
						  r.links[LINK_CGROUP * 2 + 1] };
	n->sorted = false;
}

static int at_cmp(const void *a, const void *b)
{
	const struct namespace_at *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

void namespaces_sort(struct namespaces *n)
{
	if (n->nr && !n->sorted)
		qsort(n->list, n->nr, sizeof(*n->list), at_cmp);
	n->sorted = true;
}

/* Return the last entry of a thread up to a time. */
static const struct namespace_at *find(const struct namespaces *n, u32 tid, u64 time)
{
	const struct namespace_at key = { .tid = tid, .time = time };
	size_t lo = 0, hi = n->nr;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (at_cmp(&n->list[mid], &key) <= 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && n->list[lo - 1].tid == tid ? &n->list[lo - 1] : NULL;
}

void namespaces_cgroup_text(struct namespaces *n, u32 tid, u64 time, struct strbuf *out)
{
	static const struct namespace_at none;
	const struct namespace_at *at;

	if (!n->sorted) /* a pipe: it grows while samples are counted */
		namespaces_sort(n);
	at = find(n, tid, time);
	if (!at)
		at = &none;
	strbuf_reset(out);
	strbuf_addf(out, "%" PRIu64 "/0x%" PRIx64, at->dev, at->ino);
	strbuf_addch(out, 0);
	for (int shift = 56; shift >= 0; shift -= 8)
		strbuf_addch(out, (char)(at->dev >> shift));
	for (int shift = 56; shift >= 0; shift -= 8)
		strbuf_addch(out, (char)(at->ino >> shift));
}

void namespaces_release(struct namespaces *n)
{
	free(n->list);
	*n = (struct namespaces){ 0 };
}
