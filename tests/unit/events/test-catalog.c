// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the list of what can be measured, from made-up trees of sysfs and tracefs, and tables of
 * vendors. */
#include "base/compat.h"
#include "events/catalog.h"
#include "base/alloc.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define DEVICES "sys/bus/event_source/devices/"
#define TRACING "sys/kernel/tracing/"

static struct sysroot sr;

static void put(const char *path, const char *text)
{
	tree_put(sr.prefix, path, text);
}

static int setup(void **state)
{
	sr.prefix = tmp_dir();
	return 0;
}

static int teardown(void **state)
{
	tmp_remove((char *)sr.prefix);
	return 0;
}

/* "name|alias|spec|pmu|topic" of each, one per line. */
static void check(const struct catalog *c, const char *want)
{
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	for (i = 0; i < c->nr; i++) {
		const struct catalog_event *e = &c->v[i];

		strbuf_addf(&sb, "%s|%s|%s|%s|%s\n", e->name, e->alias ? e->alias : "",
			    e->spec ? e->spec : "", e->pmu ? e->pmu : "", e->topic ? e->topic : "");
	}
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

static void generic(void **state)
{
	struct catalog c = { 0 };
	size_t i;

	catalog_generic(&c, CATALOG_HARDWARE);
	assert_int_equal(c.nr, 10);
	assert_string_equal(c.v[0].name, "branch-instructions");
	assert_string_equal(c.v[0].alias, "branches");
	for (i = 1; i < c.nr; i++)
		assert_true(strcmp(c.v[i - 1].name, c.v[i].name) < 0);
	catalog_cache(&c);
	assert_string_equal(c.v[10].name, "L1-dcache-loads");
	assert_string_equal(c.v[11].name, "L1-dcache-load-misses");
	assert_string_equal(c.v[c.nr - 1].name, "node-prefetch-misses");
	catalog_release(&c);
}

static void pmus(void **state)
{
	struct catalog c = { 0 };

	catalog_pmu(&c, &sr, NULL);
	assert_int_equal(c.nr, 0);
	put(DEVICES "cpu/type", "4\n");
	put(DEVICES "cpu/events/loads", "event=0xcd,ldlat=?\n");
	put(DEVICES "little/type", "9\n");
	put(DEVICES "little/cpus", "0-3\n");
	put(DEVICES "little/events/loads", "event=0x1\n");
	put(DEVICES "power/type", "22\n");
	put(DEVICES "power/events/energy", "event=0x2\n");
	put(DEVICES "power/events/energy.unit", "Joules\n");
	put(DEVICES "power/events/energy.scale", "0.5\n");
	put(DEVICES "power/events/bad", "event=0x,\n");
	put(DEVICES "power/events/worse", "=1\n");
	put(DEVICES "power/events/named", "event=some_name,edge\n");
	put(DEVICES "intel_pt/type", "8\n");
	put(DEVICES "typeless/events/x", "event=0x2\n");
	catalog_pmu(&c, &sr, NULL);
	check(&c, "loads|cpu/loads/|cpu/loads,ldlat=?/|cpu|\n"
		  "loads|little/loads/|little/loads/|little|\n"
		  "intel_pt//|||intel_pt|\n"
		  "power/energy/||power/energy/|power|\n"
		  "power/named,event=some_name/||power/named,event=some_name/|power|\n");
	assert_string_equal(c.v[3].scale, "0.5Joules");
	assert_string_equal(c.v[3].encoding, "power/event=0x2/");
	catalog_release(&c);
}

static void vendors(void **state)
{
	static const char text[] =
		"[{\"EventName\":\"LOADS\",\"EventCode\":\"0xcd\",\"BriefDescription\":\"Loads\"},"
		"{\"EventName\":\"old\",\"EventCode\":\"1\",\"BriefDescription\":\"Old\","
		"\"Deprecated\":\"1\"},"
		"{\"EventName\":\"joules\",\"EventCode\":\"2\",\"Unit\":\"power\","
		"\"BriefDescription\":\"Energy.\",\"PublicDescription\":\"Energy of it all\"},"
		"{\"EventName\":\"elsewhere\",\"EventCode\":\"2\",\"Unit\":\"nowhere\","
		"\"BriefDescription\":\"Not here\"}]";
	struct vendor_table t = { 0 };
	struct catalog c = { 0 };
	struct err err = { 0 };

	put(DEVICES "cpu/type", "4\n");
	put(DEVICES "cpu/events/loads", "event=0xcd\n");
	put(DEVICES "cpu/events/stores", "event=0xce\n");
	put(DEVICES "power/type", "22\n");
	assert_int_equal(vendor_load_text(&t, text, sizeof(text) - 1, "memory.json", &err), 0);
	catalog_pmu(&c, &sr, &t);
	check(&c, "stores|cpu/stores/|cpu/stores/|cpu|\n"
		  "loads|||cpu|memory\n"
		  "old|||cpu|memory\n"
		  "joules|||power|memory\n");
	assert_false(c.v[1].deprecated);
	assert_true(c.v[2].deprecated);
	assert_string_equal(c.v[1].desc, "Loads");
	assert_string_equal(c.v[3].desc, "Energy. Unit: power");
	assert_string_equal(c.v[3].long_desc, "Energy of it all. Unit: power");
	catalog_release(&c);
	vendor_release(&t);
}

static void tracepoints(void **state)
{
	struct catalog c = { 0 };
	struct err err = { 0 };

	assert_int_equal(catalog_tracepoints(&c, &sr, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "mount -t tracefs"));
	put(TRACING "events/sched/sched_switch/id", "372\n");
	put(TRACING "events/sched/enable", "0\n");
	put(TRACING "events/ftrace/function/id", "1\n");
	put(TRACING "events/ftrace/bputs/format", "\n");
	put(TRACING "events/file", "0\n");
	assert_int_equal(catalog_tracepoints(&c, &sr, &err), 0);
	check(&c, "ftrace:function|||tracepoint|\nsched:sched_switch|||tracepoint|\n");
	catalog_release(&c);
	/* The list has them all but those of ftrace. */
	put(TRACING "available_events", "sched:b\nirq:a\nsched:b\n:x\ny:\nno\n\n");
	assert_int_equal(catalog_tracepoints(&c, &sr, &err), 0);
	check(&c, "ftrace:function|||tracepoint|\nirq:a|||tracepoint|\nsched:b|||tracepoint|\n");
	catalog_release(&c);
}

static void tracepoints_without_permission(void **state)
{
	struct catalog c = { 0 };
	struct err err = { 0 };
	char *dir = sysroot_path(&sr, "/" TRACING "events");

	put(TRACING "events/sched/sched_switch/id", "372\n");
	assert_int_equal(chmod(dir, 0), 0);
	if (!getuid())
		assert_int_equal(seteuid(65534), 0);
	assert_int_equal(catalog_tracepoints(&c, &sr, &err), -EACCES);
	assert_non_null(strstr(err.msg, "no permission"));
	if (!getuid())
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(chmod(dir, 0755), 0);
	catalog_release(&c);
	free(dir);
}

/* Folders where files should be and files where folders should be, links to nowhere, odd names. */
static void hostile_tracefs(void **state)
{
	static const char line[] = "sys:\x1b[31mred\n";
	struct catalog c = { 0 };
	struct err err = { 0 };
	char *path;
	size_t i;

	put(TRACING "available_events/x", "");
	put(TRACING "events/a/folder/id/x", "");
	put(TRACING "events/a/noid/format", "");
	put(TRACING "events/b\nc/d\te/id", "1");
	put(TRACING "events/file", "sched:sched_switch\n");
	path = sysroot_path(&sr, "/" TRACING "events/loop");
	assert_int_equal(symlink("loop", path), 0);
	free(path);
	assert_int_equal(catalog_tracepoints(&c, &sr, &err), 0);
	check(&c, "a:folder|||tracepoint|\nb\nc:d\te|||tracepoint|\n");
	catalog_release(&c);

	put("sys/kernel/debug/tracing/events", "");
	path = sysroot_path(&sr, "/" TRACING "available_events");
	tmp_remove(xstrdup(path));
	put(TRACING "available_events", "");
	for (i = 0; i < 10; i++)
		catalog_tracepoint_list(&c, line, sizeof(line) - 1);
	assert_int_equal(c.nr, 10);
	catalog_release(&c);
	/* more than any kernel has: the folders are believed instead */
	assert_int_equal(truncate(path, 17 << 20), 0);
	assert_int_equal(catalog_tracepoints(&c, &sr, &err), 0);
	assert_int_equal(c.nr, 2);
	catalog_release(&c);
	free(path);
}

static void hostile_sysfs(void **state)
{
	struct catalog c = { 0 };
	char *big = xmalloc(1 << 20), *path;

	memset(big, 'a', 1 << 20);
	big[(1 << 20) - 1] = '\0';
	put(DEVICES "p/type", "7\n");
	put(DEVICES "p/events/big", big);
	put(DEVICES "p/events/folder/x", "event=1\n");
	put(DEVICES "p/events/unit", "event=1\n");
	put(DEVICES "p/events/unit.unit", big);
	put(DEVICES "p/events/unit.scale", "nan");
	put(DEVICES "p/events/.unit", "event=1\n");
	put(DEVICES "p/events/e\x1b[1m", "event=1\n");
	put(DEVICES "p/format", "no folder");
	put(DEVICES "q/type/folder", "8\n");
	put(DEVICES "r/type", "99999999999999999999999\n");
	put(DEVICES "s/type", "9\n");
	put(DEVICES "s/events", "no folder");
	put(DEVICES "file", "7\n");
	path = sysroot_path(&sr, "/" DEVICES "loop");
	assert_int_equal(symlink("loop", path), 0);
	catalog_pmu(&c, &sr, NULL);
	assert_int_equal(c.nr, 1);
	assert_string_equal(c.v[0].name, "p/unit/");
	catalog_release(&c);
	free(path);
	free(big);
}

static void patterns(void **state)
{
	assert_true(catalog_match("*switch*", "sched:sched_switch", false));
	assert_false(catalog_match("*SWITCH*", "sched:sched_switch", false));
	assert_true(catalog_match("*SWITCH*", "sched:sched_switch", true));
	assert_true(catalog_match("s[ac]?ed", "sched", false));
	assert_false(catalog_match("[", "sched", false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(generic, setup, teardown),
		cmocka_unit_test_setup_teardown(pmus, setup, teardown),
		cmocka_unit_test_setup_teardown(vendors, setup, teardown),
		cmocka_unit_test_setup_teardown(tracepoints, setup, teardown),
		cmocka_unit_test_setup_teardown(tracepoints_without_permission, setup, teardown),
		cmocka_unit_test_setup_teardown(hostile_tracefs, setup, teardown),
		cmocka_unit_test_setup_teardown(hostile_sysfs, setup, teardown),
		cmocka_unit_test_setup_teardown(patterns, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
