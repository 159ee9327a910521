// SPDX-License-Identifier: GPL-2.0-or-later
/* Test which events of a made-up machine are offered for recording, and the groups and arguments
 * that they have. */
#include "base/compat.h"
#include "browse/events.h"
#include "tmp-tree.h"

#include <setjmp.h>
#include <cmocka.h>

#define TRACING "sys/kernel/tracing/"

struct bed {
	char *root;
	struct listing l;
	struct strbuf told;
	struct notices notices;
	struct offered_events o;
};

static void hear(void *ctx, const char *text)
{
	strbuf_addstr(ctx, text);
}

static int setup(void **state)
{
	static struct bed b;

	b = (struct bed){ .root = tmp_dir(), .notices = { hear, &b.told } };
	tree_put(b.root, TRACING "available_events", "sched:wake\nirq:enter\n");
	tree_put(b.root, TRACING "events/sched/wake/id", "7\n");
	tree_put(b.root, TRACING "events/irq/enter/id", "9\n");
	b.l.sysroot.prefix = b.root;
	event_sources_init(&b.l.sources, &b.l.sysroot, NULL);
	b.l.notices = &b.notices;
	*state = &b;
	return 0;
}

static int teardown(void **state)
{
	struct bed *b = *state;

	offered_events_release(&b->o);
	listing_release(&b->l);
	strbuf_release(&b->told);
	tmp_remove(b->root);
	return 0;
}

static const struct pick_item *find(const struct bed *b, const char *name)
{
	for (size_t i = 0; i < b->o.nr; i++)
		if (!strcmp(b->o.items[i].name, name))
			return &b->o.items[i];
	return NULL;
}

static void test_tracepoints(void **state)
{
	const char *words[] = { "sched:*" };
	struct bed *b = *state;

	offer_events(&b->o, &b->l, words, 1);
	assert_int_equal(b->o.nr, 1);
	assert_string_equal(b->o.items[0].name, "sched:wake");
	assert_string_equal(b->o.items[0].heading, "Tracepoint event: sched");
	assert_string_equal(b->o.items[0].argument, "sched:wake");
}

/* Events that are only counted, and forms of names, are not offered. */
static void test_recordable(void **state)
{
	struct bed *b = *state;

	offer_events(&b->o, &b->l, NULL, 0);
	assert_non_null(find(b, "irq:enter"));
	assert_non_null(find(b, "cpu-clock"));
	assert_string_equal(find(b, "context-switches")->alias, "cs");
	assert_string_equal(find(b, "cpu-clock")->heading, "Software event");
	assert_null(find(b, "duration_time"));
	assert_null(find(b, "num_cpus"));
	for (size_t i = 0; i < b->o.nr; i++) {
		assert_null(strstr(b->o.items[i].name, "rNNN"));
		assert_null(strstr(b->o.items[i].name, "mem:<addr>"));
	}
}

/* The listing tells when there is nothing. */
static void test_none(void **state)
{
	const char *words[] = { "nothing_like_it" };
	struct bed *b = *state;

	offer_events(&b->o, &b->l, words, 1);
	assert_int_equal(b->o.nr, 0);
	assert_non_null(strstr(strbuf_str(&b->told), "nothing_like_it"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_tracepoints, setup, teardown),
		cmocka_unit_test_setup_teardown(test_recordable, setup, teardown),
		cmocka_unit_test_setup_teardown(test_none, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
