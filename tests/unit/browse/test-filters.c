// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the filters of the report browser: as options of commands, as what is asked of a profile,
 * and what a recording that is counted again has left. */
#include "base/compat.h"
#include "browse/counted.h"
#include "browse/filters.h"
#include "pdata-build.h"

#include "base/alloc.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

#define ST (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)

/* A text that users typed. */
#define TYPED(text) ((char *)(uintptr_t)(text))

static const struct report_filters none = { .socket = -1 };

static void check_text(const struct report_filters *f, const char *want)
{
	struct strbuf out = STRBUF_INIT;

	browse_filter_text(f, "--tid=", &out);
	assert_string_equal(strbuf_str(&out), want);
	strbuf_release(&out);
}

static void test_text(void **state)
{
	check_text(&none, "");
	check_text(&(struct report_filters){ .comm = TYPED("a b"), .socket = -1 },
		   " --comms='a b'");
	check_text(&(struct report_filters){ .tid = TYPED("10"),
					     .dso = TYPED("[kernel]"),
					     .time = TYPED("1,2"),
					     .symbol = TYPED("it's"),
					     .socket = 0,
					     .sort_by = 2 },
		   " --tid=10 --dsos='[kernel]' --time=1,2 --symbol-filter='it'\\''s' "
		   "--socket-filter=0 --group-sort-idx=2");
}

/* Filters of symbols and times ask nothing of a profile, and what is not filtered stays. */
static void test_asked(void **state)
{
	struct profile_options asked = { .comms = "mine", .tids = "7", .socket = 3 };

	browse_filter(&asked, &none);
	assert_string_equal(asked.comms, "mine");
	assert_int_equal(asked.socket, 3);
	browse_filter(&asked, &(struct report_filters){ .comm = TYPED("other"),
							.dso = TYPED("libc"),
							.symbol = TYPED("f"),
							.socket = 0,
							.sort_by = 1 });
	assert_string_equal(asked.comms, "other");
	assert_string_equal(asked.tids, "7");
	assert_string_equal(asked.dsos, "libc");
	assert_null(asked.symbol_filter);
	assert_int_equal(asked.socket, 0);
	assert_int_equal(asked.group_sort, 1);
}

/* --- counting again ------------------------------------------------------------------------ */

struct bed {
	struct pb b;
	char path[64];
	int fd;
	struct recording_options source;
	struct profile_options asked;
};

/* The thread 10 has samples of the second 1 to 3, the thread 20 one of the second 4. */
static int setup(void **state)
{
	static struct bed t;
	struct pb_event ev = { .ids = { 7 }, .nr_ids = 1, .name = "one" };
	struct pb_id id = { 10, 10, 0, 7, 0, 0 };

	t = (struct bed){ .asked = { .sort = "comm", .socket = -1, .workers = 1 } };
	ev.attr = (struct perf_event_attr){ .type = 1, .sample_type = ST };
	pb_start(&t.b, false, false, &ev, 1);
	pb_event_desc(&t.b, &ev, 1);
	pb_comm(&t.b, 10, 10, "first", 0, &id);
	pb_comm(&t.b, 20, 20, "second", 0, &id);
	for (id.time = 1000000000; id.time <= 3000000000; id.time += 1000000000)
		pb_sample(&t.b, ST, 0x400100, &id, 10);
	id.pid = id.tid = 20;
	pb_sample(&t.b, ST, 0x400100, &id, 5);
	pb_finish(&t.b);
	t.source.input = pb_save(t.b.out.buf, t.b.out.len, &t.fd, t.path);
	*state = &t;
	return 0;
}

static int teardown(void **state)
{
	struct bed *t = *state;

	pb_unsave(t->fd);
	pb_release(&t->b);
	return 0;
}

/* Count what passes. Return: the samples, or a negative errno and a sentence */
static int count(const struct bed *t, const char *path, const struct report_filters *f,
		 struct err *err)
{
	struct counted *c = counted_new(&t->source, &t->asked, path, f);
	int ret = counted_run(c, err);

	if (!ret)
		ret = (int)hist_event(profile_hist(c->profile), 0)->passed_nr;
	counted_free(c);
	return ret;
}

static void test_counted(void **state)
{
	struct bed *t = *state;
	struct err err = { 0 };

	assert_int_equal(count(t, NULL, &none, &err), 4);
	assert_int_equal(count(t, NULL,
			       &(struct report_filters){ .tid = TYPED("10"), .socket = -1 }, &err),
			 3);
	assert_int_equal(count(t, NULL,
			       &(struct report_filters){ .comm = TYPED("second"), .socket = -1 },
			       &err),
			 1);
	assert_int_equal(count(t, NULL,
			       &(struct report_filters){ .time = TYPED("1.5,3.5"), .socket = -1 },
			       &err),
			 2);
}

static void test_nothing_left(void **state)
{
	const struct report_filters gone = { .time = TYPED("7,8"), .socket = -1 };
	struct bed *t = *state;
	struct err err = { 0 };

	assert_int_equal(count(t, NULL, &gone, &err), -ENODATA);
	assert_non_null(strstr(err.msg, " has no samples"));
}

/* Another recording is opened in place of the one that users named. */
static void test_other_file(void **state)
{
	struct bed *t = *state, other = *t;
	struct err err = { 0 };

	other.source.input = "/nonexistent/perf.data";
	assert_int_equal(count(&other, NULL, &none, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "/nonexistent/perf.data"));
	assert_int_equal(count(&other, t->path, &none, &err), 4);
	counted_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_asked),
		cmocka_unit_test_setup_teardown(test_counted, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nothing_left, setup, teardown),
		cmocka_unit_test_setup_teardown(test_other_file, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
