// SPDX-License-Identifier: GPL-2.0-or-later
/* Test values of the options of a recording, and what follows from them. */
#include "base/compat.h"
#include "recordopts/options.h"

#include "kernel/synth.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void test_switch(void **state)
{
	struct switch_opts s = { 0 };

	assert_int_equal(switch_parse(&s, "10M"), 0);
	assert_int_equal(s.size, 10 << 20);
	assert_int_equal(s.ms, 0);
	assert_int_equal(switch_parse(&s, "2m"), 0);
	assert_int_equal(s.size, 0);
	assert_int_equal(s.ms, 120000);
	assert_int_equal(switch_parse(&s, "signal"), 0);
	assert_int_equal(s.ms, 0);
	assert_int_equal(switch_parse(&s, "signals"), -EINVAL);
	assert_int_equal(switch_parse(&s, "10"), -EINVAL);
	assert_int_equal(switch_parse(&s, "10x"), -EINVAL);
}

static void test_spans(void **state)
{
	static const char *const bad[] = { "",
					   "10",
					   "10-",
					   "20-10",
					   "10-10",
					   "10-20,15-30",
					   "10-20,20-30",
					   "10-20,",
					   "10-20;30-40",
					   "10-99999999999" };
	struct delay_spans s = { 0 };

	assert_int_equal(delay_spans_parse(&s, "10-20,30-40"), 0);
	assert_int_equal(s.nr, 2);
	assert_int_equal(s.v[1].from, 30);
	assert_int_equal(s.v[1].to, 40);
	/* the last option counts */
	assert_int_equal(delay_spans_parse(&s, "0-5"), 0);
	assert_int_equal(s.nr, 1);
	assert_int_equal(s.v[0].to, 5);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(delay_spans_parse(&s, bad[i]), -EINVAL);
	delay_spans_release(&s);
	assert_int_equal(s.nr, 0);
}

static void test_names(void **state)
{
	enum ring_affinity affinity = AFFINITY_SYS;
	unsigned int bits;

	assert_int_equal(synth_parse("all", &bits), 0);
	assert_int_equal(bits, SYNTH_ALL);
	/* a map without its process says nothing */
	assert_int_equal(synth_parse("mmap", &bits), 0);
	assert_int_equal(bits, SYNTH_TASKS | SYNTH_MAPS);
	assert_int_equal(synth_parse("Task,cgroup", &bits), 0);
	assert_int_equal(bits, SYNTH_TASKS | SYNTH_CGROUPS);
	assert_int_equal(synth_parse("all,no", &bits), 0);
	assert_int_equal(bits, 0);
	assert_int_equal(synth_parse("all,some", &bits), -EINVAL);
	assert_int_equal(synth_parse("", &bits), -EINVAL);
	assert_int_equal(affinity_parse("NODE", &affinity), 0);
	assert_int_equal(affinity, AFFINITY_NODE);
	assert_int_equal(affinity_parse("core", &affinity), -EINVAL);
}

/* The kind of target decides how events sample. */
static void test_target(void **state)
{
	char *const command[] = { (char *)"true", NULL };
	struct record_opts o = { .command = command };

	record_opts_target(&o, NULL);
	assert_false(o.sample.system_wide);
	assert_true(o.sample.enable_on_exec);
	assert_false(o.sample.no_inherit);

	o = (struct record_opts){ .command = command, .target = { .all_cpus = true } };
	o.sample.per_thread = true;
	record_opts_target(&o, NULL);
	assert_true(o.sample.system_wide);
	assert_false(o.sample.per_thread);
	assert_false(o.sample.enable_on_exec);

	o = (struct record_opts){ .target = { .tids = "1" } };
	record_opts_target(&o, NULL);
	assert_false(o.sample.system_wide);
	assert_true(o.sample.no_inherit);

	/* nothing at all is the whole system */
	o = (struct record_opts){ 0 };
	record_opts_target(&o, NULL);
	assert_true(o.sample.system_wide);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_switch),
		cmocka_unit_test(test_spans),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_target),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
