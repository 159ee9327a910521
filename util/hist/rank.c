// SPDX-License-Identifier: GPL-2.0-or-later
/* Names to numbers in their order, so that rows are compared by integers. */
#include "base/compat.h"

#include "hist/hist-internal.h"

/* ---- sorting on several threads: equal parts, then merges of neighbours ---- */

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

/* ---- ranks ---- */

/* Number the ids by @cmp; those it finds equal share a rank. */
static u32 *rank_ids(const struct hist *h, u32 *ids, size_t nr, size_t nr_all,
		     int (*cmp)(const void *, const void *, void *))
{
	u32 *rank = xcalloc(nr_all + 1, sizeof(*rank)), r = 0;
	size_t i;

	parallel_sort(ids, nr, sizeof(*ids), cmp, (void *)h, h->conf.workers);
	for (i = 0; i < nr; i++) {
		if (i && cmp(&ids[i - 1], &ids[i], (void *)h))
			r++;
		rank[ids[i]] = r;
	}
	return rank;
}

static u32 *all_ids(size_t nr)
{
	u32 *ids = xcalloc(nr + 1, sizeof(*ids));
	size_t i;

	for (i = 0; i < nr; i++)
		ids[i] = i;
	return ids;
}

static int comm_cmp(const void *a, const void *b, void *ctx)
{
	const struct hist *h = ctx;

	return strcmp(machine_comm(h->machine, *(const u32 *)a),
		      machine_comm(h->machine, *(const u32 *)b));
}

static int text_cmp(const void *a, const void *b, void *ctx)
{
	const struct intern *texts = ctx;
	u32 x = *(const u32 *)a, y = *(const u32 *)b;
	const char *s = texts->strs[x], *t = texts->strs[y];
	size_t at = strlen(s) + 1, bt = strlen(t) + 1;
	size_t m = texts->lens[x] > at ? texts->lens[x] - at : 0; /* see struct hist_text */
	size_t n = texts->lens[y] > bt ? texts->lens[y] - bt : 0;
	int ret = 0;

	if (m && n)
		ret = memcmp(s + at, t + bt, MIN(m, n));
	return ret ? ret : strcmp(s, t);
}

u32 *rank_texts(const struct hist *h, const struct intern *texts)
{
	u32 *ids = xcalloc(texts->nr + 1, sizeof(*ids)),
	    *rank = xcalloc(texts->nr + 1, sizeof(*rank));

	for (u32 i = 0; i < texts->nr; i++)
		ids[i] = i;
	parallel_sort(ids, texts->nr, sizeof(*ids), text_cmp, (void *)texts, h->conf.workers);
	for (u32 i = 0; i < texts->nr; i++)
		rank[ids[i]] = i;
	free(ids);
	return rank;
}

void hist_rank_comms(struct hist *h)
{
	u32 nr = h->machine ? machine_nr_comms(h->machine) : 0, *ids = all_ids(nr);

	h->comm_rank = rank_ids(h, ids, nr, nr, comm_cmp);
	free(ids);
}

static int dso_cmp(const void *a, const void *b, void *ctx)
{
	u32 da = *(const u32 *)a, db = *(const u32 *)b;

	if (!da || !db)
		return (da ? 0 : 1) - (db ? 0 : 1);
	return strcmp(hist_dso_name(ctx, da), hist_dso_name(ctx, db));
}

static int name_cmp(const void *a, const void *b, void *ctx)
{
	const struct hist *h = ctx;
	const char *na = h->place_names[*(const u32 *)a], *nb = h->place_names[*(const u32 *)b];

	return na == nb ? 0 : strcmp(na, nb);
}

static int place_cmp(const void *a, const void *b, void *ctx)
{
	const struct hist *h = ctx;
	const struct hist_place *pa = &h->places[*(const u32 *)a],
				*pb = &h->places[*(const u32 *)b];
	u64 ia = hist_place_ip(h, *(const u32 *)a), ib = hist_place_ip(h, *(const u32 *)b);
	u64 ea, eb;
	bool ua = pa->sym == UINT32_MAX, ub = pb->sym == UINT32_MAX;

	if (ua != ub)
		return ua ? 1 : -1;
	if (ia != ib)
		return (s64)ia < (s64)ib ? -1 : 1;
	/* Signed, as ever: what is up where the kernel is comes before what is near 0. */
	if (pa->start != pb->start)
		return (s64)pa->start < (s64)pb->start ? -1 : 1;
	ea = hist_place_end(pa);
	eb = hist_place_end(pb);
	if (ea != eb)
		return ea < eb ? -1 : 1;
	if (pa->inlined != pb->inlined)
		return strcmp(intern_str(&h->inline_names, pa->inlined),
			      intern_str(&h->inline_names, pb->inlined));
	return h->dso_rank[pa->dso] < h->dso_rank[pb->dso]
		       ? -1
		       : h->dso_rank[pa->dso] > h->dso_rank[pb->dso];
}

static int place_cmp_dso_first(const void *a, const void *b, void *ctx)
{
	const struct hist *h = ctx;
	const struct hist_place *pa = &h->places[*(const u32 *)a],
				*pb = &h->places[*(const u32 *)b];
	u32 da = h->dso_rank[pa->dso], db = h->dso_rank[pb->dso];

	if (pa->sym == UINT32_MAX || pb->sym == UINT32_MAX)
		return place_cmp(a, b, ctx);
	return da == db ? place_cmp(a, b, ctx) : da < db ? -1 : 1;
}

/* Where rows are: symbol names alphabetically with the unresolved after them, and a total order. */
void hist_rank_places(struct hist *h)
{
	u32 nr_dsos = MAX(h->dso_names.nr, 1u), *ids = all_ids(nr_dsos);
	size_t i, nr = 0, named = 0;

	h->dso_rank = rank_ids(h, ids, nr_dsos, nr_dsos, dso_cmp);
	free(ids);
	if (!(h->conf.cols.need & (NEED_SYM | NEED_SYM_FROM)))
		return;
	ids = xcalloc(h->nr_places + 1, sizeof(*ids));
	for (i = 0; i < h->nr_places; i++)
		if (h->place_used[i])
			ids[nr++] = i;
	/* Without an object column the object decides first, where there are symbols. */
	h->place_rank = rank_ids(
		h, ids, nr, h->nr_places,
		h->conf.cols.need & (NEED_DSO | NEED_DSO_FROM) ? place_cmp : place_cmp_dso_first);
	for (i = 0; i < nr; i++)
		if (h->place_names[ids[i]])
			ids[named++] = ids[i];
	h->name_rank = rank_ids(h, ids, named, h->nr_places, name_cmp);
	for (i = 0; i < h->nr_places; i++)
		if (h->place_used[i] && !h->place_names[i])
			h->name_rank[i] = UINT32_MAX;
	free(ids);
}
