// SPDX-License-Identifier: GPL-2.0-or-later
/* Ids sorted by numbers stand as those sorted by a comparison; and what a worker remembers of
 * addresses is what was put there, or nothing. */
#include "base/compat.h"

#include "hist/hist-internal.h"

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

/* The number of an address, as good as any. */
static u32 number(const struct known_key *k)
{
	return (u32)(k->ip * 31 + k->epoch * 7 + k->mode) & 0xfffffff;
}

static void remembered(void **state)
{
	struct known_table t;
	u32 found = 0;

	(void)state;
	known_init(&t, 1, true); /* the smallest: sets are full soon */
	for (int i = 0; i < 100000; i++) {
		u32 epoch = (u32)any(3);
		u8 mode = (u8)any(3);
		u64 ip = any(any(4) ? 50 : 5000), more = 0;
		struct known_key k = known_key(ip, epoch, mode, 0);
		u32 id = known_find(&t, &k, &more);

		if (id == UINT32_MAX) {
			known_put(&t, &k, number(&k), ip << 8 | mode);
			continue;
		}
		found++;
		assert_int_equal(id, number(&k));
		assert_int_equal(more, ip << 8 | mode);
	}
	/* Three of four are among 450 for 128 places; what is seen once does not push them out. */
	assert_true(found > 10000);
	known_release(&t);
}

/* Numbers and modes that a slot has no room for are not remembered, and do no harm. */
static void too_large(void **state)
{
	struct known_table t;
	struct known_key user = known_key(0, 0, 2, 0), other = known_key(0, 0, RESOLVE_ANY_MODE, 0),
			 none = known_key(0, 0, 0, 0);
	u64 more;

	(void)state;
	known_init(&t, 0, false);
	assert_int_equal(known_find(&t, &none, &more), UINT32_MAX);
	known_put(&t, &user, UINT32_MAX >> 3, 0);
	assert_int_equal(known_find(&t, &user, &more), UINT32_MAX);
	known_put(&t, &other, 5, 0);
	assert_int_equal(known_find(&t, &other, &more), UINT32_MAX);
	known_put(&t, &user, (UINT32_MAX >> 3) - 1, 0);
	assert_int_equal(known_find(&t, &user, &more), (UINT32_MAX >> 3) - 1);
	known_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorted),
		cmocka_unit_test(remembered),
		cmocka_unit_test(too_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
