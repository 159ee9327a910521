// SPDX-License-Identifier: GPL-2.0-or-later
/* Text that is written by a thread: all of it, in its order, and errors that reach the caller. */
#include "base/compat.h"

#include "cli/write-behind.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#define LINES 400000

/* Write numbered lines of 12 bytes, settle in the middle, and read them again. */
static void check_all(int workers)
{
	char name[] = "/tmp/perf-write-behind-XXXXXX", line[16];
	int fd = mkstemp(name);
	struct write_behind *w = write_behind_new(fd, workers);
	FILE *f;

	assert_true(fd >= 0);
	for (int i = 0; i < LINES; i++) {
		snprintf(line, sizeof(line), "line %06d\n", i);
		assert_int_equal(write_behind_put(w, line, 12), 0);
		if (i == LINES / 2) {
			assert_int_equal(write_behind_settle(w), 0);
			assert_int_equal(lseek(fd, 0, SEEK_END), 12 * (i + 1));
		}
	}
	assert_int_equal(write_behind_free(w), 0);
	assert_int_equal(lseek(fd, 0, SEEK_END), 12 * LINES);
	f = fdopen(fd, "r");
	rewind(f);
	for (int i = 0; i < LINES; i++) {
		char want[16];

		snprintf(want, sizeof(want), "line %06d\n", i);
		assert_non_null(fgets(line, sizeof(line), f));
		assert_string_equal(line, want);
	}
	fclose(f);
	unlink(name);
}

static void test_all(void **state)
{
	check_all(1);
	check_all(2);
}

static void test_nothing(void **state)
{
	struct write_behind *w = write_behind_new(-1, 2);

	assert_int_equal(write_behind_settle(w), 0);
	assert_int_equal(write_behind_free(w), 0);
}

/* A full disk: a later call tells of it, and so does the last one. */
static void check_full(int workers)
{
	static char piece[1 << 16];
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC), ret = 0;
	struct write_behind *w = write_behind_new(fd, workers);

	for (int i = 0; i < 1000 && !ret; i++)
		ret = write_behind_put(w, piece, sizeof(piece));
	assert_int_equal(ret, -ENOSPC);
	assert_int_equal(write_behind_put(w, piece, sizeof(piece)), -ENOSPC);
	assert_int_equal(write_behind_settle(w), -ENOSPC);
	assert_int_equal(write_behind_free(w), -ENOSPC);
	close(fd);
}

static void test_full(void **state)
{
	check_full(1);
	check_full(2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
