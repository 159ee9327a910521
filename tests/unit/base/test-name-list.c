// SPDX-License-Identifier: GPL-2.0-or-later
/* Test names on the command line, and in files it names. */
#include "base/compat.h"
#include "base/name-list.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

static void parse(struct name_list *l, const char *text)
{
	struct err err = { 0 };

	*l = (struct name_list){ 0 };
	assert_int_equal(name_list_parse(l, text, "comm", &err), 0);
	assert_true(l->set);
}

static void names(void **state)
{
	static const struct {
		const char *text;
		size_t nr;
		const char *first;
		bool has_a;
	} cases[] = {
		{ "", 0, NULL, false },       { "a", 1, "a", true },
		{ "b,a", 2, "a", true },      { "zz,,a b,zz,(anon)::f<int, 3>", 5, "", false },
		{ "a,", 1, "a", true },       { ",", 1, "", false },
		{ ",a", 2, "", true },        { "a,b,a", 2, "a", true },
		{ "a b,c", 2, "a b", false }, { "file:/x", 1, "file:/x", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct name_list l;

		parse(&l, cases[i].text);
		assert_int_equal(l.nr, cases[i].nr);
		if (l.nr)
			assert_string_equal(l.names[0], cases[i].first);
		assert_int_equal(name_list_has(&l, "a"), cases[i].has_a);
		assert_false(name_list_has(&l, "z"));
		name_list_release(&l);
	}
}

static void lines_of_files(void **state)
{
	static const char lines[] = "f(int, char)\n\n b\nlast";
	char path[] = "/tmp/test-name-list.XXXXXX", list[100];
	struct err err = { 0 };
	struct name_list l;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, lines, strlen(lines)), strlen(lines));
	close(fd);
	snprintf(list, sizeof(list), "x,file://%s,last", path);
	parse(&l, list);
	unlink(path);
	assert_int_equal(l.nr, 4);
	assert_true(name_list_has(&l, "f(int, char)") && name_list_has(&l, " b"));
	assert_true(name_list_has(&l, "x") && name_list_has(&l, "last"));
	name_list_release(&l);

	assert_int_equal(name_list_parse(&l, "a,file:///nosuch/file", "comm", &err), -EINVAL);
	assert_string_equal(err.msg,
			    "problems parsing comm list\n/nosuch/file: No such file or directory");
	name_list_release(&l);
}

static void few(void **state)
{
	static const char *const more[] = { "b", "c", "d", "e" };
	struct few_names f = { 0 };

	few_names_add(&f, "a");
	assert_string_equal(strbuf_str(&f.text), "a");
	for (size_t i = 0; i < ARRAY_SIZE(more); i++)
		few_names_add(&f, more[i]);
	assert_string_equal(strbuf_str(&f.text), "a, b, c, d, e");
	few_names_add(&f, "f");
	few_names_add(&f, "g");
	assert_string_equal(strbuf_str(&f.text), "a, b, c, d, e, ...");
	assert_int_equal(f.nr, 7);
	few_names_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(lines_of_files),
		cmocka_unit_test(few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
