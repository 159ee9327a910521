// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what can be taken back from an output, and that no more is. */
#include "base/compat.h"
#include "cli/output-mark.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static const char text[] = "/tmp/perf-mark-XXXXXX";
static char path[sizeof(text)];

static int begin(void **state)
{
	int fd;

	memcpy(path, text, sizeof(path));
	fd = mkstemp(path);
	assert_int_equal(write(fd, "head", 4), 4);
	return close(fd);
}

static int end(void **state)
{
	return unlink(path);
}

static int open_at(int flags, off_t at)
{
	int fd = open(path, O_WRONLY | flags);

	assert_true(fd >= 0);
	assert_int_equal(lseek(fd, at, SEEK_SET), at);
	return fd;
}

static off_t size(void)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_size;
}

static void test_file(void **state)
{
	struct output_mark m;
	int fd = open_at(0, 4);

	assert_true(output_mark_set(&m, fd));
	assert_true(output_mark_return(&m)); /* of nothing */
	assert_int_equal(write(fd, "more", 4), 4);
	assert_true(output_mark_return(&m));
	assert_int_equal(size(), 4);
	assert_int_equal(write(fd, "x", 1), 1);
	assert_int_equal(size(), 5);
	close(fd);
}

/* Somebody else has written meanwhile. */
static void test_others(void **state)
{
	struct output_mark m;
	int fd = open_at(0, 4), other = open_at(O_APPEND, 0);

	assert_true(output_mark_set(&m, fd));
	assert_int_equal(write(fd, "mine", 4), 4);
	assert_int_equal(write(other, "theirs", 6), 6);
	assert_false(output_mark_return(&m));
	assert_int_equal(size(), 14);
	close(fd);
	close(other);
}

static void test_refused(void **state)
{
	int pipes[2], middle = open_at(0, 2), appends = open_at(O_APPEND, 4), own = open_at(0, 4);
	int errors = dup(STDERR_FILENO);
	struct output_mark m;
	bool messages;

	assert_int_equal(pipe(pipes), 0);
	assert_false(output_mark_set(&m, pipes[1]));
	assert_false(output_mark_set(&m, middle));
	assert_false(output_mark_set(&m, appends));
	assert_false(output_mark_set(&m, -1));
	dup2(own, STDERR_FILENO);
	messages = output_mark_set(&m, own);
	dup2(errors, STDERR_FILENO);
	assert_false(messages);
	assert_true(output_mark_set(&m, own));
	close(pipes[0]);
	close(pipes[1]);
	close(middle);
	close(appends);
	close(own);
	close(errors);
}

static void test_nowhere(void **state)
{
	struct output_mark m;
	int fd = open("/dev/null", O_WRONLY);

	assert_true(output_mark_set(&m, fd));
	assert_int_equal(write(fd, "more", 4), 4);
	assert_true(output_mark_return(&m));
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_file, begin, end),
		cmocka_unit_test_setup_teardown(test_others, begin, end),
		cmocka_unit_test_setup_teardown(test_refused, begin, end),
		cmocka_unit_test_setup_teardown(test_nowhere, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
