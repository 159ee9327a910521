// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the samples that a live profile keeps: what is equal, and how they are forgotten. */
#include "base/compat.h"
#include "toprun/kept.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define ST                                                                                         \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW)

struct bed {
	struct evlist l;
	struct kept k;
};

static void bed_init(struct bed *b, const struct kept_conf *conf)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .sample_type = ST };

	*b = (struct bed){ .l = { 0 } };
	evlist_add(&b->l, &attr, "one");
	evlist_add(&b->l, &attr, "two");
	kept_init(&b->k, conf, &b->l);
}

static void bed_release(struct bed *b)
{
	kept_release(&b->k);
	evlist_release(&b->l);
}

static void add(struct bed *b, u32 evsel, const struct sample *s, u64 time,
		const struct thread_at *at)
{
	struct sample copy = *s;
	struct session_event ev = { .evsel = b->l.evsels[evsel], .time = time, .sample = &copy };

	copy.time = time;
	kept_add(&b->k, &ev, &copy, at);
}

static const struct kept_conf small = { .limit = 1 << 20 };
static const struct thread_at here = { .pid = 7, .tid = 8, .comm = 3, .epoch = 4 };
static const struct sample plain = { .cpumode = PERF_RECORD_MISC_USER,
				     .misc = PERF_RECORD_MISC_USER,
				     .pid = 7,
				     .tid = 8,
				     .ip = 0x1000,
				     .period = 10 };

static void test_equal(void **state)
{
	struct thread_at other = here;
	struct sample s = plain, out;
	struct bed b;

	(void)state;
	bed_init(&b, &small);
	add(&b, 0, &s, 100, &here);
	s.id = 99;
	s.cpu = 1;
	s.period = 32;
	s.raw = "abcd";
	s.raw_size = 4;
	add(&b, 0, &s, 50, &here);
	assert_int_equal(b.k.nr, 1);
	assert_int_equal(kept_get(&b.k, 0, &out), 2);
	assert_int_equal(out.period, 42);
	assert_int_equal(out.time, 100);
	assert_int_equal(out.ip, 0x1000);
	assert_int_equal(out.tid, 8);
	assert_int_equal(out.cpumode, PERF_RECORD_MISC_USER);

	add(&b, 1, &plain, 101, &here); /* another event, */
	other.epoch = 5;
	add(&b, 0, &plain, 102, &other); /* address space, */
	other = here;
	other.comm = 9;
	add(&b, 0, &plain, 103, &other); /* name, */
	s = plain;
	s.ip++;
	add(&b, 0, &s, 104, &here); /* address */
	assert_int_equal(b.k.nr, 5);
	assert_int_equal(kept_total(&b.k), 6);
	bed_release(&b);
}

static void test_looked_at(void **state)
{
	const struct kept_conf conf = { .cpus = true, .raw = true, .limit = 1 << 20 };
	static const u64_una chain[] = { PERF_CONTEXT_USER, 0x1000, 0x2000 };
	struct sample s = plain, out;
	struct bed b;

	(void)state;
	bed_init(&b, &conf);
	add(&b, 0, &s, 1, &here);
	s.cpu = 1;
	add(&b, 0, &s, 2, &here);
	s.raw = "abcdefgh1234";
	s.raw_size = 12;
	s.callchain = chain;
	s.nr_callchain = 3;
	add(&b, 0, &s, 3, &here);
	assert_int_equal(b.k.nr, 3);
	kept_get(&b.k, 2, &out);
	assert_int_equal(out.cpu, 1);
	assert_int_equal(out.nr_callchain, 3);
	assert_int_equal(out.callchain[2], 0x2000);
	assert_memory_equal(out.raw, "abcdefgh1234", 12);
	bed_release(&b);
}

/* One refresh leaves 700 of 800 samples that differ, and as many of 800 that are equal. */
static void test_aging(void **state)
{
	struct sample s = plain, out;
	struct bed b;

	(void)state;
	bed_init(&b, &small);
	for (u32 i = 0; i < 800; i++) {
		add(&b, 0, &plain, i, &here);
		s.ip = 0x2000 + i;
		add(&b, 1, &s, i, &here);
	}
	assert_int_equal(b.k.nr, 801);
	kept_age(&b.k);
	assert_int_equal(kept_get(&b.k, 0, &out), 700);
	assert_int_equal(out.period, 7000);
	assert_int_equal(b.k.nr, 701);
	assert_int_equal(kept_total(&b.k), 1400);
	add(&b, 0, &plain, 900, &here); /* it is found again */
	assert_int_equal(b.k.nr, 701);
	assert_int_equal(kept_get(&b.k, 0, &out), 701);
	bed_release(&b);
}

/* Samples of an idle machine go away altogether. */
static void test_forgotten(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, &small);
	for (u32 i = 0; i < 5; i++)
		add(&b, 0, &plain, i, &here);
	for (int i = 0; i < 100; i++)
		kept_age(&b.k);
	assert_int_equal(kept_total(&b.k), 0);
	assert_int_equal(b.k.nr, 0);
	assert_int_equal(b.k.bytes.len, 0);
	bed_release(&b);
}

/* However many samples come without a refresh, new ones find room, and old ones are forgotten
 * evenly: those that are equal are as large a share as they were. */
static void test_limit(void **state)
{
	const struct kept_conf conf = { .limit = 10000 };
	struct sample s = plain, out;
	struct bed b;
	u32 nr;

	(void)state;
	bed_init(&b, &conf);
	for (u32 i = 0; i < 100000; i++) {
		s.ip = 0x2000 + i;
		add(&b, 0, i % 2 ? &s : &plain, i, &here);
		assert_true(b.k.bytes.len < 10000 + 100);
	}
	assert_int_equal(b.k.dropped, 0);
	kept_get(&b.k, b.k.nr - 1, &out);
	assert_int_equal(out.ip, s.ip);
	nr = kept_get(&b.k, 0, &out);
	assert_int_equal(out.ip, plain.ip);
	assert_in_range(nr * 100 / kept_total(&b.k), 45, 55);
	bed_release(&b);
}

static void one_thread(void *ctx, u32 pid, u32 tid, u64 time, struct thread_at *at)
{
	u32 *calls = ctx;

	assert_int_equal(pid, 7);
	++*calls;
	*at = (struct thread_at){ .pid = pid, .tid = tid, .comm = 1, .epoch = time > 1 ? 1 : 2 };
}

/* With the ids of another model, samples that differed may be equal. */
static void test_move(void **state)
{
	struct thread_at other = here;
	struct sample out;
	struct bed b;
	u32 calls = 0;

	(void)state;
	bed_init(&b, &small);
	add(&b, 0, &plain, 1, &here);
	other.epoch = 5;
	add(&b, 0, &plain, 2, &other);
	other.epoch = 6;
	add(&b, 0, &plain, 3, &other);
	kept_move(&b.k, one_thread, &calls);
	assert_int_equal(calls, 3);
	assert_int_equal(b.k.nr, 2);
	assert_int_equal(kept_get(&b.k, 1, &out), 2);
	assert_int_equal(b.k.v[1].epoch, 1);
	bed_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal), cmocka_unit_test(test_looked_at),
		cmocka_unit_test(test_aging), cmocka_unit_test(test_forgotten),
		cmocka_unit_test(test_limit), cmocka_unit_test(test_move),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
