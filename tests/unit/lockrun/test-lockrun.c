// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what options of a live run mean: delays, types of locks, and what there was no room for. */
#include "base/compat.h"
#include "lockrun/lockrun-internal.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

static void test_delays(void **state)
{
	static const struct {
		const char *text;
		bool force;
		int ret;
		u64 ns;
		const char *lock;
	} rows[] = {
		{ "100us@lock", false, 0, 100000, "lock" },
		{ "1ms@0x10", false, 0, 1000000, "0x10" },
		{ "7ns@a@b", false, 0, 7, "a@b" },
		{ "10ms@lock", false, 0, 10000000, "lock" },
		{ "10001us@lock", false, -EINVAL, 0, NULL },
		{ "10001us@lock", true, 0, 10001000, "lock" },
		{ "1s@lock", true, -EINVAL, 0, NULL },
		{ "1us@", true, -EINVAL, 0, NULL },
		{ "1us", true, -EINVAL, 0, NULL },
		{ "us@lock", true, -EINVAL, 0, NULL },
		{ "-1us@lock", true, -EINVAL, 0, NULL },
		{ "18446744073709551615ms@lock", true, -EINVAL, 0, NULL },
		{ "", true, -EINVAL, 0, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct err err = { 0 };
		const char *lock = NULL;
		u64 ns = 0;
		int ret = lock_delay_parse(rows[i].text, rows[i].force, &ns, &lock, &err);

		if (ret != rows[i].ret ||
		    (!ret && (ns != rows[i].ns || strcmp(lock, rows[i].lock))))
			fail_msg("'%s': %d, %" PRIu64 " ns", rows[i].text, ret, ns);
		if (ret && !strstr(err.msg, rows[i].text))
			fail_msg("'%s': %s", rows[i].text, err.msg);
	}
}

static void test_choice(void **state)
{
	const struct sysroot nowhere = { "/nonexistent" };
	struct lock_show s = LOCK_SHOW(LOCK_CONTENTION);
	const struct lock_run r = { .sysroot = &nowhere, .show = &s, .entries = 7 };
	struct running_kernel k = { .machine = machine_new() };
	struct lock_choice c;
	struct err err = { 0 };

	s.types = 1U << LOCK_MUTEX | 1U << LOCK_RWSEM_R;
	name_list_parse(&s.locks, "0x10,ff", "test", &err);
	assert_int_equal(lock_choice_make(&c, &r, &k, &err), 0);
	assert_int_equal(c.opts.by, LOCK_WATCH_BY_FLAGS);
	assert_true(c.opts.chains);
	assert_int_equal(c.opts.entries, 7);
	assert_int_equal(c.opts.nr_flags, 3);
	assert_int_equal(c.opts.flags[0], 2);
	assert_int_equal(c.opts.flags[1], 32);
	assert_int_equal(c.opts.flags[2], 33);
	assert_int_equal(c.opts.nr_addresses, 2);
	assert_int_equal(c.opts.addresses[0], 0x10);
	assert_int_equal(c.opts.addresses[1], 0xff);
	assert_null(c.opts.cpus);
	lock_choice_release(&c);
	/* There is no kernel that could tell where a variable is. */
	name_list_parse(&s.locks, "zone_lock", "test", &err);
	s.by = LOCK_BY_TASK;
	assert_int_equal(lock_choice_make(&c, &r, &k, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "'zone_lock'"));
	assert_int_equal(c.opts.by, LOCK_WATCH_BY_TASK);
	assert_false(c.opts.chains);
	lock_choice_release(&c);
	lock_show_release(&s);
	machine_free(k.machine);
}

static void test_lost(void **state)
{
	struct strbuf out = STRBUF_INIT;

	lock_put_lost(&(struct lock_watch_lost){ 0 }, 10, &out);
	assert_string_equal(strbuf_str(&out), "");
	lock_put_lost(&(struct lock_watch_lost){ 30, 16, 2, 3 }, 10, &out);
	assert_string_equal(
		strbuf_str(&out),
		"  INFO: 30 waits were not counted, as there was no room for about 16 "
		"more rows: -M 28 has it\n"
		"  INFO: the call chains of 3 waits could not be kept: a larger -M has "
		"more of them\n"
		"  INFO: 2 waits were not counted, as too many tasks waited at a time\n");
	strbuf_reset(&out);
	lock_put_lost(&(struct lock_watch_lost){ .no_owner_chains = true }, 10, &out);
	assert_non_null(strstr(strbuf_str(&out), "call chains of other tasks"));
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_delays),
		cmocka_unit_test(test_choice),
		cmocka_unit_test(test_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
