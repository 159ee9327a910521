// SPDX-License-Identifier: GPL-2.0-or-later
/* Test call chains whose user part comes in a record of its own: put together by every driver. */
#include "base/compat.h"
#include "drive.h"
#include "session/session.h"

#include <setjmp.h>
#include <cmocka.h>

#define ST (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN)
#define TIMELESS (PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN)
#define KERNEL ((u64)-128)
#define USER ((u64)-512)
#define DEFERRED ((u64)-640)

/* A sample of thread @tid: one kernel frame, @ip, and the promise of more if @cookie. */
static void put_sample(struct pb *b, u64 st, u32 tid, u64 time, u64 ip, u64 cookie)
{
	struct pb_id id = { 10, tid, time, 0, 0, 0 };
	size_t at = pb_begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);

	pb_trailer(b, st & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME), &id);
	pb_u64(b, cookie ? 4 : 2);
	pb_u64(b, KERNEL);
	pb_u64(b, ip);
	if (cookie) {
		pb_u64(b, DEFERRED);
		pb_u64(b, cookie);
	}
	pb_end(b, at);
}

/* The frames @ip and @ip + 1. */
static void put_chain(struct pb *b, u64 st, u32 tid, u64 time, u64 cookie, u64 ip, bool marked)
{
	struct pb_id id = { 10, tid, time, 0, 0, 0 };
	size_t at = pb_begin(b, 22, PERF_RECORD_MISC_USER);

	pb_u64(b, cookie);
	pb_u64(b, marked ? 3 : 2);
	if (marked)
		pb_u64(b, USER);
	pb_u64(b, ip);
	pb_u64(b, ip + 1);
	pb_trailer(b, st, &id);
	pb_end(b, at);
}

/* The samples that a run was given, in the order of their own kernel frames. */
struct seen {
	char text[16][64];
	char order[64]; /* kernel frames as they came */
	int nr;
};

static void note(struct seen *seen, const struct sample *sm)
{
	struct strbuf sb = STRBUF_INIT;
	u64 i;

	for (i = 0; i < sm->nr_callchain; i++) {
		u64 w = sm->callchain[i];

		if (w == KERNEL || w == USER)
			strbuf_addstr(&sb, w == KERNEL ? "K" : " U");
		else
			strbuf_addf(&sb, " %llx", (unsigned long long)w);
	}
	assert_true(sm->nr_callchain >= 2 && sm->callchain[1] < 16 && seen->nr < 16);
	snprintf(seen->text[sm->callchain[1]], 64, "%s", strbuf_str(&sb));
	snprintf(seen->order + seen->nr++, 2, "%x", (unsigned int)sm->callchain[1]);
	strbuf_release(&sb);
}

static int on_sample(void *ctx, const struct session_event *ev, struct err *err)
{
	note(ctx, ev->sample);
	return 0;
}

static int on_format(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	note(ctx, ev->sample);
	return 0;
}

static int on_write(void *ctx, const char *text, size_t len, struct err *err)
{
	return 0;
}

/* @how: 0 any order, 1 ordered, 2 ordered without text */
static void run(const struct pb *b, int how, struct seen *seen)
{
	const struct session_sample_ops any = { .sample = on_sample };
	const struct session_ordered_ops ordered = { .format = on_format,
						     .write = how == 1 ? on_write : NULL };
	struct err err = { 0 };
	struct session s;

	memset(seen, 0, sizeof(*seen));
	session_open_built(&s, b);
	if (how)
		assert_int_equal(session_ordered(&s, &ordered, seen, 1, &err), 0);
	else
		assert_int_equal(session_samples(&s, &any, seen, 1, &err), 0);
	session_is_clean(&s);
	session_close(&s);
}

static void start(struct pb *b, bool swap, bool pipe, u64 st, bool id_all)
{
	struct pb_event ev = {
		.attr = { .sample_type = st, .sample_id_all = id_all },
		.ids = { 1 },
		.nr_ids = 1,
	};

	pb_start(b, swap, pipe, &ev, 1);
}

/* Every case in a file, a pipe, both orders, all drivers. */
static void each_way(u64 st, bool id_all, void (*put)(struct pb *b, u64 st),
		     const char *const *want, const char *order)
{
	for (int way = 0; way < 12; way++) {
		struct seen seen;
		struct pb b;

		start(&b, way & 1, way & 2, st, id_all);
		put(&b, st);
		pb_finish(&b);
		run(&b, way / 4, &seen);
		pb_release(&b);
		for (int i = 0; i < 16; i++)
			assert_string_equal(seen.text[i], want[i] ? want[i] : "");
		if (way / 4)
			assert_string_equal(seen.order, order);
	}
}

/* Two samples before one return to user space, another thread with the same cookie, one alone. */
static void put_threads(struct pb *b, u64 st)
{
	put_sample(b, st, 11, 100, 1, 7);
	put_sample(b, st, 12, 110, 2, 7);
	put_sample(b, st, 11, 120, 3, 7);
	put_sample(b, st, 11, 125, 4, 0);
	pb_round(b);
	put_chain(b, st, 11, 130, 7, 0xa0, true);
	put_chain(b, st, 12, 140, 7, 0xb0, false);
	put_sample(b, st, 12, 150, 5, 8); /* nothing comes */
	pb_round(b);
	put_sample(b, st, 11, 160, 6, 9);
	put_chain(b, st, 11, 170, 9, 0xc0, true);
	put_sample(b, st, 11, 180, 8, 7); /* a cookie that was used up */
	pb_round(b);
}

static void test_threads(void **state)
{
	static const char *const want[16] = {
		[1] = "K 1 U a0 a1", [2] = "K 2 U b0 b1", [3] = "K 3 U a0 a1", [4] = "K 4",
		[5] = "K 5",         [6] = "K 6 U c0 c1", [8] = "K 8",
	};

	each_way(ST, true, put_threads, want, "1234568");
}

/* The chain stands in the file before the sample that it is for: rings are read in turn. */
static void put_other_ring(struct pb *b, u64 st)
{
	put_chain(b, st, 11, 130, 7, 0xa0, true);
	put_chain(b, st, 11, 230, 7, 0xd0, true); /* the same cookie later: the first one counts */
	put_sample(b, st, 11, 100, 1, 7);
	put_sample(b, st, 11, 200, 2, 7);
	pb_round(b);
}

static void test_other_ring(void **state)
{
	static const char *const want[16] = { [1] = "K 1 U a0 a1", [2] = "K 2 U d0 d1" };

	each_way(ST, true, put_other_ring, want, "12");
}

/* Put samples without times, whose order is that in the file, and without trailers, so that only
 * the cookie counts. */
static void put_plain(struct pb *b, u64 st)
{
	put_sample(b, st, 11, 0, 1, 7);
	put_sample(b, st, 12, 0, 2, 6);
	put_chain(b, st, 12, 0, 6, 0xb0, true);
	put_chain(b, st, 11, 0, 7, 0xa0, true);
	put_sample(b, st, 11, 0, 3, 6);
}

static void test_timeless(void **state)
{
	static const char *const want[16] = {
		[1] = "K 1 U a0 a1",
		[2] = "K 2 U b0 b1",
		[3] = "K 3",
	};

	each_way(TIMELESS, true, put_plain, want, "123");
}

static void put_untold(struct pb *b, u64 st)
{
	put_sample(b, st, 11, 5, 1, 7);
	put_chain(b, 0, 0, 0, 7, 0xa0, true);
}

static void test_no_trailers(void **state)
{
	static const char *const want[16] = { [1] = "K 1 U a0 a1" };

	each_way(TIMELESS, false, put_untold, want, "1");
}

/* More waits behind a chain that never comes than may: all of it arrives, in order. */
static void put_many(struct pb *b, u64 st)
{
	put_sample(b, st, 11, 0, 1, 7);
	for (int i = 0; i < 5000; i++)
		pb_round(b);
	put_sample(b, st, 11, 0, 2, 0);
}

static void test_never_comes(void **state)
{
	static const char *const want[16] = { [1] = "K 1", [2] = "K 2" };

	each_way(TIMELESS, true, put_many, want, "12");
	each_way(ST, true, put_many, want, "12");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads),     cmocka_unit_test(test_other_ring),
		cmocka_unit_test(test_timeless),    cmocka_unit_test(test_no_trailers),
		cmocka_unit_test(test_never_comes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
