// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the address space in which samples of all processes are equal where they were in the same
 * place. */
#include "base/compat.h"
#include "state-build.h"
#include "toprun/shared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

struct bed {
	struct machine *m;
	struct state_log log;
	struct shared_space sp;
};

static void bed_init(struct bed *b)
{
	*b = (struct bed){ .m = machine_new() };
	st_mmap(b->m, 1, 10, 10, 0x400000, 0x10000, 0x1000, "/bin/same");
	st_mmap(b->m, 1, 20, 20, 0x7f0000, 0x10000, 0x1000, "/bin/same");
	st_mmap(b->m, 1, 20, 20, 0x900000, 0x10000, 0, "/lib/other");
	st_mmap(b->m, 1, 20, 20, 0xa00000, 0x10000, 0, "//anon");
}

static void bed_release(struct bed *b)
{
	shared_release(&b->sp);
	state_log_release(&b->log);
	machine_free(b->m);
}

static struct sample moved(struct bed *b, u32 pid, u8 cpumode, u64 ip)
{
	struct sample s = { .pid = pid, .tid = pid, .time = 5, .cpumode = cpumode, .ip = ip };
	struct thread_at at;

	machine_thread_at(b->m, pid, pid, 5, &at);
	shared_sample(&b->sp, b->m, &b->log, &s, &at);
	assert_int_equal(at.tid, s.tid);
	return s;
}

static void test_same_place(void **state)
{
	struct bed b;
	struct sample one, two, other;

	(void)state;
	bed_init(&b);
	one = moved(&b, 10, PERF_RECORD_MISC_USER, 0x400123);
	two = moved(&b, 20, PERF_RECORD_MISC_USER, 0x7f0123);
	other = moved(&b, 20, PERF_RECORD_MISC_USER, 0x900123);
	assert_int_equal(one.pid, 0);
	assert_true(one.ip == two.ip);
	assert_true(one.ip != other.ip);
	assert_string_equal(st_dso_at(b.m, 5, 0, 0, one.ip), "/bin/same");
	assert_string_equal(st_dso_at(b.m, 5, 0, 0, other.ip), "/lib/other");
	assert_int_equal(b.log.nr, 2);
	bed_release(&b);
}

/* The kernel is everywhere; memory without a file stays where it was. */
static void test_others(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b);
	assert_int_equal(moved(&b, 10, PERF_RECORD_MISC_KERNEL, 0xffffffff81000000).pid, 0);
	assert_int_equal(moved(&b, 20, PERF_RECORD_MISC_USER, 0xa00010).pid, 20);
	assert_int_equal(moved(&b, 20, PERF_RECORD_MISC_USER, 0x10).pid, 20);
	assert_int_equal(moved(&b, 20, PERF_RECORD_MISC_GUEST_USER, 0x900010).pid, 20);
	assert_int_equal(b.log.nr, 0);
	bed_release(&b);
}

/* Go on with another machine, which learns what is in the log. */
static void renew(struct bed *b, struct machine *m)
{
	for (size_t i = 0; i < b->log.nr; i++) {
		const wire_header *h = state_log_record(&b->log, i);

		assert_int_equal(machine_apply(m, h, h->size, 0, NULL), 0);
	}
	machine_free(b->m);
	b->m = m;
	shared_renew(&b->sp, m);
}

/* Another machine that knows the log gives the same places. */
static void test_renew(void **state)
{
	struct bed b;
	struct sample before;
	struct machine *m = machine_new();

	(void)state;
	bed_init(&b);
	moved(&b, 20, PERF_RECORD_MISC_USER, 0x900123);
	before = moved(&b, 10, PERF_RECORD_MISC_USER, 0x400123);
	st_mmap(m, 1, 30, 30, 0x600000, 0x10000, 0x1000, "/bin/same");
	renew(&b, m);
	assert_true(moved(&b, 30, PERF_RECORD_MISC_USER, 0x600123).ip == before.ip);
	assert_int_equal(b.log.nr, 2);
	bed_release(&b);
}

/* However many objects come and go, those without samples leave neither a record nor a range. */
static void test_gone(void **state)
{
	struct bed b;
	struct sample stays;

	(void)state;
	bed_init(&b);
	stays = moved(&b, 10, PERF_RECORD_MISC_USER, 0x400123);
	assert_int_equal(shared_range(&stays), 0);
	for (u32 i = 0; i < 5000; i++) {
		struct map64 used = { 0 };
		struct sample s;
		char path[32];

		snprintf(path, sizeof(path), "/tmp/once.%u", i);
		st_mmap(b.m, 1, 40, 40, 0x400000, 0x10000, 0, path);
		s = moved(&b, 40, PERF_RECORD_MISC_USER, 0x400123);
		assert_int_equal(shared_range(&s), 1);
		assert_string_equal(st_dso_at(b.m, 5, 0, 0, s.ip), path);
		assert_int_equal(b.log.nr, 2);
		map64_set(&used, shared_range(&stays), 1);
		shared_forget(&b.sp, &b.log, &used);
		map64_release(&used);
		assert_int_equal(b.log.nr, 1);
		renew(&b, machine_new());
		assert_string_equal(st_dso_at(b.m, 5, 0, 0, stays.ip), "/bin/same");
	}
	bed_release(&b);
}

/* Samples that were not moved are in no range. */
static void test_range(void **state)
{
	const struct sample kernel = { .cpumode = PERF_RECORD_MISC_KERNEL, .ip = ~0ULL },
			    low = { .cpumode = PERF_RECORD_MISC_USER, .ip = 0x1000 },
			    high = { .cpumode = PERF_RECORD_MISC_USER, .ip = ~0ULL },
			    own = { .cpumode = PERF_RECORD_MISC_USER, .ip = 1ULL << 34, .pid = 10 };

	assert_int_equal(shared_range(&kernel), MAP64_NONE);
	assert_int_equal(shared_range(&low), MAP64_NONE);
	assert_int_equal(shared_range(&high), MAP64_NONE);
	assert_int_equal(shared_range(&own), MAP64_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_place), cmocka_unit_test(test_others),
		cmocka_unit_test(test_renew),      cmocka_unit_test(test_gone),
		cmocka_unit_test(test_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
