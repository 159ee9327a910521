// SPDX-License-Identifier: GPL-2.0-or-later
/* Test sensors and the use of graphics cards on made-up files of /sys and /proc. */
#include "base/compat.h"
#include "events/catalog.h"
#include "events/parse.h"
#include "gauges/gauges.h"
#include "tmp-tree.h"

#include <setjmp.h>
#include <unistd.h>

#include <cmocka.h>

static struct sysroot sr;
static const struct parse_env env = { .sr = &sr };

static void put(const char *path, const char *text)
{
	tree_put(sr.prefix, path, text);
}

/* Make the descriptor @fd of @pid a file of a graphics card, whose fdinfo has @text. */
static void put_client(int pid, int fd, const char *text)
{
	char path[128];
	char *link;

	snprintf(path, sizeof(path), "proc/%d/fdinfo/%d", pid, fd);
	put(path, text);
	snprintf(path, sizeof(path), "proc/%d/fd/.keep", pid);
	put(path, "");
	link = sysroot_path(&sr, "/proc/%d/fd/%d", pid, fd);
	unlink(link);
	assert_int_equal(symlink("/dev/dri/renderD128", link), 0);
	free(link);
}

static int setup(void **state)
{
	sr.prefix = tmp_dir();
	put("sys/class/hwmon/hwmon2/name", "coretemp\n");
	put("sys/class/hwmon/hwmon2/temp1_input", "45500\n");
	put("sys/class/hwmon/hwmon2/temp1_label", "Package id 0\n");
	put("sys/class/hwmon/hwmon2/temp1_crit", "100000\n");
	put("sys/class/hwmon/hwmon2/temp12_input", "-1000\n");
	put("sys/class/hwmon/hwmon2/in0_input", "1200\n");
	put("sys/class/hwmon/hwmon10/name", "coretemp\n");
	put("sys/class/hwmon/hwmon10/temp1_input", "30000\n");
	put("sys/class/hwmon/hwmon3/name", "odd \001name\n");
	put("sys/class/hwmon/hwmon3/power1_average", "7000000\n");
	put("sys/class/hwmon/hwmon3/power2_average", "8000000\n");
	put("sys/class/hwmon/hwmon3/power2_input", "9000000\n");
	put("sys/class/hwmon/hwmon3/energy1_input", "5\n");
	put("sys/class/hwmon/hwmon3/pwm1", "128\n");
	put("sys/class/hwmon/hwmon3/fan_input", "no number\n");
	put("sys/class/hwmon/hwmon3/power/control", "auto\n");
	return 0;
}

static int teardown(void **state)
{
	tmp_remove((char *)sr.prefix);
	return 0;
}

static void test_sensors(void **state)
{
	static const struct {
		const char *pmu, *name, *label, *unit;
		u64 config;
		bool state;
	} t[] = {
		{ "hwmon_coretemp", "in0", NULL, "V", 0x60000, true },
		{ "hwmon_coretemp", "temp1", "temp_package_id_0", "'C", 0xa0001, true },
		{ "hwmon_coretemp", "temp12", NULL, "'C", 0xa000c, true },
		{ "hwmon_odd__name", "energy1", NULL, "J", 0x30001, false },
		{ "hwmon_odd__name", "power1", NULL, "W", 0x80001, true },
		{ "hwmon_odd__name", "power2", NULL, "W", 0x80002, true },
		{ "hwmon_odd__name", "pwm1", NULL, NULL, 0x90001, true },
		{ "hwmon_coretemp_10", "temp1", NULL, "'C", 0xa0001, true },
	};
	struct gauges g = { 0 };

	gauges_sensors(&g, &sr);
	assert_int_equal(g.nr, ARRAY_SIZE(t));
	for (size_t i = 0; i < g.nr; i++) {
		assert_string_equal(g.v[i].pmu, t[i].pmu);
		assert_string_equal(g.v[i].name, t[i].name);
		assert_int_equal(g.v[i].config, t[i].config);
		assert_int_equal(g.v[i].state, t[i].state);
		assert_true(!g.v[i].label == !t[i].label);
		if (t[i].label)
			assert_string_equal(g.v[i].label, t[i].label);
		assert_true(!g.v[i].unit == !t[i].unit);
		if (t[i].unit)
			assert_string_equal(g.v[i].unit, t[i].unit);
	}
	assert_string_equal(g.v[1].desc, "Temperature, Package id 0");
	assert_non_null(strstr(g.v[5].path, "power2_input"));
	gauges_release(&g);
}

static void test_values(void **state)
{
	struct gauge_values v = { 0 };

	gauge_values_add(&v, &sr, "hwmon_coretemp", "temp1");
	gauge_values_add(&v, &sr, "hwmon_coretemp", "temp12");
	gauge_values_add(&v, &sr, "hwmon_coretemp", "temp7");
	gauge_values_read(&v, &sr, NULL);
	assert_true(v.v[0].there && v.v[1].there && !v.v[2].there);
	assert_int_equal(v.v[0].value, 45500);
	assert_int_equal((s64)v.v[1].value, -1000);
	gauge_values_release(&v);

	/* energy is counted from the first reading on */
	gauge_values_add(&v, &sr, "hwmon_odd__name", "energy1");
	gauge_values_read(&v, &sr, NULL);
	assert_true(v.v[0].there && v.v[0].value == 0);
	put("sys/class/hwmon/hwmon3/energy1_input", "12\n");
	gauge_values_read(&v, &sr, NULL);
	assert_int_equal(v.v[0].value, 7);
	put("sys/class/hwmon/hwmon3/energy1_input", "5\n");
	gauge_values_release(&v);
}

/* --- graphics ------------------------------------------------------------------------------ */

#define CLIENT(id, render, vram)                                                                   \
	"pos:\t0\ndrm-driver:\ti915\ndrm-pdev:\t0000:00:02.0\ndrm-client-id:\t" id                 \
	"\ndrm-engine-render:\t" render                                                            \
	" ns\ndrm-engine-capacity-video:\t2\ndrm-memory-vram:\t" vram                              \
	" KiB\ndrm-maxfreq-render:\t3 MHz\ndrm-total-cycles-render:\t9\n"                          \
	"drm-engine-b\001d:\t1 ns\ndrm-memory-none:\tx\n"

static void test_graphics(void **state)
{
	static const char *const names[] = { "drm-engine-capacity-video", "drm-engine-render",
					     "drm-maxfreq-render", "drm-memory-vram" };
	const struct int_list one = { .v = (int[]){ 200 }, .nr = 1 };
	struct gauges g = { 0 };
	struct gauge_values v = { 0 };

	put_client(100, 3, CLIENT("1", "500", "4"));
	put_client(100, 4, CLIENT("1", "500", "4")); /* the same client */
	put_client(200, 3, CLIENT("2", "1000", "8"));
	put("proc/300/fdinfo/5", CLIENT("3", "1", "1")); /* not a descriptor of a card */
	gauges_graphics(&g, &sr);
	assert_int_equal(g.nr, ARRAY_SIZE(names));
	for (size_t i = 0; i < g.nr; i++) {
		assert_string_equal(g.v[i].pmu, "drm_i915");
		assert_string_equal(g.v[i].name, names[i]);
		gauge_values_add(&v, &sr, "drm_i915", names[i]);
	}
	gauges_release(&g);

	gauge_values_read(&v, &sr, NULL);
	assert_int_equal(v.v[0].value, 2);
	assert_int_equal(v.v[1].value, 0);
	assert_int_equal(v.v[2].value, 3000000);
	assert_int_equal(v.v[3].value, 12 * 1024);

	/* one client goes on, one ends, and a third is new */
	put_client(100, 3, CLIENT("1", "700", "5"));
	put_client(100, 4, CLIENT("1", "700", "5"));
	put_client(200, 3, CLIENT("9", "30", "1"));
	gauge_values_read(&v, &sr, NULL);
	assert_int_equal(v.v[1].value, 230);
	assert_int_equal(v.v[3].value, 6 * 1024);

	gauge_values_restart(&v);
	gauge_values_read(&v, &sr, &one);
	put_client(200, 3, CLIENT("9", "31", "1"));
	gauge_values_read(&v, &sr, &one);
	assert_int_equal(v.v[1].value, 1);
	assert_int_equal(v.v[3].value, 1024);
	gauge_values_release(&v);
}

/* --- events -------------------------------------------------------------------------------- */

static void test_events(void **state)
{
	static const struct {
		const char *text, *name, *pmu, *gauge;
		size_t nr;
	} t[] = {
		{ "temp12", "temp12", "hwmon_coretemp", "temp12", 1 },
		{ "temp1", "hwmon_coretemp/temp1/", "hwmon_coretemp", "temp1", 2 },
		{ "temp_package_id_0", "temp_package_id_0", "hwmon_coretemp", "temp1", 1 },
		{ "hwmon_coretemp_10/temp1/", "hwmon_coretemp_10/temp1/", "hwmon_coretemp_10",
		  "temp1", 1 },
		{ "hwmon_odd__name/config=0x30001/", "hwmon_odd__name/config=0x30001/",
		  "hwmon_odd__name", "energy1", 1 },
		{ "hwmon_odd__name/pwm1,name=fan/", "fan", "hwmon_odd__name", "pwm1", 1 },
		{ "drm-engine-render", "drm-engine-render", "drm_i915", "drm-engine-render", 1 },
		{ "drm_i915/drm-memory-vram/", "drm_i915/drm-memory-vram/", "drm_i915",
		  "drm-memory-vram", 1 },
	};
	struct parse_error pe;

	put_client(100, 3, CLIENT("1", "500", "4"));
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct evlist l = { 0 };
		const struct evsel *e;

		if (parse_events(&l, t[i].text, &env, &pe))
			fail_msg("%s: %s", t[i].text, pe.text);
		assert_int_equal(l.nr, t[i].nr);
		e = l.evsels[0];
		assert_string_equal(e->name, t[i].name);
		assert_string_equal(e->pmu, t[i].pmu);
		assert_string_equal(e->gauge, t[i].gauge);
		assert_int_equal(e->tool, TOOL_GAUGE);
		evlist_release(&l);
	}
}

static void test_bad_events(void **state)
{
	static const struct {
		const char *text, *why;
		size_t at;
	} t[] = {
		{ "hwmon_coretemp/temp9/", "'hwmon_coretemp' has no such event", 15 },
		{ "hwmon_coretemp//", "'hwmon_coretemp' has no such event", 15 },
		{ "hwmon_none/temp1/", "no sensor and no graphics driver is called 'hwmon_none'",
		  0 },
		{ "cs,drm_none/x/", "no sensor and no graphics driver is called 'drm_none'", 3 },
		{ "hwmon_coretemp/temp1,bad=1/", "unknown term", 21 },
		{ "temp99", "parser error", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct evlist l = { 0 };
		struct parse_error pe;

		assert_int_not_equal(parse_events(&l, t[i].text, &env, &pe), 0);
		assert_string_equal(pe.text, t[i].why);
		assert_int_equal(pe.at, t[i].at);
		assert_int_equal(l.nr, 0);
		evlist_release(&l);
	}
}

static void test_catalog(void **state)
{
	struct catalog c = { 0 };

	catalog_gauges(&c, &sr);
	assert_true(c.nr > 8);
	assert_string_equal(c.v[1].name, "temp1");
	assert_string_equal(c.v[1].alias, "temp_package_id_0");
	assert_string_equal(c.v[1].encoding, "hwmon_coretemp/config=0xa0001/");
	assert_string_equal(c.v[1].scale, "0.001'C");
	assert_string_equal(c.v[1].topic, "sensors");
	assert_string_equal(c.v[c.nr - 1].topic, "graphics");
	catalog_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sensors),    cmocka_unit_test(test_values),
		cmocka_unit_test(test_graphics),   cmocka_unit_test(test_events),
		cmocka_unit_test(test_bad_events), cmocka_unit_test(test_catalog),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
