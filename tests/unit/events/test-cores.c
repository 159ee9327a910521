// SPDX-License-Identifier: GPL-2.0-or-later
/* Test processors with two kinds of cores: generic events are asked of both, groups are one of
 * each. */
#include "base/compat.h"
#include "events/config.h"
#include "events/parse.h"
#include "tmp-tree.h"

#include <setjmp.h>

#include <cmocka.h>

static struct sysroot sr;
static const struct parse_env env = { .sr = &sr };

static void put_pmu(const char *name, const char *type, const char *cpus)
{
	struct strbuf path = STRBUF_INIT;
	const struct {
		const char *file, *text;
	} files[] = {
		{ "type", type },
		{ "cpus", cpus },
		{ "format/event", "config:0-7" },
		{ "events/instructions", "event=0xc0" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "sys/bus/event_source/devices/%s/%s", name, files[i].file);
		tree_put(sr.prefix, strbuf_str(&path), files[i].text);
	}
	strbuf_release(&path);
}

static int setup(void **state)
{
	sr.prefix = tmp_dir();
	put_pmu("cpu_core", "4", "0-3");
	put_pmu("cpu_atom", "10", "4-7");
	tree_put(sr.prefix, "sys/bus/event_source/devices/cpu_core/events/slots", "event=0x4");
	tree_put(sr.prefix, "sys/devices/system/cpu/online", "0-7\n");
	return 0;
}

static int teardown(void **state)
{
	tmp_remove((char *)sr.prefix);
	return 0;
}

static void parse(struct evlist *l, const char *text)
{
	struct parse_error pe;

	memset(l, 0, sizeof(*l));
	if (parse_events(l, text, &env, &pe))
		fail_msg("%s: %s", text, pe.text);
}

static const struct evsel *find(const struct evlist *l, const char *name)
{
	for (size_t i = 0; i < l->nr; i++)
		if (!strcmp(l->evsels[i]->name, name))
			return l->evsels[i];
	fail_msg("no event %s", name);
	return NULL;
}

static void test_single(void **state)
{
	static const struct {
		const char *text, *core, *atom;
		u32 core_type, atom_type;
		u64 config;
		bool in_config; /* the PMU is */
	} t[] = {
		{ "cycles", "cpu_core/cycles/", "cpu_atom/cycles/", 0, 0, 0, true },
		{ "cycles:u", "cpu_core/cycles/u", "cpu_atom/cycles/u", 0, 0, 0, true },
		{ "LLC-loads/period=5/k", "cpu_core/LLC-loads,period=5/k",
		  "cpu_atom/LLC-loads,period=5/k", 3, 3, 2, true },
		{ "cycles//u", "cpu_core/cycles/u", "cpu_atom/cycles/u", 0, 0, 0, true },
		{ "cycles/name=a/u", "cpu_core/a/", "cpu_atom/a/", 0, 0, 0, true },
		{ "r1a8", "cpu_core/r1a8/", "cpu_atom/r1a8/", 4, 10, 0x1a8, false },
		{ "4:5:u", "cpu_core/4:5/u", "cpu_atom/4:5/u", 4, 10, 5, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const struct evsel *core, *atom;
		struct evlist l;

		parse(&l, t[i].text);
		assert_int_equal(l.nr, 2);
		core = find(&l, t[i].core);
		atom = find(&l, t[i].atom);
		assert_int_equal(core->attr.type, t[i].core_type);
		assert_int_equal(atom->attr.type, t[i].atom_type);
		assert_int_equal(core->attr.config, t[i].config | (u64)t[i].in_config << 34);
		assert_int_equal(atom->attr.config,
				 t[i].config | (t[i].in_config ? 10ULL << 32 : 0));
		assert_string_equal(core->cpumask, "0-3");
		assert_string_equal(atom->cpumask, "4-7");
		assert_true(core->terms.merge && core->leader == core->idx);
		evlist_release(&l);
	}
}

/* Terms with CPUs choose the kinds of cores that have them. */
static void test_cpus(void **state)
{
	struct parse_error pe;
	struct evlist l;

	parse(&l, "cycles/cpu=2-5/");
	assert_int_equal(l.nr, 2);
	assert_string_equal(find(&l, "cpu_core/cycles,cpu=2-5/")->cpumask, "2,3");
	assert_string_equal(find(&l, "cpu_atom/cycles,cpu=2-5/")->cpumask, "4,5");
	evlist_release(&l);
	parse(&l, "cycles/cpu=cpu_atom/");
	assert_int_equal(l.nr, 1);
	assert_string_equal(find(&l, "cpu_atom/cycles,cpu=cpu_atom/")->cpumask, "4,5,6,7");
	evlist_release(&l);
	assert_int_not_equal(parse_events(&l, "cycles/cpu=9/", &env, &pe), 0);
	assert_string_equal(pe.text, "no kind of cores has these CPUs");
	evlist_release(&l);
}

/* An event that names a PMU, or that only one has, is there once; so is one that no core counts. */
static void test_named(void **state)
{
	struct evlist l;

	parse(&l, "cpu_core/instructions/,slots:u,cs,cpu_atom/cycles/,instructions");
	assert_int_equal(l.nr, 6);
	assert_int_equal(find(&l, "cpu_core/instructions/")->attr.config, 0xc0);
	assert_int_equal(find(&l, "cpu_core/slots/:u")->attr.type, 4);
	assert_null(find(&l, "cs")->cpumask);
	assert_int_equal(find(&l, "cpu_atom/cycles/")->attr.config, 10ULL << 32);
	evlist_release(&l);
}

static void test_groups(void **state)
{
	const struct evsel *core, *atom, *cs, *last;
	struct evlist l;

	parse(&l, "faults,g{cycles,cs,instructions}:SD,faults");
	assert_int_equal(l.nr, 7);
	core = find(&l, "cpu_core/cycles/");
	atom = find(&l, "cpu_atom/cycles/");
	cs = find(&l, "cs");
	last = find(&l, "cpu_atom/instructions/");
	assert_int_equal(core->nr_members + atom->nr_members, 5);
	assert_int_equal(last->leader, atom->idx);
	assert_true(cs->leader == core->idx || cs->leader == atom->idx);
	assert_true(core->attr.pinned && atom->attr.pinned && !last->attr.pinned);
	assert_true(core->terms.sample_read && last->terms.sample_read);
	assert_string_equal(core->group_name, "g");
	assert_string_equal(atom->group_name, "g");
	for (size_t i = 0; i < l.nr; i++)
		assert_int_equal(l.evsels[i]->idx, i);
	evlist_release(&l);
	parse(&l, "{cpu_core/cycles/,cpu_core/instructions/}");
	assert_int_equal(l.evsels[0]->nr_members, 2);
	evlist_release(&l);
}

static void test_default(void **state)
{
	const struct sample_opts o = { .freq = 4000 };
	struct evlist l = { 0 };

	parse_default(&l, &env);
	evlist_configure(&l, &o);
	assert_int_equal(l.nr, 3);
	assert_int_equal(l.evsels[0]->attr.precise_ip, 3);
	assert_int_equal(l.evsels[1]->attr.precise_ip, 3);
	assert_true(l.evsels[0]->attr.config >> 32 && l.evsels[1]->attr.config >> 32);
	assert_true(l.evsels[2]->attr.mmap);
	evlist_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_single),  cmocka_unit_test(test_named),
		cmocka_unit_test(test_cpus),    cmocka_unit_test(test_groups),
		cmocka_unit_test(test_default),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
