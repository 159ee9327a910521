// SPDX-License-Identifier: GPL-2.0-or-later
/* Test header features of a new recording: what the writer gets for an event list. */
#include "base/compat.h"
#include "session/features.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static struct evsel *add_event(struct evlist *l, const char *name, u64 config)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE, .config = config };

	return evlist_add(l, &a, name);
}

static void test_attrs(void **state)
{
	struct evlist l = { 0 };
	struct evsel *e;
	struct writer_attr *a;

	(void)state;
	add_event(&l, "cpu-clock", PERF_COUNT_SW_CPU_CLOCK);
	e = add_event(&l, "page-faults", PERF_COUNT_SW_PAGE_FAULTS);
	evsel_add_id(e, 17);
	evsel_add_id(e, 18);
	a = writer_attrs(&l);
	assert_ptr_equal(a[0].attr, &l.evsels[0]->attr);
	assert_int_equal(a[0].nr_ids, 0);
	assert_int_equal(a[1].nr_ids, 2);
	assert_int_equal(a[1].ids[1], 18);
	assert_string_equal(a[1].name, "page-faults");
	free(a);
	evlist_release(&l);
}

static void test_features(void **state)
{
	const char *const argv[] = { "record", "-a" };
	struct features f = { .nr = 0 };
	struct evlist l = { 0 };

	(void)state;
	add_event(&l, "cpu-clock", PERF_COUNT_SW_CPU_CLOCK);
	features_cmdline(&f, 2, argv);
	features_events(&f, &l);
	/* there is no group, so there is no feature that names one */
	features_groups(&f, &l);
	assert_int_equal(f.nr, 2);
	assert_int_equal(f.v[0].bit, HEADER_CMDLINE);
	assert_non_null(memmem(f.v[0].body.buf, f.v[0].body.len, "record", 7));
	assert_int_equal(f.v[1].bit, HEADER_EVENT_DESC);
	assert_non_null(memmem(f.v[1].body.buf, f.v[1].body.len, "cpu-clock", 10));
	features_release(&f);
	evlist_release(&l);
}

/* On a machine whose /proc and /sys are empty, what cannot be known is left out. */
static void test_unknown_host(void **state)
{
	struct sysroot sr = { .prefix = "/nonexistent" };
	struct features f = { .nr = 0 };

	(void)state;
	features_host(&f, &sr, HEADER_TOTAL_MEM);
	assert_int_equal(f.nr, 0);
	features_host(&f, &sr, HEADER_ARCH);
	assert_int_equal(f.nr, 1);
	features_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_attrs),
		cmocka_unit_test(test_features),
		cmocka_unit_test(test_unknown_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
