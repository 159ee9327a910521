// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what browsers do outside of the screen: files that they write, recordings that they find,
 * commands as users would type them. */
#include "base/compat.h"
#include "browse/files.h"
#include "tmp-tree.h"

#include "base/alloc.h"
#include "base/sysroot.h"

#include <setjmp.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

/* Each test has a new folder for the current one. */
static int setup(void **state)
{
	*state = tmp_dir();
	return chdir(*state);
}

static int teardown(void **state)
{
	int ret = chdir("/");

	tmp_remove(*state);
	return ret;
}

static void save(const char *text, const char *want)
{
	struct strbuf body = STRBUF_INIT, said = STRBUF_INIT;

	strbuf_addstr(&body, text);
	browse_save("out", &body, &said);
	assert_string_equal(strbuf_str(&said), want);
	strbuf_release(&said);
	strbuf_release(&body);
}

/* Nothing that exists is overwritten: the next number is taken. */
static void test_save(void **state)
{
	struct strbuf text = STRBUF_INIT;

	tree_put(*state, "out.1", "mine");
	save("a", "Written to out.0");
	save("b\n", "Written to out.2");
	save("", "Written to out.3");
	assert_int_equal(sysroot_read(NULL, &text, "out.0"), 0);
	assert_int_equal(sysroot_read(NULL, &text, "out.1"), 0);
	assert_int_equal(sysroot_read(NULL, &text, "out.2"), 0);
	assert_string_equal(strbuf_str(&text), "amineb\n");
	strbuf_release(&text);
}

static void test_not_saved(void **state)
{
	struct strbuf body = STRBUF_INIT, said = STRBUF_INIT;

	strbuf_addstr(&body, "text");
	browse_save("none/out", &body, &said);
	assert_string_equal(strbuf_str(&said),
			    "none/out.0 could not be written: No such file or directory");
	strbuf_release(&said);
	strbuf_release(&body);
}

static void check_command(const char *const *argv, const char *want)
{
	int argc = 0;
	char *got;

	while (argv[argc])
		argc++;
	got = browse_command(argc, argv);
	assert_string_equal(got, want);
	free(got);
}

static void test_command(void **state)
{
	check_command((const char *const[]){ NULL }, "perf");
	check_command((const char *const[]){ "report", "--tui", "-i", "my file", NULL },
		      "perf report -i 'my file'");
	check_command((const char *const[]){ "top", "--stdio", "-s", "a,b", "--stdio2", NULL },
		      "perf top -s a,b --stdio2");
}

/* Recordings of both byte orders are found by their first bytes, whatever their names are. */
static void test_recordings(void **state)
{
	size_t nr;
	char **names;

	tree_put(*state, "zeta", "PERFILE2 and more");
	tree_put(*state, "perf.data", "2ELIFREP and more");
	tree_put(*state, "short", "PERFILE");
	tree_put(*state, "text", "PERFILE1 and more");
	tree_put(*state, ".hidden", "PERFILE2 and more");
	tree_put(*state, "below/perf.data", "PERFILE2 and more");
	assert_int_equal(mkfifo("pipe", 0600), 0);
	names = browse_recordings(&nr);
	assert_int_equal(nr, 2);
	assert_string_equal(names[0], "perf.data");
	assert_string_equal(names[1], "zeta");
	free(names[0]);
	free(names[1]);
	free(names);
}

static void test_no_recordings(void **state)
{
	size_t nr = 7;

	free(browse_recordings(&nr));
	assert_int_equal(nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_save, setup, teardown),
		cmocka_unit_test_setup_teardown(test_not_saved, setup, teardown),
		cmocka_unit_test(test_command),
		cmocka_unit_test_setup_teardown(test_recordings, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_recordings, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
