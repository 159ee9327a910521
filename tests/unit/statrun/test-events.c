// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what is counted, and how it is called: default events, modes, kinds of cores, on made-up
 * machines. */
#include "base/compat.h"
#include "base/alloc.h"
#include "statrun/events.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>

#include <cmocka.h>

#define PMUS "sys/bus/event_source/devices/"

/* A machine and what is chosen on it. */
struct bench {
	struct sysroot sr;
	struct event_sources sources;
	struct evlist l;
	struct stat_event_options o;
	struct stat_event_choice c;
	struct err err;
	struct strbuf notes;
};

static void put(const struct bench *b, const char *path, const char *text)
{
	tree_put(b->sr.prefix, path, text);
}

static int setup(void **state)
{
	struct bench *b = xzalloc(sizeof(*b));

	b->sr.prefix = tmp_dir();
	event_sources_init(&b->sources, &b->sr, NULL);
	*state = b;
	return 0;
}

static int teardown(void **state)
{
	struct bench *b = *state;

	stat_events_release(&b->c);
	evlist_release(&b->l);
	event_sources_release(&b->sources);
	strbuf_release(&b->notes);
	tmp_remove((char *)(uintptr_t)b->sr.prefix);
	free(b);
	return 0;
}

static void parse(struct bench *b, const char *text)
{
	struct parse_error pe;

	assert_int_equal(parse_events(&b->l, text, &b->sources.env, &pe), 0);
}

static int choose(struct bench *b)
{
	stat_events_release(&b->c); /* of what was chosen before */
	return stat_events_choose(&b->l, &b->o, &b->sources, &b->c, &b->err);
}

static void check_names(const struct bench *b, const char *want)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < b->l.nr; i++)
		strbuf_addf(&sb, "%s%s", i ? " " : "", b->l.evsels[i]->name);
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

/* --- default events ------------------------------------------------------------------ */

static void test_default(void **state)
{
	struct bench *b = *state;

	assert_int_equal(choose(b), 0);
	check_names(b, "task-clock context-switches cpu-migrations page-faults cycles instructions "
		       "branches branch-misses");
	assert_false(b->c.metric_only);
}

static void test_default_system(void **state)
{
	struct bench *b = *state;

	b->o.system = true;
	assert_int_equal(choose(b), 0);
	assert_string_equal(b->l.evsels[0]->name, "cpu-clock");
}

/* Stalled cycles are counted where the processor's PMU has them. */
static void test_default_stalled(void **state)
{
	struct bench *b = *state;

	put(b, PMUS "cpu/type", "4\n");
	put(b, PMUS "cpu/events/stalled-cycles-backend", "event=0x1\n");
	assert_int_equal(choose(b), 0);
	check_names(b, "task-clock context-switches cpu-migrations page-faults cycles "
		       "stalled-cycles-backend instructions branches branch-misses");
}

static void test_detailed(void **state)
{
	static const size_t nr[] = { 1, 5, 11, 13, 13 };

	for (size_t i = 0; i < ARRAY_SIZE(nr); i++) {
		struct bench *b;

		setup((void **)&b);
		parse(b, "faults");
		b->o.detailed = (int)i;
		assert_int_equal(choose(b), 0);
		assert_int_equal(b->l.nr, nr[i]);
		assert_string_equal(b->l.evsels[0]->name, "faults");
		teardown((void **)&b);
	}
	(void)state;
}

/* --- modes --------------------------------------------------------------------------- */

static void refused(struct bench *b, const char *why)
{
	assert_int_equal(choose(b), -EOPNOTSUPP);
	assert_non_null(strstr(b->err.msg, why));
	assert_int_equal(b->l.nr, 0);
}

static void test_topdown(void **state)
{
	struct bench *b = *state;

	b->o.topdown = true;
	refused(b, "requires system-wide mode");
	b->o.system = true;
	b->o.td_level = 9;
	refused(b, "The max level is ");
}

static void test_transaction(void **state)
{
	struct bench *b = *state;

	b->o.transaction = true;
	refused(b, "Cannot set up transaction events\nevent syntax error: '");
	assert_int_not_equal(b->err.msg[strlen(b->err.msg) - 1], '\n');
}

static u64 frozen(const struct bench *b)
{
	u64 on = 7;

	assert_int_equal(sysroot_read_u64(&b->sr, &on, "/sys/devices/cpu/freeze_on_smi"), 0);
	return on;
}

/* Counters are frozen for the time, and are as before when that is over. */
static void test_smi(void **state)
{
	struct bench *b = *state;

	b->o.smi_cost = true;
	refused(b, "freeze_on_smi is not supported.");
	put(b, "sys/devices/cpu/freeze_on_smi", "0\n");
	refused(b, "it needs msr/aperf/");
	assert_int_equal(frozen(b), 1);
	assert_int_equal(stat_events_restore(&b->c, &b->sr, &b->err), 0);
	assert_int_equal(frozen(b), 0);

	put(b, PMUS "msr/type", "9\n");
	put(b, PMUS "msr/events/aperf", "event=0x1\n");
	put(b, PMUS "msr/events/smi", "event=0x4\n");
	put(b, PMUS "msr/format/event", "config:0-63\n");
	put(b, "sys/devices/cpu/freeze_on_smi", "1\n");
	assert_int_equal(choose(b), 0);
	check_names(b, "msr/aperf/ msr/smi/ cycles");
	assert_int_equal(b->l.evsels[0]->nr_members, 3);
	assert_true(b->c.metric_only);
	/* it was frozen before */
	assert_int_equal(stat_events_restore(&b->c, &b->sr, &b->err), 0);
	assert_int_equal(frozen(b), 1);
}

static void test_metrics(void **state)
{
	struct bench *b = *state;
	size_t nr;
	const struct vendor_metric *first = metric_builtins(&nr);

	b->o.metrics = "no-such-metric";
	assert_true(choose(b) < 0);
	assert_non_null(strstr(b->err.msg, "no-such-metric"));
	assert_true(nr > 0);
	b->o.metrics = first->name;
	assert_int_equal(choose(b), 0);
	assert_int_equal(b->c.shown.nr, 1);
	/* then nothing else is counted */
	assert_int_equal(b->c.metrics.v[0].nr_ids, b->l.nr);
}

/* --- events of several PMUs ------------------------------------------------------------ */

static void two_uncores(struct bench *b)
{
	put(b, PMUS "uncore_x_0/type", "20\n");
	put(b, PMUS "uncore_x_0/events/reads", "event=0x1\n");
	put(b, PMUS "uncore_x_0/format/event", "config:0-7\n");
	put(b, PMUS "uncore_x_1/type", "21\n");
	put(b, PMUS "uncore_x_1/events/reads", "event=0x1\n");
	put(b, PMUS "uncore_x_1/format/event", "config:0-7\n");
}

static void test_apart(void **state)
{
	struct bench *b = *state;

	two_uncores(b);
	parse(b, "uncore_x/reads/");
	b->o.apart = true;
	assert_int_equal(choose(b), 0);
	check_names(b, "uncore_x_0/reads/ uncore_x_1/reads/");
}

static void test_one_pmu(void **state)
{
	struct bench *b = *state;

	two_uncores(b);
	put(b, PMUS "uncore_y/type", "22\n");
	put(b, PMUS "uncore_y/events/reads", "event=0x1\n");
	put(b, PMUS "uncore_y/format/event", "config:0-7\n");
	parse(b, "uncore_x/reads/,uncore_y/reads/,faults");
	b->o.apart = true;
	b->o.pmu = "uncore_x_1";
	assert_int_equal(choose(b), 0);
	check_names(b, "uncore_x_1/reads/ uncore_y/reads/ faults");
	b->o.pmu = "uncore_y";
	assert_int_equal(choose(b), 0);
	check_names(b, "uncore_x_1/reads/ uncore_y/reads/ faults");
	b->o.pmu = "uncore_z";
	assert_int_equal(choose(b), -EOPNOTSUPP);
	assert_non_null(strstr(b->err.msg, "no PMU 'uncore_z'"));
}

static void two_kinds(struct bench *b)
{
	put(b, PMUS "cpu_core/type", "4\n");
	put(b, PMUS "cpu_core/cpus", "0-1\n");
	put(b, PMUS "cpu_core/format/event", "config:0-7\n");
	put(b, PMUS "cpu_core/events/reads", "event=0x1\n");
	put(b, PMUS "cpu_atom/type", "10\n");
	put(b, PMUS "cpu_atom/cpus", "2-3\n");
	put(b, PMUS "cpu_atom/format/event", "config:0-7\n");
	put(b, PMUS "cpu_atom/events/reads", "event=0x1\n");
}

static void take_note(void *ctx, const char *text)
{
	strbuf_addstr(ctx, text);
}

/* Events of the kind of cores that is not among the CPUs are left out, but never all. */
static void test_drop(void **state)
{
	struct bench *b = *state;
	const struct notices notes = { take_note, &b->notes };
	struct int_list atom = { 0 }, none = { 0 };

	two_kinds(b);
	parse(b, "cycles,faults");
	check_names(b, "cpu_atom/cycles/ cpu_core/cycles/ faults");
	int_list_add(&atom, 3);
	stat_events_drop(&b->l, &atom, "3", &notes);
	check_names(b, "cpu_atom/cycles/ faults");
	assert_string_equal(strbuf_str(&b->notes),
			    "WARNING: 3 isn't a 'cpu_core', please use a CPU list in the "
			    "'cpu_core' range (0-1)\n");

	evlist_truncate(&b->l, 1);
	int_list_add(&none, 77);
	stat_events_drop(&b->l, &none, "77", &notes);
	assert_int_equal(b->l.nr, 1);
	int_list_release(&atom);
	int_list_release(&none);
}

static void test_core(void **state)
{
	struct bench *b = *state;

	two_kinds(b);
	parse(b, "cycles,faults");
	b->o.core = "cpu_core";
	assert_int_equal(choose(b), 0);
	check_names(b, "cpu_core/cycles/ faults");
}

static void test_merge_all(void **state)
{
	struct bench *b = *state;

	two_kinds(b);
	parse(b, "cycles");
	b->o.merge_all = true;
	assert_int_equal(choose(b), 0);
	check_names(b, "cycles cycles");
}

int main(void)
{
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_default),   TEST(test_default_system), TEST(test_default_stalled),
		TEST(test_detailed),  TEST(test_topdown),        TEST(test_transaction),
		TEST(test_smi),       TEST(test_metrics),        TEST(test_apart),
		TEST(test_one_pmu),   TEST(test_drop),           TEST(test_core),
		TEST(test_merge_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
