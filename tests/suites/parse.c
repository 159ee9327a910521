// SPDX-License-Identifier: GPL-2.0-or-later
/* Check how event text becomes attributes, on this machine's tracefs and PMUs. */
#include "base/compat.h"

#include "base/alloc.h"
#include "events/parse.h"
#include "suites.h"

#include <dirent.h>
#include <errno.h>

static const struct parse_env env;

static int parses(const char *text, struct evlist *l, size_t nr)
{
	struct parse_error pe = { 0 };
	int ret = parse_events(l, text, &env, &pe);

	TEST_CHECK(!ret, "'%s': at %zu: %s", text, pe.at, pe.text);
	TEST_EQ(l->nr, nr);
	return TEST_OK;
}

static int test_generic(struct test_ctx *ctx __unused)
{
	static const struct {
		const char *text;
		u32 type;
		u64 config;
	} one[] = {
		{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
		{ "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
		{ "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
		{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
		{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
		{ "L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000 },
		{ "r1a8", PERF_TYPE_RAW, 0x1a8 },
		{ "1:3", PERF_TYPE_SOFTWARE, 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(one); i++) {
		struct evlist l = { 0 };

		if (parses(one[i].text, &l, 1))
			return TEST_FAIL;
		test_say("%s", one[i].text);
		TEST_EQ(l.evsels[0]->attr.type, one[i].type);
		TEST_EQ(l.evsels[0]->attr.config, one[i].config);
		evlist_release(&l);
	}
	return TEST_OK;
}

static int test_modifiers(struct test_ctx *ctx __unused)
{
	struct evlist l = { 0 };

	if (parses("cycles:u,instructions:k,{cpu-clock,faults}:u,cycles:pp", &l, 5))
		return TEST_FAIL;
	TEST_EQ(l.evsels[0]->attr.exclude_kernel, 1);
	TEST_EQ(l.evsels[0]->attr.exclude_user, 0);
	TEST_EQ(l.evsels[1]->attr.exclude_user, 1);
	TEST_EQ(l.evsels[1]->attr.exclude_kernel, 0);
	TEST_EQ(l.evsels[2]->attr.exclude_kernel, 1);
	TEST_EQ(l.evsels[3]->leader, 2);
	TEST_EQ(l.evsels[2]->nr_members, 2);
	TEST_EQ(l.evsels[4]->attr.precise_ip, 2);
	evlist_release(&l);
	return TEST_OK;
}

static int test_refused(struct test_ctx *ctx __unused)
{
	static const char *const bad[] = { "nosuchevent",

					   "cycles:Q",

					   "cycles,,faults",   "r", "no_such_pmu/event=1/",
					   "nosuch:tracepoint" };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct parse_error pe = { 0 };
		struct evlist l = { 0 };

		TEST_CHECK(parse_events(&l, bad[i], &env, &pe) < 0, "'%s' was taken", bad[i]);
		TEST_CHECK(*pe.text, "'%s' was refused without a word", bad[i]);
		TEST_EQ(l.nr, 0);
		evlist_release(&l);
	}
	return TEST_OK;
}

static size_t count_formats(const char *system)
{
	char *path = xasprintf("%s/events/%s", tracefs_path(NULL), system);
	DIR *d = opendir(path);
	struct dirent *e;
	size_t nr = 0;

	while (d && (e = readdir(d)))
		nr += e->d_type == DT_DIR && e->d_name[0] != '.';
	if (d)
		closedir(d);
	free(path);
	return nr;
}

static int test_globs(struct test_ctx *ctx)
{
	size_t nr = count_formats("sched");
	struct evlist l = { 0 };

	if (!nr)
		return test_skip(ctx, "tracefs is not readable");
	if (parses("sched:*", &l, nr))
		return TEST_FAIL;
	for (size_t i = 0; i < l.nr; i++)
		TEST_EQ(l.evsels[i]->attr.type, PERF_TYPE_TRACEPOINT);
	evlist_release(&l);
	return TEST_OK;
}

static const struct test_case cases[] = {
	{ "generic, cache and raw events", test_generic },
	{ "modifiers and groups", test_modifiers },
	{ "what is wrong is refused", test_refused },
	{ "globs of tracepoints", test_globs },
};
TEST_SUITE(suite_parse, "Event texts", cases, "events");
