// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the list of events of a made-up machine: which of them the words of the command line choose,
 * and the notices about names that do not exist. */
#include "base/compat.h"
#include "listtext/listing.h"
#include "base/alloc.h"
#include "tmp-tree.h"

#include <setjmp.h>

#include <cmocka.h>

#define TRACING "sys/kernel/tracing/"

static char *root;
static struct strbuf told;

static void hear(void *ctx, const char *text)
{
	strbuf_addstr(ctx, text);
}

static const struct notices notices = { hear, &told };

static int setup(void **state)
{
	static const char format[] = "name: wake\nID: 7\nformat:\n"
				     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;"
				     "\tsigned:0;\n\n"
				     "\tfield:int cpu_to;\toffset:8;\tsize:4;\tsigned:1;\n\n"
				     "print fmt: \"to %d\", REC->cpu_to\n";

	root = tmp_dir();
	tree_put(root, TRACING "available_events", "sched:wake\nsched:sleep\nirq:enter\n");
	tree_put(root, TRACING "events/sched/wake/format", format);
	tree_put(root, TRACING "events/sched/wake/id", "7\n");
	tree_put(root, TRACING "events/sched/sleep/id", "8\n");
	tree_put(root, TRACING "events/irq/enter/id", "9\n");
	return 0;
}

static int teardown(void **state)
{
	tmp_remove(root);
	strbuf_release(&told);
	return 0;
}

static void start(struct listing *l)
{
	memset(l, 0, sizeof(*l));
	strbuf_reset(&told);
	l->sysroot.prefix = root;
	event_sources_init(&l->sources, &l->sysroot, NULL);
	l->notices = &notices;
	l->view.out = &l->out;
	l->view.ops = &list_raw_ops;
}

static void check(const char *word, const char *list, const char *notice)
{
	struct listing l;

	start(&l);
	listing_show(&l, &word, 1);
	assert_string_equal(strbuf_str(&l.out), list);
	assert_string_equal(strbuf_str(&told), notice);
	listing_release(&l);
}

static void test_words(void **state)
{
	check("tracepoint", "irq:enter sched:sleep sched:wake ", "");
	check("sched:*", "sched:sleep sched:wake ", "");
	check("sched:w*", "sched:wake ", "");
	check("enter", "irq:enter ", "");
	check("tool",
	      "duration_time user_time system_time core_wide has_pmem num_cores num_cpus "
	      "num_cpus_online num_dies num_packages slots smt_on system_tsc_freq target_cpu ",
	      "");
}

static void test_near(void **state)
{
	check("sched:wale", "", "No event is called 'sched:wale'. Did you mean: sched:wake?\n");
}

static void test_fields(void **state)
{
	const char *const names[] = { "wake", "wkae" };
	struct listing l;

	start(&l);
	assert_int_equal(listing_show_fields(&l, names, 1, false), 0);
	assert_non_null(strstr(strbuf_str(&l.out), "  cpu_to "));
	assert_non_null(strstr(strbuf_str(&l.out), "print format: \"to %d\", REC->cpu_to"));
	assert_string_equal(strbuf_str(&told), "");
	assert_int_equal(listing_show_fields(&l, names + 1, 1, false), -1);
	assert_string_equal(strbuf_str(&told),
			    "No tracepoint is called 'wkae'. Did you mean: wake?\n");
	listing_release(&l);
}

static void check_about(const char *name, bool all, const char *begin, const char *within)
{
	struct strbuf out = STRBUF_INIT;
	const struct catalog *c;
	struct listing l;
	size_t i = 0;

	start(&l);
	c = listing_catalog(&l, CATALOG_TRACEPOINT);
	while (i < c->nr && strcmp(c->v[i].name, name))
		i++;
	assert_true(i < c->nr);
	listing_about(&l, &c->v[i], all, &out);
	assert_int_equal(strncmp(strbuf_str(&out), begin, strlen(begin)), 0);
	assert_non_null(strstr(strbuf_str(&out), within));
	assert_string_equal(strbuf_str(&told), "");
	strbuf_release(&out);
	listing_release(&l);
}

static void test_about(void **state)
{
	check_about("sched:wake", false, "sched:wake [Tracepoint event]\nFields: int cpu_to\n",
		    "cpu_to\n");
	check_about("sched:wake", true, "sched:wake [Tracepoint event]\nsched:wake\n",
		    "print format: \"to %d\", REC->cpu_to");
	check_about("irq:enter", false, "irq:enter [Tracepoint event]\n",
		    "cannot read the format of irq:enter: ");
}

static void test_core(void **state)
{
	struct listing l;

	start(&l);
	listing_limit_core(&l, "atom");
	assert_null(l.core);
	assert_string_equal(strbuf_str(&told), "WARNING: hybrid cputype is not supported!\n");
	listing_release(&l);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),  cmocka_unit_test(test_near),
		cmocka_unit_test(test_fields), cmocka_unit_test(test_about),
		cmocka_unit_test(test_core),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
