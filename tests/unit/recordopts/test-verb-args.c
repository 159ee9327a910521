// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the arguments of verbs that record, with events that a made-up kernel has or lacks. */
#include "base/compat.h"
#include "recordopts/verb-args.h"
#include "tmp-tree.h"

#include <setjmp.h>
#include <cmocka.h>

static const struct verb_event events[] = {
	{ "sched:sched_switch", .needed = true },
	{ "sched:sched_waking", "sched:sched_wakeup", true },
	{ "sched:sched_stat_wait" },
	{ "power:cpu_idle", .needed = true },
};

static void joined(const struct verb_args *a, struct strbuf *out)
{
	for (int i = 0; i < a->nr; i++)
		strbuf_addf(out, "%s%s", i ? " " : "", a->v[i]);
}

static void test_events(void **state)
{
	char *dir = tmp_dir();
	const struct sysroot sr = { dir };
	const char *users[] = { "record", "-o", "x", "true" };
	struct strbuf text = STRBUF_INIT;
	struct verb_args a;

	tree_put(dir, "sys/kernel/tracing/events/sched/sched_switch/id", "1\n");
	tree_put(dir, "sys/kernel/tracing/events/sched/sched_wakeup/id", "2\n");
	verb_args_init(&a, "record");
	verb_args_add(&a, "-a");
	verb_args_events(&a, &sr, events, ARRAY_SIZE(events));
	verb_args_events(&a, &sr, &events[2], 1); /* adds nothing */
	verb_args_events(&a, &sr, &events[0], 1);
	verb_args_users(&a, ARRAY_SIZE(users), users);
	assert_string_equal(a.v[a.users], "-o");
	joined(&a, &text);
	assert_string_equal(strbuf_str(&text),
			    "record -a -e sched:sched_switch,sched:sched_wakeup,power:cpu_idle "
			    "-e sched:sched_switch -o x true");
	verb_args_release(&a);
	strbuf_release(&text);
	tmp_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
