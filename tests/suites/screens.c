// SPDX-License-Identifier: GPL-2.0-or-later
/* Check what is shown and changes: a profile in the report browser, on a terminal that is made up,
 * and a live profile as text to a pipe. */
#include "base/compat.h"

#include "base/alloc.h"
#include "browse/profile.h"
#include "sample-file.h"
#include "suites.h"
#include "tests/unit/ui/typed-term.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* --- screens ------------------------------------------------------------------------------- */

/* Check that the rows of a screen have these texts, each below the one before. */
static int shows(const struct strbuf *screen, const char *const *rows, size_t nr)
{
	const char *p = strbuf_str(screen);

	test_say("%s", p);
	for (size_t i = 0; i < nr; i++) {
		const char *at = strstr(p, rows[i]);

		TEST_CHECK(at, "'%s' is not at its place", rows[i]);
		p = at;
	}
	return TEST_OK;
}

/* Text from files may have bytes that control terminals: none of them gets onto a screen. */
static int test_bytes(struct test_ctx *ctx __unused)
{
	static const char text[] = "a\033[2Jb\x9b\a", want[] = "a?[2Jb??";
	struct strbuf row = STRBUF_INIT;
	struct screen s;
	int ret;

	screen_init(&s, 1, 20, false);
	screen_put(&s, 0, 0, 20, STYLE_NORMAL, text, sizeof(text) - 1);
	screen_row(&s, 0, &row);
	ret = strcmp(strbuf_str(&row), want) ? TEST_FAIL : TEST_OK;
	if (ret)
		test_say("the row is '%s', should be '%s'", strbuf_str(&row), want);
	strbuf_release(&row);
	screen_release(&s);
	return ret;
}

/* Browse the profile of a recording: keys go in, the last screen comes out. */
static int browse(struct recording *r, const struct recording_options *source, const char *keys,
		  struct strbuf *screen)
{
	const struct profile_options asked = { .sort = "dso,sym",
					       .socket = -1,
					       .workers = 1,
					       .max_stack = 127,
					       .chain = { .mode = CHAIN_GRAPH } };
	struct browsed_profile shown = {
		.rec = r, .source = source, .asked = &asked, .command = "perf report"
	};
	struct err err = { 0 };
	struct typed_term t;
	struct ui ui;
	int ret;

	shown.profile = profile_new(&asked, r);
	ret = profile_run(shown.profile, &err);
	if (!ret) {
		typed_term_open(&t, &ui, keys, 24, 80, false);
		browse_profile(&ui, &shown);
		*screen = typed_term_close(&t, &ui);
	}
	profile_drop(shown.profile);
	TEST_CHECK(!ret, "%s", err.msg);
	return TEST_OK;
}

static int browse_file(const char *keys, struct strbuf *screen)
{
	struct recording_options source = { .buildid_dir = "", .debuginfod = "" };
	struct sample_file f;
	struct err err = { 0 };
	struct recording r;
	int ret = sample_file_write(&f);

	if (ret)
		return ret;
	source.input = f.path;
	ret = recording_open(&r, &source, NULL, &err);
	if (!ret) {
		ret = browse(&r, &source, keys, screen);
		recording_close(&r);
	} else {
		test_say("%s", err.msg);
	}
	sample_file_remove(&f);
	return ret ? TEST_FAIL : TEST_OK;
}

/* @gone: a text that the screen may not have */
static int check_keys(const char *keys, const char *const *rows, size_t nr, const char *gone)
{
	struct strbuf screen = STRBUF_INIT;
	int ret = browse_file(keys, &screen) ?: shows(&screen, rows, nr);

	if (!ret && gone && strstr(strbuf_str(&screen), gone)) {
		test_say("'%s' is still there", gone);
		ret = TEST_FAIL;
	}
	strbuf_release(&screen);
	return ret;
}

static int test_rows(struct test_ctx *ctx __unused)
{
	static const char *const rows[] = { "Samples: 4  of event 'cpu-clock",
					    "\n  Overhead  Shared Object  Symbol\n",
					    "\n+   75.00%  hot            [k] hot\n",
					    "\n+   25.00%  cool           [k] cool\n" };

	return check_keys("", rows, ARRAY_SIZE(rows), NULL);
}

/* The key e unfolds the selected row. */
static int test_unfold(struct test_ctx *ctx __unused)
{
	static const char *const rows[] = { "\n-   75.00%  hot            [k] hot\n", "caller\n",
					    "\n+   25.00%  cool           [k] cool\n" };

	return check_keys("e", rows, ARRAY_SIZE(rows), NULL);
}

/* The key d shows the object of the selected row alone. */
static int test_filter(struct test_ctx *ctx __unused)
{
	static const char *const rows[] = { ", DSO: hot\n", "\n+   75.00%  [k] hot\n",
					    "\nDSO: hot (press 'u' to undo the last)\n" };

	return check_keys("d", rows, ARRAY_SIZE(rows), "cool");
}

static const struct test_case screens[] = {
	{ "no control byte gets onto a screen", test_bytes },
	{ "rows of a profile", test_rows },
	{ "a call graph is unfolded", test_unfold },
	{ "a filter counts the samples again", test_filter },
};
TEST_SUITE(suite_screens, "Screens", screens, "ui browse");
/* --- a live profile ------------------------------------------------------------------------ */

#define REFRESHES "0.1" /* seconds between them */

/* Read refreshes until one has a row of the busy function. Return: whether there is one */
static bool read_refreshes(int fd, struct strbuf *out)
{
	static const char row[] = "[.] noploop\n";
	char buf[4096];
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		const char *at;

		strbuf_add(out, buf, (size_t)n);
		at = strstr(strbuf_str(out), row);
		if (!at)
			continue;
		while (at > out->buf && at[-1] != '\n')
			at--;
		if (strtod(at, NULL) > 50)
			return true;
	}
	return false;
}

/* Look at a busy process, which ends when it was seen; then the profile ends, too. */
static int watch(struct test_ctx *ctx, pid_t busy, struct strbuf *out)
{
	char pid[16];
	int fds[2], status;
	bool seen;
	pid_t top;

	TEST_CHECK(!pipe2(fds, O_CLOEXEC), "pipe: %s", strerror(errno));
	snprintf(pid, sizeof(pid), "%d", (int)busy);
	top = test_start(-1, fds[1],
			 (const char *const[]){ "top", "--stdio", "-d", REFRESHES, "-p", pid,
						NULL });
	close(fds[1]);
	seen = read_refreshes(fds[0], out);
	kill(busy, SIGKILL);
	while (read(fds[0], pid, sizeof(pid)) > 0)
		;
	close(fds[0]);
	TEST_CHECK(top > 0, "top was not started");
	status = test_wait(top);
	if (!seen && status && (geteuid() || access("/proc/sys/kernel/perf_event_paranoid", F_OK)))
		return test_skip(ctx, "this user or kernel cannot record a process");
	TEST_EQ(status, 0);
	TEST_CHECK(seen, "no refresh has the busy function at more than half");
	TEST_CHECK(strstr(strbuf_str(out), "   PerfTop:"), "no refresh has a title");
	return TEST_OK;
}

static int test_live(struct test_ctx *ctx)
{
	static const char *const argv[] = { "test", "-w", "noploop", "20", NULL };
	struct strbuf out = STRBUF_INIT;
	pid_t busy;
	int ret;

	if (test_is_stripped())
		return test_skip(ctx, "this program is stripped");
	busy = test_start(-1, STDERR_FILENO, argv);
	TEST_CHECK(busy > 0, "no busy process");
	ret = watch(ctx, busy, &out);
	kill(busy, SIGKILL);
	test_wait(busy);
	test_say("%s", strbuf_str(&out));
	strbuf_release(&out);
	return ret;
}

static const struct test_case live[] = {
	{ "the busy function is in a refresh", test_live },
};
TEST_SUITE(suite_live, "Live profiles", live, "toprun toptext");
