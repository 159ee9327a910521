// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs of records give the same order as references that are sorted, whatever stands in them. */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "session/session-internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define NR 5000
#define MAX_SIZE 48 /* and the gap before it */
#define OFF_TIME 16

static u64 seed;

static u32 any(u32 below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(seed >> 33) % below;
}

/* A record at @p with its key; one in @odd is no sample, or too short for a time. */
static u32 put(u8 *p, u64 key, u32 odd)
{
	u32 kind = odd ? any(odd) : 2;
	u32 type = kind == 0 ? PERF_RECORD_COMM : PERF_RECORD_SAMPLE;
	u16 size = kind == 1 ? 16 : (u16)(24 + 8 * any(3));

	memset(p, 0, size);
	memcpy(p, &type, sizeof(type));
	memcpy(p + 6, &size, sizeof(size));
	if (size >= OFF_TIME + 8)
		memcpy(p + OFF_TIME, &key, sizeof(key));
	return size;
}

/* Remove the next records of the first run as far as they come before all others: @most at once.
 * Return: their number. */
static size_t take_run(struct runs *runs, u64 limit, u32 most, struct ref *out)
{
	const struct run *first = runs_first(runs, limit);
	u64 others;
	u32 nr = 0;

	if (!first)
		return 0;
	others = runs_others(runs);
	out[0] = (struct ref){ first->key, first->rec };
	for (;;) {
		const u8 *next = out[nr].rec + rec_size(out[nr].rec);
		u64 key = ++nr < first->nr ? runs_key(runs, next) : 0;

		if (nr == first->nr || nr == most || key >= others || key > limit) {
			runs_step(runs, nr, next, key);
			return nr;
		}
		out[nr] = (struct ref){ key, next };
	}
}

#define MOST 7 /* records that are taken at once */

/* Both pass on what is up to @limit. */
static void compare(struct runs *runs, struct refs *refs, u64 limit)
{
	struct ref r[MOST];
	size_t i = 0, nr;

	refs_sort(refs, NULL);
	while ((nr = take_run(runs, limit, 1 + any(MOST), r))) {
		for (size_t k = 0; k < nr; k++, i++) {
			assert_true(i < refs->nr && refs->v[i].key <= limit);
			assert_int_equal(r[k].key, refs->v[i].key);
			assert_ptr_equal(r[k].rec, refs->v[i].rec);
		}
	}
	assert_true(i == refs->nr || refs->v[i].key > limit);
	refs_drop(refs, i);
	assert_int_equal(runs->nr, refs->nr);
}

/* Runs of up to @length records, times that are the same now and then, gaps between records. */
static void check(u32 length, u32 odd)
{
	u8 *bytes = xcalloc(NR, MAX_SIZE), *p = bytes;
	struct runs runs = { .off_time = OFF_TIME };
	struct refs refs = { 0 };
	u64 key = 1000;
	u32 size;

	for (u32 i = 0; i < NR; i++) {
		key = any(length) ? key + any(3) : 1000 + i - any(100);
		if (!any(50))
			p += 8;
		size = put(p, key, odd);
		runs_add(&runs, key, p, p);
		refs_add(&refs, key, p);
		p += size;
		if (!any(400))
			compare(&runs, &refs, key - any(200));
	}
	compare(&runs, &refs, UINT64_MAX);
	assert_int_equal(runs.nr, 0);
	runs_release(&runs);
	refs_release(&refs);
	free(bytes);
}

static void test_long_runs(void **state)
{
	(void)state;
	check(300, 0);
	check(300, 30);
}

static void test_short_runs(void **state)
{
	(void)state;
	check(2, 0);
	check(3, 5);
	check(1, 0); /* no two in order but by chance */
}

/* Sorted by several threads: by key, and of equal keys what was added first comes first. */
static void test_threads(void **state)
{
	static const u32 lengths[] = { 1, 2, 300, 20000, 100000 };
	static u8 bytes[100000];

	(void)state;
	for (int workers = 1; workers < 4; workers++) {
		struct crew *crew = crew_new(workers);

		for (size_t l = 0; l < ARRAY_SIZE(lengths); l++) {
			struct refs refs = { 0 };
			u64 key = 0;

			refs_expect(&refs, sizeof(bytes) / 2);
			for (size_t i = 0; i < sizeof(bytes); i++) {
				key = any(lengths[l]) ? key + any(2) : any(1000);
				refs_add(&refs, key, bytes + i);
			}
			refs_sort(&refs, crew);
			assert_int_equal(refs.nr, sizeof(bytes));
			for (size_t i = 1; i < refs.nr; i++) {
				const struct ref *a = &refs.v[i - 1], *b = &refs.v[i];

				assert_true(a->key < b->key ||
					    (a->key == b->key && a->rec < b->rec));
			}
			refs_release(&refs);
		}
		crew_free(crew);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_long_runs),
		cmocka_unit_test(test_short_runs),
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
