// SPDX-License-Identifier: GPL-2.0-or-later
/* Test languages of scripts: how they are named, and what is said when there is no engine. */
#include "base/compat.h"
#include "script/engine.h"
#include "tmp-tree.h"

#include <errno.h>

#include <setjmp.h>
#include <cmocka.h>

static void test_language(void **state)
{
	static const struct {
		const char *spec, *language, *file;
	} cases[] = {
		{ "a.py", "Python", "a.py" },
		{ "dir.d/a.py", "Python", "dir.d/a.py" },
		{ "Python:a", "Python", "a" },
		{ "python:x:y", "Python", "x:y" },
		{ "py:a.txt", "Python", "a.txt" },
		{ "a.pl", "Perl", "a.pl" },
		{ "Perl:a.py", "Perl", "a.py" },
		{ "pl:a", "Perl", "a" },
		{ "odd:name.py", NULL, NULL },
		{ "a.txt", NULL, NULL },
		{ "a", NULL, NULL },
		{ "", NULL, NULL },
		{ "Cobol:a", NULL, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct script_language *l;
		struct err err = { 0 };
		const char *file;

		l = script_language_of(cases[i].spec, &file, &err);
		if (!cases[i].language) {
			assert_null(l);
			assert_int_equal(err.code, -EINVAL);
			continue;
		}
		assert_non_null(l);
		assert_string_equal(l->name, cases[i].language);
		assert_string_equal(file, cases[i].file);
	}
}

static void test_generate(void **state)
{
	char *file = NULL;

	assert_string_equal(script_language_to_generate("python", &file)->name, "Python");
	assert_string_equal(file, "perf-script.py");
	free(file);
	assert_string_equal(script_language_to_generate("first.py", &file)->name, "Python");
	assert_string_equal(file, "first.py");
	free(file);
	assert_string_equal(script_language_to_generate("perl", &file)->name, "Perl");
	assert_string_equal(file, "perf-script.pl");
	free(file);
	assert_null(script_language_to_generate("pyt", &file));
	assert_null(script_language_to_generate("", &file));
}

static void test_no_engine(void **state)
{
	static const char *const packages[] = { "libperl-dev", "libpython3-dev" };
	char *dir = tmp_dir();
	const char *folders[] = { dir, NULL };

	for (size_t i = 0; i < ARRAY_SIZE(packages); i++) {
		const struct script_language *l = &script_languages()[i];
		struct err err = { 0 };

		assert_null(script_engine_load(l, folders, &err));
		assert_non_null(strstr(err.msg, "scripting not supported"));
		assert_memory_equal(err.msg, l->name, strlen(l->name));
		assert_non_null(strstr(err.msg, packages[i]));
		tree_put(dir, l->object, "no object at all");
		assert_null(script_engine_load(l, folders, &err));
		assert_non_null(strstr(err.msg, "cannot load"));
	}
	tmp_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_language),
		cmocka_unit_test(test_generate),
		cmocka_unit_test(test_no_engine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
