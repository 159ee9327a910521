// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what `perf script` is asked to show, and of which samples: columns and filters. */
#include "base/compat.h"
#include "sampletext/sample-fields.h"
#include "recording/sample-filter.h"

#include <setjmp.h>
#include <cmocka.h>

#define SEC 1000000000ULL

static const u64 all_bits = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			    PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW;

static struct evsel *add(struct evlist *l, u32 type, u64 sample_type)
{
	const struct perf_event_attr attr = { .type = type,
					      .size = sizeof(attr),
					      .sample_type = sample_type };

	return evlist_add(l, &attr, type == PERF_TYPE_TRACEPOINT ? "a:b" : "cpu-clock");
}

static int parse(struct sample_fields *sf, const char *arg, struct strbuf *notices)
{
	struct err err = { 0 };
	int ret = sample_fields_parse(sf, arg, notices, &err);

	assert_true(!ret == !err.msg[0]);
	return ret;
}

static void test_defaults(void **state)
{
	struct evlist l = { 0 };
	struct evsel *sw = add(&l, PERF_TYPE_SOFTWARE, all_bits);
	struct evsel *bare = add(&l, PERF_TYPE_HARDWARE, PERF_SAMPLE_IP | PERF_SAMPLE_TID);
	struct evsel *tp = add(&l, PERF_TYPE_TRACEPOINT, all_bits);
	struct sample_fields sf;

	sample_fields_init(&sf);
	assert_int_equal(sample_fields_check(&sf, &l, false, NULL), 0);
	assert_true(sample_fields_of(&sf, sw) & SF_PERIOD);
	assert_true(sample_fields_of(&sf, sw) & SF_CPU);
	assert_false(sample_fields_of(&sf, sw) & SF_TRACE);
	assert_false(sample_fields_of(&sf, bare) & (SF_TIME | SF_CPU));
	assert_true(sample_fields_of(&sf, bare) & SF_IP);
	assert_true(sample_fields_of(&sf, tp) & SF_TRACE);
	assert_false(sample_fields_of(&sf, tp) & (SF_IP | SF_PERIOD));
	evlist_release(&l);
}

/* A tracepoint with call chains shows addresses, unless they are hidden or columns were chosen. */
static void test_chains(void **state)
{
	struct evlist l = { 0 };
	struct evsel *tp = add(&l, PERF_TYPE_TRACEPOINT, all_bits | PERF_SAMPLE_CALLCHAIN);
	struct strbuf notices = STRBUF_INIT;
	struct sample_fields sf;

	sample_fields_init(&sf);
	sample_fields_check(&sf, &l, true, NULL);
	assert_false(sample_fields_of(&sf, tp) & SF_IP);
	sample_fields_check(&sf, &l, false, NULL);
	assert_true(sample_fields_of(&sf, tp) & SF_IP);
	sample_fields_init(&sf);
	parse(&sf, "+pid", &notices);
	sample_fields_check(&sf, &l, false, NULL);
	assert_false(sample_fields_of(&sf, tp) & SF_IP);
	strbuf_release(&notices);
	evlist_release(&l);
}

static void test_words(void **state)
{
	struct strbuf notices = STRBUF_INIT;
	struct sample_fields sf;

	sample_fields_init(&sf);
	assert_int_equal(parse(&sf, "comm,time", &notices), 0);
	assert_int_equal(sf.kind[SK_SOFTWARE].fields, SF_COMM | SF_TIME);
	assert_int_equal(parse(&sf, "sw:+cpu,-comm", &notices), 0);
	assert_int_equal(sf.kind[SK_SOFTWARE].fields, SF_CPU | SF_TIME);
	assert_int_equal(sf.kind[SK_HARDWARE].fields, SF_COMM | SF_TIME);
	assert_int_equal(notices.len, 0);
	assert_int_equal(parse(&sf, "trace", &notices), 0);
	assert_non_null(
		strstr(strbuf_str(&notices), "'trace' not valid for hardware events. Ignoring.\n"));
	assert_int_equal(sf.kind[SK_TRACEPOINT].fields, SF_TRACE);
	assert_true(parse(&sf, "nonsense", &notices) < 0);
	assert_true(parse(&sf, "comm,+tid", &notices) < 0);
	assert_true(parse(&sf, "xx:comm", &notices) < 0);
	assert_true(parse(&sf, "sw:trace", &notices) < 0);
	strbuf_release(&notices);
}

static void test_lacking(void **state)
{
	struct evlist l = { 0 };
	struct strbuf notices = STRBUF_INIT;
	struct sample_fields sf;
	struct err err = { 0 };

	add(&l, PERF_TYPE_SOFTWARE, PERF_SAMPLE_IP);
	sample_fields_init(&sf);
	parse(&sf, "ip,cpu", &notices);
	assert_true(sample_fields_check(&sf, &l, false, &err) < 0);
	assert_string_equal(err.msg, "Samples for 'cpu-clock' event do not have CPU attribute set. "
				     "Cannot print 'cpu' field.");
	sample_fields_init(&sf);
	parse(&sf, "ip,symoff", &notices);
	assert_true(sample_fields_check(&sf, &l, false, &err) < 0);
	strbuf_release(&notices);
	evlist_release(&l);
}

static bool match(const struct sample_filter *f, u32 pid, u32 tid, u32 cpu, u64 time)
{
	return sample_filter_match(f, pid, tid, cpu, time, "sh");
}

static void test_filters(void **state)
{
	struct sample_filter f = { 0 };

	assert_true(match(&f, 1, 2, 3, 4));
	assert_int_equal(sample_filter_pids(&f, "30,10, 20", NULL), 0);
	assert_true(match(&f, 20, 2, 3, 4));
	assert_false(match(&f, 2, 20, 3, 4));
	assert_int_equal(sample_filter_cpus(&f, "0,2-3,70", NULL), 0);
	assert_true(match(&f, 20, 2, 70, 4));
	assert_false(match(&f, 20, 2, 1, 4));
	assert_false(match(&f, 20, 2, 71, 4));
	assert_false(match(&f, 20, 2, UINT32_MAX, 4));
	assert_int_equal(sample_filter_comms(&f, "bash,sh", NULL), 0);
	assert_true(match(&f, 20, 2, 2, 4));
	assert_false(sample_filter_match(&f, 20, 2, 2, 4, "s"));
	assert_int_equal(sample_filter_last_cpu(&f), 70);
	sample_filter_release(&f);
	assert_int_equal(sample_filter_last_cpu(&f), -1);
	assert_true(sample_filter_tids(&f, "1,x", NULL) < 0);
	assert_true(sample_filter_cpus(&f, "3-1", NULL) < 0);
	assert_true(sample_filter_cpus(&f, "99999999999", NULL) < 0);
	assert_true(sample_filter_pids(&f, "", NULL) < 0);
	sample_filter_release(&f);
}

static void test_times(void **state)
{
	static const struct {
		const char *text;
		u64 in, out;
	} good[] = {
		{ "1.5,2", 1500000000, 1499999999 },
		{ "1,", 5 * SEC, SEC - 1 },
		{ "1,0", 5 * SEC, SEC - 1 },
		{ ",2.000000001", 2 * SEC + 1, 2 * SEC + 2 },
		{ " 1,2  4,5", 4 * SEC, 3 * SEC },
		{ "10%/2", 1500000000, 1400000000 },
		{ "50%-100%", 10 * SEC, 5 * SEC },
		{ "10%", SEC, 3 * SEC },
		{ "0%-10%,20%-30%", 2 * SEC + SEC / 2, 2 * SEC - 1 },
	};
	static const char *const bad[] = { "",        "x",       "2,1",   "110%",  "10%/0",
					   "30%-20%", "1;2",     "1",     "1,2 3", "1,2 2,3",
					   "1,4 3,",  "3,4 1,2", "1, 2,3" };
	struct sample_filter f = { 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		assert_int_equal(sample_filter_time(&f, good[i].text, SEC / 2, 10 * SEC, NULL), 0);
		assert_true(match(&f, 0, 0, 0, good[i].in));
		assert_false(match(&f, 0, 0, 0, good[i].out));
		sample_filter_release(&f);
	}
	assert_int_equal(sample_filter_time_since(&f, "1,2 3,", SEC, 10 * SEC, NULL), 0);
	assert_false(match(&f, 0, 0, 0, 2 * SEC - 1));
	assert_true(match(&f, 0, 0, 0, 3 * SEC));
	assert_false(match(&f, 0, 0, 0, 3 * SEC + 1));
	assert_true(match(&f, 0, 0, 0, 90 * SEC));
	sample_filter_release(&f);
	assert_int_equal(sample_filter_time_since(&f, "10%/2", SEC, 11 * SEC, NULL), 0);
	assert_true(match(&f, 0, 0, 0, 2 * SEC));
	assert_false(match(&f, 0, 0, 0, 2 * SEC - 1));
	sample_filter_release(&f);
	assert_true(sample_filter_time_since(&f, "1,2", 0, 0, NULL) < 0);
	sample_filter_release(&f);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_true(sample_filter_time(&f, bad[i], 0, SEC, NULL) < 0);
		sample_filter_release(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults), cmocka_unit_test(test_chains),
		cmocka_unit_test(test_words),    cmocka_unit_test(test_lacking),
		cmocka_unit_test(test_filters),  cmocka_unit_test(test_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
