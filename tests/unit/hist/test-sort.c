// SPDX-License-Identifier: GPL-2.0-or-later
/* Ids sorted by numbers stand as those sorted by a comparison. */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "hist/sort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define NR 20000
#define LEVELS 3

static u64 seed;

static u64 any(u64 below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 20) % below;
}

struct words {
	u64 v[NR][LEVELS + 1]; /* the last one is known to the comparison only */
};

static u64 key(const void *ctx, u32 id, u32 level)
{
	return ((const struct words *)ctx)->v[id][level];
}

static int cmp(const void *pa, const void *pb, void *ctx)
{
	const struct words *w = ctx;
	const u64 *a = w->v[*(const u32 *)pa], *b = w->v[*(const u32 *)pb];

	for (u32 i = 0; i <= LEVELS; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static void ask(const void *ctx, u32 id, int step)
{
	(void)ctx;
	assert_true(id < NR);
	assert_in_range(step, 0, 1);
}

/* Numbers below @below, at bit @shift; the first level has a few large ones among them. */
static void check(u32 nr, u64 below, u32 shift, int workers)
{
	struct words *w = xcalloc(1, sizeof(*w));
	struct id_order by = { .cmp = cmp, .key = key, .levels = LEVELS, .ask = ask, .ctx = w };
	static u32 ids[NR], seen[NR];
	struct crew *crew;
	u32 *sorted;

	memset(seen, 0, sizeof(seen));
	seed = nr + below + shift;
	for (u32 i = 0; i < nr; i++) {
		ids[i] = i;
		for (u32 k = 0; k <= LEVELS; k++)
			w->v[i][k] = any(below) << shift;
		if (any(20) == 0)
			w->v[i][0] = ~any(3);
	}
	crew = crew_new(workers);
	sorted = sort_ids(nr % 2 ? NULL : ids, nr, &by, crew);
	crew_free(crew);
	for (u32 i = 0, last = 0; i < nr; i++) {
		u32 id = sorted[i] & ~SORTED_TIE;

		assert_true(id < nr);
		assert_int_equal(seen[id]++, 0);
		if (i)
			assert_true(cmp(&last, &id, w) <= 0);
		/* Marked are those that no number tells apart, be it that the comparison does. */
		assert_int_equal(id != sorted[i],
				 i && !memcmp(w->v[last], w->v[id], LEVELS * sizeof(u64)));
		last = id;
	}
	free(sorted);
	free(w);
}

static void sorted(void **state)
{
	static const u32 sizes[] = { 0, 1, 2, 23, 24, 25, 100, 1000, 9000, 10000, NR };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		int workers = 1 + (int)i % 3;

		check(sizes[i], 1, 0, workers);
		check(sizes[i], 3, 0, workers);
		check(sizes[i], 3, 62, workers);
		check(sizes[i], 1000, 9, workers);
		check(sizes[i], 1ULL << 40, 10, workers);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
