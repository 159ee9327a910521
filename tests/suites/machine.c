// SPDX-License-Identifier: GPL-2.0-or-later
/* Check what perf needs of this machine beside events: tracing instances, BPF programs, and facts
 * about its processors. */
#include "base/compat.h"

#include "base/strbuf.h"
#include "bpf/sys.h"
#include "ftracectl/instance.h"
#include "metric/metric.h"
#include "suites.h"

#include <errno.h>
#include <unistd.h>

/* Tell whether this user or kernel cannot do it, which is no fault of perf. */
static bool not_here(int code)
{
	return code == -EPERM || code == -EACCES || code == -ENOENT || code == -ENOSYS;
}

static int skip(struct test_ctx *ctx, const struct err *err)
{
	return test_skip(ctx, "%.*s", (int)strcspn(err->msg, "\n"), err->msg);
}

/* --- tracing instances --------------------------------------------------------------------- */

/* Write a setting of an instance and read it again. */
static int use_instance(struct ftrace_instance *in)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	int rc = ftrace_put(in, "tracing_on", "0", "this test", &err);

	rc = rc ?: ftrace_get(in, "tracing_on", &text);
	if (!rc)
		rc = strcmp(strbuf_str(&text), "0\n") ? -EINVAL : 0;
	if (rc)
		test_say("tracing_on: %s", err.code ? err.msg : strbuf_str(&text));
	strbuf_release(&text);
	return rc;
}

static int test_instance(struct test_ctx *ctx)
{
	static const struct sysroot here = { 0 };
	struct ftrace_instance in;
	struct err err = { 0 };
	char path[256];
	int rc = ftrace_instance_open(&in, &here, false, &err);

	if (not_here(rc))
		return skip(ctx, &err);
	TEST_CHECK(!rc, "%s", err.msg);
	snprintf(path, sizeof(path), "%s", in.dir);
	rc = use_instance(&in);
	TEST_CHECK(!ftrace_instance_close(&in), "the instance cannot be removed");
	TEST_CHECK(access(path, F_OK), "%s is still there", path);
	return rc ? TEST_FAIL : TEST_OK;
}

static const struct test_case instances[] = {
	{ "one is made, used and removed", test_instance },
};
TEST_SUITE(suite_instances, "Tracing instances", instances, "ftracectl");

/* --- BPF programs -------------------------------------------------------------------------- */

static int test_program(struct test_ctx *ctx)
{
	struct bpf_code code = { 0 };
	struct err err = { 0 };
	int fd;

	bpf_return(&code, 0);
	fd = bpf_prog_new("perf_test", BPF_PROG_TYPE_PERF_EVENT, &code, &err);
	bpf_code_release(&code);
	if (not_here(fd))
		return skip(ctx, &err);
	TEST_CHECK(fd >= 0, "%s", err.msg);
	close(fd);
	return TEST_OK;
}

static const struct test_case programs[] = {
	{ "the kernel takes one", test_program },
};
TEST_SUITE(suite_bpf, "BPF programs", programs, "bpf");

/* --- facts --------------------------------------------------------------------------------- */

static int test_cpus(struct test_ctx *ctx)
{
	double online = 0, all = 0, cores = 0;

	metric_fact(NULL, "num_cpus_online", &online);
	metric_fact(NULL, "num_cpus", &all);
	metric_fact(NULL, "num_cores", &cores);
	TEST_EQ(online, sysconf(_SC_NPROCESSORS_ONLN));
	TEST_CHECK(all >= online, "%g of %g CPUs are online", online, all);
	if (!(cores > 0))
		return test_skip(ctx, "the kernel does not tell which CPUs are of one core");
	TEST_CHECK(cores <= all, "%g cores have %g CPUs", cores, all);
	return TEST_OK;
}

static const struct test_case facts[] = {
	{ "numbers of CPUs and cores", test_cpus },
};
TEST_SUITE(suite_facts, "Facts about the machine", facts, "metric");
