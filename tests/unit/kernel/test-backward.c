// SPDX-License-Identifier: GPL-2.0-or-later
/* Test rings that are overwritten: made in memory as the kernel fills them, from the top down. */
#include "base/compat.h"
#include "kernel/ring.h"

#include "base/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

#define SIZE 4096

struct made {
	struct ring r;
	u8 *page;
};

static struct perf_event_mmap_page *control(struct made *m)
{
	return (void *)m->page;
}

static int setup(void **state)
{
	struct made *m = xzalloc(sizeof(*m));

	m->page = xzalloc((size_t)sysconf(_SC_PAGESIZE) + SIZE);
	m->r = (struct ring){ .base = m->page, .size = SIZE, .backward = true, .fd = -1 };
	*state = m;
	return 0;
}

static int teardown(void **state)
{
	struct made *m = *state;

	free(m->page);
	free(m);
	return 0;
}

/* A record of @size bytes, all of its words @nr. */
static void put(struct made *m, u16 size, u64 nr)
{
	u8 rec[512], *data = m->page + sysconf(_SC_PAGESIZE);
	struct perf_event_header h = { .type = PERF_RECORD_SAMPLE, .size = size };
	u64 head = control(m)->data_head - size;

	for (size_t i = 8; i < size; i += 8)
		memcpy(rec + i, &nr, 8);
	memcpy(rec, &h, sizeof(h));
	for (size_t i = 0; i < size; i++)
		data[(head + i) & (SIZE - 1)] = rec[i];
	control(m)->data_head = head;
}

/* The records of @sb are @first, @first + 1, ... @last, whole. */
static void check(const struct strbuf *sb, u64 first, u64 last)
{
	size_t at = 0;

	for (u64 nr = first; nr <= last; nr++) {
		const wire_header *h = (const void *)(sb->buf + at);

		assert_true(at + sizeof(*h) <= sb->len && at + h->size <= sb->len);
		for (size_t i = 8; i < h->size; i += 8)
			assert_int_equal(*(const u64_una *)(sb->buf + at + i), nr);
		at += h->size;
	}
	assert_int_equal(at, sb->len);
}

static void few(void **state)
{
	struct made *m = *state;
	struct strbuf sb = STRBUF_INIT;

	assert_int_equal(ring_read_backward(&m->r, &sb), 0);
	for (u64 i = 1; i <= 5; i++)
		put(m, (u16)(16 + i * 8), i);
	assert_int_equal(ring_read_backward(&m->r, &sb), 5);
	check(&sb, 1, 5);
	/* what was read does not come again */
	assert_int_equal(ring_read_backward(&m->r, &sb), 0);
	strbuf_reset(&sb);
	put(m, 64, 6);
	put(m, 16, 7);
	assert_int_equal(ring_read_backward(&m->r, &sb), 2);
	check(&sb, 6, 7);
	strbuf_release(&sb);
}

static void around(void **state)
{
	struct made *m = *state;

	/* records of changing sizes, so that the end of the ring cuts them at all places */
	for (u64 n = 1; n < 400; n += 7) {
		struct strbuf sb = STRBUF_INIT;
		u64 bytes = 0, first = n, i;
		size_t got;

		memset(m->page, 0, (size_t)sysconf(_SC_PAGESIZE) + SIZE);
		m->r.tail = 0;
		for (i = 1; i <= n; i++)
			put(m, (u16)(16 + i * 40 % 136), i);
		for (i = n; i && bytes + 16 + i * 40 % 136 <= SIZE; i--) {
			bytes += 16 + i * 40 % 136;
			first = i;
		}
		got = ring_read_backward(&m->r, &sb);
		assert_int_equal(got, n - first + 1);
		check(&sb, first, n);
		strbuf_release(&sb);
	}
}

static void older_are_overwritten(void **state)
{
	struct made *m = *state;
	struct strbuf sb = STRBUF_INIT;

	put(m, 64, 1);
	ring_read_backward(&m->r, &sb);
	strbuf_reset(&sb);
	for (u64 i = 2; i <= 1000; i++)
		put(m, 64, i);
	assert_int_equal(ring_read_backward(&m->r, &sb), SIZE / 64);
	check(&sb, 1000 - SIZE / 64 + 1, 1000);
	strbuf_release(&sb);
}

static void damaged(void **state)
{
	struct made *m = *state;
	struct strbuf sb = STRBUF_INIT;
	u8 *data = m->page + sysconf(_SC_PAGESIZE);
	static const u16 sizes[] = { 0, 7, 4088, 65528 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		u64 head;

		for (u64 nr = 1; nr <= 200; nr++)
			put(m, 64, nr);
		head = control(m)->data_head;
		/* the third newest: what is older cannot be found any more */
		memcpy(data + ((head + 128 + 6) & (SIZE - 1)), &sizes[i], 2);
		strbuf_reset(&sb);
		assert_int_equal(ring_read_backward(&m->r, &sb), 2);
		check(&sb, 199, 200);
	}
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(few, setup, teardown),
		cmocka_unit_test_setup_teardown(around, setup, teardown),
		cmocka_unit_test_setup_teardown(older_are_overwritten, setup, teardown),
		cmocka_unit_test_setup_teardown(damaged, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
