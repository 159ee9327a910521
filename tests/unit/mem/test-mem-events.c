// SPDX-License-Identifier: GPL-2.0-or-later
/* Test which events of memory accesses follow from what sysfs has, on machines of each maker, and
 * which arguments of the recorder and the report follow from options. */
#include "base/compat.h"
#include "mem/front.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

#define DEVICES "sys/bus/event_source/devices/"

static const char *const skylake[] = { "cpu/type=4",
				       "cpu/events/mem-loads=event=0xcd,umask=0x1,ldlat=3",
				       "cpu/events/mem-stores=event=0xd0,umask=0x82",
				       "cpu/format/ldlat=config1:0-15", NULL };
static const char *const hybrid[] = { "cpu_core/type=4",
				      "cpu_core/cpus=0-7",
				      "cpu_core/events/mem-loads=event=0xcd,umask=0x1,ldlat=3",
				      "cpu_core/events/mem-loads-aux=event=0x03,umask=0x82",
				      "cpu_core/events/mem-stores=event=0xcd,umask=0x2",
				      "cpu_core/format/ldlat=config1:0-15",
				      "cpu_atom/type=10",
				      "cpu_atom/cpus=8-15",
				      "cpu_atom/events/mem-loads=event=0xd0,umask=0x5,ldlat=3",
				      "cpu_atom/events/mem-stores=event=0xd0,umask=0x6",
				      "cpu_atom/format/ldlat=config1:0-15",
				      NULL };
static const char *const amd[] = { "cpu/type=4", "ibs_op/type=11", "ibs_fetch/type=10", NULL };
static const char *const zen5[] = { "cpu/type=4", "ibs_op/type=11",
				    "ibs_op/format/ldlat=config1:0-11", NULL };
static const char *const arm[] = { "armv8_pmuv3_0/type=8", "arm_spe_0/type=9", NULL };
static const char *const power[] = { "cpu/type=4", "cpu/events/mem-loads=event=0x34340401e0",
				     "cpu/events/mem-stores=event=0x343c0401e0",
				     "cpu/format/event=config:0-59", NULL };
static const char *const none[] = { "cpu/type=4", "software/type=1", NULL };

static const struct {
	const char *const *machine;
	struct mem_front front;
	const char *words; /* of the recorder; or the sentence, when it begins with "failed" */
} cases[] = {
	{ skylake, { 0 }, "record -d -e cpu/mem-loads,ldlat=30/P -e cpu/mem-stores/P -W" },
	{ skylake,
	  { .ops = MEM_LOADS, .ldlat = 50, .phys = true, .all_user = true },
	  "record -d --phys-data --all-user -e cpu/mem-loads,ldlat=50/P -W" },
	{ skylake,
	  { .ops = MEM_STORES, .page_size = true, .cpus = "0,2" },
	  "record -d --data-page-size -C 0,2 -e cpu/mem-stores/P" },
	{ skylake, { .events = "ldlat-stores" }, "record -d -e cpu/mem-stores/P" },
	{ skylake,
	  { .events = "ldlat" },
	  "record -d -e cpu/mem-loads,ldlat=30/P -e cpu/mem-stores/P -W" },
	{ skylake,
	  { .events = "spe-load" },
	  "failed: event 'spe-load' not found, use '-e list' to get list of available events" },
	{ hybrid,
	  { 0 },
	  "record -d -e cpu_atom/mem-loads,ldlat=30/P -e cpu_atom/mem-stores/P "
	  "-e {cpu_core/mem-loads-aux/,cpu_core/mem-loads,ldlat=30/}:P -e cpu_core/mem-stores/P "
	  "-W" },
	{ amd, { 0 }, "record -d -e ibs_op// -W" },
	{ amd, { .ops = MEM_LOADS, .ldlat = 200 }, "record -d -e ibs_op// -W" },
	{ zen5,
	  { .ldlat = 200, .all_kernel = true },
	  "record -d --all-kernel -e ibs_op/ldlat=200/ -W" },
	{ arm,
	  { 0 },
	  "record -d -e arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,store_filter=1,"
	  "min_latency=30/ -W" },
	{ arm,
	  { .ops = MEM_STORES },
	  "record -d -e arm_spe_0/ts_enable=1,pa_enable=1,load_filter=0,store_filter=1/" },
	{ arm,
	  { .ops = MEM_LOADS, .ldlat = 8, .sample_cpu = true },
	  "record -d --sample-cpu -e arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,"
	  "store_filter=0,min_latency=8/ -W" },
	{ power, { 0 }, "record -d -e cpu/mem-loads/ -e cpu/mem-stores/ -W" },
	{ none, { 0 }, "failed: memory events not supported" },
	{ NULL, { 0 }, "failed: memory events not supported" },
};

/* A line of a machine is "path=contents". */
static char *make_machine(const char *const *lines)
{
	char *root = tmp_dir(), path[256];

	for (; lines && *lines; lines++) {
		const char *equals = strchr(*lines, '=');

		snprintf(path, sizeof(path), DEVICES "%.*s", (int)(equals - *lines), *lines);
		tree_put(root, path, equals + 1);
	}
	return root;
}

static void test_record(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *root = make_machine(cases[i].machine);
		const struct sysroot sr = { root };
		struct mem_events e = { 0 };
		struct strbuf words = STRBUF_INIT;
		struct verb_args a;
		struct err err = { 0 };

		mem_events_find(&e, &sr, cases[i].front.ldlat);
		if (mem_front_record(&cases[i].front, &e, &a, &err))
			strbuf_add(&words, err.msg, strcspn(err.msg, "\n"));
		for (int n = 0; !err.code && n < a.nr; n++)
			strbuf_addf(&words, "%s%s", n ? " " : "", a.v[n]);
		assert_string_equal(strbuf_str(&words), cases[i].words);
		verb_args_release(&a);
		mem_events_release(&e);
		strbuf_release(&words);
		tmp_remove(root);
	}
}

static void test_list(void **state)
{
	char *root = make_machine(arm);
	const struct sysroot sr = { root };
	struct mem_events e = { 0 };
	struct strbuf text = STRBUF_INIT;

	mem_events_find(&e, &sr, 0);
	mem_events_list(&e, true, &text);
	assert_non_null(strstr(strbuf_str(&text),
			       "spe-store    arm_spe_0/ts_enable=1,pa_enable=1,load_filter=0,"
			       "store_filter=1/ : available\n"));
	assert_non_null(strstr(strbuf_str(&text), "not here, as there is no "
						  "/sys/bus/event_source/devices/ibs_op (AMD)\n"));
	strbuf_release(&text);
	mem_events_release(&e);
	tmp_remove(root);
}

static void test_report(void **state)
{
	static const struct {
		struct mem_front front;
		const char *words;
	} t[] = {
		{ { 0 }, "report --mem-mode -n -s mem" },
		{ { .ops = MEM_LOADS, .input = "f", .force = true },
		  "report --mem-mode -n -i f -f -s mem" },
		{ { .ops = MEM_STORES, .phys = true },
		  "report --mem-mode -n --sort=mem,sym,dso,symbol_daddr,dso_daddr,tlb,locked,"
		  "phys_daddr -s mem" },
		{ { .page_size = true, .separator = ",", .hide_unresolved = true, .cpus = "1" },
		  "report --mem-mode -n --sort=local_weight,mem,sym,dso,symbol_daddr,dso_daddr,"
		  "snoop,tlb,locked,blocked,data_page_size -C 1 -t , -U -s mem" },
		{ { .types = true }, "report --mem-mode -n --sort=mem,snoop,tlb,type -s mem" },
	};
	const char *argv[] = { "report", "-s", "mem" };

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct strbuf words = STRBUF_INIT;
		struct verb_args a;

		mem_front_report(&t[i].front, &a, ARRAY_SIZE(argv), argv);
		for (int n = 0; n < a.nr; n++)
			strbuf_addf(&words, "%s%s", n ? " " : "", a.v[n]);
		assert_string_equal(strbuf_str(&words), t[i].words);
		verb_args_release(&a);
		strbuf_release(&words);
	}
}

static void test_ops(void **state)
{
	struct mem_front f = { 0 };
	struct err err = { 0 };

	assert_int_equal(mem_front_ops(&f, "load", &err), 0);
	assert_int_equal(f.ops, MEM_LOADS);
	assert_int_equal(mem_front_ops(&f, "store,load", &err), 0);
	assert_int_equal(f.ops, MEM_BOTH);
	assert_int_equal(mem_front_ops(&f, "load,fetch", &err), -EINVAL);
	assert_non_null(strstr(err.msg, "unknown sampling op fetch"));
	assert_int_equal(f.ops, MEM_BOTH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_ops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
