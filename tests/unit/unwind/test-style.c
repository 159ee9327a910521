// SPDX-License-Identifier: GPL-2.0-or-later
/* Test lists of styles (--unwind-style), and which recordings a style can unwind. */
#include "base/compat.h"
#include "unwind/style.h"

#include "arch/arch.h"
#include "base/strbuf.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

static const char *const libraries[] = { "libdw", "libunwind" };

static void check(const char *list, enum unwind_style want)
{
	enum unwind_style style = (enum unwind_style)7;
	struct err err = { 0 };

	assert_int_equal(unwind_style_parse(list, &style, &err), 0);
	assert_int_equal(style, want);
}

static void test_known(void **state)
{
	(void)state;
	check("tables", UNWIND_TABLES);
	check("tables,libdw", UNWIND_TABLES);
	check("tables,libunwind,libdw", UNWIND_TABLES);
	assert_string_equal(unwind_style_name(UNWIND_TABLES), "tables");
	assert_string_equal(unwind_style_name(UNWIND_LIBDW), "libdw");
	assert_string_equal(unwind_style_name(UNWIND_LIBUNWIND), "libunwind");
}

/* Libraries may be missing: then the next of the list is taken, and one alone is an error. */
static void test_libraries(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(libraries); i++) {
		enum unwind_style style = UNWIND_TABLES;
		struct strbuf list = STRBUF_INIT;
		struct err err = { 0 };
		int ret = unwind_style_parse(libraries[i], &style, &err);

		strbuf_addf(&list, "%s,tables", libraries[i]);
		if (ret) {
			assert_int_equal(ret, -EINVAL);
			assert_non_null(strstr(err.msg, "was built without that library"));
			check(strbuf_str(&list), UNWIND_TABLES);
		} else {
			assert_string_equal(unwind_style_name(style), libraries[i]);
			check(strbuf_str(&list), style);
		}
		strbuf_release(&list);
	}
}

static void test_unknown(void **state)
{
	static const char *const wrong[] = {
		"",      ",",       "fp",     "tables,", ",tables",          "tables,fp",
		"table", "tablesx", "Tables", " tables", "libunwind,,tables"
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		enum unwind_style style = UNWIND_TABLES;
		struct err err = { 0 };

		assert_int_equal(unwind_style_parse(wrong[i], &style, &err), -EINVAL);
		assert_non_null(strstr(err.msg, "is unknown: the styles are tables, libdw"));
	}
}

static void test_takes(void **state)
{
	bool x86 = arch_host() == arch_of("x86_64");

	(void)state;
	assert_true(unwind_style_takes(UNWIND_TABLES, "x86_64", false));
	assert_true(unwind_style_takes(UNWIND_TABLES, "aarch64", true));
	assert_true(unwind_style_takes(UNWIND_LIBDW, "aarch64", false));
	assert_false(unwind_style_takes(UNWIND_LIBDW, "x86_64", true));
	assert_int_equal(unwind_style_takes(UNWIND_LIBUNWIND, "x86_64", false), x86);
	assert_false(unwind_style_takes(UNWIND_LIBUNWIND, "aarch64", false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_libraries),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_takes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
