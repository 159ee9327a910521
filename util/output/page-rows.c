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
#define MOST_SUMS ((size_t)1 << 20)
#define SUMS_OF_NODE 4   /* so many of each, unless that makes many */
#define SUMS_OF_LINE 4   /* or of each line that folded stacks would have, which is much longer */
#define FEW_SLICES 64    /* what comes first ends there */
#define MOST_THREADS 128 /* with numbers of their own, where they are put together */
#define MOST_SHIFT 16

/* Stacks that are told apart by the names of threads alone. */
static size_t folded_lines(const struct stacks *s)
{
	u32 *last = xcalloc(s->texts.nr + 1, sizeof(*last)); /* by comm: the last node + 1 */
	size_t nr = 0;

	for (size_t i = 0; i < s->nr_sums; i++) {
		u32 *node = &last[s->threads[s->sums[i].thread].comm];

		nr += *node != s->sums[i].node + 1;
		*node = s->sums[i].node + 1;
	}
	free(last);
	return nr;
}

static size_t most_rows(const struct stacks *s)
{
	size_t nodes = s->nr_nodes;

	return MAX(MAX(MAX(FEW_SUMS, nodes), MIN(nodes * SUMS_OF_NODE, MANY_SUMS)),
		   MIN(folded_lines(s) * SUMS_OF_LINE, MOST_SUMS));
}

/* Is that of a longer slice than the one before it? */
static bool same_row(const struct stacks_sum *a, const struct stacks_sum *b, int shift)
{
	return a->node == b->node && a->event == b->event && a->thread == b->thread &&
	       a->cpu == b->cpu && a->slice >> shift == b->slice >> shift;
}

/* By how much slices have to be lengthened, down to @least of them; @enough: then there are few
 * enough rows. */
static int choose_shift(const struct stacks_sum *v, const struct stacks *s, u32 least, bool *enough)
{
	size_t rows[MOST_SHIFT + 1] = { 0 }, most = most_rows(s);
	int shift = 0;

	for (size_t i = 0; i < s->nr_sums; i++)
		for (int k = 0; k <= MOST_SHIFT; k++) {
			if (i && same_row(&v[i - 1], &v[i], k))
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

/* The sums with other threads, and so in another order within each node. The caller frees. */
static struct stacks_sum *sums_of_threads(const struct stacks *s, const u32 *now)
{
	struct stacks_sum *v = xcalloc(s->nr_sums + 1, sizeof(*v));

	for (size_t i = 0; i < s->nr_sums; i++) {
		v[i] = s->sums[i];
		v[i].thread = now[v[i].thread];
	}
	for (size_t i = 0, end; i < s->nr_sums; i = end) {
		for (end = i + 1;
		     end < s->nr_sums && v[end].node == v[i].node && v[end].event == v[i].event;)
			end++;
		qsort(v + i, end - i, sizeof(*v), by_thread);
	}
	return v;
}

/* Those on their own come first, then the others by their names, as they are met. Return: the sums
 * of these. */
static struct stacks_sum *put_together(struct page_rows *r, const struct stacks *s)
{
	bool *own = choose_threads(s);
	u32 *now = xcalloc(s->nr_threads, sizeof(*now));
	struct map64 names = { 0 };
	struct stacks_sum *v;

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
	v = sums_of_threads(s, now);
	map64_release(&names);
	free(own);
	free(now);
	return v;
}

/* ---- rows ---- */

/* There may be many more sums than rows: no more is kept than these. */
static void make_rows(struct page_rows *r, const struct stacks_sum *v, size_t nr)
{
	size_t rows = 0;

	for (size_t i = 0; i < nr; i++)
		rows += !i || !same_row(&v[i - 1], &v[i], r->shift);
	r->v = xcalloc(rows + 1, sizeof(*r->v));
	for (size_t i = 0; i < nr; i++) {
		if (i && same_row(&v[i - 1], &v[i], r->shift)) {
			r->v[r->nr - 1].samples += v[i].samples;
			r->v[r->nr - 1].period += v[i].period;
			continue;
		}
		r->v[r->nr] = v[i];
		r->v[r->nr++].slice = v[i].slice >> r->shift;
	}
}

void page_rows_init(struct page_rows *r, const struct stacks *s)
{
	struct stacks_sum *together = NULL;
	bool enough;

	*r = (struct page_rows){ .nr_threads = s->nr_threads };
	r->threads = xcalloc((size_t)s->nr_threads + 1, sizeof(*r->threads));
	if (s->nr_threads)
		memcpy(r->threads, s->threads, s->nr_threads * sizeof(*r->threads));
	r->shift = choose_shift(s->sums, s, FEW_SLICES, &enough);
	if (!enough && s->nr_threads > MOST_THREADS)
		together = put_together(r, s);
	if (!enough)
		r->shift = choose_shift(together ? together : s->sums, s, 1, &enough);
	make_rows(r, together ? together : s->sums, s->nr_sums);
	free(together);
}

void page_rows_release(struct page_rows *r)
{
	free(r->v);
	free(r->threads);
}
