// SPDX-License-Identifier: GPL-2.0-or-later
/* Check what is told of the I/O of block devices. */
#include "base/compat.h"

#include "base/alloc.h"
#include "made.h"
#include "suites.h"

/* Two requests are on their way at once; the second one has waited for 20 us before. */
static const char io[] =
	"event block:block_rq_insert dev_t dev; sector_t sector; unsigned int nr_sector; "
	"unsigned int bytes; char rwbs[10]; char comm[16]\n"
	"event block:block_rq_issue dev_t dev; sector_t sector; unsigned int nr_sector; "
	"unsigned int bytes; char rwbs[10]; char comm[16]\n"
	"event block:block_rq_complete dev_t dev; sector_t sector; unsigned int nr_sector; "
	"int error; char rwbs[10]\n"
	"task 100 100 writer\n"
	"1000000 0 100 block:block_rq_insert 0xfff00001 64 8 4096 W writer\n"
	"1000010 0 100 block:block_rq_issue 0xfff00001 128 8 4096 W writer\n"
	"1000020 0 100 block:block_rq_issue 0xfff00001 64 8 4096 W writer\n"
	"1000510 0 0 block:block_rq_complete 0xfff00001 128 8 0 W\n"
	"1000520 0 0 block:block_rq_complete 0xfff00001 64 8 0 W\n";

/* No machine has a device of this number, so nothing takes the place of its name. */
#define TIMES                                                                                      \
	"I2D 1 20.0 20.0 20.0 20.0 20.0 20.0\n"                                                    \
	"D2C 2 500.0 500.0 500.0 500.0 500.0 500.0\n"

static int test_report(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(io, TIMES "4095,1 writer/100 0 2 0 0 0 0 8 0% 0.0 0.0 500.0", "block",
			   "report");
}

static int test_parse(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(io,
			   "4095,1 0 1 0.000000000 100 I W 64 + 8 [writer]\n"
			   "4095,1 0 3 0.000020000 100 D W 64 + 8 [writer]\n"
			   "4095,1 0 5 0.000520000 0 C W 64 + 8 [0]",
			   "block", "parse");
}

/* --- files of blktrace, and lanes of devices ----------------------------------------------- */

/* Enter a folder with the recording of this file. */
static int enter(char **dir)
{
	struct made m;
	int ret;

	made_init(&m, PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW);
	ret = made_lines(&m, io);
	if (!ret)
		ret = made_enter(&m, dir);
	made_release(&m);
	return ret;
}

static int test_blktrace(struct test_ctx *ctx __unused)
{
	char *dir;
	int ret = enter(&dir);

	if (ret)
		return ret;
	ret = MADE_SHOWS("", "data", "convert", "--to-blktrace", "files");
	if (!ret)
		ret = MADE_SHOWS(TIMES, "block", "report", "-i", "files");
	test_rmdir(xstrdup("files"));
	made_leave(dir);
	return ret;
}

static int test_lanes(struct test_ctx *ctx __unused)
{
	static const char text[] = "2 requests in flight";
	struct test_run run;
	char *dir;
	int ret = enter(&dir);

	if (ret)
		return ret;
	ret = TEST_PERF(&run, "timechart", "--pftrace", "-o", "/dev/stdout");
	if (!ret && !memmem(strbuf_str(&run.out), run.out.len, text, strlen(text))) {
		test_say("'%s' is not in the %zu bytes of the trace", text, run.out.len);
		ret = TEST_FAIL;
	}
	strbuf_release(&run.out);
	made_leave(dir);
	return ret;
}

static const struct test_case cases[] = {
	{ "times of requests, and who asked", test_report },
	{ "a line for each event", test_parse },
	{ "through files of blktrace", test_blktrace },
	{ "a lane for a device", test_lanes },
};
TEST_SUITE(suite_block, "Block devices", cases, "block blocktext blktrace queues");
