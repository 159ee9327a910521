// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the attrs that a command line leads to: sample_type, who carries the side-band, who is
 * enabled when. */
#include "base/compat.h"
#include "events/config.h"
#include "events/parse.h"

#include <setjmp.h>

#include <cmocka.h>

#define BASE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

static const struct sysroot nowhere = { "/nonexistent" };
static const struct parse_env env = { .sr = &nowhere };

static void parse(struct evlist *l, const char *text)
{
	struct parse_error pe;

	memset(l, 0, sizeof(*l));
	assert_int_equal(parse_events(l, text, &env, &pe), 0);
}

static void test_workload(void **state)
{
	struct sample_opts o = { .freq = 4000, .enable_on_exec = true };
	const struct perf_event_attr *a;
	struct evlist l = { 0 };

	evlist_add_default(&l);
	evlist_configure(&l, &o);
	assert_int_equal(l.nr, 1);
	a = &l.evsels[0]->attr;
	assert_string_equal(l.evsels[0]->name, "cycles");
	assert_int_equal(a->sample_type, BASE | PERF_SAMPLE_PERIOD);
	assert_true(a->freq && a->sample_freq == 4000 && a->inherit && a->disabled &&
		    a->enable_on_exec);
	assert_true(a->mmap && a->mmap2 && a->comm && a->comm_exec && a->task && a->sample_id_all);
	assert_int_equal(a->precise_ip, 3);
	evlist_release(&l);
}

static void test_two_events(void **state)
{
	struct sample_opts o = { .count = 100, .count_set = true, .enable_on_exec = true };
	struct evlist l;

	parse(&l, "cpu-clock,faults");
	evlist_configure(&l, &o);
	assert_int_equal(l.evsels[0]->attr.sample_type, BASE | PERF_SAMPLE_ID);
	assert_int_equal(l.evsels[1]->attr.sample_type, BASE | PERF_SAMPLE_ID);
	assert_int_equal(l.evsels[1]->attr.sample_period, 100);
	assert_false(l.evsels[1]->attr.freq);
	assert_false(l.evsels[1]->attr.mmap);
	evlist_release(&l);
}

/* Samples of an event with the modifier R have its latency, and attrs for counting are marked. */
static void test_retire_latency(void **state)
{
	struct sample_opts o = { .freq = 4000 };
	struct count_opts c = { 0 };
	struct evlist l;

	parse(&l, "r1:R,r1:pR,r1");
	evlist_configure(&l, &o);
	assert_int_equal(l.evsels[0]->attr.precise_ip, 3);
	assert_int_equal(l.evsels[1]->attr.precise_ip, 1);
	assert_int_equal(l.evsels[2]->attr.precise_ip, 0);
	evlist_configure_counting(&l, &c);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(!(l.evsels[i]->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT),
				 i == 2);
	evlist_release(&l);

	parse(&l, "r1:R,r1");
	evlist_configure(&l, &o);
	assert_true(l.evsels[0]->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT);
	assert_false(l.evsels[1]->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT);
	evlist_release(&l);
}

/* An event that is wanted later is enabled neither from the start nor by the exec. */
static void test_later(void **state)
{
	struct sample_opts o = { .count = 1, .count_set = true, .enable_on_exec = true };
	struct evlist l;

	parse(&l, "cpu-clock,faults");
	l.evsels[1]->terms.later = true;
	evlist_configure(&l, &o);
	assert_true(l.evsels[0]->attr.disabled && l.evsels[0]->attr.enable_on_exec);
	assert_true(l.evsels[1]->attr.disabled && !l.evsels[1]->attr.enable_on_exec);
	evlist_release(&l);
}

static void test_system_wide(void **state)
{
	struct sample_opts o = { .freq = 99, .system_wide = true, .callgraph = CALLGRAPH_FP };
	struct evlist l;

	parse(&l, "cpu-clock");
	evlist_configure(&l, &o);
	assert_int_equal(l.nr, 2);
	assert_string_equal(l.evsels[1]->name, "dummy:HG");
	/* their sample types differ by PERIOD: the id moves to the front */
	assert_int_equal(l.evsels[0]->attr.sample_type,
			 BASE | PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_PERIOD |
				 PERF_SAMPLE_IDENTIFIER);
	assert_true(l.evsels[0]->attr.disabled && !l.evsels[0]->attr.enable_on_exec);
	assert_false(l.evsels[0]->attr.mmap);
	assert_true(l.evsels[1]->attr.mmap && !l.evsels[1]->attr.disabled);
	assert_int_equal(l.evsels[1]->attr.sample_period, 1);
	evlist_release(&l);
}

static void test_group(void **state)
{
	struct sample_opts o = { .freq = 99, .enable_on_exec = true };
	struct evlist l;

	parse(&l, "{cpu-clock,faults}:S");
	evlist_configure(&l, &o);
	assert_true(l.evsels[0]->attr.disabled && !l.evsels[1]->attr.disabled);
	assert_true(l.evsels[0]->attr.read_format & PERF_FORMAT_GROUP);
	assert_true(l.evsels[0]->attr.sample_type & PERF_SAMPLE_READ);
	assert_false(l.evsels[0]->attr.inherit);
	assert_int_equal(l.evsels[1]->attr.sample_period, 0);
	evlist_release(&l);
}

static void test_options(void **state)
{
	struct sample_opts o = { .freq = 99,
				 .per_thread = true,
				 .no_inherit = true,
				 .addr = true,
				 .weight = true,
				 .stat = true,
				 .switches = true,
				 .namespaces = true,
				 .all_user = true,
				 .raw = false };
	const struct perf_event_attr *a;
	struct evlist l;

	parse(&l, "faults");
	evlist_configure(&l, &o);
	a = &l.evsels[0]->attr;
	assert_int_equal(a->sample_type, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_PERIOD |
						 PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC |
						 PERF_SAMPLE_WEIGHT_STRUCT);
	assert_true(a->mmap_data && a->inherit_stat && a->context_switch && a->namespaces &&
		    a->exclude_kernel);
	assert_false(a->inherit);
	evlist_release(&l);
	o = (struct sample_opts){
		.freq = 99, .delayed = true, .enable_on_exec = true, .no_period = true
	};
	parse(&l, "faults");
	evlist_configure(&l, &o);
	assert_int_equal(l.nr, 2);
	assert_false(l.evsels[0]->attr.enable_on_exec);
	assert_true(l.evsels[1]->attr.enable_on_exec && l.evsels[1]->attr.disabled);
	assert_false(l.evsels[0]->attr.sample_type & PERF_SAMPLE_PERIOD);
	assert_false(l.evsels[1]->attr.mmap_data);
	evlist_release(&l);
	o = (struct sample_opts){ .freq = 99, .data_maps = true, .data_src = true };
	parse(&l, "faults");
	evlist_configure(&l, &o);
	a = &l.evsels[0]->attr;
	assert_true(a->mmap_data && a->sample_type & PERF_SAMPLE_DATA_SRC);
	assert_false(a->sample_type & PERF_SAMPLE_ADDR);
	evlist_release(&l);
}

/* User parts of chains that come later: the events that sample ask for it, and the one that carries
 * the side-band gets them. */
static void test_deferred(void **state)
{
	struct sample_opts o = {
		.freq = 99, .system_wide = true, .callgraph = CALLGRAPH_FP, .defer = true
	};
	struct evlist l;

	parse(&l, "cpu-clock,task-clock/call-graph=no/");
	evlist_configure(&l, &o);
	assert_int_equal(l.nr, 3);
	assert_true(attr_has(&l.evsels[0]->attr, ATTR_DEFER_CALLCHAIN));
	assert_false(attr_has(&l.evsels[0]->attr, ATTR_DEFER_OUTPUT));
	assert_false(attr_has(&l.evsels[1]->attr, ATTR_DEFER_CALLCHAIN));
	assert_true(attr_has(&l.evsels[2]->attr, ATTR_DEFER_OUTPUT));
	/* not one of the bits that have names */
	assert_int_equal(l.evsels[0]->attr.sigtrap | l.evsels[0]->attr.remove_on_exec, 0);
	evlist_release(&l);
}

/* Registers and branches belong to samples: the side-band event has none. */
static void test_registers(void **state)
{
	struct sample_opts o = { .freq = 99,
				 .system_wide = true,
				 .user_regs = 1,
				 .intr_regs = 6,
				 .dwarf_regs = 0x180,
				 .branches = PERF_SAMPLE_BRANCH_ANY };
	const u64 extra = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_BRANCH_STACK;
	const struct perf_event_attr *a;
	struct evlist l;

	parse(&l, "cpu-clock");
	evlist_configure(&l, &o);
	assert_int_equal(l.nr, 2);
	a = &l.evsels[0]->attr;
	assert_int_equal(a->sample_type & extra, extra);
	assert_int_equal(a->sample_regs_user, 1);
	assert_int_equal(a->sample_regs_intr, 6);
	assert_int_equal(a->branch_sample_type, PERF_SAMPLE_BRANCH_ANY);
	assert_int_equal(l.evsels[1]->attr.sample_type & extra, 0);
	evlist_release(&l);

	o.callgraph = CALLGRAPH_DWARF;
	parse(&l, "cpu-clock");
	evlist_configure(&l, &o);
	assert_int_equal(l.evsels[0]->attr.sample_regs_user, 0x181);
	assert_int_equal(l.evsels[1]->attr.sample_regs_user, 0x180);
	evlist_release(&l);
}

/* Modifiers that concern a whole group are set at its leader only. */
static void test_pinned_group(void **state)
{
	struct sample_opts o = { .freq = 99, .system_wide = true, .all_kernel = true };
	struct evlist l;

	parse(&l, "{cpu-clock,faults}:De,bpf-output");
	evlist_configure(&l, &o);
	assert_true(l.evsels[0]->attr.pinned && l.evsels[0]->attr.exclusive);
	assert_false(l.evsels[1]->attr.pinned || l.evsels[1]->attr.exclusive);
	assert_int_equal(l.evsels[2]->attr.sample_period, 1);
	assert_true(l.evsels[2]->attr.sample_type & PERF_SAMPLE_RAW);
	assert_string_equal(l.evsels[3]->name, "dummy:kh");
	evlist_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pinned_group), cmocka_unit_test(test_registers),
		cmocka_unit_test(test_deferred),     cmocka_unit_test(test_workload),
		cmocka_unit_test(test_two_events),   cmocka_unit_test(test_later),
		cmocka_unit_test(test_system_wide),  cmocka_unit_test(test_group),
		cmocka_unit_test(test_options),      cmocka_unit_test(test_retire_latency),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
