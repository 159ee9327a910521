// SPDX-License-Identifier: GPL-2.0-or-later
/* Test which reader of lines a list chooses, and what programs used as addr2line(1) say. */
#include "base/compat.h"
#include "dwarf/lines.h"

#include "base/alloc.h"
#include "elf-build.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <sys/stat.h>

#include <setjmp.h>
#include <cmocka.h>

static void chosen(const char *list, enum line_style want)
{
	struct line_source by = { .program = "left" };
	struct err err = { 0 };

	assert_int_equal(line_source_parse(&by, list, &err), 0);
	assert_int_equal(by.style, want);
	assert_null(by.program);
}

static void refused(const char *list, const char *why)
{
	struct line_source by = { .style = LINES_ANY };
	struct err err = { 0 };

	assert_int_equal(line_source_parse(&by, list, &err), -EINVAL);
	assert_non_null(strstr(err.msg, why));
	assert_int_equal(by.style, LINES_ANY);
}

static void test_lists(void **state)
{
	chosen("builtin", LINES_BUILTIN);
	chosen("llvm,libbfd,builtin", LINES_BUILTIN);
	chosen("builtin,libdw", LINES_BUILTIN);
	refused("llvm", "none of them");
	refused("", "'' is unknown");
	refused("builtin,", "'' is unknown");
	refused("llvm,builtin2", "'builtin2' is unknown");
}

static void test_programs(void **state)
{
	struct line_source by = { .style = LINES_ANY };
	struct err err = { 0 };

	assert_int_equal(line_source_program(&by, "/no/such/program", &err), -ENOENT);
	assert_non_null(strstr(err.msg, "/no/such/program"));
	assert_int_equal(line_source_program(&by, "no-such-program-anywhere", &err), -ENOENT);
	assert_int_equal(by.style, LINES_ANY);
	assert_int_equal(line_source_program(&by, "sh", &err), 0);
	assert_int_equal(by.style, LINES_PROGRAM);
	assert_string_equal(by.program, "sh");
}

#ifdef HAVE_LIBELF
/* Open a file by way of a program that says @answer to each question, and its end. */
static struct lines *open_by(const char *dir, const char *answer)
{
	char *program = xasprintf("%s/says", dir), *object = xasprintf("%s/object", dir);
	char *text =
		xasprintf("#!/bin/sh\nwhile read -r a; do case $a in 0x0) printf '"
			  "0x0000000000000000\\n??\\n??:0\\n' ;; *) printf '%s' ;; esac; done\n",
			  answer);
	struct line_source by = { LINES_PROGRAM, program };
	struct lines *l;

	tree_put(dir, "/says", text);
	assert_int_equal(chmod(program, 0700), 0);
	eb_write(&(struct eb){ .vaddr = 0x1000 }, object);
	l = lines_open_by(&by, object, object);
	assert_non_null(l);
	free(text);
	free(object);
	free(program);
	return l;
}

/* Check the line and the functions of an address. @want: "FILE:LINE NAME@FILE:LINE..." */
static void says(const char *answer, const char *want)
{
	char *dir = tmp_dir();
	struct lines *l = open_by(dir, answer);
	struct strbuf have = STRBUF_INIT;
	struct inlined in[INLINED_MAX];
	const char *file;
	u32 line = lines_find(l, 0x1040, false, &file);
	size_t nr = lines_inlined(l, 0x1040, false, in);

	strbuf_addf(&have, "%s:%u", file ? file : "-", line);
	for (size_t i = 0; i < nr; i++)
		strbuf_addf(&have, " %s@%s:%u", in[i].name, in[i].file ? in[i].file : "-",
			    in[i].line);
	assert_string_equal(strbuf_str(&have), want);
	strbuf_release(&have);
	lines_close(l);
	tmp_remove(dir);
}

static void test_answers(void **state)
{
	says("0x1040\\nf\\n/a.c:3\\n", "/a.c:3");
	says("0x1040\\nleaf\\n/a.c:3\\nouter\\n/b c.c:9 (discriminator 2)\\n",
	     "/a.c:3 leaf@/b c.c:9");
	says("0x1040\\n_Z1av\\n/a.c:3\\nb\\n/a.c:?\\nc\\n??:0\\n", "/a.c:3 _Z1av@-:0 b@-:0");
	says("0x1040\\n??\\n??:0\\n", "-:0");
	says("0x1040\\n??\\n/a.c:7\\n", "/a.c:7");
	says("0x1040\\nf\\n/a.c:99999999999\\n", "-:0");
	says("0x1040\\n", "-:0");
	says("something else\\n", "-:0");
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_programs),
#ifdef HAVE_LIBELF
		cmocka_unit_test(test_answers),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
