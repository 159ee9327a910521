// SPDX-License-Identifier: GPL-2.0-or-later
/* Test sums of calls, and the programs that make them, where these can be loaded. */
#include "base/compat.h"
#include "bpf/call-sums-internal.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#define CALLS 1000

/* ---- values of several CPUs ---- */

static void test_add(void **state)
{
	struct call_sum sum = { .nr = 1 };
	struct sums_value none = { 0 },
			  first = { .returned = 3,
				    .timed = 2,
				    .errors = 1,
				    .total = 50,
				    .max = 30,
				    .not_min = ~(u64)20,
				    .squares = 1300,
				    .pid = 7 },
			  second = { .returned = 1,
				     .timed = 1,
				     .total = (u64)5 << 32,
				     .max = (u64)5 << 32,
				     .not_min = ~((u64)5 << 32),
				     .squares_big = 25ULL << 32 };

	sums_add(&sum, &none);
	assert_int_equal(sum.returned, 0);
	assert_int_equal(sum.min, 0);
	sums_add(&sum, &second);
	assert_int_equal(sum.min, (u64)5 << 32);
	sums_add(&sum, &none);
	sums_add(&sum, &first);
	assert_int_equal(sum.returned, 4);
	assert_int_equal(sum.timed, 3);
	assert_int_equal(sum.errors, 1);
	assert_int_equal(sum.total, 50 + ((u64)5 << 32));
	assert_int_equal(sum.min, 20);
	assert_int_equal(sum.max, (u64)5 << 32);
	assert_int_equal(sum.pid, 7);
	assert_true(sum.squares == 1300 + ((unsigned __int128)25 << 64));
}

/* ---- programs ---- */

static void test_assembled(void **state)
{
	const struct int_list not_pids = { .v = (int[]){ 1, 2 }, .nr = 2 };
	struct sums_offsets at = { { 1, 2, 3, 4 }, 20, 30, 2, false };
	u32 copied = 0;

	for (int by = CALL_SUMS_BY_THREAD; by <= CALL_SUMS_TOTAL; by++) {
		const struct call_sums s = {
			.by = by, .selected = by & 1, .wanted = by - 1, .cgroup = by - 1
		};
		const struct call_sums_opts o = { .not_pids = &not_pids, .on_exec = true };
		struct bpf_code c[5] = { 0 };

		sums_prog_enter(&c[0], &s, &o, &at);
		sums_prog_exit(&c[1], &s, &o, &at);
		sums_prog_fork(&c[2], &s, &at);
		sums_prog_exec(&c[3], &s, &o);
		sums_prog_end(&c[4], &s);
		for (size_t i = 0; i < ARRAY_SIZE(c); i++) {
			assert_int_equal(bpf_link(&c[i]), 0);
			bpf_code_release(&c[i]);
		}
	}
	/* Members that are loaded take fewer instructions than those that a helper copies. */
	for (int direct = 0; direct < 2; direct++) {
		const struct call_sums s = { .by = CALL_SUMS_TOTAL };
		const struct call_sums_opts o = { 0 };
		struct bpf_code c = { 0 };

		at.direct = direct;
		sums_prog_enter(&c, &s, &o, &at);
		copied = direct ? copied : c.nr;
		assert_true(direct ? c.nr < copied : c.nr > 0);
		assert_int_equal(bpf_link(&c), 0);
		bpf_code_release(&c);
	}
}

/* The flag for elements that are allocated when they are added depends on the kernel alone. */
static void test_lazy(void **state)
{
	const u32 flag = bpf_lazy_flag();

	assert_true(flag == 0 || flag == BPF_F_NO_PREALLOC);
}

struct seen {
	u64 group, asked, failed, open;
};

static void count(void *ctx, const struct call_sum *c)
{
	struct seen *seen = ctx;

	if (c->group != seen->group)
		return;
	if (c->nr == SYS_getppid) {
		seen->asked += c->returned;
		assert_int_equal(c->timed, c->returned);
		assert_true(c->min <= c->max && c->total >= c->max && c->total >= c->min);
		assert_true(c->squares >= (unsigned __int128)c->total * c->total / c->timed);
	}
	if (c->nr == SYS_close)
		seen->failed += c->errors;
	seen->open += c->open;
}

/* Calls of this thread alone are counted, each of them once, while counting is enabled. */
static void test_counted(void **state)
{
	const struct sysroot sr = { 0 };
	const struct int_list self = { .v = (int[]){ getpid() }, .nr = 1 };

	for (int by = CALL_SUMS_BY_THREAD; by <= CALL_SUMS_TOTAL; by += 2) {
		const struct call_sums_opts o = {
			.sysroot = &sr, .by = by, .selected = true, .inherit = true
		};
		struct seen seen = { .group = by == CALL_SUMS_TOTAL ? 0 : (u64)getpid() };
		struct call_sums s;
		struct err err = { 0 };

		if (call_sums_open(&s, &o, &err))
			skip();
		assert_int_equal(call_sums_select(&s, &self, &err), 0);
		syscall(SYS_getppid);
		call_sums_enable(&s, true);
		for (int i = 0; i < CALLS; i++)
			syscall(SYS_getppid);
		assert_int_equal(close(-1), -1);
		call_sums_enable(&s, false);
		syscall(SYS_getppid);
		call_sums_rest(&s, count, &seen);
		assert_int_equal(seen.asked, CALLS);
		assert_int_equal(seen.failed, 1);
		assert_int_equal(seen.open, 1); /* bpf(), which has disabled counting */
		assert_int_equal(call_sums_lost(&s), 0);
		call_sums_close(&s);
	}
}

/* Without a target all threads are counted but those that are left out; only some calls are. */
static void test_chosen(void **state)
{
	static bool wanted[SYS_getppid + 1];
	const struct sysroot sr = { 0 };
	const struct int_list self = { .v = (int[]){ getpid() }, .nr = 1 };
	struct call_sums_opts o = { .sysroot = &sr,
				    .wanted = wanted,
				    .nr_wanted = ARRAY_SIZE(wanted) };

	wanted[SYS_getppid] = true;
	for (int left_out = 0; left_out < 2; left_out++) {
		struct seen seen = { .group = (u64)getpid() };
		struct call_sums s;
		struct err err = { 0 };

		o.not_pids = left_out ? &self : NULL;
		if (call_sums_open(&s, &o, &err))
			skip();
		call_sums_enable(&s, true);
		syscall(SYS_getppid);
		close(-1);
		call_sums_enable(&s, false);
		call_sums_rest(&s, count, &seen);
		assert_int_equal(seen.asked, !left_out);
		assert_int_equal(seen.failed, 0);
		call_sums_close(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_add),    cmocka_unit_test(test_assembled),
		cmocka_unit_test(test_lazy),   cmocka_unit_test(test_counted),
		cmocka_unit_test(test_chosen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
