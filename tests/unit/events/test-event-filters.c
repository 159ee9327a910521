// SPDX-License-Identifier: GPL-2.0-or-later
/* Test filters as options give them: which events get them, what is refused, what the user is
 * told. */
#include "base/compat.h"
#include "events/event-filters.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char sched_switch[] =
	"name: sched_switch\nID: 372\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"%d\", REC->prev_pid\n";

static const char wake[] = "name: w1\nID: 373\nformat:\n"
			   "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			   "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			   "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n\n"
			   "print fmt: \"%d\", REC->pid\n";

struct bench {
	struct sysroot sysroot;
	struct evlist evlist;
	struct event_filters f;
	struct strbuf told;
};

static int begin(void **state)
{
	static struct bench b;

	b = (struct bench){ .sysroot.prefix = tmp_dir() };
	b.f = (struct event_filters){ .evlist = &b.evlist, .sysroot = &b.sysroot };
	tree_put(b.sysroot.prefix, "sys/kernel/tracing/events/sched/sched_switch/format",
		 sched_switch);
	*state = &b;
	return 0;
}

static int end(void **state)
{
	struct bench *b = *state;

	evlist_release(&b->evlist);
	strbuf_release(&b->told);
	tmp_remove((char *)b->sysroot.prefix);
	return 0;
}

/* Add an event, as -e does; what follows is for this event. */
static struct evsel *add(struct bench *b, u32 type, const char *name)
{
	const struct perf_event_attr attr = { .type = type, .size = sizeof(attr) };

	b->evlist.last_item = b->evlist.nr;
	return evlist_add(&b->evlist, &attr, name);
}

static struct evsel *add_tracepoint(struct bench *b)
{
	struct evsel *e = add(b, PERF_TYPE_TRACEPOINT, "sched:sched_switch");

	e->tp_name = strdup(e->name);
	return e;
}

static void expect_told(const struct bench *b, const char *part)
{
	assert_non_null(strstr(strbuf_str(&b->told), part));
}

static void test_samples(void **state)
{
	struct bench *b = *state;
	struct evsel *other = add(b, PERF_TYPE_SOFTWARE, "faults");
	struct evsel *e = add(b, PERF_TYPE_SOFTWARE, "cs");

	assert_int_equal(event_filters_add(&b->f, "ip > 5", &b->told), 0);
	assert_string_equal(e->sample_filter, "ip > 5");
	assert_int_equal(event_filters_add(&b->f, "addr == 0", &b->told), 0);
	assert_string_equal(e->sample_filter, "(ip > 5), (addr == 0)");
	assert_null(other->sample_filter);
	assert_int_equal(b->told.len, 0);
	assert_int_equal(event_filters_add(&b->f, "ip >", &b->told), -EINVAL);
	expect_told(b, "filter syntax error: 'ip >'\n");
}

static void test_tracepoint(void **state)
{
	struct bench *b = *state;
	struct evsel *e = add_tracepoint(b);

	assert_int_equal(event_filters_add(&b->f, "prev_pid > 1", &b->told), 0);
	assert_int_equal(event_filters_add(&b->f, "prev_pid < 9", &b->told), 0);
	assert_string_equal(e->filter, "(prev_pid > 1) && (prev_pid < 9)");
	assert_null(e->sample_filter);
	assert_int_equal(event_filters_exclude(&b->f, 77, &b->told), 0);
	assert_string_equal(e->filter, "((prev_pid > 1) && (prev_pid < 9)) && (common_pid != 77)");
	assert_int_equal(b->told.len, 0);
	assert_int_equal(event_filters_settle(&b->f, true, &b->told), 0);
	/* what the kernel would refuse is no mistake on the command line, but told once */
	assert_int_equal(event_filters_add(&b->f, "nosuch > 1", &b->told), 0);
	expect_told(b, "failed to set filter \"nosuch > 1\" on event sched:sched_switch with 22");
	assert_int_equal(event_filters_settle(&b->f, true, &b->told), -ECANCELED);
}

/* Add an event that belongs to the pattern of the last -e. */
static void add_of_pattern(struct bench *b, const char *name)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr) };
	char path[128];
	struct evsel *e = evlist_add(&b->evlist, &attr, name);

	e->tp_name = strdup(e->name);
	e->terms.may_fail = true;
	snprintf(path, sizeof(path), "sys/kernel/tracing/events/sched/%s/format",
		 strchr(name, ':') + 1);
	tree_put(b->sysroot.prefix, path,
		 !strcmp(name, "sched:sched_switch") ? sched_switch : wake);
}

static void test_pattern(void **state)
{
	static const char *const names[] = { "sched:w1", "sched:sched_switch", "sched:w2" };
	struct bench *b = *state;
	struct evsel *kept;

	add(b, PERF_TYPE_SOFTWARE, "cs");
	b->evlist.last_item = 1;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		add_of_pattern(b, names[i]);
	kept = b->evlist.evsels[2];
	assert_int_equal(event_filters_add(&b->f, "prev_pid > 1", &b->told), 0);
	assert_string_equal(strbuf_str(&b->told),
			    "--filter 'prev_pid > 1' does not apply to 2 of 3 events, which are "
			    "left out: sched:w1, sched:w2\n");
	assert_int_equal(b->evlist.nr, 2);
	assert_ptr_equal(b->evlist.evsels[1], kept);
	assert_int_equal(kept->idx, 1);
	assert_string_equal(kept->filter, "prev_pid > 1");
	assert_int_equal(event_filters_settle(&b->f, true, &b->told), 0);
	/* A filter that none of them takes is a mistake, and so is one for an event by its name. */
	strbuf_reset(&b->told);
	assert_int_equal(event_filters_add(&b->f, "nosuch > 1", &b->told), 0);
	expect_told(b, "sched:sched_switch has no field 'nosuch'");
	assert_int_equal(b->evlist.nr, 2);
	assert_int_equal(event_filters_settle(&b->f, true, &b->told), -ECANCELED);
}

static void test_pattern_and_name(void **state)
{
	struct bench *b = *state;

	add_of_pattern(b, "sched:w1");
	add_of_pattern(b, "sched:sched_switch");
	b->evlist.evsels[0]->terms.may_fail = false;
	assert_int_equal(event_filters_add(&b->f, "prev_pid > 1", &b->told), 0);
	expect_told(b, "sched:w1 has no field 'prev_pid'");
	assert_int_equal(b->evlist.nr, 2);
	assert_int_equal(event_filters_settle(&b->f, true, &b->told), -ECANCELED);
}

static void test_addresses(void **state)
{
	struct bench *b = *state;
	struct evsel *e = add(b, 8, "intel_pt//");

	assert_int_equal(event_filters_add(&b->f, "filter main", &b->told), -EINVAL);
	expect_told(b, "This CPU does not support address filtering\n");
	tree_put(b->sysroot.prefix, "sys/bus/event_source/devices/intel_pt/nr_addr_filters", "2\n");
	assert_int_equal(event_filters_add(&b->f, "filter main", &b->told), 0);
	assert_int_equal(event_filters_add(&b->f, "stop exit", &b->told), 0);
	assert_string_equal(e->filter, "(filter main),(stop exit)");
}

/* A filter before all events is for the default one, but not for one that is named later. */
static void test_pending(void **state)
{
	struct bench *b = *state;
	struct evsel *e;

	assert_int_equal(event_filters_exclude(&b->f, 77, &b->told), -EINVAL);
	expect_told(b, "--exclude-perf option should follow a -e tracepoint option\n");
	assert_int_equal(event_filters_add(&b->f, "ip > 5", &b->told), 0);
	e = add(b, PERF_TYPE_HARDWARE, "cycles");
	assert_int_equal(event_filters_exclude(&b->f, 77, &b->told), -EINVAL);
	assert_int_equal(event_filters_settle(&b->f, true, &b->told), -EINVAL);
	expect_told(b, "--filter option should follow a -e tracepoint or HW tracer option\n");
	assert_null(e->sample_filter);
	assert_int_equal(event_filters_settle(&b->f, false, &b->told), 0);
	assert_string_equal(e->sample_filter, "ip > 5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_samples, begin, end),
		cmocka_unit_test_setup_teardown(test_tracepoint, begin, end),
		cmocka_unit_test_setup_teardown(test_pattern, begin, end),
		cmocka_unit_test_setup_teardown(test_pattern_and_name, begin, end),
		cmocka_unit_test_setup_teardown(test_addresses, begin, end),
		cmocka_unit_test_setup_teardown(test_pending, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
