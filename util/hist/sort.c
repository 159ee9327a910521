// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * parallel_sort() cuts the array into equal parts, sorts them, and merges neighbours. sort_ids() is
 * a radix sort, which orders ids by one byte of their numbers after the other. For many ids it is
 * several times as fast.
 */
#include "hist/sort.h"

#include "base/alloc.h"
#include "base/pool.h"

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

#define DIGIT 8  /* bits */
#define FEW 24   /* so few ids are sorted by insertion */
#define JOB 2048 /* ids that are worth a job of a thread */
#define ASK 8    /* distance in ids of prefetching */

/* An id and the number by which it is sorted. There are many of these, so they have no padding. */
struct keyed {
	u64 key;
	u32 id;
} __attribute__((packed, aligned(4)));

/* The ids at [@from, @to), which are equal at all earlier levels. */
struct range {
	size_t from, to;
	u32 level;
	bool keyed; /* the numbers of that level have been read */
};

struct id_sort {
	const struct id_order *by;
	struct keyed *v;
	struct crew *crew;
	size_t large; /* the size from which a range is shared among threads */
	struct range
		*jobs; /* owned; ranges left for the threads; NULL: everything is done at once */
	size_t nr_jobs, cap_jobs;
};

static int tied_cmp(const void *pa, const void *pb, void *ctx)
{
	const struct keyed *a = pa, *b = pb;
	const struct id_order *by = ctx;
	u32 ia = a->id, ib = b->id;

	return by->cmp(&ia, &ib, by->ctx);
}

/* Sort ids that no number distinguishes. */
static void sort_tied(const struct id_sort *s, const struct range *r)
{
	if (!s->by->cmp)
		return;
	qsort_r(s->v + r->from, r->to - r->from, sizeof(*s->v), tied_cmp, (void *)s->by);
	for (size_t i = r->from + 1; i < r->to; i++)
		s->v[i].id |= SORTED_TIE;
}

struct key_job {
	const struct id_sort *s;
	const struct range *r;
};

static void bring_block(void *ctx, int worker, size_t block)
{
	const struct key_job *j = ctx;
	const struct id_order *by = j->s->by;
	size_t i = j->r->from + block * JOB, end = MIN(i + JOB, j->r->to);
	struct keyed *v = j->s->v;

	for (; i < end; i++) {
		if (by->ask && i + 2 * ASK < end) {
			by->ask(by->ctx, v[i + 2 * ASK].id, 0);
			by->ask(by->ctx, v[i + ASK].id, 1);
		}
		v[i].key = by->key(by->ctx, v[i].id, j->r->level);
	}
}

static void bring_keys(const struct id_sort *s, struct range *r)
{
	size_t blocks = (r->to - r->from + JOB - 1) / JOB;
	struct key_job j = { s, r };

	if (!r->keyed && s->jobs && blocks > 4)
		crew_run(s->crew, blocks, bring_block, &j);
	else if (!r->keyed)
		for (size_t i = 0; i < blocks; i++)
			bring_block(&j, 0, i);
	r->keyed = true;
}

static void sort_range(struct id_sort *s, struct range r);

static void sort_few(struct id_sort *s, const struct range *r)
{
	struct keyed *v = s->v;
	size_t i, end;

	for (i = r->from + 1; i < r->to; i++) {
		struct keyed one = v[i];
		size_t k = i;

		for (; k > r->from && v[k - 1].key > one.key; k--)
			v[k] = v[k - 1];
		v[k] = one;
	}
	for (i = r->from; i < r->to; i = end) {
		for (end = i + 1; end < r->to && v[end].key == v[i].key;)
			end++;
		if (end - i > 1)
			sort_range(s, (struct range){ i, end, r->level + 1, false });
	}
}

/* Return the bits in which their numbers differ. */
static u64 bits_that_differ(const struct id_sort *s, const struct range *r)
{
	u64 all = s->v[r->from].key, any = all;

	for (size_t i = r->from + 1; i < r->to; i++) {
		all &= s->v[i].key;
		any |= s->v[i].key;
	}
	return all ^ any;
}

/*
 * Sort by one digit in place, which takes no memory. @end: receives the end of each value of the
 * digit
 */
static void sort_digit(const struct id_sort *s, const struct range *r, u32 shift,
		       size_t end[1 << DIGIT])
{
	size_t next[1 << DIGIT] = { 0 }, sum = r->from;
	u32 mask = (1 << DIGIT) - 1;

	for (size_t i = r->from; i < r->to; i++)
		next[s->v[i].key >> shift & mask]++;
	for (u32 d = 0; d <= mask; d++) {
		size_t nr = next[d];

		next[d] = sum;
		end[d] = sum += nr;
	}
	for (u32 d = 0; d <= mask; d++) {
		while (next[d] < end[d]) {
			struct keyed one = s->v[next[d]];
			u32 to = one.key >> shift & mask;

			/*
			 * Each id goes to the place from which the next one is taken, until one
			 * belongs here.
			 */
			while (to != d) {
				SWAP(one, s->v[next[to]]);
				next[to]++;
				to = one.key >> shift & mask;
			}
			s->v[next[d]++] = one;
		}
	}
}

static void sort_or_leave(struct id_sort *s, struct range r)
{
	size_t nr = r.to - r.from;

	if (!s->jobs || nr <= FEW || nr > s->large) {
		sort_range(s, r);
		return;
	}
	VEC_GROW(s->jobs, s->nr_jobs + 1, s->cap_jobs);
	s->jobs[s->nr_jobs++] = r;
}

static void sort_range(struct id_sort *s, struct range r)
{
	size_t end[1 << DIGIT], at = r.from;
	u64 differ = 0;
	u32 top;

	for (; r.level < s->by->levels; r.level++) {
		bring_keys(s, &r);
		if (r.to - r.from <= FEW) {
			sort_few(s, &r);
			return;
		}
		differ = bits_that_differ(s, &r);
		if (differ)
			break;
		r.keyed = false;
	}
	if (!differ) {
		sort_tied(s, &r);
		return;
	}
	top = 64 - (u32)__builtin_clzll(differ);
	sort_digit(s, &r, top > DIGIT ? top - DIGIT : 0, end);
	for (u32 d = 0; d < 1 << DIGIT; at = end[d++])
		if (end[d] - at > 1)
			sort_or_leave(s, (struct range){ at, end[d], r.level, true });
}

/* The largest ranges come first, so that none is left for one thread at the end. */
static int job_cmp(const void *pa, const void *pb)
{
	const struct range *a = pa, *b = pb;
	size_t na = a->to - a->from, nb = b->to - b->from;

	return na > nb ? -1 : na < nb;
}

static void run_job(void *ctx, int worker, size_t i)
{
	const struct id_sort *s = ctx;
	struct id_sort own = { .by = s->by, .v = s->v };

	(void)worker;
	sort_range(&own, s->jobs[i]);
}

u32 *sort_ids(const u32 *ids, size_t nr, const struct id_order *by, struct crew *crew)
{
	struct id_sort s = { .by = by, .v = xmalloc((nr + 1) * sizeof(*s.v)), .crew = crew };
	size_t workers = (size_t)crew_workers(crew);
	u8 *sorted = (u8 *)s.v; /* the writing position is never beyond the reading position */
	size_t i;

	for (i = 0; i < nr; i++)
		s.v[i].id = ids ? ids[i] : (u32)i;
	if (workers > 1 && nr > JOB * 4)
		VEC_GROW(s.jobs, 64, s.cap_jobs);
	s.large = MAX(nr / (workers * 4), (size_t)JOB * 2);
	if (nr > 1)
		sort_range(&s, (struct range){ .to = nr });
	if (s.nr_jobs)
		qsort(s.jobs, s.nr_jobs, sizeof(*s.jobs), job_cmp);
	crew_run(crew, s.nr_jobs, run_job, &s);
	free(s.jobs);
	for (i = 0; i < nr; i++) {
		u32 id = s.v[i].id;

		memcpy(sorted + i * sizeof(id), &id, sizeof(id));
	}
	return xrealloc(sorted, nr + 1, sizeof(u32));
}
