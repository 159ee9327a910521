// SPDX-License-Identifier: GPL-2.0-or-later
/* Test values that come from samples: bytes of a ring to a number, and a run that samples. */
#include "base/compat.h"
#include "base/alloc.h"
#include "statrun/run-internal.h"
#include "statrun/statrun.h"
#include "wire/encode.h"

#include <errno.h>
#include <setjmp.h>

#include <cmocka.h>

/* Two events that are sampled, with the ids 7 and 8. */
static void add_events(struct evlist *l)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_RAW,
					.config = 0x1d3,
					.size = sizeof(attr) };

	for (u64 id = 7; id < 9; id++) {
		struct evsel *e = evlist_add(l, &attr, "r1d3:R");

		e->tool = TOOL_RETIRE_LATENCY;
		retire_configure(e, true, false);
		evsel_add_id(e, id);
	}
	evlist_index(l);
}

/* Append a sample whose other two weights are not to be taken for the latency. */
static void put(struct strbuf *sb, const struct evlist *l, u64 id, u64 time, u16 latency)
{
	struct sample s = {
		.id = id, .time = time, .weight = 60000, .ins_lat = 50000, .p_stage_cyc = latency
	};

	assert_int_equal(enc_sample(sb, &l->evsels[0]->layout, &s), 0);
}

static void check(const struct retire_latency *v, u64 mean, u64 min, u64 max, u64 last)
{
	assert_int_equal(retire_value(v, RETIRE_DEFAULT), mean);
	assert_int_equal(retire_value(v, RETIRE_MEAN), mean);
	assert_int_equal(retire_value(v, RETIRE_MIN), min);
	assert_int_equal(retire_value(v, RETIRE_MAX), max);
	assert_int_equal(retire_value(v, RETIRE_LAST), last);
}

static void test_bytes(void **state)
{
	struct rec_lost lost = { .lost = 3 };
	struct retire_latency v[2] = { 0 };
	struct strbuf sb = STRBUF_INIT;
	struct evlist l = { 0 };

	(void)state;
	add_events(&l);
	check(&v[0], 0, 0, 0, 0);
	put(&sb, &l, 7, 100, 10);
	put(&sb, &l, 8, 101, 65535);
	assert_int_equal(enc_lost(&sb, &lost, &l.evsels[0]->layout, &(struct sample_id){ 0 }), 0);
	put(&sb, &l, 7, 300, 4);
	put(&sb, &l, 9, 301, 9); /* of no event */
	retire_take(v, &l, sb.buf, sb.len);
	check(&v[0], 7, 4, 10, 4);
	check(&v[1], 65535, 65535, 65535, 65535);

	/* the ring of another CPU has an older sample; the last record is cut off */
	strbuf_reset(&sb);
	put(&sb, &l, 7, 200, 31);
	put(&sb, &l, 7, 400, 1000);
	retire_take(v, &l, sb.buf, sb.len - 1);
	check(&v[0], 15, 4, 31, 4);
	retire_take(v, &l, sb.buf, 3);
	retire_take(v, &l, sb.buf, 0);
	assert_int_equal(v[0].nr, 3);

	/* a record that says it has no bytes ends the walk */
	memset(sb.buf, 0, 8);
	retire_take(v, &l, sb.buf, sb.len);
	assert_int_equal(v[0].nr, 3);
	strbuf_release(&sb);
	evlist_release(&l);
}

/* A PMU that samples precisely need not measure the latency. */
static void test_remark(void **state)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_RAW, .config = 1, .size = sizeof(attr) };
	struct retire_latency v[3] = { { .nr = 2 }, { .nr = 2, .max = 1 }, { 0 } };
	struct strbuf told = STRBUF_INIT;
	struct evlist l = { 0 };

	evlist_add(&l, &attr, "r1:R");
	evlist_add(&l, &attr, "r2:R");
	evlist_add(&l, &attr, "r3:R");
	assert_true(retire_remark(&told, v, &l));
	assert_string_equal(strbuf_str(&told),
			    "All samples of r1:R have a retire latency of 0: PMUs before Granite "
			    "Rapids do not measure it.\n");
	strbuf_reset(&told);
	v[0].max = 7;
	assert_false(retire_remark(&told, v, &l));
	assert_int_equal(told.len, 0);
	strbuf_release(&told);
	evlist_release(&l);
}

static void test_modes(void **state)
{
	static const char *const names[] = { "mean", "min", "max", "last" };
	enum retire_mode mode = RETIRE_DEFAULT;
	struct err err = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		assert_int_equal(retire_mode_parse(&mode, names[i], &err), 0);
		assert_int_equal(mode, RETIRE_MEAN + i);
	}
	assert_int_equal(retire_mode_parse(&mode, "median", &err), -EINVAL);
	assert_string_equal(err.msg, "--tpebs-mode: 'median' is none of mean, min, max and last");
	assert_int_equal(mode, RETIRE_LAST);
	assert_int_equal(retire_mode_parse(&mode, "", &err), -EINVAL);
}

static void test_configure(void **state)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_RAW, .config = 1, .size = sizeof(attr) };
	struct evlist l = { 0 };
	const struct evsel *plain = evlist_add(&l, &attr, "r1:R"), *own;

	(void)state;
	attr.precise_ip = 2;
	attr.sample_period = 1009;
	own = evlist_add(&l, &attr, "cpu/event=1,period=1009/ppR");
	evlist_group(&l, 0, 2);
	retire_configure(l.evsels[0], true, true);
	retire_configure(l.evsels[1], false, false);
	assert_int_equal(plain->attr.freq, 1);
	assert_true(plain->terms.precise_max);
	assert_int_equal(plain->attr.precise_ip, 3);
	assert_true(plain->attr.inherit && plain->attr.enable_on_exec && plain->attr.disabled);
	assert_int_equal(plain->nr_members, 1);
	assert_int_equal(own->attr.sample_period, 1009);
	assert_int_equal(own->attr.freq, 0);
	assert_int_equal(own->attr.precise_ip, 2);
	assert_false(own->terms.precise_max || own->attr.inherit || own->attr.enable_on_exec);
	assert_true(own->attr.disabled);
	assert_int_equal(own->leader, 1);
	evlist_release(&l);
}

/* --- a run, with a clock in place of an event that has latencies ---------------------------- */

struct seen {
	struct stat_run *run;
	u64 nr;
	double val;
	bool there;
};

static void on_run_end(void *ctx)
{
	struct seen *seen = ctx;

	seen->nr = seen->run->sampler.latencies[0].nr;
	seen->val = stat_value_at(&seen->run->results.last, 0, 0)->val;
	seen->there = stat_counted(&seen->run->results.last, 0, 0);
}

static struct seen run(bool record, int repeat)
{
	static char *words[] = {
		(char *)(uintptr_t) "sh", (char *)(uintptr_t) "-c",
		(char *)(uintptr_t) "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done", NULL
	};
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_CPU_CLOCK,
					.size = sizeof(attr),
					.sample_period = 1000000 };
	const struct sysroot here = { 0 };
	const struct stat_options o = { .sysroot = &here,
					.command = words,
					.repeat = repeat,
					.scale = true,
					.record_latency = record };
	struct seen seen = { 0 };
	const struct stat_listener to = { .ctx = &seen, .run_end = on_run_end };
	struct evlist l = { 0 };
	struct evsel *e = evlist_add(&l, &attr, "cpu-clock:R");
	struct err err = { 0 };
	int rc;

	e->tool = TOOL_RETIRE_LATENCY;
	e->snapshot = true;
	seen.run = stat_run_new(&o, &l, &to, &err);
	assert_non_null(seen.run);
	rc = stat_run_all(seen.run, &err);
	stat_run_free(seen.run);
	evlist_release(&l);
	if (rc == -EACCES || rc == -EPERM || rc == -ENOSYS)
		skip();
	assert_int_equal(rc, 0);
	return seen;
}

static void test_run(void **state)
{
	struct seen seen = run(true, 2);

	(void)state;
	assert_true(seen.nr > 5);
	assert_true(seen.there);
	assert_true(seen.val == 0); /* a clock has no latency */
	seen = run(false, 1);
	assert_int_equal(seen.nr, 0);
	assert_true(seen.there);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes), cmocka_unit_test(test_remark),
		cmocka_unit_test(test_modes), cmocka_unit_test(test_configure),
		cmocka_unit_test(test_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
