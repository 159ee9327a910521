// SPDX-License-Identifier: GPL-2.0-or-later
/* A terminal is taken and given back, on the other side of a pseudo terminal. */
#include "base/compat.h"
#include "cli/terminal.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

static int master, slave;

static int setup(void **state)
{
	char name[64];

	(void)state;
	master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (master < 0 || grantpt(master) || unlockpt(master) ||
	    ptsname_r(master, name, sizeof(name)))
		return -1;
	slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	setenv("TERM", "xterm", 1);
	return slave < 0;
}

static int teardown(void **state)
{
	(void)state;
	close(master);
	close(slave);
	return 0;
}

static void check_output(const char *want)
{
	char got[256];
	ssize_t n = read(master, got, sizeof(got) - 1);

	assert_int_equal(n, strlen(want));
	got[n] = 0;
	assert_string_equal(got, want);
}

static void test_enter_leave(void **state)
{
	struct terminal t;

	(void)state;
	assert_true(terminal_open(&t, slave));
	terminal_enter(&t);
	assert_true(t.on);
	check_output("\033[?1049h\033[?25l\033[H\033[2J");
	terminal_put(&t, "text");
	check_output("text");
	terminal_leave(&t);
	check_output("\033[?25h\033[?1049l");
	/* closing does not leave it a second time */
	terminal_close(&t);
	assert_int_equal(write(slave, "x", 1), 1);
	check_output("x");
}

static void test_size(void **state)
{
	struct winsize ws = { .ws_row = 30, .ws_col = 100 };
	struct terminal t;
	u32 width, height;

	(void)state;
	assert_true(terminal_open(&t, slave));
	terminal_size(&t, &width, &height);
	assert_int_equal(width, 80);
	assert_int_equal(height, 24);
	assert_int_equal(ioctl(master, TIOCSWINSZ, &ws), 0);
	terminal_size(&t, &width, &height);
	assert_int_equal(width, 100);
	assert_int_equal(height, 30);
	terminal_close(&t);
}

/* Keys that were pressed are read all at once. */
static void test_keys(void **state)
{
	struct terminal t = { .screen = slave };
	int p[2];

	(void)state;
	assert_int_equal(pipe2(p, O_NONBLOCK | O_CLOEXEC), 0);
	t.keys = p[0];
	assert_false(terminal_key(&t, 'q'));
	assert_int_equal(write(p[1], "abc", 3), 3);
	assert_false(terminal_key(&t, 'q'));
	assert_int_equal(write(p[1], "aqc", 3), 3);
	assert_true(terminal_key(&t, 'q'));
	assert_false(terminal_key(&t, 'q'));
	close(p[1]);
	assert_true(terminal_key(&t, 'q')); /* the terminal is gone */
	close(p[0]);
}

static void test_no_terminal(void **state)
{
	struct terminal t;
	int p[2];

	(void)state;
	assert_int_equal(pipe(p), 0);
	assert_false(terminal_open(&t, p[1]));
	close(p[0]);
	close(p[1]);
	setenv("TERM", "dumb", 1);
	assert_false(terminal_open(&t, slave));
	unsetenv("TERM");
	assert_false(terminal_open(&t, slave));
}

int main(void)
{
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_enter_leave),
		TEST(test_size),
		TEST(test_keys),
		TEST(test_no_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
