// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A page is not to be much larger than the names and stacks in it. What multiplies these is cut
 * down step by step: slices of time are made longer, threads with few samples are put together by
 * their names, and slices are made longer still.
 */
#include "base/compat.h"

#include "output/page-rows.h"

#include "base/alloc.h"
#include "base/hash.h"

#define FEW_SUMS ((size_t)1 << 15)
#define MANY_SUMS ((size_t)1 << 18)
#define SUMS_OF_NODE 4   /* so many of each, unless that makes many */
#define FEW_SLICES 64    /* what comes first ends there */
#define MOST_THREADS 128 /* with numbers of their own, where they are put together */
#define MOST_SHIFT 16

static size_t most_rows(const struct stacks *s)
{
	size_t nodes = s->nr_nodes;

	return MAX(MAX(FEW_SUMS, nodes), MIN(nodes * SUMS_OF_NODE, MANY_SUMS));
}

/* Is that of a longer slice than the one before it? */
static bool same_row(const struct stacks_sum *a, const struct stacks_sum *b, int shift)
{
	return a->node == b->node && a->event == b->event && a->thread == b->thread &&
	       a->cpu == b->cpu && a->slice >> shift == b->slice >> shift;
}

/* By how much slices have to be lengthened, down to @least of them; @enough: then there are few
 * enough rows. */
static int choose_shift(const struct page_rows *r, const struct stacks *s, u32 least, bool *enough)
{
	size_t rows[MOST_SHIFT + 1] = { 0 }, most = most_rows(s);
	int shift = 0;

	for (size_t i = 0; i < r->nr; i++)
		for (int k = 0; k <= MOST_SHIFT; k++) {
			if (i && same_row(&r->v[i - 1], &r->v[i], k))
				break; /* nor for longer ones */
			rows[k]++;
		}
	while (shift < MOST_SHIFT && rows[shift] > most && s->nr_slices >> shift > least)
		shift++;
	*enough = rows[shift] <= most;
	return shift;
}

/* ---- threads ---- */

struct busy {
	u32 thread;
	u64 samples;
};

static int busier(const void *pa, const void *pb)
{
	const struct busy *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return a->thread < b->thread ? -1 : a->thread > b->thread;
}

/* Which threads stay on their own. The caller frees. */
static bool *choose_threads(const struct stacks *s)
{
	struct busy *b = xcalloc(s->nr_threads, sizeof(*b));
	bool *own = xcalloc(s->nr_threads, sizeof(*own));

	for (u32 i = 0; i < s->nr_threads; i++)
		b[i].thread = i;
	for (size_t i = 0; i < s->nr_sums; i++)
		b[s->sums[i].thread].samples += s->sums[i].samples;
	qsort(b, s->nr_threads, sizeof(*b), busier);
	for (u32 i = 0; i < MIN(s->nr_threads, (u32)MOST_THREADS); i++)
		own[b[i].thread] = true;
	free(b);
	return own;
}

static int by_thread(const void *pa, const void *pb)
{
	const struct stacks_sum *a = pa, *b = pb;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return a->slice < b->slice ? -1 : a->slice > b->slice;
}

/* Threads have changed: put the rows of each node in order again. */
static void sort_rows(struct page_rows *r)
{
	for (size_t i = 0, end; i < r->nr; i = end) {
		for (end = i + 1; end < r->nr && r->v[end].node == r->v[i].node &&
				  r->v[end].event == r->v[i].event;)
			end++;
		qsort(r->v + i, end - i, sizeof(*r->v), by_thread);
	}
}

/* Those on their own come first, then the others by their names, as they are met. */
static void put_together(struct page_rows *r, const struct stacks *s)
{
	bool *own = choose_threads(s);
	u32 *now = xcalloc(s->nr_threads, sizeof(*now));
	struct map64 names = { 0 };

	r->nr_threads = 0;
	for (int others = 0; others < 2; others++)
		for (u32 i = 0; i < s->nr_threads; i++) {
			u32 *slot;

			if (own[i] == others)
				continue;
			slot = others ? map64_slot(&names, s->threads[i].comm) : NULL;
			r->together += others;
			if (slot && *slot != MAP64_NONE) {
				now[i] = *slot;
				continue;
			}
			now[i] = r->nr_threads++;
			r->threads[now[i]] = s->threads[i];
			if (slot) {
				*slot = now[i];
				r->threads[now[i]].pid = THREADS_TOGETHER;
				r->threads[now[i]].tid = THREADS_TOGETHER;
			}
		}
	for (size_t i = 0; i < r->nr; i++)
		r->v[i].thread = now[r->v[i].thread];
	sort_rows(r);
	map64_release(&names);
	free(own);
	free(now);
}

/* ---- rows ---- */

static void merge_rows(struct page_rows *r)
{
	struct stacks_sum last = { 0 };
	size_t nr = 0;

	for (size_t i = 0; i < r->nr; i++) {
		struct stacks_sum sum = r->v[i];

		if (i && same_row(&last, &sum, r->shift)) {
			r->v[nr - 1].samples += sum.samples;
			r->v[nr - 1].period += sum.period;
			continue;
		}
		last = sum;
		r->v[nr] = sum;
		r->v[nr++].slice = sum.slice >> r->shift;
	}
	r->nr = nr;
}

void page_rows_init(struct page_rows *r, const struct stacks *s)
{
	bool enough;

	*r = (struct page_rows){ .nr = s->nr_sums, .nr_threads = s->nr_threads };
	r->v = xcalloc(s->nr_sums + 1, sizeof(*r->v));
	if (s->nr_sums)
		memcpy(r->v, s->sums, s->nr_sums * sizeof(*r->v));
	r->threads = xcalloc((size_t)s->nr_threads + 1, sizeof(*r->threads));
	if (s->nr_threads)
		memcpy(r->threads, s->threads, s->nr_threads * sizeof(*r->threads));
	r->shift = choose_shift(r, s, FEW_SLICES, &enough);
	if (!enough && s->nr_threads > MOST_THREADS) {
		put_together(r, s);
		r->shift = choose_shift(r, s, 1, &enough);
	} else if (!enough) {
		r->shift = choose_shift(r, s, 1, &enough);
	}
	merge_rows(r);
}

void page_rows_release(struct page_rows *r)
{
	free(r->v);
	free(r->threads);
}
