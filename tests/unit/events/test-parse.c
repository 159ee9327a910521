// SPDX-License-Identifier: GPL-2.0-or-later
/* Test event text: what it becomes, and where the caret stands when it is wrong. PMUs and tracefs
 * are made up. */
#include "base/compat.h"
#include "events/parse.h"
#include "tmp-tree.h"

#include <setjmp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct sysroot sr;
static const struct parse_env env = { .sr = &sr };

static void put(const char *path, const char *text)
{
	tree_put(sr.prefix, path, text);
}

static int setup(void **state)
{
	sr.prefix = tmp_dir();
	put("sys/kernel/tracing/events/sched/sched_switch/id", "372\n");
	put("sys/kernel/tracing/events/sched/sched_wakeup/id", "373\n");
	put("sys/kernel/tracing/events/sched/enable", "0\n");
	put("sys/kernel/tracing/events/irq/irq_handler_entry/id", "80\n");
	put("sys/kernel/tracing/events/ftrace/function/format", "\n");
	put("sys/bus/event_source/devices/cpu/type", "4\n");
	put("sys/bus/event_source/devices/cpu/format/event", "config:0-7,32-35\n");
	put("sys/bus/event_source/devices/cpu/format/umask", "config:8-15\n");
	put("sys/bus/event_source/devices/cpu/format/edge", "config:18\n");
	put("sys/bus/event_source/devices/cpu/format/ldlat", "config1:0-15\n");
	put("sys/bus/event_source/devices/cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	put("sys/bus/event_source/devices/cpu/events/loop", "loop\n");
	put("sys/bus/event_source/devices/cpu/events/slots", "event=0x0,umask=0x4\n");
	put("sys/bus/event_source/devices/power/type", "12\n");
	put("sys/bus/event_source/devices/power/cpumask", "0,16\n");
	put("sys/bus/event_source/devices/power/format/event", "config:0-7\n");
	put("sys/bus/event_source/devices/power/events/energy", "event=0x2\n");
	put("sys/bus/event_source/devices/power/events/energy.unit", "Joules\n");
	put("sys/bus/event_source/devices/power/events/energy.scale", "2.5e-3\n");
	put("sys/bus/event_source/devices/little/type", "13\n");
	put("sys/bus/event_source/devices/little/cpus", "0-3\n");
	return 0;
}

static int teardown(void **state)
{
	tmp_remove((char *)sr.prefix);
	return 0;
}

/* --- what texts become ----------------------------------------------------- */

static const struct good {
	const char *text, *name;
	u32 type;
	u64 config;
} good[] = {
	{ "cycles", "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "cpu-cycles", "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "cycles:R", "cycles:R", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "cpu/event=1,umask=2/ppR", "cpu/event=1,umask=2/ppR", 4, 0x201 },
	{ "cycles:", "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "faults", "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "cs:u", "cs:u", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "branches", "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "L1-dcache-load-misses", "L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000 },
	{ "LLC-stores", "LLC-stores", PERF_TYPE_HW_CACHE, 0x102 },
	{ "L1-dcache", "L1-dcache", PERF_TYPE_HW_CACHE, 0 },
	{ "dTLB-prefetch-misses", "dTLB-prefetch-misses", PERF_TYPE_HW_CACHE, 0x10203 },
	{ "r1a8", "r1a8", PERF_TYPE_RAW, 0x1a8 },
	{ "1:2", "1:2", 1, 2 },
	{ "tool/num_cpus/", "num_cpus", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY },
	{ "tool/smt_on,name=x/", "x", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY },
	{ "core_wide", "core_wide", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY },
	{ "tool/slots/", "slots", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY },
	{ "slots", "slots", 4, 0x400 }, /* the PMU's own */
	{ "4:0x3c", "4:0x3c", 4, 0x3c },
	{ "sched:sched_switch", "sched:sched_switch", PERF_TYPE_TRACEPOINT, 372 },
	{ "sched:sched_switch:k", "sched:sched_switch", PERF_TYPE_TRACEPOINT, 372 },
	{ "cpu/event=0x13c,umask=2/", "cpu/event=0x13c,umask=2/", 4, 0x10000023c },
	{ "cpu/event=0x3c,edge/u", "cpu/event=0x3c,edge/u", 4, 0x4003c },
	{ "cpu/mem-loads/", "cpu/mem-loads/", 4, 0x1cd },
	{ "cpu/config=7,name=seven/u", "seven", 4, 7 },
	{ "cpu-clock/period=100/", "cpu-clock/period=100/", PERF_TYPE_SOFTWARE, 0 },
	{ "mem:0x1000/8:w", "mem:0x1000/8:w", PERF_TYPE_BREAKPOINT, 0 },
};

static void test_good(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct evlist l = { 0 };
		struct parse_error pe;
		int rc = parse_events(&l, good[i].text, &env, &pe);

		if (rc)
			fail_msg("%s: %s", good[i].text, pe.text);
		assert_int_equal(l.nr, 1);
		assert_string_equal(l.evsels[0]->name, good[i].name);
		assert_int_equal(l.evsels[0]->attr.type, good[i].type);
		assert_int_equal(l.evsels[0]->attr.config, good[i].config);
		evlist_release(&l);
	}
}

static void parse(struct evlist *l, const char *text)
{
	struct parse_error pe;

	memset(l, 0, sizeof(*l));
	if (parse_events(l, text, &env, &pe))
		fail_msg("%s: %s", text, pe.text);
}

static void test_globs(void **state)
{
	struct parse_error pe;
	struct evlist l;

	parse(&l, "sched:sched_*");
	assert_int_equal(l.nr, 2);
	evlist_release(&l);
	/* ftrace:function has no id: no event of perf's */
	parse(&l, "*:*");
	assert_int_equal(l.nr, 3);
	evlist_release(&l);
	parse(&l, "cs,*:*_entry,faults");
	assert_int_equal(l.nr, 3);
	assert_string_equal(l.evsels[1]->name, "irq:irq_handler_entry");
	assert_string_equal(l.evsels[1]->tp_name, "irq:irq_handler_entry");
	assert_int_equal(l.last_item, 0);
	assert_int_equal(parse_events(&l, "cs,faults", &env, &pe), 0);
	assert_int_equal(l.last_item, 3);
	evlist_release(&l);
}

static void test_groups(void **state)
{
	struct evlist l;

	parse(&l, "cs,name:{cpu-clock:u,faults}:S,migrations");
	assert_int_equal(l.nr, 4);
	assert_int_equal(l.evsels[0]->leader, 0);
	assert_int_equal(l.evsels[1]->nr_members, 2);
	assert_string_equal(l.evsels[1]->group_name, "name");
	assert_int_equal(l.evsels[2]->leader, 1);
	assert_true(l.evsels[1]->terms.sample_read);
	assert_true(l.evsels[2]->terms.sample_read);
	assert_false(l.evsels[3]->terms.sample_read);
	assert_string_equal(l.evsels[1]->name, "cpu-clock:u");
	assert_int_equal(l.evsels[1]->attr.exclude_kernel, 1);
	assert_int_equal(l.evsels[2]->attr.exclude_kernel, 0);
	assert_int_equal(l.evsels[3]->leader, 3);
	evlist_release(&l);
}

static const struct mods {
	const char *text;
	u8 user, kernel, hv, host, guest, precise; /* exclude_*; precise_ip */
} mods[] = {
	{ "cs", 0, 0, 0, 0, 1, 0 },    { "cs:u", 0, 1, 1, 0, 1, 0 },
	{ "cs:k", 1, 0, 1, 0, 0, 0 },  { "cs:uk", 0, 0, 1, 0, 1, 0 },
	{ "cs:h", 1, 1, 0, 0, 0, 0 },  { "cs:G", 0, 0, 0, 1, 0, 0 },
	{ "cs:H", 0, 0, 0, 0, 1, 0 },  { "cs:GH", 0, 0, 0, 0, 0, 0 },
	{ "cs:pp", 0, 0, 0, 0, 1, 2 }, { "cs:kHp", 1, 0, 1, 0, 1, 1 },
};

static void test_modifiers(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(mods); i++) {
		const struct perf_event_attr *a;
		struct evlist l;

		parse(&l, mods[i].text);
		a = &l.evsels[0]->attr;
		if (a->exclude_user != mods[i].user || a->exclude_kernel != mods[i].kernel ||
		    a->exclude_hv != mods[i].hv || a->exclude_host != mods[i].host ||
		    a->exclude_guest != mods[i].guest || a->precise_ip != mods[i].precise)
			fail_msg("%s: user %d kernel %d hv %d host %d guest %d precise %d",
				 mods[i].text, a->exclude_user, a->exclude_kernel, a->exclude_hv,
				 a->exclude_host, a->exclude_guest, a->precise_ip);
		evlist_release(&l);
	}
}

static const struct {
	const char *text, *name;
	u8 machines, host, guest; /* exclude_* */
} on_machines[] = {
	{ "cs", "cs", 0, 0, 1 },
	{ "cs", "cs:G", PARSE_GUEST, 1, 0 },
	{ "cs", "cs:H", PARSE_HOST, 0, 1 },
	{ "cs:u", "cs:uHG", PARSE_HOST | PARSE_GUEST, 0, 0 },
	{ "cs:H", "cs:H", PARSE_GUEST, 0, 1 },
	{ "{cs}:S", "cs:G", PARSE_GUEST, 1, 0 },
	{ "mem:0x1234:rw", "mem:0x1234:rw:G", PARSE_GUEST, 1, 0 },
};

static void test_machines(void **state)
{
	struct err err = { 0 };
	u8 machines;

	for (size_t i = 0; i < ARRAY_SIZE(on_machines); i++) {
		const struct parse_env with = { .sr = &sr, .machines = on_machines[i].machines };
		struct evlist l = { 0 };
		struct parse_error pe;

		assert_int_equal(parse_events(&l, on_machines[i].text, &with, &pe), 0);
		assert_string_equal(l.evsels[0]->name, on_machines[i].name);
		assert_int_equal(l.evsels[0]->attr.exclude_host, on_machines[i].host);
		assert_int_equal(l.evsels[0]->attr.exclude_guest, on_machines[i].guest);
		evlist_release(&l);
	}
	assert_int_equal(parse_machines(&machines, "guest,host", &err), 0);
	assert_int_equal(machines, PARSE_HOST | PARSE_GUEST);
	assert_int_equal(parse_machines(&machines, "guests", &err), -EINVAL);
}

static void test_breakpoint(void **state)
{
	struct evlist l;

	parse(&l, "mem:0x1234:rw:u,mem:4096:x");
	assert_int_equal(l.evsels[0]->attr.bp_addr, 0x1234);
	assert_int_equal(l.evsels[0]->attr.bp_type, 3);
	assert_int_equal(l.evsels[0]->attr.bp_len, 4);
	assert_int_equal(l.evsels[0]->attr.exclude_kernel, 1);
	assert_int_equal(l.evsels[1]->attr.bp_type, 4);
	assert_int_equal(l.evsels[1]->attr.bp_len, sizeof(long));
	evlist_release(&l);
}

/* mem:SYMBOL[+OFFSET]@OBJECT: what is told of the place when the program runs */
static const struct {
	const char *text, *symbol, *object;
	u64 offset;
	u32 len, type;
} late[] = {
	{ "mem:f@libx.so", "f", "libx.so", 0, 0, 0 },
	{ "mem:f+0x10@/usr/lib/libx.so:x", "f", "/usr/lib/libx.so", 16, 0, 4 },
	{ "mem:f@/usr/lib/libx.so/8:w", "f", "/usr/lib/libx.so", 0, 8, 2 },
	{ "mem:f@libx.so/2", "f", "libx.so", 0, 2, 0 },
	{ "mem:f@libx.so.6:u", "f", "libx.so.6", 0, 0, 0 },
	{ "mem:f@'/a:b,c/4'/2:rw:u", "f", "/a:b,c/4", 0, 2, 3 },
	{ "{mem:f@4}", "f", "4", 0, 0, 0 },
};

static void test_late_breakpoint(void **state)
{
	struct parse_error pe;

	for (size_t i = 0; i < ARRAY_SIZE(late); i++) {
		const struct parse_env with = { .sr = &sr, .programs = true };
		struct evlist l = { 0 }, copy = { 0 };
		const struct late_breakpoint *b;

		if (parse_events(&l, late[i].text, &with, &pe))
			fail_msg("%s: %s", late[i].text, pe.text);
		assert_int_equal(l.nr, 1);
		b = evlist_add_copy(&copy, l.evsels[0])->late;
		evlist_release(&l);
		assert_string_equal(b->symbol, late[i].symbol);
		assert_string_equal(b->object, late[i].object);
		assert_int_equal(b->offset, late[i].offset);
		assert_int_equal(b->len, late[i].len);
		assert_int_equal(b->type, late[i].type);
		evlist_release(&copy);
	}
}

static void test_terms(void **state)
{
	struct evlist l;

	parse(&l, "cpu-clock/freq=99,call-graph=fp,no-inherit,max-stack=5/");
	assert_int_equal(l.evsels[0]->attr.freq, 1);
	assert_int_equal(l.evsels[0]->attr.sample_freq, 99);
	assert_int_equal(l.evsels[0]->terms.callgraph, 1);
	assert_int_equal(l.evsels[0]->terms.inherit, 0);
	assert_int_equal(l.evsels[0]->terms.max_stack, 5);
	evlist_release(&l);
	parse(&l, "cpu/mem-loads,ldlat=30/P");
	assert_int_equal(l.evsels[0]->attr.config1, 30);
	assert_true(l.evsels[0]->terms.precise_max);
	evlist_release(&l);
}

/* The CPUs of an event: those that its terms name, of those that its PMU counts on. */
static void test_cpus(void **state)
{
	static const struct {
		const char *text, *cpus;
	} t[] = {
		{ "cs/cpu=1/", "1" },
		{ "cs/cpu=5-6,cpu=1/u", "1,5,6" },
		{ "power/energy,cpu=16/", "16" },
		{ "power/energy,cpu=0-20/", "0,16" },
		{ "cs/cpu=little/", "0,1,2,3" },
		{ "cpu-clock/cpu=little,cpu=9/", "0,1,2,3,9" },
		{ "sched:sched_switch/cpu=2/", "2" },
		{ "cpu/event=1,cpu=3/", "3" },
		{ "{cs/cpu=1/,faults/cpu=1/}", "1" },
	};
	struct evlist l;

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		parse(&l, t[i].text);
		assert_string_equal(l.evsels[0]->cpumask, t[i].cpus);
		assert_true(l.evsels[0]->terms.cpus_given);
		evlist_release(&l);
	}
	parse(&l, "cs/cpu=cpu/");
	assert_null(l.evsels[0]->cpumask);
	evlist_release(&l);
}

/* --- what is wrong with texts ---------------------------------------------- */

static const struct bad {
	const char *text;
	size_t at;
	const char *why;
} bad[] = {
	{ "foo", 0, "parser error" },
	{ "", 0, "parser error" },
	{ "cs,foo", 3, "parser error" },
	{ "tool/cs/", 5, "'tool' has no such event" },
	{ "cs,,faults", 2, "parser error" },
	{ "cs,", 2, "parser error" },
	{ "cycles:z", 6, "parser error" },
	{ "cs:uu", 3, "Bad modifier" },
	{ "cs:pppp", 3, "Bad modifier" },
	{ "cycles:RR", 7, "Bad modifier" },
	{ "cs:R", 3, "R is for events of a processor's PMU, which retire" },
	{ "sched:sched_switch:R", 19, "R is for events of a processor's PMU, which retire" },
	{ "mem:1:x:R", 8, "R is for events of a processor's PMU, which retire" },
	{ "rzz", 0, "parser error" },
	{ "mem:xx", 4, "the running kernel has no symbol 'xx'" },
	{ "mem:1:rr", 6, "Bad modifier" },
	{ "mem:f@libx.so", 6, "symbols of object files are for perf record only" },
	{ "sched:nope", 0, "unknown tracepoint" },
	{ "no:*", 0, "unknown tracepoint" },
	{ "sched:enable", 0, "unknown tracepoint" },
	{ "gpu/event=1/", 0, "Cannot find PMU `gpu'. Missing kernel support?" },
	{ "cpu-clock/foo=1/", 10, "unknown term" },
	{ "cpu-clock/period=0/", 17, "expected a number above 0" },
	{ "cpu/event=0x100000/", 10, "value too big for format, maximum is 4095" },
	{ "cpu/event=x/", 10, "expected numeric value" },
	{ "cpu/loop/", 4, "unknown term 'loop' for pmu 'cpu'" },
	{ "cpu/../", 4, "unknown term '..' for pmu 'cpu'" },
	{ "cpu/event", 3, "parser error" },
	{ "{cs,faults", 0, NULL },
	{ "{cs,faults}x", 11, "parser error" },
	{ "iTLB-store-misses", 0, "no cache has such an event" },
	{ "cs faults", 2, "parser error" },
	{ "cs/cpu=x/", 7, "expected a CPU, a range of CPUs such as 0-3, or a PMU" },
	{ "cs/cpu=3-1/", 7, "expected a CPU, a range of CPUs such as 0-3, or a PMU" },
	{ "power/energy,cpu=3/", 17, "its PMU counts on the CPUs 0,16 only" },
	{ "{cs/cpu=1/,faults}", 0, "the events of a group count on the same CPUs" },
};

/* Events tell the unit that they count in, and where they count. */
static void test_units(void **state)
{
	struct evlist l = { 0 };

	parse(&l,
	      "power/energy/,power/event=2/,little/config=1/,task-clock:u,cpu-clock/period=7/,faults");
	assert_int_equal(l.evsels[0]->attr.config, 2);
	assert_string_equal(l.evsels[0]->unit, "Joules");
	assert_true(l.evsels[0]->scale == 2.5e-3);
	assert_string_equal(l.evsels[0]->cpumask, "0,16");
	assert_null(l.evsels[1]->unit);
	assert_string_equal(l.evsels[1]->cpumask, "0,16");
	assert_string_equal(l.evsels[2]->cpumask, "0-3");
	assert_string_equal(l.evsels[3]->unit, "msec");
	assert_true(l.evsels[4]->scale == 1e-6);
	assert_null(l.evsels[5]->unit);
	assert_null(l.evsels[5]->cpumask);
	assert_true(l.evsels[5]->scale == 0);
	assert_true(evlist_has_cpumask(&l));
	evlist_release(&l);
}

static void test_bad(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct evlist l = { 0 };
		struct parse_error pe;
		int rc;

		parse(&l, "faults");
		rc = parse_events(&l, bad[i].text, &env, &pe);
		if (!bad[i].why) {
			assert_int_equal(rc, 0);
		} else {
			if (!rc || strcmp(pe.text, bad[i].why) || pe.at != bad[i].at)
				fail_msg("%s: %d '%s' at %zu", bad[i].text, rc, pe.text, pe.at);
			/* what was there before is left alone */
			assert_int_equal(l.nr, 1);
		}
		evlist_release(&l);
	}
}

static void test_caret(void **state)
{
	struct parse_error pe = { .at = 3, .text = "why" };
	struct strbuf sb = STRBUF_INIT;

	parse_error_format(&pe, "cs,foo", 80, &sb);
	assert_string_equal(strbuf_str(&sb), "event syntax error: 'cs,foo'\n"
					     "                        \\___ why\n");
	strbuf_reset(&sb);
	pe.at = 18;
	parse_error_format(&pe, "sched:sched_switch:z", 80, &sb);
	assert_string_equal(strbuf_str(&sb), "event syntax error: '..ched_switch:z'\n"
					     "                                  \\___ why\n");
	strbuf_release(&sb);
}

static void test_default_name(void **state)
{
	static const struct {
		struct perf_event_attr a;
		const char *name;
	} t[] = {
		{ { .type = 1, .exclude_guest = 1 }, "cpu-clock" },
		{ { .type = 1, .precise_ip = 3 }, "cpu-clock:ppp" },
		{ { .type = 1, .exclude_kernel = 1, .exclude_hv = 1, .exclude_guest = 1 },
		  "cpu-clock:uH" },
		{ { .type = 1, .exclude_kernel = 1, .precise_ip = 3 }, "cpu-clock:uhppp" },
		{ { .type = 1, .config = 9 }, "dummy:HG" },
		{ { .type = 3, .config = 0x10000, .exclude_guest = 1 }, "L1-dcache-load-misses" },
		{ { .type = 4, .config = 0x1a8, .exclude_guest = 1 }, "raw 0x1a8" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct strbuf sb = STRBUF_INIT;

		evsel_default_name(&t[i].a, &sb);
		assert_string_equal(strbuf_str(&sb), t[i].name);
		strbuf_release(&sb);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_globs),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_modifiers),
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_breakpoint),
		cmocka_unit_test(test_late_breakpoint),
		cmocka_unit_test(test_terms),
		cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_caret),
		cmocka_unit_test(test_default_name),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
