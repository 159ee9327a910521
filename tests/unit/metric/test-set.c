// SPDX-License-Identifier: GPL-2.0-or-later
/* Test metrics on a made-up machine: what is listed, what they refer to, which events are opened in
 * which groups, and their values. */
#include "base/compat.h"
#include "events/sources.h"
#include "metric/metric.h"
#include "tmp-tree.h"

#include "base/alloc.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>

#include <cmocka.h>

static char *root;
static struct sysroot sr;
static struct event_sources sources;
static struct metric_env env;

#define CPU "sys/bus/event_source/devices/cpu/"

static const char metrics[] =
	"[{'MetricName':'ipc','MetricExpr':'inst / cyc','MetricGroup':'G;Summary','ScaleUnit':'1per'},"
	"{'MetricName':'twice','MetricExpr':'2 * ipc + cyc / cyc','MetricGroup':'G'},"
	"{'MetricName':'share','MetricExpr':'inst / (inst + miss + cyc)','MetricGroup':'G;B',"
	"'ScaleUnit':'100%','MetricThreshold':'share > 0.2 & twice > 3'},"
	"{'MetricName':'loop1','MetricExpr':'loop2 + 1'},{'MetricName':'loop2','MetricExpr':'loop1'},"
	"{'MetricName':'absent','MetricExpr':'no_such_event / 2','MetricGroup':'G;Gone'},"
	"{'MetricName':'wrong','MetricExpr':'inst +','MetricGroup':'W'},"
	"{'MetricName':'alone','MetricExpr':'inst / miss','MetricConstraint':'NO_GROUP_EVENTS'},"
	"{'MetricName':'nmi','MetricExpr':'inst / miss','MetricConstraint':'NO_GROUP_EVENTS_NMI'},"
	"{'MetricName':'mixed','MetricExpr':'inst / cyc + 0 * task\\\\-clock + unc_a / unc_b'},"
	"{'MetricName':'lead','MetricExpr':'inst / slots'},"
	"{'MetricName':'smt','MetricExpr':'inst if #smt_on else miss'},"
	"{'MetricName':'box','MetricExpr':'unc_a / source_count(unc_a)'},"
	"{'MetricName':'CPI','MetricExpr':'cyc / inst','BriefDescription':'Redefined'},"
	"{'MetricName':'chips','MetricExpr':'cyc + hv@REQ\\\\,chip\\\\=?@ + ?','AggregationMode':'PerChip',"
	"'MetricThreshold':'chips > ?'},"
	"{'MetricName':'cores','MetricExpr':'hv@REQ\\\\,chip\\\\=?@','AggregationMode':'PerCore'},"
	"{'MetricName':'anywhere','MetricExpr':'chips * 2'},"
	"{'MetricName':'own','MetricExpr':'own / 20'},{'EventName':'own','EventCode':'7'},"
	"{'EventName':'inst','EventCode':'1'},{'EventName':'cyc','EventCode':'2'},"
	"{'EventName':'miss','EventCode':'3'},{'EventName':'slots','EventCode':'4'},"
	"{'EventName':'unc_a','EventCode':'5','Unit':'BOX'},"
	"{'EventName':'unc_b','EventCode':'6','Unit':'BOX'}]";

static int setup(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	char *dir;

	root = tmp_dir();
	sr.prefix = root;
	tree_put(root, CPU "type", "4\n");
	tree_put(root, CPU "format/event", "config:0-7\n");
	tree_put(root, "sys/bus/event_source/devices/uncore_box/type", "30\n");
	tree_put(root, "sys/bus/event_source/devices/uncore_box/cpumask", "0\n");
	tree_put(root, "sys/bus/event_source/devices/uncore_box/format/event", "config:0-7\n");
	tree_put(root, "sys/devices/system/cpu/smt/active", "1\n");
	tree_put(root, "proc/sys/kernel/nmi_watchdog", "1\n");
	tree_put(root, "sys/bus/event_source/devices/hv/type", "31\n");
	tree_put(root, "sys/bus/event_source/devices/hv/format/event", "config:0-7\n");
	tree_put(root, "sys/bus/event_source/devices/hv/format/chip", "config:16-31\n");
	tree_put(root, "sys/bus/event_source/devices/hv/events/REQ", "event=0x9,chip=?\n");
	tree_put(root, "sys/bus/event_source/devices/hv_24x7/interface/sockets", "2\n");
	strbuf_addstr(&sb, metrics);
	for (size_t i = 0; i < sb.len; i++)
		if (sb.buf[i] == '\'')
			sb.buf[i] = '"';
	tree_put(root, "events/all.json", strbuf_str(&sb));
	strbuf_release(&sb);
	event_sources_init(&sources, &sr, NULL);
	dir = xasprintf("%s/events", root);
	assert_int_equal(event_sources_add_dir(&sources, dir, NULL), 0);
	free(dir);
	env = (struct metric_env){ .parse = &sources.env, .table = event_sources_table(&sources) };
	return 0;
}

static int teardown(void **state)
{
	event_sources_release(&sources);
	tmp_remove(root);
	return 0;
}

/* --- the list ------------------------------------------------------------------- */

struct seen {
	const char *last;
	size_t nr;
	bool redefined, twice;
};

static int see(void *ctx, const struct vendor_metric *m)
{
	struct seen *s = ctx;

	if (s->last && strcasecmp(s->last, m->name) > 0)
		fail_msg("%s comes before %s", s->last, m->name);
	s->twice = s->twice || (s->last && !strcasecmp(s->last, m->name));
	if (!strcmp(m->name, "CPI"))
		s->redefined = m->file != NULL;
	s->last = m->name;
	s->nr++;
	return 0;
}

static int see_group(void *ctx, const char *group, const char *desc)
{
	struct strbuf *sb = ctx;

	strbuf_addf(sb, "%s,", group);
	return 0;
}

static int stop(void *ctx, const struct vendor_metric *m)
{
	return strcmp(m->name, "IPC") ? 0 : 42;
}

static void test_list(void **state)
{
	struct seen alone = { 0 }, both = { 0 };
	struct strbuf groups = STRBUF_INIT;
	size_t nr;

	assert_int_equal(metric_each(NULL, see, &alone), 0);
	metric_builtins(&nr);
	assert_int_equal(alone.nr, nr);
	assert_false(alone.redefined);
	assert_int_equal(metric_each(env.table, see, &both), 0);
	/* CPI and ipc are redefined */
	assert_int_equal(both.nr, nr + 18 - 2);
	assert_true(both.redefined);
	assert_false(both.twice);
	assert_int_equal(metric_each(NULL, stop, NULL), 42);
	metric_group_each(env.table, see_group, &groups);
	assert_string_equal(strbuf_str(&groups), "B,Branches,Cache,Default,G,Gone,Pipeline,"
						 "Scheduling,Summary,TLB,TopdownL1,W,");
	strbuf_release(&groups);
	assert_string_equal(metric_find(env.table, "cpi")->desc, "Redefined");
	assert_null(metric_find(env.table, "cp"));
	assert_non_null(metric_find(NULL, "branch_miss_rate"));
	assert_true(metric_in_group(metric_find(env.table, "share"), "b", 1));
	assert_false(metric_in_group(metric_find(env.table, "share"), "x", 1));
}

/* Each built-in metric is right by itself, and those whose events every machine has can be had. */
static int check_builtin(void *ctx, const struct vendor_metric *m)
{
	const struct metric_options o = { 0 };
	struct metric_set set = { 0 };
	struct err err = { 0 };
	size_t *usable = ctx;

	assert_non_null(m->desc);
	assert_non_null(m->groups);
	if (metric_set_add(&set, m->name, &(struct metric_env){ .parse = &sources.env }, &o, &err))
		fail_msg("%s: %s", m->name, err.msg);
	assert_int_equal(set.nr, 1);
	assert_true(set.v[0].nr_ids > 1);
	*usable += metric_usable(m, &(struct metric_env){ .parse = &sources.env });
	metric_set_release(&set);
	return 0;
}

static void test_builtins(void **state)
{
	size_t usable = 0, nr;

	metric_each(NULL, check_builtin, &usable);
	metric_builtins(&nr);
	assert_in_range(usable, 15, nr - 4); /* without top-down's four */
}

/* --- events ----------------------------------------------------------------------- */

/* "{inst,cyc}:W task-clock": what is opened, events of a group in braces. */
static char *opened(const struct evlist *l)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < l->nr; i++) {
		const struct evsel *e = l->evsels[i], *leader = l->evsels[e->leader];

		strbuf_addf(&sb, "%s%s%s", i ? " " : "",
			    leader->nr_members > 1 && e == leader ? "{" : "", e->name);
		if (leader->nr_members > 1 && i + 1 == e->leader + leader->nr_members)
			strbuf_addf(&sb, "}%s", e->terms.weak ? ":W" : "");
	}
	return strbuf_detach(&sb);
}

static const struct {
	const char *names;
	struct metric_options o;
	const char *events;
} plans[] = {
	{ "ipc", { 0 }, "{inst cyc}:W" },
	{ "IPC", { 0 }, "{inst cyc}:W" },
	{ "ipc,ipc", { 0 }, "{inst cyc}:W" },
	{ "twice", { 0 }, "{inst cyc}:W" },
	{ "ipc,twice", { 0 }, "{inst cyc}:W" },
	{ "ipc,twice", { .no_merge = true }, "{inst cyc}:W {inst cyc}:W" },
	{ "ipc,twice", { .no_group = true }, "inst cyc" },
	{ "share", { 0 }, "{inst miss cyc}:W" },
	{ "ipc,share", { 0 }, "{inst miss cyc}:W" },
	{ "G", { 0 }, "{inst miss cyc}:W" },
	{ "g", { .no_group = true }, "inst miss cyc" },
	{ "alone", { 0 }, "inst miss" },
	{ "alone,ipc", { 0 }, "inst miss {inst cyc}:W" },
	{ "nmi", { 0 }, "inst miss" },
	{ "mixed", { 0 }, "{inst cyc}:W task-clock {unc_a unc_b}:W" },
	{ "lead", { 0 }, "{slots inst}:W" },
	{ "smt", { 0 }, "inst" },
	{ "own", { 0 }, "own" },
	{ "chips", { 0 }, "cyc hv/REQ,chip=0/ cyc hv/REQ,chip=1/" },
	{ "cores", { 0 }, "hv/REQ,chip=0/" },
	{ "box", { 0 }, "unc_a" },
	{ "CPUs_utilized", { 0 }, "task-clock duration_time" },
	{ "branch_miss_rate", { 0 }, "{branch-misses branches}:W" },
	{ "Scheduling", { 0 }, "context-switches task-clock cpu-migrations page-faults" },
};

static void test_plans(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(plans); i++) {
		struct metric_set set = { 0 };
		struct evlist l = { 0 };
		struct err err = { 0 };
		char *text;

		if (metric_set_add(&set, plans[i].names, &env, &plans[i].o, &err) ||
		    metric_set_events(&set, &l, &env, &plans[i].o, &err))
			fail_msg("%s: %s", plans[i].names, err.msg);
		text = opened(&l);
		if (strcmp(text, plans[i].events))
			fail_msg("%s opens %s, not %s", plans[i].names, text, plans[i].events);
		free(text);
		for (size_t j = 0; j < set.nr; j++)
			for (u32 k = 0; k < set.v[j].nr_ids; k++)
				assert_true(set.v[j].uses[k].nr &&
					    set.v[j].uses[k].first + set.v[j].uses[k].nr <= l.nr);
		metric_set_release(&set);
		evlist_release(&l);
	}
}

static double nine(void *ctx, const struct metric_use *use, u32 *sources)
{
	*sources = 1;
	return 9;
}

/* An expression with a '?' makes a metric for each chip, with a threshold each. Metrics that refer
 * to such a metric mean the one of the first chip. */
static void test_places(void **state)
{
	static const char *const names[] = { "chips_0", "chips_1", "cores_0", "anywhere" };
	static const double values[] = { 18, 19, 9, 36 };
	const struct metric_options o = { 0 };
	struct metric_set set = { 0 };
	struct err err = { 0 };
	bool alarm;

	assert_int_equal(metric_set_add(&set, "chips,cores,chips,anywhere", &env, &o, &err), 0);
	assert_int_equal(set.nr, ARRAY_SIZE(names));
	for (size_t i = 0; i < set.nr; i++) {
		assert_string_equal(set.v[i].name, names[i]);
		assert_true(metric_value(&set.v[i], nine, NULL, &alarm) == values[i]);
		assert_int_equal(alarm, i < 2);
	}
	assert_string_equal(set.v[1].ids[1], "hv/REQ,chip=1/");
	metric_set_release(&set);
}

static const struct {
	const char *names;
	int rc;
	const char *say; /* its end */
} refused[] = {
	{ "nonsense", -ENOENT, "Cannot find metric or group `nonsense'" },
	{ "ipc,nonsense", -ENOENT, "Cannot find metric or group `nonsense'" },
	{ "", -ENOENT, "Cannot find metric or group `'" },
	{ "ipc,", -ENOENT, "Cannot find metric or group `'" },
	{ "loop1", -ELOOP, "metric loop1 refers to itself, through loop2" },
	{ "wrong", -EINVAL,
	  "metric wrong: a value is expected, the expression ends, at byte 6, ''" },
	{ "Gone", -ENOENT, "this machine has the events of no metric of the group `Gone'" },
	{ "TopdownL1", -ENOENT,
	  "this machine has the events of no metric of the group `TopdownL1'" },
	{ "absent", 0, "metric absent needs the event 'no_such_event': " },
};

static void test_refused(void **state)
{
	const struct metric_options o = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		struct metric_set set = { 0 };
		struct evlist l = { 0 };
		struct err err = { 0 };
		int rc = metric_set_add(&set, refused[i].names, &env, &o, &err);

		if (rc != refused[i].rc)
			fail_msg("%s gives %d: %s", refused[i].names, rc, err.msg);
		if (!rc)
			assert_int_not_equal(metric_set_events(&set, &l, &env, &o, &err), 0);
		if (!strstr(err.msg, refused[i].say))
			fail_msg("%s: %s", refused[i].names, err.msg);
		assert_int_equal(l.nr, 0);
		metric_set_release(&set);
	}
}

/* When each step refers twice to the one before it, each is still worked out once. */
static void test_doubling(void **state)
{
	const struct metric_options o = { 0 };
	struct vendor_table t = { 0 };
	struct metric_env deep = { .parse = &sources.env, .table = &t };
	struct metric_set set = { 0 };
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };

	strbuf_addstr(&text, "[{\"MetricName\":\"m00\",\"MetricExpr\":\"cycles\"}");
	for (int i = 1; i < 100; i++)
		strbuf_addf(&text, ",{\"MetricName\":\"m%02d\",\"MetricExpr\":\"m%02d + m%02d\"}",
			    i, i - 1, i - 1);
	strbuf_addstr(&text, "]");
	assert_int_equal(vendor_load_text(&t, strbuf_str(&text), text.len, "x", &err), 0);
	assert_int_equal(metric_set_add(&set, "m60", &deep, &o, &err), 0);
	assert_int_equal(set.v[0].nr_ids, 1);
	assert_int_equal(metric_set_add(&set, "m99", &deep, &o, &err), -E2BIG);
	metric_set_release(&set);
	vendor_release(&t);
	strbuf_release(&text);
}

/* --- values ----------------------------------------------------------------------- */

struct counted {
	const struct evlist *l;
	double inst, cyc;
};

static double count_of(void *ctx, const struct metric_use *use, u32 *counts)
{
	const struct counted *c = ctx;
	const char *name = c->l->evsels[use->first]->name;

	*counts = 4;
	if (!strcmp(name, "inst"))
		return c->inst;
	if (!strcmp(name, "cyc"))
		return c->cyc;
	return strcmp(name, "miss") ? 100 : 5;
}

static const struct {
	const char *name;
	double inst, cyc, value;
	bool alarm;
} values[] = {
	{ "ipc", 30, 10, 3, false },          { "ipc", 30, 0, NAN, false },
	{ "ipc", NAN, 10, NAN, false },       { "twice", 30, 10, 7, false },
	{ "share", 30, 10, 30.0 / 45, true }, { "share", 1, 10, 1.0 / 16, false },
	{ "share", 3, 5, 3.0 / 13, false },   { "share", NAN, 5, NAN, false },
	{ "box", 1, 1, 25, false },           { "own", 1, 5000, 5, false },
	{ "smt", 12, 1, 12, false },
};

static void test_values(void **state)
{
	const struct metric_options o = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		struct metric_set set = { 0 };
		struct evlist l = { 0 };
		struct counted c = { &l, values[i].inst, values[i].cyc };
		bool alarm;
		double v;

		assert_int_equal(metric_set_add(&set, values[i].name, &env, &o, NULL), 0);
		assert_int_equal(metric_set_events(&set, &l, &env, &o, NULL), 0);
		v = metric_value(&set.v[0], count_of, &c, &alarm);
		if (isnan(values[i].value) ? !isnan(v) : fabs(v - values[i].value) > 1e-12)
			fail_msg("%s is %g, not %g", values[i].name, v, values[i].value);
		if (alarm != values[i].alarm)
			fail_msg("%s: alarm %d", values[i].name, alarm);
		metric_set_release(&set);
		evlist_release(&l);
	}
}

static void test_units(void **state)
{
	const struct metric_options o = { 0 };
	struct metric_set set = { 0 };

	assert_int_equal(metric_set_add(&set, "ipc,share,twice,branch_frequency", &env, &o, NULL),
			 0);
	assert_true(set.v[0].factor == 1);
	assert_string_equal(set.v[0].unit, "per");
	assert_true(set.v[1].factor == 100);
	assert_string_equal(set.v[1].unit, "%");
	assert_true(set.v[2].factor == 1);
	assert_string_equal(set.v[2].unit, "");
	assert_true(set.v[3].factor == 1000);
	assert_string_equal(set.v[3].unit, "M/sec");
	metric_set_release(&set);
}

/* --- the machine ------------------------------------------------------------------- */

#define TOPOLOGY "sys/devices/system/cpu/cpu%d/topology/%s"

static void cpu(const char *dir, int nr, const char *file, const char *list)
{
	char path[128];

	snprintf(path, sizeof(path), TOPOLOGY, nr, file);
	tree_put(dir, path, list);
}

/* Two packages of a die each with two cores of two threads; the last CPU is offline. */
static char *machine(void)
{
	static const char *const cores[] = { "0,4", "1,5", "2,6", "3", "0,4", "1,5", "2,6" };
	char *dir = tmp_dir();

	for (int i = 0; i < 7; i++) {
		cpu(dir, i, "core_cpus_list", cores[i]);
		cpu(dir, i, "die_cpus_list", i % 4 < 2 ? "0-1,4-5" : "2-3,6");
		cpu(dir, i, "package_cpus_list", i % 4 < 2 ? "0-1,4-5" : "2-3,6");
	}
	tree_put(dir, "sys/devices/system/cpu/cpu7/online", "0\n");
	tree_put(dir, "sys/devices/system/cpu/present", "0-7\n");
	tree_put(dir, "sys/devices/system/cpu/online", "0-6\n");
	tree_put(dir, "sys/bus/event_source/devices/armv8_pmuv3_0/type", "8\n");
	tree_put(dir, "sys/bus/event_source/devices/armv8_pmuv3_0/caps/slots", "0x00000008\n");
	tree_put(dir, "proc/cpuinfo", "model name\t: Some CPU @ 2.50GHz\n");
	return dir;
}

static const struct {
	const char *literal;
	double here, wide;
} literals[] = {
	{ "num_cpus", 8, 8 },  { "num_cpus_online", 7, 7 }, { "num_cores", 4, 4 },
	{ "num_dies", 2, 2 },  { "num_packages", 2, 2 },    { "smt_on", 1, 1 },
	{ "slots", 8, 8 },     { "has_pmem", 0, 0 },        { "system_tsc_freq", 2.5e9, 2.5e9 },
	{ "core_wide", 0, 1 },
};

static void test_machine(void **state)
{
	char *dir = machine();
	struct sysroot here = { dir };
	struct parse_env parse = { .sr = &here };

	for (size_t i = 0; i < ARRAY_SIZE(literals) * 2; i++) {
		struct metric_env m = { .parse = &parse, .core_wide = i % 2 };
		double want = i % 2 ? literals[i / 2].wide : literals[i / 2].here, v;
		const struct metric_options o = { 0 };
		struct vendor_table t = { 0 };
		struct metric_set set = { 0 };
		char *text = xasprintf("[{\"MetricName\":\"x\",\"MetricExpr\":\"#%s\"}]",
				       literals[i / 2].literal);

		assert_int_equal(vendor_load_text(&t, text, strlen(text), "x", NULL), 0);
		m.table = &t;
		assert_int_equal(metric_set_add(&set, "x", &m, &o, NULL), 0);
		assert_int_equal(set.v[0].nr_ids, 0);
		v = metric_value(&set.v[0], NULL, NULL, NULL);
		if (v != want)
			fail_msg("#%s is %g, not %g", literals[i / 2].literal, v, want);
		metric_set_release(&set);
		vendor_release(&t);
		free(text);
	}
	tmp_remove(dir);
}

static const struct {
	const char *pattern, *cpuid;
	int value;
} cpuids[] = {
	{ "0x410fd490", "0x00000000410fd490", 1 },
	{ "0x410fd490", "0x00000000410fd491", 1 },
	{ "0x410fd491", "0x00000000410fd490", 0 },
	{ "0x410fd491", "0x00000000411fd490", 1 },
	{ "0x410fd490", "0x00000000410fd0c0", 0 },
	{ "GenuineIntel\\-6\\-55", "GenuineIntel-6-55-7", 1 },
	{ "GenuineIntel\\-6\\-55", NULL, 0 },
};

static void test_cpuid(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cpuids); i++) {
		const struct metric_options o = { 0 };
		struct vendor_metric def = { .name = "x", .line = 1 };
		struct vendor_table t = { .metrics = &def, .nr_metrics = 1 };
		struct metric_env m = { &sources.env, &t, cpuids[i].cpuid, false };
		struct metric_set set = { 0 };
		char *text = xasprintf("strcmp_cpuid_str(%s)", cpuids[i].pattern);
		double v;

		def.expr = text;
		assert_int_equal(metric_set_add(&set, "x", &m, &o, NULL), 0);
		v = metric_value(&set.v[0], NULL, NULL, NULL);
		if (v != cpuids[i].value)
			fail_msg("%s on %s is %g", text, cpuids[i].cpuid, v);
		metric_set_release(&set);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),    cmocka_unit_test(test_builtins),
		cmocka_unit_test(test_places),  cmocka_unit_test(test_plans),
		cmocka_unit_test(test_refused), cmocka_unit_test(test_doubling),
		cmocka_unit_test(test_values),  cmocka_unit_test(test_units),
		cmocka_unit_test(test_machine), cmocka_unit_test(test_cpuid),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
