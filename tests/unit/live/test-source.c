// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the source of live rings, on rings that are made in memory as the kernel fills them. */
#include "base/compat.h"
#include "drive.h"
#include "live/live.h"
#include "session/session.h"

#include "base/alloc.h"
#include "wire/encode.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

#define SIZE 4096
#define NR_RINGS 2
#define ST (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID)

/* A step happens each time that all rings have been read. */
struct step;
typedef void step_fn(struct step *st, int round);

struct step {
	struct rings rings;
	struct evlist l;
	struct session s;
	struct strbuf before, seen;
	step_fn *fn;
	int round, rounds; /* the end comes after so many */
	int fail;          /* what wait returns in the last round instead */
};

static struct perf_event_mmap_page *control(struct step *st, size_t ring)
{
	return st->rings.v[ring].base;
}

/* Write as the kernel does: the bytes wrap around, then the head moves. */
static void put(struct step *st, size_t ring, const void *bytes, size_t len)
{
	u8 *data = (u8 *)st->rings.v[ring].base + sysconf(_SC_PAGESIZE);
	u64 head = control(st, ring)->data_head;

	assert_true(head + len - control(st, ring)->data_tail <= SIZE);
	for (size_t i = 0; i < len; i++)
		data[(head + i) & (SIZE - 1)] = ((const u8 *)bytes)[i];
	control(st, ring)->data_head = head + len;
}

static void put_sample(struct step *st, size_t ring, u64 time)
{
	struct sample smp = { .ip = time * 2, .pid = 1, .tid = (u32)ring, .time = time, .id = 7 };
	struct strbuf sb = STRBUF_INIT;

	assert_int_equal(enc_sample(&sb, &st->l.evsels[0]->layout, &smp), 0);
	put(st, ring, sb.buf, sb.len);
	strbuf_release(&sb);
}

static void put_lost(struct step *st, size_t ring, u64 time, u64 nr)
{
	struct rec_lost lost = { 7, nr };
	struct sample_id id = { .pid = 1, .tid = 1, .time = time, .id = 7 };
	struct strbuf sb = STRBUF_INIT;

	assert_int_equal(enc_lost(&sb, &lost, &st->l.evsels[0]->layout, &id), 0);
	put(st, ring, sb.buf, sb.len);
	strbuf_release(&sb);
}

static int on_wait(void *ctx, struct err *err)
{
	struct step *st = ctx;

	for (size_t i = 0; i < st->rings.nr; i++)
		assert_int_equal(control(st, i)->data_tail, control(st, i)->data_head);
	st->round++;
	if (st->fn)
		st->fn(st, st->round);
	if (st->round < st->rounds)
		return 1;
	return st->fail ? err_set(err, st->fail, "waiting failed") : 0;
}

static int on_format(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct step *st = ctx;

	(void)worker;
	(void)out;
	(void)err;
	if (ev->sample) {
		assert_int_equal(ev->sample->ip, 2 * ev->sample->time);
		assert_ptr_equal(ev->evsel, st->s.evlist.evsels[0]);
		strbuf_addf(&st->seen, "%" PRIu64 " ", ev->sample->time);
	}
	return 0;
}

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct step *st = ctx;

	(void)err;
	strbuf_addf(&st->seen, "%s ", record_name(ev->hdr->type));
	return 0;
}

static int on_events(void *ctx, struct evlist *l, const struct env *env, struct err *err)
{
	struct step *st = ctx;

	(void)env;
	(void)err;
	strbuf_addf(&st->seen, "%zu events ", l->nr);
	return 0;
}

static int setup(void **state)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.sample_type = ST,
					.sample_id_all = 1 };
	struct step *st = xzalloc(sizeof(*st));

	st->rings.v = xcalloc(NR_RINGS, sizeof(*st->rings.v));
	st->rings.nr = NR_RINGS;
	for (size_t i = 0; i < NR_RINGS; i++)
		st->rings.v[i] =
			(struct ring){ .base = xzalloc((size_t)sysconf(_SC_PAGESIZE) + SIZE),
				       .size = SIZE,
				       .fd = -1 };
	evsel_add_id(evlist_add(&st->l, &attr, "made-up"), 7);
	evlist_index(&st->l);
	*state = st;
	return 0;
}

static int teardown(void **state)
{
	struct step *st = *state;

	for (size_t i = 0; i < NR_RINGS; i++)
		free(st->rings.v[i].base);
	free(st->rings.v);
	evlist_release(&st->l);
	strbuf_release(&st->before);
	strbuf_release(&st->seen);
	free(st);
	return 0;
}

/* Run a session until the source ends after @rounds rounds. */
static int run(struct step *st, int rounds, step_fn *fn, struct err *err)
{
	struct live_conf conf = {
		.rings = &st->rings, .before = &st->before, .wait = on_wait, .ctx = st
	};
	struct session_ordered_ops ops = { .state = { .state = on_state, .events = on_events },
					   .format = on_format };
	int ret;

	st->rounds = rounds;
	st->fn = fn;
	session_open_source(&st->s, live_source_new(&conf), "made-up rings", &st->l);
	assert_true(session_is_stream(&st->s));
	ret = session_ordered(&st->s, &ops, st, 1, err);
	return ret;
}

static void run_well(struct step *st, int rounds, step_fn *fn, const char *want)
{
	struct err err = { 0 };

	assert_int_equal(run(st, rounds, fn, &err), 0);
	assert_string_equal(strbuf_str(&st->seen), want);
}

/* Rings that nothing came into: there are events all the same. */
static void test_nothing(void **state)
{
	struct step *st = *state;

	run_well(st, 3, NULL, "1 events ");
	session_is_clean(&st->s);
	assert_int_equal(st->s.nr_samples, 0);
	session_close(&st->s);
}

static void two_rings(struct step *st, int round)
{
	if (round > 2)
		return;
	put_sample(st, 0, (u64)round * 100 + 1);
	put_sample(st, 0, (u64)round * 100 + 3);
	put_sample(st, 1, (u64)round * 100 + 2);
	put_sample(st, 1, (u64)round * 100 + 4);
}

static void test_order_between_rings(void **state)
{
	struct step *st = *state;

	run_well(st, 3, two_rings, "1 events 101 102 103 104 201 202 203 204 ");
	session_is_clean(&st->s);
	assert_int_equal(st->s.nr_samples, 8);
	assert_int_equal(st->s.first_time, 101);
	assert_int_equal(st->s.last_time, 204);
	session_close(&st->s);
}

/* Ring 0 is read before ring 1: what the kernel writes into it then comes in the next round. */
static void late_ring(struct step *st, int round)
{
	if (round == 1) {
		put_sample(st, 1, 500);
		put_sample(st, 1, 510);
	} else if (round == 2) {
		assert_string_equal(strbuf_str(&st->seen), "1 events "); /* 500 has to wait */
		put_sample(st, 0, 490);
		put_sample(st, 0, 505);
		put_sample(st, 1, 520);
	} else if (round == 3) {
		assert_string_equal(strbuf_str(&st->seen), "1 events 490 500 505 510 ");
	} else if (round == 4) {
		/* nothing came in between, so nothing older can come any more */
		assert_string_equal(strbuf_str(&st->seen), "1 events 490 500 505 510 520 ");
	}
}

static void test_late_ring(void **state)
{
	struct step *st = *state;

	run_well(st, 4, late_ring, "1 events 490 500 505 510 520 ");
	session_is_clean(&st->s);
	assert_int_equal(st->s.diag.count[DIAG_OUT_OF_ORDER], 0);
	session_close(&st->s);
}

#define PER_ROUND 90 /* samples of 40 bytes: almost a ring full, so records wrap around */

static void around(struct step *st, int round)
{
	for (u64 i = 0; round <= 20 && i < PER_ROUND; i++)
		put_sample(st, 0, (u64)round * 1000 + i);
}

static void test_wrap_around(void **state)
{
	struct step *st = *state;
	struct strbuf want = STRBUF_INIT;

	strbuf_addstr(&want, "1 events ");
	for (u64 round = 1; round <= 20; round++)
		for (u64 i = 0; i < PER_ROUND; i++)
			strbuf_addf(&want, "%" PRIu64 " ", round * 1000 + i);
	run_well(st, 21, around, strbuf_str(&want));
	session_is_clean(&st->s);
	assert_true(control(st, 0)->data_head > 10 * SIZE);
	session_close(&st->s);
	strbuf_release(&want);
}

static void with_losses(struct step *st, int round)
{
	if (round == 1) {
		put_sample(st, 0, 100);
		put_lost(st, 0, 110, 40);
		put_sample(st, 0, 120);
		put_lost(st, 1, 105, 2);
	}
}

static void test_lost(void **state)
{
	struct step *st = *state;

	run_well(st, 2, with_losses, "1 events 100 120 ");
	assert_int_equal(st->s.diag.count[DIAG_LOST], 42);
	assert_int_equal(st->s.counts[PERF_RECORD_LOST], 2);
	session_close(&st->s);
}

/* A sample that comes between the last waiting and the end is read, and its space in the ring is
 * given back. */
static void at_the_end(struct step *st, int round)
{
	put_sample(st, round & 1, 900 + (u64)round);
}

static void test_end(void **state)
{
	struct step *st = *state;

	run_well(st, 2, at_the_end, "1 events 901 902 ");
	for (size_t i = 0; i < NR_RINGS; i++)
		assert_int_equal(control(st, i)->data_tail, control(st, i)->data_head);
	/* the rings are read once */
	assert_int_equal(session_ordered(&st->s, &(struct session_ordered_ops){ 0 }, st, 1, NULL),
			 0);
	session_close(&st->s);
}

static void test_failure(void **state)
{
	struct step *st = *state;
	struct err err = { 0 };

	st->fail = -EIO;
	assert_int_equal(run(st, 2, two_rings, &err), -EIO);
	assert_string_equal(err.msg, "waiting failed");
	session_close(&st->s);
}

/* Records of what was there before come first, whatever the rings hold by then. */
static void test_before(void **state)
{
	struct step *st = *state;
	struct rec_comm comm = { .pid = 1, .tid = 1, .comm = "one" };
	struct sample_id none = { 0 };

	enc_comm(&st->before, 0, &comm, &st->l.evsels[0]->layout, &none);
	enc_comm(&st->before, 0, &comm, &st->l.evsels[0]->layout, &none);
	put_sample(st, 0, 50);
	run_well(st, 2, two_rings, "1 events COMM COMM 50 101 102 103 104 201 202 203 204 ");
	session_is_clean(&st->s);
	session_close(&st->s);
}

/* No kernel writes that; the session must survive it and go on with what comes later. */
static void damaged(struct step *st, int round)
{
	static const u16 sizes[] = { 0, 7, 4000 };
	struct perf_event_header h = { .type = PERF_RECORD_SAMPLE };

	if (round <= (int)ARRAY_SIZE(sizes)) {
		h.size = sizes[round - 1];
		put_sample(st, 0, (u64)round * 10);
		put(st, 0, &h, sizeof(h));
	} else if (round == 4) {
		put(st, 0, &h, 4); /* not even a header */
	} else if (round == 5) {
		put_sample(st, 1, 50);
	}
}

static void test_damaged(void **state)
{
	struct step *st = *state;

	run_well(st, 6, damaged, "1 events 10 20 30 50 ");
	assert_int_equal(st->s.diag.count[DIAG_BAD_SIZE], 4);
	session_close(&st->s);
}

/* Rings that the kernel overwrites are not this source's. */
static void test_backward_left_alone(void **state)
{
	struct step *st = *state;

	put_sample(st, 0, 10);
	put_sample(st, 1, 20);
	st->rings.v[1].backward = true;
	control(st, 1)->data_tail = control(st, 1)->data_head; /* for on_wait() */
	run_well(st, 1, NULL, "1 events 10 ");
	assert_int_equal(st->rings.v[1].tail, 0);
	session_close(&st->s);
}

/* Ids that come later, as those of a CPU that comes online do. */
static void test_more_ids(void **state)
{
	struct live_conf conf = { 0 };
	struct step *st = *state;
	const u64 more[] = { 8, 9 };
	struct session s;

	session_open_source(&s, live_source_new(&conf), "made-up rings", &st->l);
	session_add_ids(&s, 0, more, 2);
	assert_int_equal(s.evlist.evsels[0]->nr_ids, 3);
	assert_int_equal(map64_get(&s.evlist.by_id, 7), 0);
	assert_int_equal(map64_get(&s.evlist.by_id, 9), 0);
	assert_int_equal(s.file->attrs[0].nr_ids, 3);
	assert_int_equal(s.file->attrs[0].ids[2], 9);
	/* the list that was copied has not changed */
	assert_int_equal(st->l.evsels[0]->nr_ids, 1);
	session_close(&s);
}

int main(void)
{
#define LIVE_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		LIVE_TEST(test_nothing),   LIVE_TEST(test_order_between_rings),
		LIVE_TEST(test_late_ring), LIVE_TEST(test_wrap_around),
		LIVE_TEST(test_lost),      LIVE_TEST(test_end),
		LIVE_TEST(test_failure),   LIVE_TEST(test_before),
		LIVE_TEST(test_damaged),   LIVE_TEST(test_backward_left_alone),
		LIVE_TEST(test_more_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
