// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the drivers on built files: order, rounds, workers, pipes, byte orders, old files, ids. */
#include "base/compat.h"
#include "drive.h"
#include "pdata-build.h"

#include <setjmp.h>
#include <cmocka.h>

#define ST                                                                                         \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |                \
	 PERF_SAMPLE_IDENTIFIER)

static struct pb_event event(u64 sample_type, bool id_all, u64 id, const char *name)
{
	return (struct pb_event){
		.attr = { .type = PERF_TYPE_SOFTWARE,
			  .config = id & 1,
			  .sample_type = sample_type,
			  .sample_id_all = id_all },
		.ids = { id, id + 100 },
		.nr_ids = 2,
		.name = name,
	};
}

/* Put @rounds rounds from two rings, whose times overlap. */
static void put_rounds(struct pb *b, int rounds, int per_ring)
{
	u64 time = 1000;

	for (int r = 0; r < rounds; r++) {
		for (u64 ring = 0; ring < 2; ring++) {
			for (u64 i = 0; i < (u64)per_ring; i++) {
				struct pb_id id = { 10,
						    11,
						    time + 10 * i + 3 * ring,
						    7 + ring + 100 * (i & 1),
						    0,
						    (u32)ring };

				if (i == 1) {
					struct pb_id cid = id;

					cid.time--;
					pb_comm(b, 10, 11, ring ? "second" : "first", ST, &cid);
				}
				pb_sample(b, ST, 0x400000 + i, &id, 1 + i);
			}
		}
		time += 10 * (u64)per_ring - 5; /* the next round begins before this one's end */
		pb_round(b);
	}
}

static void build(struct pb *b, bool swap, bool pipe, int rounds, int per_ring)
{
	struct pb_event ev[] = { event(ST, true, 7, "one"), event(ST, true, 8, "two") };

	pb_start(b, swap, pipe, ev, 2);
	if (!pipe)
		pb_event_desc(b, ev, 2);
	pb_feature_str(b, 3, "a-host");
	put_rounds(b, rounds, per_ring);
	pb_finish(b);
}

/* A file that is read as a stream can be read again, and the second run tells the same. */
static void test_stream_again(void **state)
{
	struct drive first = { 0 }, second = { 0 };
	struct err err = { 0 };
	struct session s;
	u64 bytes;
	struct pb b;

	build(&b, false, false, 10, 500);
	session_open_built(&s, &b);
	s.as_stream = true;
	assert_int_equal(drive_samples(&s, &first, 1, &err), 0);
	bytes = source_tell(s.source);
	assert_int_equal(bytes, s.file->data.size);
	assert_int_equal(drive_ordered(&s, &second, 1, false, &err), 0);
	assert_int_equal(source_tell(s.source), bytes);
	assert_int_equal(first.samples, 10 * 2 * 500);
	assert_int_equal(second.samples, first.samples);
	assert_int_equal(s.nr_samples, first.samples);
	session_is_clean(&s);
	session_close(&s);
	drive_release(&second);
	pb_release(&b);
}

/* Text lines begin with the time. */
static void check_sorted(const char *text)
{
	u64 last = 0;

	while (*text) {
		u64 t = strtoull(text, NULL, 10);

		if (t && t < last)
			fail_msg("%" PRIu64 " after %" PRIu64, t, last);
		last = t ? t : last;
		text = strchr(text, '\n') + 1;
	}
}

/* Files and pipes, both orders, any number of workers, files that are read as pipes are: the same
 * samples and the same text. */
static void test_all_ways_agree(void **state)
{
	struct err err = { 0 };
	struct drive want = { 0 };
	char *text = NULL;

	for (int form = 0; form < 6; form++) {
		struct pb b;

		build(&b, form & 1, form & 2, 20, 2000);
		for (int workers = 1; workers <= 3; workers++) {
			struct drive d = { 0 };
			struct session s;

			session_open_built(&s, &b);
			s.as_stream = form >= 4;
			assert_int_equal(drive_samples(&s, &d, workers, &err), 0);
			assert_int_equal(d.samples, 20 * 2 * 2000);
			assert_int_equal(s.nr_samples, d.samples);
			assert_int_equal(d.state, 40);
			assert_true(d.events >= 1);
			if (!session_is_stream(&s))
				assert_int_equal(d.disorder, 0);
			assert_int_equal(s.evlist.nr, 2);
			assert_string_equal(s.evlist.evsels[0]->name, "one");
			assert_string_equal(s.evlist.evsels[1]->name, "two");
			assert_string_equal(s.file->env.hostname, "a-host");
			session_is_clean(&s);
			session_close(&s);
			if (!want.samples)
				want = d;
			assert_true(d.digest == want.digest);

			d = (struct drive){ 0 };
			session_open_built(&s, &b);
			s.as_stream = form >= 4;
			assert_int_equal(drive_ordered(&s, &d, workers, false, &err), 0);
			check_sorted(strbuf_str(&d.text));
			session_is_clean(&s);
			if (!text)
				text = strdup(strbuf_str(&d.text));
			if (strcmp(text, strbuf_str(&d.text)))
				fail_msg("form %d, %d workers: another text", form, workers);
			session_close(&s);
			drive_release(&d);
		}
		pb_release(&b);
	}
	free(text);
}

static void test_sequential(void **state)
{
	struct drive a = { 0 }, b = { 0 };
	struct err err = { 0 };
	struct session s;
	struct pb p;

	build(&p, false, false, 10, 500);
	session_open_built(&s, &p);
	assert_int_equal(drive_ordered(&s, &a, 2, true, &err), 0);
	assert_int_equal(drive_sequential(&s, &b, true, &err), 0);
	assert_string_equal(strbuf_str(&a.text), strbuf_str(&b.text));
	assert_int_equal(a.samples, 10000);
	assert_non_null(strstr(strbuf_str(&a.text), "FINISHED_ROUND"));
	session_close(&s);
	pb_release(&p);
	drive_release(&a);
	drive_release(&b);
}

/* Without rounds everything is sorted as a whole. */
static void test_no_rounds(void **state)
{
	struct pb_event ev = event(ST, true, 7, "one");
	struct drive d = { 0 };
	struct err err = { 0 };
	struct session s;
	struct pb b;

	pb_init(&b, false);
	pb_file(&b, 2, &ev, 1);
	for (u64 i = 0; i < 300; i++) {
		struct pb_id id = { 1, 1, 1 + (i * 7919) % 300, 7, 0, 0 };

		pb_sample(&b, ST, i, &id, 1);
	}
	pb_finish(&b);
	session_open_built(&s, &b);
	assert_int_equal(drive_ordered(&s, &d, 2, false, &err), 0);
	check_sorted(strbuf_str(&d.text));
	assert_int_equal(d.samples, 300);
	assert_false(s.in_order);
	assert_int_equal(s.first_time, 1);
	assert_int_equal(s.last_time, 300);
	session_close(&s);
	drive_release(&d);
	pb_release(&b);
}

/* No event has times: the order of the file stands. */
static void test_no_time(void **state)
{
	u64 st = PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	struct pb_event ev = event(st, true, 7, "one");
	struct drive d = { 0 };
	struct err err = { 0 };
	struct session s;
	struct pb b;

	pb_init(&b, false);
	pb_file(&b, 2, &ev, 1);
	for (u32 i = 0; i < 50; i++) {
		struct pb_id id = { i, i, 0, 7, 0, 0 };

		pb_comm(&b, i, i, "x", st, &id);
		pb_sample(&b, st, 50 - i, &id, 1);
	}
	pb_finish(&b);
	session_open_built(&s, &b);
	assert_int_equal(drive_ordered(&s, &d, 2, true, &err), 0);
	assert_false(s.has_time);
	check_sorted(strbuf_str(&d.text));
	assert_int_equal(d.disorder, 0);
	assert_int_equal(d.samples, 50);
	assert_int_equal(s.first_time, 0);
	session_close(&s);
	drive_release(&d);
	pb_release(&b);
}

struct seen {
	u64 comm_time[4], exit_time;
	int nr;
};

static int see_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct seen *seen = ctx;

	if (ev->hdr->type == PERF_RECORD_COMM && seen->nr < 4)
		seen->comm_time[seen->nr++] = ev->time;
	if (ev->hdr->type == PERF_RECORD_EXIT)
		seen->exit_time = ev->time;
	return 0;
}

/* No sample_id_all: a record counts from when the rounds before it were complete; EXIT has its own
 * time. */
static void test_no_trailers(void **state)
{
	u64 st = ST & ~(u64)PERF_SAMPLE_IDENTIFIER;
	struct pb_event ev = event(st, false, 7, "one");
	struct session_sample_ops ops = { .state.state = see_state };
	struct seen seen = { .nr = 0 };
	struct err err = { 0 };
	struct session s;
	struct pb b;

	pb_init(&b, false);
	pb_file(&b, 2, &ev, 1);
	for (u64 r = 0; r < 4; r++) {
		struct pb_id id = { 1, 1, 1000 * (r + 1), 7, 0, 0 };

		pb_comm(&b, 1, 1, "x", 0, NULL);
		pb_sample(&b, st, 1, &id, 1);
		if (r == 3)
			pb_task(&b, PERF_RECORD_EXIT, 1, 1, 3999, 0, NULL);
		pb_round(&b);
	}
	pb_finish(&b);
	session_open_built(&s, &b);
	assert_int_equal(session_samples(&s, &ops, &seen, 1, &err), 0);
	assert_int_equal(seen.nr, 4);
	assert_int_equal(seen.comm_time[0], 0);
	assert_int_equal(seen.comm_time[1], 0); /* the round before is not complete yet */
	assert_int_equal(seen.comm_time[2], 1000);
	assert_int_equal(seen.comm_time[3], 2000);
	assert_int_equal(seen.exit_time, 3999);
	session_close(&s);
	pb_release(&b);
}

/* Events that keep their ids in different places. */
static void test_mixed_layouts(void **state)
{
	u64 st2 = PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_ID;
	struct pb_event ev[] = { event(ST, true, 7, "one"), event(st2, true, 8, "two") };
	struct drive d = { 0 };
	struct err err = { 0 };
	struct session s;
	struct pb b;

	for (int swap = 0; swap < 2; swap++) {
		pb_init(&b, swap);
		pb_file(&b, 2, ev, 2);
		pb_event_desc(&b, ev, 2);
		for (u64 i = 0; i < 20; i++) {
			struct pb_id id = { 1, 1, 100 + i, 7 + (i & 1), 0, 0 };

			pb_sample(&b, i & 1 ? st2 : ST, 0x400000 + i, &id, 1);
		}
		pb_finish(&b);
		session_open_built(&s, &b);
		assert_int_equal(drive_ordered(&s, &d, 1, false, &err), 0);
		assert_int_equal(d.samples, 20);
		check_sorted(strbuf_str(&d.text));
		session_is_clean(&s);
		assert_non_null(strstr(strbuf_str(&d.text), "100 "));
		assert_non_null(strstr(strbuf_str(&d.text), "two\n"));
		session_close(&s);
		drive_release(&d);
		pb_release(&b);
	}
}

static void test_unknown(void **state)
{
	struct pb_event ev[] = { event(ST, true, 7, "one"), event(ST, true, 8, "two") };
	struct pb_id id = { 1, 1, 100, 4242, 0, 0 };
	struct drive d = { 0 };
	struct err err = { 0 };
	struct session s;
	struct pb b;

	pb_init(&b, false);
	pb_file(&b, 2, ev, 2);
	pb_sample(&b, ST, 1, &id, 1); /* of no event */
	id.id = 8;
	pb_end(&b, pb_begin(&b, 99, 0)); /* of no type */
	pb_sample(&b, ST, 1, &id, 1);
	pb_end(&b, pb_begin(&b, PERF_RECORD_SAMPLE, 0)); /* without its fields */
	pb_finish(&b);
	session_open_built(&s, &b);
	assert_int_equal(drive_samples(&s, &d, 1, &err), 0);
	assert_int_equal(d.samples, 1);
	assert_int_equal(s.diag.count[DIAG_UNKNOWN_EVENT], 1);
	assert_int_equal(s.diag.first[DIAG_UNKNOWN_EVENT], b.data_start);
	assert_int_equal(s.diag.count[DIAG_UNKNOWN_TYPE], 1);
	assert_int_equal(s.diag.count[DIAG_BAD_RECORD], 1);
	assert_int_equal(s.counts[99], 1);
	session_close(&s);
	drive_release(&d);
	pb_release(&b);
}

static int stop_at(void *ctx, const struct session_event *ev, struct err *err)
{
	return ev->sample->period > 100 ? err_set(err, -E2BIG, "enough") : 0;
}

static int stop_write(void *ctx, const char *text, size_t len, struct err *err)
{
	return err_set(err, -EPIPE, "nobody reads");
}

static int format_line(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		       struct err *err)
{
	strbuf_addstr(out, "line\n");
	return 0;
}

static void test_stop(void **state)
{
	struct session_sample_ops ops = { .sample = stop_at };
	struct session_ordered_ops oops = { .format = format_line, .write = stop_write };

	for (int form = 0; form < 2; form++) {
		struct err err = { 0 };
		struct session s;
		struct pb b;

		build(&b, false, form, 20, 3000);
		session_open_built(&s, &b);
		assert_int_equal(session_samples(&s, &ops, NULL, 2, &err), -E2BIG);
		assert_string_equal(err.msg, "enough");
		session_close(&s);
		session_open_built(&s, &b);
		assert_int_equal(session_ordered(&s, &oops, NULL, 2, &err), -EPIPE);
		session_close(&s);
		pb_release(&b);
	}
}

static void test_groups(void **state)
{
	struct pb_event ev[] = { event(ST, true, 7, "one"), event(ST, true, 8, "two") };
	struct session s;
	struct pb b, body;

	pb_init(&b, false);
	pb_file(&b, 2, ev, 2);
	pb_init(&body, false);
	pb_u32(&body, 2);
	pb_string(&body, "the-group");
	pb_u32(&body, 0);
	pb_u32(&body, 2);
	pb_string(&body, "impossible");
	pb_u32(&body, 1);
	pb_u32(&body, ~0U);
	pb_feature(&b, HEADER_GROUP_DESC, &body);
	pb_round(&b); /* an empty data section would mean an unfinished file */
	pb_finish(&b);
	session_open_built(&s, &b);
	assert_int_equal(s.evlist.evsels[0]->nr_members, 2);
	assert_int_equal(s.evlist.evsels[1]->leader, 0);
	assert_string_equal(s.evlist.evsels[0]->group_name, "the-group");
	session_close(&s);
	pb_release(&body);
	pb_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_ways_agree), cmocka_unit_test(test_stream_again),
		cmocka_unit_test(test_sequential),     cmocka_unit_test(test_no_rounds),
		cmocka_unit_test(test_no_time),        cmocka_unit_test(test_no_trailers),
		cmocka_unit_test(test_mixed_layouts),  cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_stop),           cmocka_unit_test(test_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
