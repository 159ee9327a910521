// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the reading of ring pages that are made here, in both byte orders, whole and cut. */
#include "base/compat.h"

#include "ftracepages/merge.h"
#include "tests/unit/ftracepages/ring-page.h"

#include <setjmp.h>
#include <stdlib.h>
#include <cmocka.h>

#define HERE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static struct fpage_layout layout_of(bool big)
{
	struct fpage_layout l;

	assert_int_equal(fpage_layout_parse(&l, ring_page_header, big, NULL), 0);
	assert_int_equal(l.page_size, RING_PAGE);
	return l;
}

static void all_kinds(bool big)
{
	const struct fpage_layout l = layout_of(big);
	struct ring_page b;
	struct fpage p;
	struct fpage_event ev;

	ring_page_begin(&b, big, 1000);
	ring_page_event(&b, 2, 5); /* two words */
	ring_page_word(&b, 11);
	ring_page_word(&b, 12);
	ring_page_event(&b, 30, 3); /* a long time */
	ring_page_word(&b, 1);
	ring_page_event(&b, 0, 7); /* a length of its own: five bytes */
	ring_page_word(&b, 9);
	ring_page_word(&b, 13);
	ring_page_word(&b, 14);
	ring_page_event(&b, 29, 1); /* an event that was discarded */
	ring_page_word(&b, 8);
	ring_page_word(&b, 0);
	ring_page_event(&b, 31, 100); /* an absolute time */
	ring_page_word(&b, 64);
	ring_page_event(&b, 1, 2);
	ring_page_word(&b, 15);
	ring_page_event(&b, 29, 0); /* the rest is padding */
	ring_page_word(&b, 77);
	ring_page_end(&b, 0);
	assert_int_equal(fpage_open(&p, &l, b.bytes, RING_PAGE), 0);
	assert_true(fpage_next(&p, &ev));
	assert_int_equal(ev.time, 1005);
	assert_int_equal(ev.size, 8);
	assert_true(fpage_next(&p, &ev));
	assert_int_equal(ev.time, 1005 + 3 + (1 << 27) + 7);
	assert_int_equal(ev.size, 5);
	assert_true(fpage_next(&p, &ev));
	assert_int_equal(ev.time, 100 + (64ull << 27) + 2);
	assert_int_equal(ev.size, 4);
	assert_false(fpage_next(&p, &ev));
	assert_false(p.bad);
	assert_false(p.lost);
	/* However much of the page there is, nothing behind it is read. */
	for (size_t used = 0; used < b.used - 16; used++) {
		u8 *copy = malloc(16 + used);

		ring_page_put(&b, 8, used, 8);
		memcpy(copy, b.bytes, 16 + used);
		assert_int_equal(fpage_open(&p, &l, copy, 16 + used), 0);
		while (fpage_next(&p, &ev))
			assert_true(ev.data + ev.size <= copy + 16 + used);
		free(copy);
	}
}

static void test_kinds(void **state)
{
	all_kinds(false);
	all_kinds(true);
}

static void test_lost(void **state)
{
	const struct fpage_layout l = layout_of(HERE);
	struct ring_page b;
	struct fpage p;

	ring_page_begin(&b, HERE, 1);
	ring_page_event(&b, 1, 0);
	ring_page_word(&b, 1);
	ring_page_put(&b, b.used, 42, 8);
	ring_page_end(&b, 0xc0000000);
	assert_int_equal(fpage_open(&p, &l, b.bytes, RING_PAGE), 0);
	assert_true(p.lost);
	assert_int_equal(p.nr_lost, 42);
	ring_page_end(&b, 0x80000000);
	assert_int_equal(fpage_open(&p, &l, b.bytes, RING_PAGE), 0);
	assert_true(p.lost);
	assert_int_equal(p.nr_lost, 0);
}

static void test_damaged(void **state)
{
	const struct fpage_layout l = layout_of(HERE);
	struct fpage_layout other;
	struct ring_page b;
	struct fpage p;
	struct fpage_event ev;

	ring_page_begin(&b, HERE, 1);
	ring_page_put(&b, 8, 241, 8); /* more than there is */
	assert_true(fpage_open(&p, &l, b.bytes, RING_PAGE) < 0);
	assert_true(fpage_open(&p, &l, b.bytes, 15) < 0);
	for (u32 length = 0; length < 4; length++) {
		ring_page_begin(&b, HERE, 1);
		ring_page_event(&b, 0, 1);
		ring_page_word(&b, length);
		ring_page_end(&b, 0);
		assert_int_equal(fpage_open(&p, &l, b.bytes, RING_PAGE), 0);
		assert_false(fpage_next(&p, &ev));
		assert_true(p.bad);
	}
	ring_page_begin(&b, HERE, 1);
	ring_page_event(&b, 0, 1);
	ring_page_word(&b, 0xffffffff);
	ring_page_end(&b, 0);
	assert_int_equal(fpage_open(&p, &l, b.bytes, RING_PAGE), 0);
	assert_false(fpage_next(&p, &ev));
	assert_true(p.bad);
	assert_true(fpage_layout_parse(&other, "", HERE, NULL) < 0);
	assert_true(fpage_layout_parse(&other, "field: u64 timestamp; offset:0; size:4;", HERE,
				       NULL) < 0);
}

/* A page of one event for each time. */
static void page_of(struct ring_page *b, const u32 *times, size_t nr)
{
	ring_page_begin(b, HERE, times[0]);
	for (size_t i = 0; i < nr; i++) {
		ring_page_event(b, 1, i ? times[i] - times[i - 1] : 0);
		ring_page_word(b, times[i]);
	}
	ring_page_end(b, 0);
}

static void test_order(void **state)
{
	static const u32 a[] = { 10, 20, 50 }, c[] = { 15, 16, 60 }, later[] = { 70, 80 };
	const struct fpage_layout l = layout_of(HERE);
	static const u32 want[] = { 10, 15, 16, 20, 50, 60, 70, 80 };
	struct fmerge *m = fmerge_new(&l, 3, NULL, NULL);
	struct fmerge_event ev;
	struct fpage_event next;
	struct ring_page b;
	u32 v;
	size_t i = 0;

	page_of(&b, a, 3);
	fmerge_put(m, 0, b.bytes, RING_PAGE);
	page_of(&b, c, 3);
	fmerge_put(m, 2, b.bytes, RING_PAGE);
	fmerge_put(m, 3, b.bytes, RING_PAGE); /* there is no such CPU */
	for (; i < 4; i++) {
		assert_true(fmerge_next(m, 49, &ev));
		assert_int_equal(ev.ev.time, want[i]);
		memcpy(&v, ev.ev.data, 4);
		assert_int_equal(v, want[i]);
		assert_int_equal(ev.cpu, want[i] % 10 > 4 ? 2 : 0);
	}
	assert_false(fmerge_next(m, 49, &ev));
	page_of(&b, later, 2);
	fmerge_put(m, 0, b.bytes, RING_PAGE);
	for (; i < 8; i++) {
		assert_true(fmerge_next(m, 100, &ev));
		memcpy(&v, ev.ev.data, 4);
		assert_int_equal(v, want[i]);
	}
	assert_false(fmerge_next(m, ~0ull, &ev));
	/* Many pages through one queue, of which some are always left. */
	for (u32 k = 1; k < 500; k++) {
		const u32 two[] = { k * 100, k * 100 + 50 };

		page_of(&b, two, 2);
		fmerge_put(m, 1, b.bytes, RING_PAGE);
		if (k == 1)
			continue;
		assert_true(fmerge_next(m, ~0ull, &ev));
		memcpy(&v, ev.ev.data, 4);
		assert_int_equal(v, (k - 1) * 100);
		assert_true(fmerge_peek(m, 1, &next));
		memcpy(&v, next.data, 4);
		assert_int_equal(v, (k - 1) * 100 + 50);
		fmerge_skip(m, 1);
	}
	assert_int_equal(fmerge_newest(m), 49900);
	assert_int_equal(fmerge_bad(m), 0);
	fmerge_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
