// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what machines tell of their processors, and how these are compared. */
#include "base/compat.h"
#include "arch/cpuid.h"
#include "tmp-tree.h"

#include "base/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const struct {
	const char *file, *text, *cpuid;
} machines[] = {
	{ "proc/cpuinfo",
	  "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n"
	  "model name\t: Xeon\nstepping\t: 7\n",
	  "GenuineIntel,6,85,7" },
	{ "sys/devices/system/cpu/cpu2/regs/identification/midr_el1", "0x00000000411fd073\n",
	  "0x00000000410fd070" },
	{ "proc/cpuinfo",
	  "hart : 0\nmvendorid\t: 0x489\nmarchid\t: 0x8000000000000007\nmimpid : 0x1\n",
	  "0x489-0x8000000000000007-0x1" },
	{ "proc/cpuinfo", "processor : 0\ncpu : POWER9\nrevision : 2.2 (pvr 004e 1202)\n",
	  "004e1202" },
	{ "proc/cpuinfo", "vendor_id\t: GenuineIntel\ncpu family\t: 6\n", NULL },
	{ "proc/cpuinfo", "nothing\n", NULL },
	{ "nothing", "", NULL },
};

static void machines_tell(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		char *dir = tmp_dir(), *s;
		struct sysroot sr = { dir };

		tree_put(dir, machines[i].file, machines[i].text);
		s = cpuid_text(&sr);
		if (machines[i].cpuid)
			assert_string_equal(s, machines[i].cpuid);
		else
			assert_null(s);
		free(s);
		tmp_remove(dir);
	}
}

static void type_and_model_of_s390(void **state)
{
	char *dir = tmp_dir(), *s;
	struct sysroot sr = { dir };

	tree_put(dir, "proc/cpuinfo", "vendor_id       : IBM/S390\n");
	assert_null(cpuid_text(&sr));
	tree_put(
		dir, "proc/sysinfo",
		"Manufacturer:         IBM\nType:                 3906\nModel:                704 M03\n");
	s = cpuid_text(&sr);
	assert_string_equal(s, "IBM,3906,704,M03");
	free(s);
	tmp_remove(dir);
}

static const struct {
	const char *cpuinfo, *name;
} models[] = {
	{ "vendor_id : GenuineIntel\nmodel\t: 85\nmodel name\t: Xeon\n", "Xeon" },
	{ "Processor : AArch64 Processor rev 4\nprocessor : 0\n", "AArch64 Processor rev 4" },
	{ "processor : 0\ncpu : POWER9\n", "POWER9" },
	{ "hart : 0\nuarch : sifive,u74\n", "sifive,u74" },
	{ "vendor_id : IBM/S390\n", "IBM/S390" },
	{ "cpu family : 6\n", NULL },
};

static void models_by_architecture(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		char *s = cpu_model(models[i].cpuinfo);

		if (models[i].name)
			assert_string_equal(s, models[i].name);
		else
			assert_null(s);
		free(s);
	}
}

static void as_tables_have_it(void **state)
{
	char *s;

	s = cpuid_table_text("GenuineIntel,6,143,8");
	assert_string_equal(s, "GenuineIntel-6-8F-8");
	free(s);
	s = cpuid_table_text("0x00000000410fd070");
	assert_string_equal(s, "0x00000000410fd070");
	free(s);
	s = cpuid_table_text("IBM,3906,704,3");
	assert_string_equal(s, "IBM,3906,704,3");
	free(s);
}

static void parts_and_revisions(void **state)
{
	assert_int_equal(cpuid_compare("0x410fd490", "0x00000000410fd491"), 1);
	assert_int_equal(cpuid_compare("0x410fd491", "0x00000000410fd490"), 0);
	assert_int_equal(cpuid_compare("0x410fd490", "0x00000000410fd0c0"), 0);
	assert_int_equal(cpuid_compare("GenuineIntel-6-55", "GenuineIntel-6-55-7"), -1);
	assert_int_equal(cpuid_compare("0x410fd490", "0x489-0x8-0x2"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines_tell),          cmocka_unit_test(type_and_model_of_s390),
		cmocka_unit_test(models_by_architecture), cmocka_unit_test(as_tables_have_it),
		cmocka_unit_test(parts_and_revisions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
