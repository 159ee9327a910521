// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs of records give the same order as references that are sorted, whatever stands in them. */
#include "base/compat.h"

#include "base/alloc.h"
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

/* Both pass on what is up to @limit. */
static void compare(struct runs *runs, struct refs *refs, u64 limit)
{
	struct ref r;
	size_t i;

	refs_sort(refs);
	for (i = 0; i < refs->nr && refs->v[i].key <= limit; i++) {
		assert_true(runs_next(runs, limit, &r));
		assert_int_equal(r.key, refs->v[i].key);
		assert_ptr_equal(r.rec, refs->v[i].rec);
	}
	assert_false(runs_next(runs, limit, &r));
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
		runs_add(&runs, key, p);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_long_runs),
		cmocka_unit_test(test_short_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
