// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the source that a thread reads ahead of the session: order, limit, end and errors. */
#include "base/compat.h"
#include "live/behind.h"

#include "base/alloc.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <unistd.h>
#include <cmocka.h>

/* A source of numbered records; each fourth one is no sample, each tenth ends a round. */
struct numbers {
	struct source base;
	u64 nr, at;
	int result; /* at the end */
	atomic_bool *done;
	struct {
		struct perf_event_header h;
		u64 n;
	} rec;
};

static int numbers_next(struct source *src, struct pipe_record *out, struct diag *diag,
			struct err *err)
{
	struct numbers *s = (struct numbers *)src;

	if (s->at == s->nr) {
		diag_add(diag, DIAG_BAD_SIZE, 1, 0);
		atomic_store(s->done, true);
		return s->result ? err_set(err, s->result, "the source failed") : 0;
	}
	s->rec.h = (struct perf_event_header){ .type = PERF_RECORD_SAMPLE, .size = sizeof(s->rec) };
	if (s->at % 4 == 0)
		s->rec.h.type = PERF_RECORD_COMM;
	if (s->at % 10 == 9)
		s->rec.h.type = PERF_RECORD_FINISHED_ROUND;
	s->rec.n = s->at++;
	*out = (struct pipe_record){ .rec = &s->rec.h,
				     .type = s->rec.h.type,
				     .size = s->rec.h.size };
	return 1;
}

static void numbers_close(struct source *src)
{
	free(src);
}

static void count(void *ctx)
{
	++*(u64 *)ctx;
}

struct result {
	u64 records, others, rests, dropped, taken;
	struct diag diag;
	struct err err;
	int ret;
};

/* Read all after the source has ended, when all of it waits. */
static struct result read_all(u64 nr, size_t limit, int result)
{
	static const struct source_ops ops = { .next = numbers_next, .close = numbers_close };
	atomic_bool done = false;
	struct numbers *s = xzalloc(sizeof(*s));
	struct result r = { 0 };
	struct behind_conf conf = {
		.from = &s->base, .limit = limit, .rest = count, .work = count, .ctx = &r.rests
	};
	struct pipe_record rec;
	struct behind *b;
	u64 last = 0;

	*s = (struct numbers){ .base = { &ops }, .nr = nr, .result = result, .done = &done };
	b = behind_new(&conf, &r.err);
	assert_non_null(b);
	while (!atomic_load(&done))
		usleep(1000);
	while ((r.ret = source_next(behind_source(b), &rec, &r.diag, &r.err)) > 0) {
		u64 n = ((const u64 *)rec.rec)[1];

		assert_true(!r.records || n > last);
		assert_int_equal(rec.offset, r.records * 16);
		last = n;
		r.records++;
		r.others += rec.type != PERF_RECORD_SAMPLE;
	}
	r.dropped = behind_dropped(b);
	r.taken = source_tell(behind_source(b));
	source_close(behind_source(b));
	return r;
}

static void test_all(void **state)
{
	struct result r = read_all(100000, (size_t)8 << 20, 0);

	(void)state;
	assert_int_equal(r.ret, 0);
	assert_int_equal(r.records, 100000);
	assert_int_equal(r.dropped, 0);
	assert_int_equal(r.taken, 1600000);
	assert_int_equal(r.diag.count[DIAG_BAD_SIZE], 1);
	assert_true(r.rests >= 2 && r.rests % 2 == 0);
}

/* Samples are dropped and counted, all others stay. */
static void test_limit(void **state)
{
	struct result r = read_all(100000, 16000, 0);

	(void)state;
	assert_int_equal(r.ret, 0);
	assert_true(r.dropped > 50000);
	assert_int_equal(r.records + r.dropped, 100000);
	assert_int_equal(r.others, 25000 + 10000);
}

static void test_error(void **state)
{
	struct result r = read_all(25, 1 << 20, -EIO);

	(void)state;
	assert_int_equal(r.ret, -EIO);
	assert_string_equal(r.err.msg, "the source failed");
	assert_int_equal(r.records, 25);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
