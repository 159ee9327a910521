// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which event a record belongs to: by IDENTIFIER, by ID wherever it stands, by the trailer, the
 * lone event, the first one; and which name it has: by id, by position, by its attr. Files and
 * pipes, both byte orders, and what a 32-bit machine wrote.
 */
#include "base/compat.h"
#include "drive.h"
#include "session/session.h"

#include <setjmp.h>
#include <cmocka.h>

#define IP_TID (PERF_SAMPLE_IP | PERF_SAMPLE_TID)
#define PLAIN (IP_TID | PERF_SAMPLE_TIME)
#define BY_ID (PLAIN | PERF_SAMPLE_ID)
#define FAR_ID (PLAIN | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_STREAM_ID)
#define BY_IDENTIFIER (PLAIN | PERF_SAMPLE_IDENTIFIER)

struct layouts {
	const char *what;
	u64 st[3]; /* of the events; 0: there is no such event */
	bool id_all;
	bool ids;         /* the file knows ids */
	const char *want; /* the events that the samples and COMMs below fall to */
};

/* Every event has a sample and then a COMM, with its id; a COMM with id 0 is the last. */
static const struct layouts cases[] = {
	{ "identifier",
	  { BY_IDENTIFIER, BY_IDENTIFIER, BY_IDENTIFIER },
	  true,
	  true,
	  "s0c0s1c1s2c2c0" },
	{ "id", { BY_ID, BY_ID, BY_ID }, true, true, "s0c0s1c1s2c2c0" },
	{ "id behind address", { FAR_ID, FAR_ID }, true, true, "s0c0s1c1c0" },
	{ "id in different places", { BY_ID, FAR_ID, BY_ID }, true, true, "s0c0s1c1s2c2c0" },
	{ "identifier and id", { BY_IDENTIFIER, BY_ID }, true, true, "s0c0s1c1c0" },
	{ "both at once",
	  { BY_IDENTIFIER | BY_ID, BY_IDENTIFIER | BY_ID },
	  true,
	  true,
	  "s0c0s1c1c0" },
	{ "no trailers", { BY_ID, BY_ID }, false, true, "s0c0s1c0c0" },
	{ "lone event", { PLAIN }, true, false, "s0c0c0" },
	{ "lone event, id unknown", { BY_ID }, true, false, "s0c0c0" },
	{ "no ids at all", { PLAIN, PLAIN }, true, false, "s0c0s0c0c0" },
};

struct seen {
	char text[64];
	int nr;
};

static void note(struct seen *seen, char kind, const struct session_event *ev)
{
	assert_true(seen->nr < 30);
	seen->text[seen->nr++] = kind;
	seen->text[seen->nr++] = ev->evsel ? (char)('0' + ev->evsel->idx) : '?';
}

static int on_format(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	if (ev->hdr->type == PERF_RECORD_SAMPLE)
		note(ctx, 's', ev);
	else if (ev->hdr->type == PERF_RECORD_COMM)
		note(ctx, 'c', ev);
	return 0;
}

static size_t make_events(const struct layouts *c, struct pb_event ev[3])
{
	size_t nr = 0;

	for (; nr < 3 && c->st[nr]; nr++)
		ev[nr] = (struct pb_event){
			.attr = { .sample_type = c->st[nr], .sample_id_all = c->id_all },
			.ids = { 70 + nr },
			.nr_ids = c->ids,
		};
	return nr;
}

static void one_case(const struct layouts *c, bool swap, bool pipe)
{
	const struct session_ordered_ops ops = { .format = on_format, .all = true };
	struct seen seen = { .nr = 0 };
	struct pb_event ev[3];
	struct err err = { 0 };
	size_t nr = make_events(c, ev);
	struct session s;
	struct pb b;

	pb_start(&b, swap, pipe, ev, nr);
	for (size_t i = 0; i < nr; i++) {
		struct pb_id id = { 1, 1, 100 + 2 * i, 70 + i, 70 + i, 0 };

		pb_sample(&b, c->st[i], 0x400000, &id, 1);
		id.time++;
		pb_comm(&b, 1, 1, "x", c->id_all ? c->st[i] : 0, &id);
	}
	pb_comm(&b, 1, 1, "x", c->id_all ? c->st[0] : 0, &(struct pb_id){ 1, 1, 200, 0, 0, 0 });
	pb_finish(&b);
	session_open_built(&s, &b);
	s.file_order = true; /* whatever has no time stays where it is */
	assert_int_equal(session_ordered(&s, &ops, &seen, 1, &err), 0);
	session_is_clean(&s);
	session_close(&s);
	pb_release(&b);
	if (strcmp(seen.text, c->want) != 0)
		fail_msg("%s, %s, %s order: %s instead of %s", c->what, pipe ? "pipe" : "file",
			 swap ? "other" : "this", seen.text, c->want);
}

static void test_which_event(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (int way = 0; way < 4; way++)
			one_case(&cases[i], way & 1, way & 2);
}

/* EVENT_DESC in another order than the attrs: ids say which is which, without them the position. */
static void test_names(void **state)
{
	for (int way = 0; way < 4; way++) {
		struct pb_event ev[2] = {
			{ .attr = { .type = PERF_TYPE_SOFTWARE, .config = 1, .sample_type = BY_ID },
			  .ids = { 70 },
			  .nr_ids = way & 2 ? 1 : 0,
			  .name = "one" },
			{ .attr = { .type = PERF_TYPE_SOFTWARE, .config = 2, .sample_type = BY_ID },
			  .ids = { 71 },
			  .nr_ids = way & 2 ? 1 : 0,
			  .name = "two" },
		};
		const struct pb_event other[2] = { ev[1], ev[0] };
		struct session s;
		struct pb b;

		pb_init(&b, way & 1);
		pb_file(&b, 2, ev, 2);
		pb_event_desc(&b, other, 2);
		pb_round(&b);
		pb_finish(&b);
		session_open_built(&s, &b);
		assert_string_equal(s.evlist.evsels[0]->name, way & 2 ? "one" : "two");
		assert_string_equal(s.evlist.evsels[1]->name, way & 2 ? "two" : "one");
		session_close(&s);
		pb_release(&b);
	}
}

/* Without EVENT_DESC events have the names that their attrs would be given. */
static void test_names_of_attrs(void **state)
{
	const struct pb_event ev[2] = {
		{ .attr = { .type = PERF_TYPE_SOFTWARE, .exclude_guest = 1 } },
		{ .attr = { .type = PERF_TYPE_HARDWARE, .exclude_guest = 1 } },
	};
	struct session s;
	struct pb b;

	pb_init(&b, false);
	pb_file(&b, 2, ev, 2);
	pb_round(&b);
	pb_finish(&b);
	session_open_built(&s, &b);
	assert_string_equal(s.evlist.evsels[0]->name, "cpu-clock");
	assert_string_equal(s.evlist.evsels[1]->name, "cycles");
	session_close(&s);
	pb_release(&b);
}

/*
 * The bitmap of features is in words of `long`. Of a 32-bit machine: bits 0-31 come first in either
 * order, which only a big-endian one tells apart.
 */
static void test_32bit_features(void **state)
{
	const struct pb_event ev = { .attr = { .sample_type = PLAIN } };

	for (int swap = 0; swap < 2; swap++) {
		bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != swap;
		struct session s;
		char half[4];
		struct pb b;

		pb_init(&b, swap);
		pb_file(&b, 2, &ev, 1);
		pb_round(&b);
		pb_feature_str(&b, 3, "a-host");
		pb_feature_str(&b, 6, "armv7l");
		pb_finish(&b);
		if (big) {
			memcpy(half, b.out.buf + 72, 4);
			memcpy(b.out.buf + 72, b.out.buf + 76, 4);
			memcpy(b.out.buf + 76, half, 4);
		}
		session_open_built(&s, &b);
		assert_string_equal(s.file->env.hostname, "a-host");
		assert_string_equal(s.file->env.arch, "armv7l");
		session_close(&s);
		pb_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_which_event),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_names_of_attrs),
		cmocka_unit_test(test_32bit_features),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
