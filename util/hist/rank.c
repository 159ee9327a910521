// SPDX-License-Identifier: GPL-2.0-or-later
/* Rank names, so that rows are compared by integers. */
#include "base/compat.h"

#include "hist/rows-internal.h"

/* Rank ids; equal ones share a rank. */
static u32 *rank_ids(const u32 *ids, size_t nr, size_t nr_all, const struct id_order *by,
		     struct crew *crew)
{
	u32 *sorted = sort_ids(ids, nr, by, crew), *rank = xcalloc(nr_all + 1, sizeof(*rank)),
	    r = 0, last = 0;

	for (size_t i = 0; i < nr; i++) {
		u32 id = sorted[i] & ~SORTED_TIE;

		if (i && (id == sorted[i] || by->cmp(&last, &id, by->ctx)))
			r++;
		rank[id] = r;
		last = id;
	}
	free(sorted);
	return rank;
}

static int comm_cmp(const void *a, const void *b, void *ctx)
{
	const struct hist *h = ctx;

	return strcmp(machine_comm_told(h->machine, *(const u32 *)a),
		      machine_comm_told(h->machine, *(const u32 *)b));
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

void rank_comms(struct hist *h)
{
	u32 nr = h->machine ? machine_nr_comms(h->machine) : 0;

	h->comm_rank =
		rank_ids(NULL, nr, nr, &(struct id_order){ .cmp = comm_cmp, .ctx = h }, NULL);
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

#define NAME_WORDS 6 /* words of a name that are compared before the whole name is */

/* Return a word of a name; words are ordered as strcmp() orders names. */
static u64 name_key(const void *ctx, u32 id, u32 level)
{
	const struct hist *h = ctx;
	const char *name = h->place_names[id];
	size_t at = level * sizeof(u64), i;
	u64 word = 0;

	if (strnlen(name, at) < at)
		return 0;
	for (name += at, i = 0; i < sizeof(word); i++) {
		word = word << 8 | (u8)*name;
		name += *name != '\0';
	}
	return word;
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
	/*
	 * Addresses are compared as signed numbers: those of the kernel come before those near 0.
	 */
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

/* Return what place_cmp() compares first. */
static u64 place_key(const void *ctx, u32 id, u32 level)
{
	const struct hist *h = ctx;

	switch (level) {
	case 0:
		return h->places[id].sym == UINT32_MAX;
	case 1:
		return hist_place_ip(h, id) ^ 1ULL << 63;
	default:
		return h->places[id].start ^ 1ULL << 63;
	}
}

/* Return what place_cmp_dso_first() compares first. */
static u64 place_key_dso_first(const void *ctx, u32 id, u32 level)
{
	const struct hist *h = ctx;
	const struct hist_place *p = &h->places[id];

	if (level)
		return place_key(ctx, id, level);
	return p->sym == UINT32_MAX ? UINT64_MAX : h->dso_rank[p->dso];
}

static void ask_place(const void *ctx, u32 id, int step)
{
	const struct hist *h = ctx;

	if (!step)
		__builtin_prefetch(&h->places[id]);
}

static void ask_name(const void *ctx, u32 id, int step)
{
	const struct hist *h = ctx;

	__builtin_prefetch(step ? h->place_names[id] : (const void *)&h->place_names[id]);
}

/* Return the places that rows show, *@nr of them; with @named only those that have a name there. */
static u32 *used_places(const struct hist *h, const char *const *named, size_t *nr)
{
	u32 *ids = xmalloc((h->nr_places + 1) * sizeof(*ids));

	*nr = 0;
	for (size_t i = 0; i < h->nr_places; i++)
		if (h->place_used[i] && (!named || named[i]))
			ids[(*nr)++] = (u32)i;
	return ids;
}

void rank_dsos(struct hist *h)
{
	u32 nr = MAX(h->dso_names.nr, 1u);

	h->dso_rank = rank_ids(NULL, nr, nr, &(struct id_order){ .cmp = dso_cmp, .ctx = h }, NULL);
}

void rank_places(struct hist *h)
{
	/* Without an object column places are sorted by object first, as long as they have
	 * symbols. */
	bool dso_first = !(h->conf.cols.need & (NEED_DSO | NEED_DSO_FROM));
	struct id_order by = { .cmp = dso_first ? place_cmp_dso_first : place_cmp,
			       .key = dso_first ? place_key_dso_first : place_key,
			       .levels = 3,
			       .ask = ask_place,
			       .ctx = h };
	/* this is part of a job that the histogram's own crew is at */
	struct crew *half = crew_new(h->conf.workers / 2);
	size_t nr;
	u32 *ids = used_places(h, NULL, &nr);

	h->place_rank = rank_ids(ids, nr, h->nr_places, &by, half);
	crew_free(half);
	free(ids);
}

void rank_names(struct hist *h)
{
	struct id_order by = { name_cmp, name_key, NAME_WORDS, ask_name, h };
	size_t nr;
	u32 *ids = used_places(h, h->place_names, &nr);

	h->name_rank = rank_ids(ids, nr, h->nr_places, &by, h->crew);
	for (size_t i = 0; i < h->nr_places; i++)
		if (h->place_used[i] && !h->place_names[i])
			h->name_rank[i] = UINT32_MAX;
	free(ids);
}

u32 hist_comm_rank(const struct hist *h, u32 comm)
{
	return h->comm_rank[comm];
}

u32 hist_dso_rank(const struct hist *h, u32 dso)
{
	return h->dso_rank[dso];
}

u32 hist_name_rank(const struct hist *h, u32 place)
{
	return h->name_rank[place];
}

u32 hist_place_rank(const struct hist *h, u32 place)
{
	return h->place_rank[place];
}

u64 hist_place_ip(const struct hist *h, u32 place)
{
	return h->place_ips ? h->place_ips[place] : 0;
}
