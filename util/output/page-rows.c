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

/* The sums of a tree, or the same of threads that were put together: there may be so many of them
 * that another copy would be most of the memory. */
struct view {
	const struct stacks *s;
	u32 *now;   /* by thread: its number; NULL: its own */
	u32 *order; /* of the sums, with the threads of now; NULL: their own */
};

static struct stacks_sum sum_at(const struct view *v, size_t i)
{
	struct stacks_sum sum = v->s->sums[v->order ? v->order[i] : i];

	sum.thread = v->now ? v->now[sum.thread] : sum.thread;
	return sum;
}

/* Is that of a longer slice than the one before it? */
static bool same_row(const struct stacks_sum *a, const struct stacks_sum *b, int shift)
{
	return a->node == b->node && a->event == b->event && a->thread == b->thread &&
	       a->cpu == b->cpu && a->slice >> shift == b->slice >> shift;
}

/* By how much slices have to be lengthened, down to @least of them; @enough: then there are few
 * enough rows. */
static int choose_shift(const struct view *v, u32 least, bool *enough)
{
	const struct stacks *s = v->s;
	size_t rows[MOST_SHIFT + 1] = { 0 }, most = most_rows(s);
	struct stacks_sum last = { 0 };
	int shift = 0;

	for (size_t i = 0; i < s->nr_sums; i++) {
		struct stacks_sum sum = sum_at(v, i);

		for (int k = 0; k <= MOST_SHIFT; k++) {
			if (i && same_row(&last, &sum, k))
				break; /* nor for longer ones */
			rows[k]++;
		}
		last = sum;
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

static int by_thread(const void *pa, const void *pb, void *ctx)
{
	const struct view *v = ctx;
	const struct stacks_sum *a = &v->s->sums[*(const u32 *)pa];
	const struct stacks_sum *b = &v->s->sums[*(const u32 *)pb];
	u32 at = v->now[a->thread], bt = v->now[b->thread];

	if (at != bt)
		return at < bt ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return a->slice < b->slice ? -1 : a->slice > b->slice;
}

/* Threads have changed: put the sums of each node in order again. */
static void sort_sums(struct view *v)
{
	const struct stacks *s = v->s;
	const struct stacks_sum *sums = s->sums;

	v->order = xcalloc(s->nr_sums + 1, sizeof(*v->order));
	for (size_t i = 0; i < s->nr_sums; i++)
		v->order[i] = (u32)i;
	for (size_t i = 0, end; i < s->nr_sums; i = end) {
		for (end = i + 1; end < s->nr_sums && sums[end].node == sums[i].node &&
				  sums[end].event == sums[i].event;)
			end++;
		qsort_r(v->order + i, end - i, sizeof(*v->order), by_thread, v);
	}
}

/* Those on their own come first, then the others by their names, as they are met. */
static void put_together(struct page_rows *r, struct view *v)
{
	const struct stacks *s = v->s;
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
	v->now = now;
	sort_sums(v);
	map64_release(&names);
	free(own);
}

/* ---- rows ---- */

/* There may be many more sums than rows: no more is kept than these. */
static void make_rows(struct page_rows *r, const struct view *v)
{
	struct stacks_sum last = { 0 };
	size_t cap = 0;

	for (size_t i = 0; i < v->s->nr_sums; i++) {
		struct stacks_sum sum = sum_at(v, i);

		if (i && same_row(&last, &sum, r->shift)) {
			r->v[r->nr - 1].samples += sum.samples;
			r->v[r->nr - 1].period += sum.period;
			continue;
		}
		last = sum;
		VEC_GROW(r->v, r->nr + 1, cap);
		r->v[r->nr] = sum;
		r->v[r->nr++].slice = sum.slice >> r->shift;
	}
}

void page_rows_init(struct page_rows *r, const struct stacks *s)
{
	struct view v = { .s = s };
	bool enough;

	*r = (struct page_rows){ .nr_threads = s->nr_threads };
	r->threads = xcalloc((size_t)s->nr_threads + 1, sizeof(*r->threads));
	if (s->nr_threads)
		memcpy(r->threads, s->threads, s->nr_threads * sizeof(*r->threads));
	r->shift = choose_shift(&v, FEW_SLICES, &enough);
	if (!enough && s->nr_threads > MOST_THREADS)
		put_together(r, &v);
	if (!enough)
		r->shift = choose_shift(&v, 1, &enough);
	make_rows(r, &v);
	free(v.now);
	free(v.order);
}

void page_rows_release(struct page_rows *r)
{
	free(r->v);
	free(r->threads);
}
