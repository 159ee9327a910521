// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what the objects of a recording tell of the way in which stacks are to be recorded. */
#include "base/compat.h"
#include "recordunwind/choose.h"

#include "arch/arch.h"
#include "base/alloc.h"
#include "cfi-build.h"
#include "tmp-tree.h"

#include <setjmp.h>
#include <cmocka.h>

/* The rules of a function that keeps a frame pointer, and of one that does not. */
#define KEPT "\x41\x0e\x10\x86\x02\x43\x0d\x06"
#define LEFT_OUT "\x41\x0e\x10\x83\x02\x44\x0e\x20"

static char *dir;

static int setup(void **state)
{
	(void)state;
	dir = tmp_dir();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tmp_remove(dir);
	return 0;
}

/* Add an object to the list. @program: NULL: it has no tables */
static void add(struct intern *objects, const char *name, const char *program)
{
	static const u8 code[64];
	const struct cb_object o = { .code = code,
				     .size = sizeof(code),
				     .program = program,
				     .program_len = program ? strlen(program) : 0 };
	char *path = xasprintf("%s/%s", dir, name);

	cb_write(&o, path);
	intern_str_id(objects, path);
	free(path);
}

static void check(const struct intern *objects, u32 nr, const char *first, bool program)
{
	struct stack_facts facts;

	stacks_look(objects, &facts);
	assert_int_equal(facts.nr, nr);
	assert_int_equal(facts.program, program);
	if (first)
		assert_string_equal(strrchr(facts.first, '/') + 1, first);
	else
		assert_null(facts.first);
}

static void test_facts(void **state)
{
	struct intern objects = { 0 };

	(void)state;
#ifndef HAVE_LIBELF
	skip();
#endif
	if (arch_host() != arch_of("x86_64")) {
		print_message("the objects are of x86-64, and only those of this machine count\n");
		skip();
	}
	intern_str_id(&objects, "/no/such/file");
	check(&objects, 0, NULL, false);
	add(&objects, "bare", NULL);
	check(&objects, 0, NULL, false);
	add(&objects, "kept", KEPT);
	check(&objects, 1, NULL, false);
	add(&objects, "lost", LEFT_OUT);
	add(&objects, "too", LEFT_OUT);
	check(&objects, 3, "lost", false);
	intern_release(&objects);
}

static void test_program(void **state)
{
	struct intern objects = { 0 };

	(void)state;
#ifndef HAVE_LIBELF
	skip();
#endif
	if (arch_host() != arch_of("x86_64"))
		skip();
	add(&objects, "program", LEFT_OUT);
	add(&objects, "kept", KEPT);
	check(&objects, 2, "program", true);
	intern_release(&objects);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_facts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_program, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
