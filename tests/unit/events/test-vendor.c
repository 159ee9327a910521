// SPDX-License-Identifier: GPL-2.0-or-later
/* Test files of events and metrics as vendors write them: which are read for a processor, and what
 * their entries become. */
#include "base/compat.h"
#include "events/sources.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <unistd.h>

#include <cmocka.h>

/* --- processors ----------------------------------------------------------------- */

static const struct {
	const char *pattern, *cpuid;
	bool matches;
} cpuids[] = {
	{ "GenuineIntel-6-55", "GenuineIntel-6-55-7", true },
	{ "GenuineIntel-6-55-[01234]", "GenuineIntel-6-55-4", true },
	{ "GenuineIntel-6-55-[01234]", "GenuineIntel-6-55-7", false },
	{ "GenuineIntel-6-55-[56789ABCDEF]", "GenuineIntel-6-55-B", true },
	{ "GenuineIntel-6-(4E|5E|8E|9E|A5|A6)", "GenuineIntel-6-9E-D", true },
	{ "GenuineIntel-6-(4E|5E|8E|9E|A5|A6)", "GenuineIntel-6-9F-D", false },
	{ "GenuineIntel-6-5", "GenuineIntel-6-55-7", false },
	{ "GenuineIntel-6-55-7-1", "GenuineIntel-6-55-7", false },
	{ "GenuineIntel-6", "GenuineIntel-6-55-7", false },
	{ "Intel-6-55", "GenuineIntel-6-55-7", false },
	{ "AuthenticAMD-25-([1245][[:xdigit:]]|[[:xdigit:]])", "AuthenticAMD-25-11-1", true },
	{ "AuthenticAMD-25-([245][[:xdigit:]]|[[:xdigit:]])", "AuthenticAMD-25-11-1", false },
	{ "AuthenticAMD-23-([12][0-9A-F]|[0-9A-F])", "AuthenticAMD-23-1-2", true },
	{ "0x00000000410fd0c0", "0x00000000410fd0c0", true },
	{ "0x00000000410fd0c0", "0x00000000410fd0c", false },
	{ "0x00000000410FD0C0", "0x00000000410fd0c0", true },
	{ "0x489-0x8000000000000007-0x[[:xdigit:]]+", "0x489-0x8000000000000007-0x2018", true },
	{ "^IBM.3906.*[13]\\.[1-5].[[:xdigit:]]+$", "IBM,3906,704,M03,3.5,002f", true },
	{ "004[bc]0[[:xdigit:]]*", "004b0201", true },
	{ "(", "x", false },
	{ "", "x", false },
	{ "(a*)*b{9}", "b", false },
	{ "(.)\\1", "aa", false },
};

static void test_cpuid(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cpuids); i++)
		if (vendor_cpuid_matches(cpuids[i].pattern, cpuids[i].cpuid) != cpuids[i].matches)
			fail_msg("%s and %s", cpuids[i].pattern, cpuids[i].cpuid);
}

/* --- entries -------------------------------------------------------------------- */

static const struct {
	const char *members, *name, *pmu, *terms;
} entries[] = {
	{ "'EventName':'FOO.BAR','EventCode':'0xc4','UMask':'0x20'", "foo.bar", "cpu",
	  "event=0xc4,umask=0x20" },
	{ "'EventName':'X','EventCode':'0x00','UMask':'0x0'", "x", "cpu", "event=0x0" },
	{ "'EventName':'X','EventCode':'60','SampleAfterValue':'2000003'", "x", "cpu",
	  "event=0x3c,period=2000003" },
	{ "'EventName':'X','EventCode':'0xB7,0xBB','MSRIndex':'0x1a6,0x1a7','MSRValue':'0x10001'",
	  "x", "cpu", "event=0xb7,offcore_rsp=0x10001" },
	{ "'EventName':'X','EventCode':'0xcd','MSRIndex':'0x3F6','MSRValue':'0x80','UMask':'1'",
	  "x", "cpu", "event=0xcd,umask=0x1,ldlat=0x80" },
	{ "'EventName':'X','EventCode':'0xc6','MSRIndex':'0x3F7','MSRValue':'0x11'", "x", "cpu",
	  "event=0xc6,frontend=0x11" },
	{ "'EventName':'X','EventCode':'0xc6','MSRIndex':'0','MSRValue':'0x00'", "x", "cpu",
	  "event=0xc6" },
	{ "'EventName':'X','EventCode':'0xa3','CounterMask':'6','Invert':'1','EdgeDetect':'1',"
	  "'AnyThread':'1'",
	  "x", "cpu", "event=0xa3,cmask=0x6,inv=0x1,any=0x1,edge=0x1" },
	{ "'EventName':'X','EventCode':'0xa3','CounterMask':'0','Invert':'0','EdgeDetect':'0'", "x",
	  "cpu", "event=0xa3" },
	{ "'EventName':'UNC_M_CAS','EventCode':'4','UMask':'3','Unit':'iMC','PerPkg':'1'",
	  "unc_m_cas", "uncore_imc", "event=0x4,umask=0x3" },
	{ "'EventName':'X','EventCode':'4','Unit':'CBO','Filter':'filter_opc=0x182,filter_nc=1'",
	  "x", "uncore_cbox", "event=0x4,filter_opc=0x182,filter_nc=1" },
	{ "'EventName':'X','EventCode':'4','Unit':'QPI LL','Filter':'na'", "x", "uncore_qpi",
	  "event=0x4" },
	{ "'EventName':'X','EventCode':'0x83','Unit':'IIO','PortMask':'0x01','FCMask':'0x07'", "x",
	  "uncore_iio", "event=0x83,ch_mask=0x1,fc_mask=0x7" },
	{ "'EventName':'X','EventCode':'2','ExtSel':'1','Unit':'QPI LL'", "x", "uncore_qpi",
	  "event=0x200002" },
	{ "'EventName':'X','ConfigCode':'0x7','Unit':'hisi_sccl,ddrc'", "x", "hisi_sccl,ddrc",
	  "config=0x7" },
	{ "'EventName':'X','EventCode':'1','Unit':'L3PMC','EnAllCores':'0x1','EnAllSlices':'1',"
	  "'SliceId':'3','ThreadMask':'0x3'",
	  "x", "amd_l3", "event=0x1,enallcores=0x1,enallslices=0x1,sliceid=0x3,threadmask=0x3" },
	{ "'EventName':'X','EventCode':'1','Unit':'CHA'", "x", "uncore_cha", "event=0x1" },
	{ "'EventName':'X','EventCode':'1','Unit':'cpu_atom'", "x", "cpu_atom", "event=0x1" },
	{ "'EventName':'X','EventCode':'1','Unit':'CPU-M-CF'", "x", "cpum_cf", "event=0x1" },
	{ "'EventName':'X','EventCode':'1','Unit':'M2PCIe'", "x", "uncore_m2pcie", "event=0x1" },
	{ "'EventName':'INST_RETIRED.ANY','EventCode':'0x00','UMask':'0x01'", "inst_retired.any",
	  "cpu", "event=0xc0" },
	{ "'EventName':'CPU_CLK_UNHALTED.THREAD','EventCode':'0','UMask':'2','SampleAfterValue':'9'",
	  "cpu_clk_unhalted.thread", "cpu", "event=0x3c,period=9" },
	{ "'EventName':'CPU_CLK_UNHALTED.REF_TSC','EventCode':'0','UMask':'3'",
	  "cpu_clk_unhalted.ref_tsc", "cpu", "event=0x0,umask=0x3" },
	/* numbers that are none in quotes */
	{ "'EventName':'X','EventCode':17,'Other':[1,{'a':null}]", "x", "cpu", "event=0x11" },
};

/* JSON with ' for ", in an array of one object. */
static struct vendor_table load(const char *members, int want, struct err *err)
{
	struct vendor_table t = { 0 };
	struct strbuf text = STRBUF_INIT;
	int rc;

	strbuf_addf(&text, "[\n{%s}\n]", members);
	for (size_t i = 0; i < text.len; i++)
		if (text.buf[i] == '\'')
			text.buf[i] = '"';
	rc = vendor_load_text(&t, strbuf_str(&text), text.len, "dir/floating-point.json", err);
	if (rc != want)
		fail_msg("%s gives %d: %s", members, rc, err->msg);
	strbuf_release(&text);
	return t;
}

static void test_entries(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
		struct err err = { 0 };
		struct vendor_table t = load(entries[i].members, 0, &err);

		if (t.nr_events != 1)
			fail_msg("%s: %zu events", entries[i].members, t.nr_events);
		assert_string_equal(t.events[0].name, entries[i].name);
		assert_string_equal(t.events[0].pmu, entries[i].pmu);
		assert_string_equal(t.events[0].terms, entries[i].terms);
		assert_string_equal(t.events[0].topic, "floating point");
		vendor_release(&t);
	}
}

static void test_details(void **state)
{
	struct err err = { 0 };
	struct vendor_table t = load(
		"'EventName':'X','EventCode':'1','BriefDescription':'Short.','PublicDescription':"
		"'Long one. ','ScaleUnit':'6.1e-5MiB','PerPkg':'1','Deprecated':'1'",
		0, &err);
	const struct vendor_event *e = t.events;

	assert_string_equal(e->desc, "Short");
	assert_string_equal(e->long_desc, "Long one");
	assert_string_equal(e->unit, "MiB");
	assert_true(e->scale == 6.1e-5);
	assert_true(e->per_pkg);
	assert_true(e->deprecated);
	vendor_release(&t);
	t = load("'EventName':'X','EventCode':'1','PerPkg':'0','PublicDescription':'Only'", 0,
		 &err);
	assert_string_equal(t.events[0].desc, "Only");
	assert_false(t.events[0].per_pkg);
	assert_false(t.events[0].deprecated);
	assert_null(t.events[0].unit);
	vendor_release(&t);
}

static void test_metrics(void **state)
{
	struct err err = { 0 };
	struct vendor_table t = load(
		"'MetricName':'M1','MetricExpr':'A / cpu@B\\\\,cmask\\\\=1@','MetricGroup':'G1;G2',"
		"'BriefDescription':'What.','ScaleUnit':'100%','MetricThreshold':'M1 > 5',"
		"'MetricConstraint':'NO_GROUP_EVENTS','AggregationMode':'PerCore',"
		"'DefaultMetricgroupName':'D','Unit':'cpu_core'},{'MetricExpr':'a','EventName':'e',"
		"'EventCode':'2','MetricName':'m0'},{'MetricExpr':'b','EventName':'only_metric'",
		0, &err);
	const struct vendor_metric *m = t.metrics;

	assert_int_equal(t.nr_metrics, 3);
	assert_int_equal(t.nr_events, 1);
	assert_string_equal(m[0].name, "m0");
	assert_string_equal(m[1].name, "M1");
	assert_string_equal(m[1].expr, "A / cpu@B\\,cmask\\=1@");
	assert_string_equal(m[1].groups, "G1;G2");
	assert_string_equal(m[1].desc, "What");
	assert_string_equal(m[1].unit, "100%");
	assert_string_equal(m[1].threshold, "M1 > 5");
	assert_string_equal(m[1].constraint, "NO_GROUP_EVENTS");
	assert_string_equal(m[1].aggregation, "PerCore");
	assert_string_equal(m[1].default_group, "D");
	assert_string_equal(m[1].pmu, "cpu_core");
	assert_string_equal(m[1].file, "dir/floating-point.json");
	assert_int_equal(m[1].line, 2);
	assert_string_equal(m[2].name, "only_metric");
	vendor_release(&t);
}

static const struct {
	const char *members, *say;
} refused[] = {
	{ "'EventName':'X','EventCode':'0xzz'",
	  "dir/floating-point.json:2: no number in '0xzz' of EventCode" },
	{ "'EventName':'X','EventCode':'-1'",
	  "dir/floating-point.json:2: no number in '-1' of EventCode" },
	{ "'EventName':'X','EventCode':'1','UMask':'99999999999999999999'",
	  "dir/floating-point.json:2: no number in '99999999999999999999' of UMask" },
	{ "'EventName':'X','EventCode':'1','Filter':'a=1/,b'",
	  "dir/floating-point.json:2: no terms in 'a=1/,b' of Filter" },
	{ "'EventName':'X Y','EventCode':'1'",
	  "dir/floating-point.json:2: not a name that can be typed: 'X Y' of EventName" },
	{ "'EventName':'','EventCode':'1'",
	  "dir/floating-point.json:2: no usable name: '' of EventName" },
	{ "'EventName':'X\\u001b[2J','EventCode':'1'",
	  "dir/floating-point.json:2: not a name that can be typed: 'X\\x1b[2J' of EventName" },
	{ "'MetricName':'X','MetricExpr':''",
	  "dir/floating-point.json:2: no expression: '' of MetricExpr" },
	{ "'ArchStdEvent':'X'",
	  "dir/floating-point.json:2: ArchStdEvent 'X' is in none of the files beside mapfile.csv: "
	  "copy them too" },
	{ "'EventName':'X','EventCode':1},{'EventName'",
	  "dir/floating-point.json:2: not JSON: a colon is expected behind the name" },
};

static void test_refused(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		struct err err = { 0 };
		struct vendor_table t = load(refused[i].members, -EINVAL, &err);

		assert_string_equal(err.msg, refused[i].say);
		vendor_release(&t);
	}
}

/* --- folders -------------------------------------------------------------------- */

static char *root;

static void put(const char *path, const char *text)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addstr(&sb, text);
	for (size_t i = 0; i < sb.len; i++)
		if (sb.buf[i] == '\'')
			sb.buf[i] = '"';
	tree_put(root, path, strbuf_str(&sb));
	strbuf_release(&sb);
}

static int setup(void **state)
{
	root = tmp_dir();
	put("arch/x86/mapfile.csv", "Family-model,Version,Filename,EventType\n"
				    "# GenuineIntel-6-55,v1,commented,core\n"
				    "GenuineIntel-6-55-[01234],v1,lakeone,core\n"
				    "GenuineIntel-6-(55|6A),v1.2,laketwo,core\n"
				    "GenuineIntel-6-77,v1,../../../etc,core\n"
				    "GenuineIntel-6-78,v1,empty,core\n"
				    "GenuineIntel-6-79,v1,damaged,core\r\n");
	put("arch/x86/lakeone/cache.json", "[{'EventName':'L1.ONE','EventCode':'1'}]");
	put("arch/x86/laketwo/cache.json",
	    "[{'EventName':'L1.TWO','EventCode':'2'},"
	    "{'EventName':'ALL','EventCode':'3'},"
	    "{'EventName':'BOTH','EventCode':'4','Unit':'cpu_core'},"
	    "{'EventName':'BOTH','EventCode':'5','Unit':'cpu_atom'}]");
	put("arch/x86/laketwo/two-metrics.json",
	    "[{'MetricName':'ratio','MetricExpr':'L1.TWO / ALL','MetricGroup':'Mem'}]");
	put("arch/x86/laketwo/metricgroups.json", "{'Mem':'About memory.','Z':'No'}");
	put("arch/x86/laketwo/notes.txt", "not read");
	put("arch/x86/laketwo/.hidden.json", "not read");
	put("arch/x86/empty/notes.txt", "");
	put("arch/x86/damaged/a.json", "[{'EventName':'A','EventCode':'1'},\n\n{]");
	put("arch/arm64/mapfile.csv", "0x00000000410fd070,v1,arm/cortex,core\n");
	put("arch/arm64/common.json",
	    "[{'EventName':'STALL','EventCode':'0x23','BriefDescription':'Std','SampleAfterValue':'7'},"
	    "{'MetricName':'std_metric','MetricExpr':'STALL / 2'}]");
	put("arch/arm64/arm/cortex/pipe.json",
	    "[{'ArchStdEvent':'stall','BriefDescription':'Own'},"
	    "{'ArchStdEvent':'std_metric','MetricExpr':'STALL / 3'}]");
	put("arch/arm64/vendor/soc/sys/ddr.json",
	    "[{'EventName':'ddr_v1','ConfigCode':'1','Unit':'soc_ddr','Compat':'v1'},"
	    "{'EventName':'ddr_v2','ConfigCode':'2','Unit':'soc_ddr','Compat':'v2'}]");
	put("machine/sys/bus/event_source/devices/soc_ddr0/identifier", "v2\n");
	put("machine/sys/bus/event_source/devices/soc_ddr0/type", "20\n");
	put("machine/sys/bus/event_source/devices/soc_ddr0/format/event", "config:0-7\n");
	put("machine/sys/bus/event_source/devices/cpu/type", "4\n");
	put("machine/sys/bus/event_source/devices/cpu/format/event", "config:0-7\n");
	put("machine/sys/bus/event_source/devices/cpu/format/umask", "config:8-15\n");
	put("machine/sys/bus/event_source/devices/cpu_atom/type", "10\n");
	put("machine/sys/bus/event_source/devices/cpu_atom/format/event", "config:0-7\n");
	put("machine/proc/cpuinfo",
	    "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 85\nstepping : 7\n");
	return 0;
}

static int teardown(void **state)
{
	tmp_remove(root);
	return 0;
}

static const struct {
	const char *dir, *cpuid;
	int rc;
	const char *first, *say; /* the first event's name, or what the error says */
	size_t events, metrics;
} folders[] = {
	{ "arch/x86", "GenuineIntel-6-55-3", 0, "l1.one", NULL, 1, 0 },
	{ "arch/x86", "GenuineIntel-6-55-7", 0, "all", NULL, 4, 1 },
	{ "arch", "GenuineIntel-6-6A-0", 0, "all", NULL, 4, 1 },
	{ "arch/x86/lakeone", NULL, 0, "l1.one", NULL, 1, 0 },
	{ "arch/x86/laketwo", "whatever", 0, "all", NULL, 4, 1 },
	{ "arch", "0x00000000410fd070", 0, "ddr_v2", NULL, 2, 1 },
	{ "arch/arm64/arm/cortex", NULL, 0, "stall", NULL, 1, 1 },
	{ "arch/x86", "GenuineIntel-6-99-1", -ENOENT, NULL,
	  "no mapfile.csv in %s/arch/x86 has this processor, GenuineIntel-6-99-1", 0, 0 },
	{ "arch", NULL, -ENOENT, NULL,
	  "no mapfile.csv in %s/arch has this processor, which does not tell what it is", 0, 0 },
	{ "arch/x86", "GenuineIntel-6-77-1", -ENOENT, NULL,
	  "no mapfile.csv in %s/arch/x86 has this processor, GenuineIntel-6-77-1", 0, 0 },
	{ "arch/x86", "GenuineIntel-6-78-1", -ENOENT, NULL, "%s/arch/x86/empty has no *.json", 0,
	  0 },
	{ "arch/x86", "GenuineIntel-6-79-1", -EINVAL, NULL,
	  "%s/arch/x86/damaged/a.json:3: not JSON: a name in quotes is expected", 0, 0 },
	{ "nowhere", "x", -ENOENT, NULL, "there is no folder %s/nowhere", 0, 0 },
	{ "machine", "x", -ENOENT, NULL, "%s/machine has no *.json and no mapfile.csv", 0, 0 },
};

static void test_folders(void **state)
{
	char *machine = NULL;

	assert_true(asprintf(&machine, "%s/machine", root) > 0);
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		const struct sysroot sr = { machine };
		struct vendor_table t = { 0 };
		struct err err = { 0 };
		char dir[512], say[1024];
		int rc;

		snprintf(dir, sizeof(dir), "%s/%s", root, folders[i].dir);
		rc = vendor_load(&t, dir, folders[i].cpuid, &sr, &err);
		if (rc != folders[i].rc)
			fail_msg("%s for %s gives %d: %s", dir, folders[i].cpuid, rc, err.msg);
		if (rc) {
			const char *at = strstr(folders[i].say, "%s");

			snprintf(say, sizeof(say), "%.*s%s%s", (int)(at - folders[i].say),
				 folders[i].say, root, at + 2);
			assert_string_equal(err.msg, say);
		} else {
			assert_int_equal(t.nr_events, folders[i].events);
			assert_int_equal(t.nr_metrics, folders[i].metrics);
			assert_string_equal(t.events[0].name, folders[i].first);
		}
		vendor_release(&t);
	}
	free(machine);
}

static void test_std(void **state)
{
	const struct sysroot sr = { "/nonexistent" };
	struct vendor_table t = { 0 };
	const struct vendor_event *e;
	char dir[512];

	snprintf(dir, sizeof(dir), "%s/arch", root);
	assert_int_equal(vendor_load(&t, dir, "0x00000000410fd070", &sr, NULL), 0);
	e = vendor_find(&t, "STALL");
	assert_non_null(e);
	assert_string_equal(e->terms, "event=0x23,period=7");
	assert_string_equal(e->desc, "Own");
	assert_string_equal(t.metrics[0].name, "std_metric");
	assert_string_equal(t.metrics[0].expr, "STALL / 3");
	assert_null(vendor_find(&t, "ddr_v2"));
	assert_null(vendor_find(&t, "stal"));
	vendor_release(&t);
}

/* A name on the command line leads to an attr. */
static void test_sources(void **state)
{
	struct event_sources s;
	struct sysroot sr;
	struct parse_error pe;
	struct evlist l = { 0 };
	char dir[512], machine[512];

	snprintf(dir, sizeof(dir), "%s/arch", root);
	snprintf(machine, sizeof(machine), "%s/machine", root);
	sr.prefix = machine;
	event_sources_init(&s, &sr, NULL);
	event_sources_add_dir_later(&s, dir);
	assert_int_equal(parse_events(&l, "l1.two:u,L1.TWO", &s.env, &pe), 0);
	assert_int_equal(l.nr, 2);
	assert_int_equal(l.evsels[0]->attr.type, 4);
	assert_int_equal(l.evsels[0]->attr.config, 2);
	assert_int_equal(l.evsels[0]->attr.exclude_kernel, 1);
	assert_string_equal(l.evsels[0]->name, "l1.two:u");
	assert_int_equal(l.evsels[1]->attr.exclude_kernel, 0);
	evlist_release(&l);
	/* of two PMUs the one that is here */
	assert_int_equal(parse_events(&l, "both", &s.env, &pe), 0);
	assert_int_equal(l.evsels[0]->attr.type, 10);
	assert_int_equal(l.evsels[0]->attr.config, 5);
	assert_int_equal(l.nr, 1);
	/* of two that are here both; with the PMU one */
	tree_put(machine, "sys/bus/event_source/devices/cpu_core/type", "4\n");
	tree_put(machine, "sys/bus/event_source/devices/cpu_core/format/event", "config:0-7\n");
	event_sources_release(&s);
	event_sources_init(&s, &sr, NULL);
	event_sources_add_dir_later(&s, dir);
	evlist_release(&l);
	assert_int_equal(parse_events(&l, "both,cpu_core/both/u,cpu_atom/both/", &s.env, &pe), 0);
	assert_int_equal(l.nr, 4);
	for (size_t i = 0; i < l.nr; i++) {
		bool core = i == 1 || i == 2;

		assert_int_equal(l.evsels[i]->attr.type, core ? 4 : 10);
		assert_int_equal(l.evsels[i]->attr.config, core ? 4 : 5);
	}
	evlist_release(&l);
	assert_int_not_equal(parse_events(&l, "l1.three", &s.env, &pe), 0);
	assert_int_equal(l.nr, 0);
	assert_int_equal(event_sources_table(&s)->nr_metrics, 1);
	assert_int_equal(event_sources_table(&s)->nr_groups, 2);
	assert_string_equal(event_sources_table(&s)->groups[0].desc, "About memory");
	event_sources_release(&s);
	/* a folder that is damaged does not keep other names from working */
	event_sources_init(&s, &sr, "GenuineIntel-6-79-1");
	event_sources_add_dir_later(&s, dir);
	assert_int_equal(parse_events(&l, "cpu-clock", &s.env, &pe), 0);
	assert_int_equal(s.later_err.code, 0);
	assert_int_not_equal(parse_events(&l, "l1.two", &s.env, &pe), 0);
	assert_int_equal(s.later_err.code, -EINVAL);
	evlist_release(&l);
	event_sources_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpuid),   cmocka_unit_test(test_entries),
		cmocka_unit_test(test_details), cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_refused), cmocka_unit_test(test_folders),
		cmocka_unit_test(test_std),     cmocka_unit_test(test_sources),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
