// SPDX-License-Identifier: GPL-2.0-or-later
/* A consumer that takes each sample at once gets the samples that a writer of text gets, in the
 * same order, and the same is counted as wrong. */
#include "base/compat.h"

#include "base/alloc.h"
#include "drive.h"
#include "pdata-build.h"

#include <setjmp.h>
#include <cmocka.h>

#define ST                                                                                         \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |                   \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER)
#define FIRST_ID 7   /* the other event has the next one */
#define LARGE 150000 /* samples, more than are delivered at once */

static u64 seed;

static u32 any(u32 below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(seed >> 33) % below;
}

static const struct form {
	const char *name;
	u32 nr, round; /* samples in all, and between the ends of rounds; 0: there are no rounds */
	u32 rings;
	u32 disorder; /* by how much times go back within a ring */
	u32 odd;      /* one of so many records is damaged; 0: none */
} forms[] = {
	{ "nothing", 0, 0, 1, 0, 0 },
	{ "one ring in order", 3000, 100, 1, 0, 0 },
	{ "rings in rounds", 20000, 300, 4, 0, 0 },
	{ "rings whose times go back", 20000, 500, 3, 40, 0 },
	{ "times that go back further than a round", 5000, 20, 2, 4000, 0 },
	{ "damage", 5000, 100, 2, 10, 9 },
	{ "no rounds", 5000, 0, 3, 100, 20 },
	{ "many in order", LARGE, 0, 1, 0, 0 },
	{ "many in disorder", LARGE, 0, 2, 50, 1000 },
	{ "long stretches of rings in rounds", LARGE, 30000, 3, 0, 0 },
	{ "stretches with damage between them", LARGE, 30000, 2, 0, 700 },
};

static void put_odd(struct pb *b, struct pb_id *id)
{
	switch (any(4)) {
	case 0:
		pb_end(b, pb_begin(b, PERF_RECORD_SAMPLE, 0)); /* it has no fields */
		break;
	case 1:
		id->id = 4242; /* it belongs to no event */
		pb_sample(b, ST, 1, id, 1);
		break;
	case 2:
		id->time = 0;
		pb_sample(b, ST, 2, id, 1);
		break;
	default:
		pb_comm(b, 1, 1, "other", ST, id);
	}
}

static void build(struct pb *b, const struct form *f)
{
	struct pb_event ev[2];
	u32 per_ring = (f->round ? f->round : MAX(f->nr, 1U)) / f->rings;

	for (u64 i = 0; i < 2; i++)
		ev[i] = (struct pb_event){
			.attr = { .type = PERF_TYPE_SOFTWARE,
				  .sample_type = ST,
				  .sample_id_all = true },
			.ids = { FIRST_ID + i },
			.nr_ids = 1,
			.name = i ? "two" : "one",
		};
	pb_start(b, false, false, ev, 2);
	pb_event_desc(b, ev, 2);
	for (u32 i = 0; i < f->nr; i++) {
		/* In a round, the rings stand one after the other and cover the same time. */
		u32 round = f->round ? i / f->round : 0, at = i - round * f->round;
		u64 time = 10000 + (u64)round * per_ring * 8 + at % per_ring * 8 + any(8);
		struct pb_id id = { 1, 2, time, FIRST_ID + any(2), 0, at / per_ring };

		id.time -= f->disorder ? any(f->disorder) : 0;
		if (f->odd && !any(f->odd))
			put_odd(b, &id);
		else
			pb_sample(b, ST, 0x1000 + i, &id, 1);
		if (f->round && at + 1 == f->round)
			pb_round(b);
	}
	if (!f->nr)
		pb_round(b);
	pb_finish(b);
}

struct taken {
	u64 time, offset, digest;
};

struct list {
	struct taken *v; /* owned */
	size_t nr, cap;
};

static int take(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		struct err *err)
{
	struct list *l = ctx;

	VEC_GROW(l->v, l->nr + 1, l->cap);
	l->v[l->nr++] =
		(struct taken){ ev->time, ev->offset, drive_touch(ev->sample) + ev->evsel->idx };
	return 0;
}

static int take_second(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		       struct err *err)
{
	return ev->evsel->idx == 1 ? take(ctx, worker, ev, out, err) : 0;
}

static int only_second(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		       struct err *err)
{
	assert_int_equal(ev->evsel->idx, 1);
	return take(ctx, worker, ev, out, err);
}

static bool wants_second(void *ctx, const struct evsel *e)
{
	return e->idx == 1;
}

static int no_text(void *ctx, const char *text, size_t len, struct err *err)
{
	return 0;
}

/* @damage: what the session has counted as wrong */
static void run(const struct pb *b, const struct session_ordered_ops *ops, struct list *l,
		struct diag *damage)
{
	struct err err = { 0 };
	struct session s;

	session_open_built(&s, b);
	assert_int_equal(session_ordered(&s, ops, l, 1, &err), 0);
	*damage = s.diag;
	session_close(&s);
}

static void compare(const char *name, const struct list *want, const struct list *got)
{
	if (want->nr != got->nr)
		fail_msg("%s: %zu samples instead of %zu", name, got->nr, want->nr);
	for (size_t i = 0; i < want->nr; i++)
		if (memcmp(&want->v[i], &got->v[i], sizeof(want->v[i])) != 0)
			fail_msg("%s: sample %zu is that of %" PRIu64 " at %" PRIu64
				 ", not that of %" PRIu64 " at %" PRIu64,
				 name, i, got->v[i].time, got->v[i].offset, want->v[i].time,
				 want->v[i].offset);
}

/* Samples that were in order in their ring are in order now, and none is missing. */
static void check_order(const struct form *f, const struct list *l)
{
	if (f->disorder || f->odd)
		return;
	assert_int_equal(l->nr, f->nr);
	for (size_t i = 1; i < l->nr; i++)
		if (l->v[i].time < l->v[i - 1].time)
			fail_msg("%s: sample %zu is too early", f->name, i);
}

static void test_all(void **state)
{
	static const struct session_ordered_ops written = { .format = take, .write = no_text },
						followed = { .format = take };
	u64 late = 0, bad = 0;

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct list want = { 0 }, got = { 0 };
		struct diag want_damage, damage;
		struct pb b;

		build(&b, &forms[i]);
		run(&b, &written, &want, &want_damage);
		run(&b, &followed, &got, &damage);
		compare(forms[i].name, &want, &got);
		check_order(&forms[i], &want);
		assert_memory_equal(damage.count, want_damage.count, sizeof(damage.count));
		late += damage.count[DIAG_OUT_OF_ORDER];
		bad += damage.count[DIAG_BAD_RECORD] && damage.count[DIAG_UNKNOWN_EVENT];
		free(want.v);
		free(got.v);
		pb_release(&b);
	}
	assert_true(late);
	assert_true(bad);
}

static void test_wanted(void **state)
{
	static const struct session_ordered_ops written = { .format = take_second,
							    .write = no_text },
						followed = { .format = only_second,
							     .wants = wants_second };

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct list want = { 0 }, got = { 0 };
		struct diag damage;
		struct pb b;

		build(&b, &forms[i]);
		run(&b, &written, &want, &damage);
		run(&b, &followed, &got, &damage);
		compare(forms[i].name, &want, &got);
		free(want.v);
		free(got.v);
		pb_release(&b);
	}
}

/* ---- records between the samples ---- */

struct mixed {
	u64 last, last_side; /* times of what came last; records that are no samples alone */
	size_t samples, others;
};

/* A record that is no sample comes behind all earlier samples and before all that are later. */
static int take_mixed(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		      struct err *err)
{
	struct mixed *m = ctx;

	assert_true(ev->time >= m->last);
	m->last = ev->time;
	if (ev->sample) {
		assert_true(ev->time >= m->last_side);
		m->samples++;
	} else {
		assert_true(m->others ? ev->time >= m->last_side : true);
		m->last_side = ev->time;
		m->others++;
	}
	return 0;
}

/* Three rings in rounds, whose times are the same, with names of threads among the samples; the
 * first name and the last one stand outside all samples. */
static size_t build_mixed(struct pb *b, u32 rounds)
{
	enum { RINGS = 3, EACH = 400 };
	struct pb_event ev = {
		.attr = { .type = PERF_TYPE_SOFTWARE, .sample_type = ST, .sample_id_all = true },
		.ids = { FIRST_ID },
		.nr_ids = 1,
		.name = "one",
	};
	struct pb_id id = { 1, 2, 1, FIRST_ID, 0, 0 };
	size_t names = 2;

	pb_start(b, false, false, &ev, 1);
	pb_event_desc(b, &ev, 1);
	pb_comm(b, 1, 1, "first", ST, &id);
	for (u32 i = 0; i < rounds * RINGS * EACH; i++) {
		u32 round = i / (RINGS * EACH), at = i % EACH;

		/* The last quarter of a round is told of in the next one. */
		id.time = 1000 + round * EACH + at - (at < EACH / 4 && round ? EACH / 4 : 0);
		id.cpu = i / EACH % RINGS;
		if (at % 50 == 7) {
			pb_comm(b, 1, 1, "other", ST, &id);
			names++;
		} else {
			pb_sample(b, ST, 0x1000 + i, &id, 1);
		}
		if (i % (RINGS * EACH) == RINGS * EACH - 1)
			pb_round(b);
	}
	id.time = UINT32_MAX;
	pb_comm(b, 1, 1, "last", ST, &id);
	pb_finish(b);
	return names;
}

static void test_between(void **state)
{
	static const struct session_ordered_ops ops = { .format = take_mixed,
							.all = true,
							.between = true };
	enum { ROUNDS = 40 };
	struct mixed m = { 0 };
	struct err err = { 0 };
	struct session s;
	struct pb b;
	size_t names = build_mixed(&b, ROUNDS);

	session_open_built(&s, &b);
	assert_int_equal(session_ordered(&s, &ops, &m, 1, &err), 0);
	assert_int_equal(m.others, names);
	assert_int_equal(m.samples + m.others, ROUNDS * 3 * 400 + 2);
	assert_int_equal(s.diag.count[DIAG_OUT_OF_ORDER], 0);
	session_close(&s);
	pb_release(&b);
}

/* Samples of the same time come in the order in which they stand in the file, which is that of
 * CPUs, however many of each ring are delivered at once. */
static int take_equal(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		      struct err *err)
{
	struct taken *last = ctx;

	assert_true(ev->time >= last->time);
	if (ev->time == last->time)
		assert_true(ev->offset > last->offset);
	*last = (struct taken){ .time = ev->time, .offset = ev->offset };
	return 0;
}

static void test_equal(void **state)
{
	static const struct session_ordered_ops ops = { .format = take_equal };
	struct taken last = { 0 };
	struct err err = { 0 };
	struct session s;
	struct pb b;

	build_mixed(&b, 5);
	session_open_built(&s, &b);
	assert_int_equal(session_ordered(&s, &ops, &last, 1, &err), 0);
	assert_true(last.time);
	session_close(&s);
	pb_release(&b);
}

static int stop_late(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct list *l = ctx;

	return ++l->nr == 1000 ? err_set(err, -E2BIG, "enough") : 0;
}

/* The consumer ends the pass. */
static void test_stop(void **state)
{
	static const struct session_ordered_ops ops = { .format = stop_late };
	struct list l = { 0 };
	struct err err = { 0 };
	struct session s;
	struct pb b;

	build(&b, &forms[2]);
	session_open_built(&s, &b);
	assert_int_equal(session_ordered(&s, &ops, &l, 1, &err), -E2BIG);
	assert_string_equal(err.msg, "enough");
	assert_int_equal(l.nr, 1000);
	session_close(&s);
	pb_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),     cmocka_unit_test(test_wanted),
		cmocka_unit_test(test_between), cmocka_unit_test(test_equal),
		cmocka_unit_test(test_stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
