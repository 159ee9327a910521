// SPDX-License-Identifier: GPL-2.0-or-later
/* Parts of a file and the marks of their samples are the same with a thread that makes them ahead
 * and without one. */
#include "base/compat.h"

#include "base/alloc.h"
#include "drive.h"
#include "pdata-build.h"
#include "session/pieces.h"

#include <setjmp.h>
#include <cmocka.h>

#define ST (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER)
#define ID 7
#define UNWANTED 8
#define NR 100000
#define KEPT (PARTS_KEPT / 4)

static void put_damage(struct pb *b)
{
	size_t at = pb_begin(b, PERF_RECORD_COMM, 0);

	pb_end(b, at);
	b->out.buf[at + 6] = 3; /* its size */
}

/* Build samples, with @nr_special records among them that a part ends at. */
static void build(struct pb *b, u32 nr_special)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					      .sample_type = ST,
					      .sample_id_all = true };
	const struct pb_event evs[] = {
		{ .attr = attr, .ids = { ID }, .nr_ids = 1, .name = "one" },
		{ .attr = attr, .ids = { UNWANTED }, .nr_ids = 1, .name = "two" },
	};
	u32 special = 0;

	pb_start(b, false, false, evs, 2);
	pb_event_desc(b, evs, 2);
	for (u32 i = 0; i < NR; i++) {
		struct pb_id id = { 5, 5, 1000 + i, i % 3 ? ID : UNWANTED };

		pb_sample(b, ST, 0x1000 + i, &id, 1);
		if (!nr_special || i % (NR / nr_special) != 99)
			continue;
		if (special++ & 1)
			put_damage(b);
		else
			pb_rename(b, ID, "renamed");
	}
	pb_finish(b);
}

/* All that is known of the parts of a file. */
struct got {
	u64 parts, samples, bytes, left;
	u64 first, last;
	u64 marks;
};

/* Each sample of a stretch that is wanted has a mark. Return: their number. */
static u32 check_marks(const struct part *p, const struct stretch *s)
{
	const struct marks *m = s->marks;
	u32 nr = 0;

	assert_ptr_equal(m, &p->buffer->marks);
	assert_ptr_equal(m->at, p->at);
	for (const u8 *rec = s->rec; rec < s->end; rec += rec_size(rec)) {
		const struct mark *mark = &m->v[s->mark + nr];
		u64 id = *(const u64_una *)(rec + sizeof(wire_header));

		if (id == UNWANTED)
			continue;
		assert_ptr_equal(m->at + mark->at, rec);
		assert_int_equal(mark->event, 0);
		assert_int_equal(mark->key, *(const u64_una *)(rec + sizeof(wire_header) + 24));
		nr++;
	}
	assert_int_equal(s->nr_marks, nr);
	return nr;
}

/* Do pass 1 as onepass.c does it. */
static void take_parts(struct session *s, bool thread, struct got *got)
{
	const struct perf_file *f = s->file;
	const u8 *at = f->map + f->data.offset, *end = at + f->data.size;
	struct id_cache cache = { 0 };
	struct ahead *a;
	struct scan sc;
	struct buffer *kept[KEPT] = { NULL };
	const bool wants[] = { true, false };

	*got = (struct got){ 0 };
	pass1_begin(&sc, s, &cache);
	pass1_span_begin(&sc, at, f->data.size);
	a = ahead_new(&sc, at, end, wants, thread);
	while (at < end) {
		struct part *p = ahead_next(a, at);
		struct buffer **slot = &kept[got->parts++ % KEPT];

		assert_ptr_equal(p->at, at);
		assert_true(p->read);
		assert_memory_equal(p->buffer->bytes, at, p->len);
		for (size_t i = 0; i < p->t.nr_stretches; i++)
			got->marks += check_marks(p, &p->t.stretches[i]);
		got->bytes += p->len;
		got->samples += p->t.nr_samples;
		got->first = got->first ? got->first : p->t.first_time;
		got->last = p->t.last_time;
		at = p->to;
		if (!p->whole) {
			const u8 *behind = p->at + p->len;

			got->left += (u64)(behind - at);
			sc.prev = p->last;
			at = pass1_walk(&sc, at, behind, end);
		}
		if (*slot)
			ahead_give(a, *slot);
		*slot = p->buffer;
	}
	ahead_free(a);
	pass1_span_end(&sc, end);
	pass1_end(&sc);
	got->samples += s->nr_samples;
}

static void test_same(void **state)
{
	const u32 special[] = { 0, 1, 40, 1000 };

	for (size_t i = 0; i < ARRAY_SIZE(special); i++) {
		struct got alone, ahead;
		struct session s;
		struct pb b;

		build(&b, special[i]);
		session_open_built(&s, &b);
		take_parts(&s, false, &alone);
		session_close(&s);
		session_open_built(&s, &b);
		take_parts(&s, true, &ahead);
		session_close(&s);
		pb_release(&b);
		assert_memory_equal(&alone, &ahead, sizeof(alone));
		assert_true(alone.parts > 20);
		assert_int_equal(alone.left != 0, special[i] != 0);
		assert_int_equal(alone.first, 1000);
		assert_true(alone.marks > (special[i] > 1 ? 0 : NR / 2));
	}
}

/* Whoever takes parts may stop at any time, and need not give buffers back. */
static void test_early_end(void **state)
{
	struct id_cache cache = { 0 };
	struct session s;
	struct scan sc;
	struct pb b;

	build(&b, 3);
	session_open_built(&s, &b);
	for (u32 nr = 0; nr < 20; nr++) {
		const u8 *at = s.file->map + s.file->data.offset, *end = at + s.file->data.size;
		struct ahead *a;

		pass1_begin(&sc, &s, &cache);
		pass1_span_begin(&sc, at, s.file->data.size);
		a = ahead_new(&sc, at, end, NULL, true);
		for (u32 i = 0; i < nr / 2; i++) {
			struct part *p = ahead_next(a, at);

			at = p->whole ? p->to : MIN(p->at + p->len, end - 8);
		}
		ahead_free(a);
	}
	session_close(&s);
	pb_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_early_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
