// SPDX-License-Identifier: GPL-2.0-or-later
/* This program records a workload and reads the recording: file and pipe, report and script. */
#include "base/compat.h"

#include "base/alloc.h"
#include "suites.h"

#include <sys/stat.h>
#include <unistd.h>

/* Can this user record its own programs at all? What record said is on stderr. */
static int recorded(struct test_ctx *ctx, const struct test_run *run)
{
	struct stat st;

	if (run->status == 0)
		return TEST_OK;
	if (stat("/proc/sys/kernel/perf_event_paranoid", &st))
		return test_skip(ctx, "a kernel without perf events");
	if (geteuid())
		return test_skip(ctx, "perf record is not allowed or failed");
	test_say("perf record ended with status %d", run->status);
	return TEST_FAIL;
}

/* Record a workload into a new file. On success the caller removes @dir and frees @file. */
static int record(struct test_ctx *ctx, char **dir, char **file, const char *workload)
{
	struct test_run run;
	int ret;

	if (test_is_stripped())
		return test_skip(ctx, "this program is stripped");
	*dir = test_tmpdir();
	TEST_CHECK(*dir, "no temporary folder");
	*file = xasprintf("%s/perf.data", *dir);
	ret = TEST_PERF(&run, "record", "-g", "-o", *file, "--", "/proc/self/exe", "test", "-w",
			workload);
	strbuf_release(&run.out);
	if (!ret)
		ret = recorded(ctx, &run);
	if (ret) {
		test_rmdir(*dir);
		free(*file);
	}
	return ret;
}

static void cleanup(char *dir, char *file)
{
	test_rmdir(dir);
	free(file);
}

static int has(const struct test_run *run, const char *text)
{
	TEST_EQ(run->status, 0);
	TEST_CHECK(strstr(strbuf_str(&run->out), text), "'%s' is not in:\n%.2000s", text,
		   strbuf_str(&run->out));
	return TEST_OK;
}

/* The first line of a report that is neither empty nor a comment. */
static const char *first_row(const char *text)
{
	while (*text == '#' || *text == '\n' || *text == ' ') {
		const char *line = text + strspn(text, " ");

		if (*line != '#' && *line != '\n')
			return text;
		text = strchr(text, '\n');
		if (!text)
			return "";
		text++;
	}
	return text;
}

static int test_report(struct test_ctx *ctx)
{
	char *dir, *file, row[256];
	struct test_run run;
	int ret = record(ctx, &dir, &file, "leafloop");

	if (ret)
		return ret;
	ret = TEST_PERF(&run, "report", "--stdio", "--no-children", "-g", "none", "-i", file);
	if (!ret)
		ret = has(&run, "leaf");
	if (!ret) {
		snprintf(row, sizeof(row), "%.*s",
			 (int)strcspn(first_row(strbuf_str(&run.out)), "\n"),
			 first_row(strbuf_str(&run.out)));
		test_say("on top: %s", row);
		ret = strstr(row, "leaf") ? TEST_OK : TEST_FAIL;
	}
	strbuf_release(&run.out);
	cleanup(dir, file);
	return ret;
}

static int test_script(struct test_ctx *ctx)
{
	char *dir, *file;
	struct test_run run;
	int ret = record(ctx, &dir, &file, "callchain");

	if (ret)
		return ret;
	ret = TEST_PERF(&run, "script", "-i", file);
#ifdef __s390__
	if (!ret && !strstr(strbuf_str(&run.out), "callchain_"))
		ret = test_skip(ctx, "this kernel records no call chains of user space");
#endif
	for (int i = 1; i <= 5 && !ret; i++) {
		char name[16];

		snprintf(name, sizeof(name), "callchain_%d+0x", i);
		ret = has(&run, name);
	}
	strbuf_release(&run.out);
	cleanup(dir, file);
	return ret;
}

static int test_pipe(struct test_ctx *ctx)
{
	static const char *const readers[][6] = {
		{ "report", "--stdio", "-i", "-", NULL },
		{ "script", "-i", "-", NULL },
	};
	struct test_run rec, run;
	int ret;

	if (test_is_stripped())
		return test_skip(ctx, "this program is stripped");
	ret = TEST_PERF(&rec, "record", "-o", "-", "--", "/proc/self/exe", "test", "-w", "noploop",
			"0.2");

	if (!ret)
		ret = recorded(ctx, &rec);
	for (size_t i = 0; i < ARRAY_SIZE(readers) && !ret; i++) {
		ret = test_perf(&run, strbuf_str(&rec.out), rec.out.len, readers[i]);
		if (!ret)
			ret = has(&run, "noploop");
		strbuf_release(&run.out);
	}
	strbuf_release(&rec.out);
	return ret;
}

/* A file that was cut is read as far as it goes. */
static int test_cut(struct test_ctx *ctx)
{
	char *dir, *file;
	struct test_run run;
	struct stat st;
	int ret = record(ctx, &dir, &file, "noploop");

	if (ret)
		return ret;
	if (stat(file, &st) || truncate(file, st.st_size / 2))
		ret = TEST_FAIL;
	if (!ret)
		ret = TEST_PERF(&run, "script", "-i", file);
	if (!ret) {
		test_say("status %d, %zu bytes of text", run.status, run.out.len);
		ret = run.status < 0 || !run.out.len ? TEST_FAIL : TEST_OK;
		strbuf_release(&run.out);
	}
	cleanup(dir, file);
	return ret;
}

static const struct test_case cases[] = {
	{ "record and report: the hot function is on top", test_report },
	{ "record and script: the whole call chain", test_script },
	{ "through a pipe", test_pipe },
	{ "a file that was cut in half", test_cut },
};
TEST_SUITE(suite_endtoend, "Record and read back", cases,
	   "recorder recordopts recording session machine resolve hist columns profile profiletext "
	   "report sampletext scriptrun");
