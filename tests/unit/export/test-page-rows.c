// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the sums of a page: as they are where they are few, coarser where they would be many. */
#include "base/compat.h"

#include "export/page-rows.h"

#include <setjmp.h>
#include <cmocka.h>

#define SLICES 512u

/* Samples of some threads, each in all functions and slices; the first thread has most. */
static struct stacks *made(u32 threads, u32 functions, u32 slices)
{
	struct stacks_dims dims = {
		.comm = true, .process = true, .thread = true, .slices = SLICES
	};
	struct stacks_builder *b = stacks_builder_new(&dims);
	u32 event = stacks_builder_event(b, "cycles", 0);
	char name[32];

	for (u32 f = 0; f < functions; f++) {
		struct stacks_frame frame = { .symbol = true, .kind = FRAME_USER };
		u32 node;

		snprintf(name, sizeof(name), "f%u", f);
		frame.name = stacks_builder_text(b, name);
		node = stacks_builder_node(b, 0, stacks_builder_frame(b, &frame));
		for (u32 t = 0; t < threads; t++)
			for (u32 k = 0; k < slices; k++) {
				snprintf(name, sizeof(name), "t%u", t % 3);
				stacks_builder_sum(
					b, &(struct stacks_sum){ .event = event,
								 .node = node,
								 .thread = stacks_builder_thread(
									 b, 100 + t, 100 + t, name),
								 .slice = k * (SLICES / slices),
								 .samples = t ? 1 : 2,
								 .period = 10 });
			}
	}
	stacks_builder_time(b, 1000, 1000 + SLICES * 10, 1000, 10, SLICES);
	return stacks_builder_finish(b);
}

static void check_rows(const struct page_rows *r, const struct stacks *s)
{
	struct stacks_sum v, last = { 0 };
	u64 samples = 0, period = 0;
	struct page_rows_walk w;
	size_t nr = 0;

	page_rows_walk(r, &w);
	for (; page_rows_next(&w, &v); last = v) {
		samples += v.samples;
		period += v.period;
		assert_true(v.thread < r->nr_threads);
		assert_true(v.slice <= (SLICES - 1) >> r->shift);
		assert_true(!nr++ || last.node < v.node ||
			    (last.node == v.node &&
			     (last.thread < v.thread ||
			      (last.thread == v.thread && last.slice < v.slice))));
	}
	page_rows_end(&w);
	assert_int_equal(nr, r->nr);
	assert_int_equal(samples, s->events[0].samples);
	assert_int_equal(period, s->events[0].period);
}

static void few_stay_as_they_are(void **state)
{
	struct stacks *s = made(200, 2, 8);
	struct stacks_packed *k = stacks_pack(s);
	struct page_rows r;

	(void)state;
	page_rows_init(&r, s, k);
	check_rows(&r, s);
	assert_int_equal(r.nr, s->nr_sums);
	assert_int_equal(r.nr_threads, 200);
	assert_int_equal(r.together, 0);
	assert_int_equal(r.shift, 0);
	page_rows_release(&r);
	stacks_packed_free(k);
	stacks_free(s);
}

static void slices_become_longer_first(void **state)
{
	struct stacks *s = made(100, 4, 512);
	struct stacks_packed *k = stacks_pack(s);
	struct page_rows r;

	(void)state;
	page_rows_init(&r, s, k);
	check_rows(&r, s);
	assert_int_equal(r.nr_threads, 100);
	assert_int_equal(r.shift, 3); /* 64 of them: 25600 rows */
	page_rows_release(&r);
	stacks_packed_free(k);
	stacks_free(s);
}

static void small_threads_are_put_together(void **state)
{
	struct stacks *s = made(1000, 2, 64);
	struct stacks_packed *k = stacks_pack(s);
	struct page_rows r;

	(void)state;
	page_rows_init(&r, s, k);
	check_rows(&r, s);
	assert_int_equal(r.nr_threads, 128 + 3);
	assert_int_equal(r.together, 1000 - 128);
	assert_int_equal(r.threads[0].pid, 100);
	for (u32 i = 128; i < r.nr_threads; i++)
		assert_int_equal(r.threads[i].tid, THREADS_TOGETHER);
	assert_true(r.nr <= 32768);
	assert_int_equal(r.shift, 0); /* 131 threads, 64 slices with something, 2 functions */
	page_rows_release(&r);
	stacks_packed_free(k);
	stacks_free(s);
}

/* There are as many names as the lines of folded stacks allow, which have more bytes than a row. */
static void lines_of_many_names_have_more(void **state)
{
	struct stacks *s = made(3, 40000, 4);
	struct stacks_packed *k = stacks_pack(s);
	struct page_rows r;

	(void)state;
	page_rows_init(&r, s, k); /* 480 000, of 120 000 lines */
	check_rows(&r, s);
	assert_int_equal(r.nr, s->nr_sums);
	assert_int_equal(r.shift, 0);
	page_rows_release(&r);
	stacks_packed_free(k);
	stacks_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_stay_as_they_are),
		cmocka_unit_test(slices_become_longer_first),
		cmocka_unit_test(small_threads_are_put_together),
		cmocka_unit_test(lines_of_many_names_have_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
