// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Limits the size of a page in relation to its names and stacks. What multiplies these is reduced
 * step by step: slices of time become longer, threads with few samples are merged by name, and
 * slices become longer still.
 */
#include "base/compat.h"

#include "export/page-rows.h"

#include "base/alloc.h"
#include "base/hash.h"

#define FEW_SUMS ((size_t)1 << 15)
#define MANY_SUMS ((size_t)1 << 18)
#define MOST_SUMS ((size_t)1 << 20)
#define SUMS_OF_NODE 4   /* the sums for each node, unless that makes too many */
#define SUMS_OF_LINE 4   /* or for each line of folded stacks, which is much longer */
#define FEW_SLICES 64    /* the first step ends at this number of slices */
#define MOST_THREADS 128 /* the number of threads that are not merged */
#define MOST_SHIFT 16

/* ---- all sums, with the threads that they have now ---- */

static int by_thread(const void *pa, const void *pb)
{
	const struct stacks_sum *a = pa, *b = pb;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return a->slice < b->slice ? -1 : a->slice > b->slice;
}

/* Read the sums of the next node, whose threads have changed, and sort them again. */
static void next_group(struct page_rows_walk *w)
{
	w->at = w->nr = 0;
	while (w->more && (!w->nr || (w->group[0].node == w->next.node &&
				      w->group[0].event == w->next.event))) {
		VEC_GROW(w->group, w->nr + 1, w->cap);
		w->next.thread = w->r->now[w->next.thread];
		w->group[w->nr++] = w->next;
		w->more = stacks_sums_next(&w->walk, &w->next);
	}
	if (w->nr > 1)
		qsort(w->group, w->nr, sizeof(*w->group), by_thread);
}

static void walk_all(const struct page_rows *r, struct page_rows_walk *w)
{
	*w = (struct page_rows_walk){ .r = r };
	stacks_sums_walk(&w->walk, r->packed);
	if (r->now)
		w->more = stacks_sums_next(&w->walk, &w->next);
}

static inline bool next_sum(struct page_rows_walk *w, struct stacks_sum *sum)
{
	if (!w->r->now)
		return stacks_sums_next(&w->walk, sum);
	if (w->at == w->nr)
		next_group(w);
	if (w->at == w->nr)
		return false;
	*sum = w->group[w->at++];
	return true;
}

/* ---- how many ---- */

/* The number of sums for each choice. */
struct measure {
	size_t rows[MOST_SHIFT + 1]; /* with slices that are longer by that power of two */
	size_t lines;                /* stacks that differ by more than the numbers of threads */
};

static bool same_place(const struct stacks_sum *a, const struct stacks_sum *b)
{
	return a->node == b->node && a->event == b->event && a->thread == b->thread &&
	       a->cpu == b->cpu;
}

/* Return the power of two by which slices have to be longer for two to become the same. */
static unsigned int apart(u32 a, u32 b)
{
	return a == b ? 0 : 32 - (unsigned int)__builtin_clz(a ^ b);
}

static void measure(const struct page_rows *r, struct measure *m)
{
	u32 *last_node = xcalloc(r->s->texts.nr + 1, sizeof(u32)); /* by comm: node + 1 */
	struct page_rows_walk w;
	struct stacks_sum last = { 0 }, sum;
	bool first = true;

	*m = (struct measure){ 0 };
	walk_all(r, &w);
	for (; next_sum(&w, &sum); last = sum, first = false) {
		u32 *node = &last_node[r->threads[sum.thread].comm];
		unsigned int most = !first && same_place(&last, &sum) ? apart(last.slice, sum.slice)
								      : MOST_SHIFT + 1;

		if (most)
			m->rows[MIN(most, MOST_SHIFT + 1U) -
				1]++; /* counted for this and shorter slices */
		m->lines += *node != sum.node + 1;
		*node = sum.node + 1;
	}
	for (int k = MOST_SHIFT; k-- > 0;)
		m->rows[k] += m->rows[k + 1];
	page_rows_end(&w);
	free(last_node);
}

static size_t most_rows(const struct stacks *s, size_t lines)
{
	size_t nodes = s->nr_nodes;

	return MAX(MAX(MAX(FEW_SUMS, nodes), MIN(nodes * SUMS_OF_NODE, MANY_SUMS)),
		   MIN(lines * SUMS_OF_LINE, MOST_SUMS));
}

/* Lengthen slices until @least are left. Return: whether the number of rows is low enough. */
static bool choose_shift(struct page_rows *r, u32 least)
{
	struct measure m;

	measure(r, &m);
	if (!r->most)
		r->most = most_rows(r->s, m.lines);
	r->shift = 0;
	while (r->shift < MOST_SHIFT && m.rows[r->shift] > r->most &&
	       r->s->nr_slices >> r->shift > least)
		r->shift++;
	r->nr = m.rows[r->shift];
	return r->nr <= r->most;
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

/* Select the threads that are not merged. The caller frees the result. */
static bool *choose_threads(const struct page_rows *r)
{
	u32 nr = r->s->nr_threads;
	struct busy *b = xcalloc(nr, sizeof(*b));
	bool *own = xcalloc(nr, sizeof(*own));
	struct page_rows_walk w;
	struct stacks_sum sum;

	for (u32 i = 0; i < nr; i++)
		b[i].thread = i;
	walk_all(r, &w);
	while (next_sum(&w, &sum))
		b[sum.thread].samples += sum.samples;
	page_rows_end(&w);
	qsort(b, nr, sizeof(*b), busier);
	for (u32 i = 0; i < MIN(nr, (u32)MOST_THREADS); i++)
		own[b[i].thread] = true;
	free(b);
	return own;
}

/* Number the separate threads first, and then the others by name, in order of appearance. */
static void put_together(struct page_rows *r)
{
	const struct stacks *s = r->s;
	bool *own = choose_threads(r);
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
	r->now = now;
	map64_release(&names);
	free(own);
}

/* ---- rows ---- */

void page_rows_walk(const struct page_rows *r, struct page_rows_walk *w)
{
	walk_all(r, w);
	w->left = next_sum(w, &w->row);
}

bool page_rows_next(struct page_rows_walk *w, struct stacks_sum *row)
{
	int shift = w->r->shift;

	if (!w->left)
		return false;
	*row = w->row;
	row->slice >>= shift;
	while ((w->left = next_sum(w, &w->row)) && same_place(row, &w->row) &&
	       w->row.slice >> shift == row->slice) {
		row->samples += w->row.samples;
		row->period += w->row.period;
	}
	return true;
}

void page_rows_end(struct page_rows_walk *w)
{
	free(w->group);
}

void page_rows_init(struct page_rows *r, const struct stacks *s, const struct stacks_packed *packed)
{
	bool enough;

	*r = (struct page_rows){ .s = s, .nr_threads = s->nr_threads, .packed = packed };
	r->threads = xcalloc((size_t)s->nr_threads + 1, sizeof(*r->threads));
	if (s->nr_threads)
		memcpy(r->threads, s->threads, s->nr_threads * sizeof(*r->threads));
	enough = choose_shift(r, FEW_SLICES);
	if (!enough && s->nr_threads > MOST_THREADS)
		put_together(r);
	if (!enough)
		choose_shift(r, 1);
}

void page_rows_release(struct page_rows *r)
{
	free(r->threads);
	free(r->now);
}
