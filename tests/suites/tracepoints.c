// SPDX-License-Identifier: GPL-2.0-or-later
/* Check that every format description of the running kernel's tracepoints is understood. */
#include "base/compat.h"

#include "base/alloc.h"
#include "suites.h"
#include "tracefmt/tracefmt.h"

#include <dirent.h>
#include <errno.h>

struct tally {
	size_t nr, unreadable, unprinted;
};

static DIR *open_dir(const char *system)
{
	static const char *const tops[] = { "/sys/kernel/tracing/events",
					    "/sys/kernel/debug/tracing/events" };
	DIR *d = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(tops) && !d; i++) {
		char *path = xasprintf("%s/%s", tops[i], system);

		d = opendir(path);
		free(path);
	}
	return d;
}

static void one_system(struct tracefmt *tf, const char *system, struct tally *t)
{
	DIR *d = open_dir(system);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		const struct tf_event *ev;
		struct err err = { 0 };

		if (e->d_type != DT_DIR || e->d_name[0] == '.')
			continue;
		ev = tracefmt_load(tf, NULL, system, e->d_name, &err);
		t->nr++;
		if (!ev) {
			t->unreadable++;
			test_say("%s:%s: %s", system, e->d_name, err.msg);
		} else if (ev->failed) {
			t->unprinted++;
			test_say("%s:%s: print fmt: %s", system, e->d_name, ev->why);
		}
	}
	if (d)
		closedir(d);
}

static int test_formats(struct test_ctx *ctx)
{
	DIR *d = open_dir("");
	struct tracefmt *tf;
	struct tally t = { 0 };
	struct dirent *e;

	if (!d)
		return test_skip(ctx, "no tracefs: %s", strerror(errno));
	tf = tracefmt_new(false, sizeof(long));
	while ((e = readdir(d)))
		if (e->d_type == DT_DIR && e->d_name[0] != '.')
			one_system(tf, e->d_name, &t);
	closedir(d);
	tracefmt_free(tf);
	test_say("%zu formats, %zu unreadable, %zu without a print program", t.nr, t.unreadable,
		 t.unprinted);
	if (!t.nr)
		return test_skip(ctx, "no tracepoints");
	TEST_EQ(t.unreadable, 0);
	/* a kernel may bring something new, but not often */
	TEST_CHECK(t.unprinted * 100 <= t.nr, "more than one in a hundred is not understood");
	return TEST_OK;
}

static int test_sched_switch(struct test_ctx *ctx)
{
	static const char *const names[] = { "prev_comm", "prev_pid", "next_comm", "next_pid" };
	struct tracefmt *tf = tracefmt_new(false, sizeof(long));
	struct err err = { 0 };
	const struct tf_event *ev = tracefmt_load(tf, NULL, "sched", "sched_switch", &err);

	if (!ev && (err.code == -ENOENT || err.code == -EACCES))
		return test_skip(ctx, "%s", err.msg);
	TEST_CHECK(ev, "%s", err.msg);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		TEST_CHECK(tf_find_field(ev, names[i]), "no field %s", names[i]);
	TEST_CHECK(tf_find_field(ev, "prev_comm")->flags & TF_STRING, "prev_comm is no string");
	TEST_EQ(tf_find_field(ev, "next_pid")->size, 4);
	TEST_CHECK(!tf_find_field(ev, "no_such_field"), "found a field that is not there");
	tracefmt_free(tf);
	return TEST_OK;
}

static const struct test_case cases[] = {
	{ "every format of this kernel", test_formats },
	{ "fields of sched_switch", test_sched_switch },
};
TEST_SUITE(suite_tracepoints, "Tracepoint formats", cases, "tracefmt");
