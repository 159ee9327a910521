// SPDX-License-Identifier: GPL-2.0-or-later
/* The arguments with which perf sched record runs the recorder: some of its own, and then the
 * user's. */
#include "base/compat.h"

#include "cmd/sched/sched.h"

static const struct verb_event events[] = {
	{ "sched:sched_switch", .needed = true },
	{ "sched:sched_stat_wait" },
	{ "sched:sched_stat_sleep" },
	{ "sched:sched_stat_iowait" },
	{ "sched:sched_stat_runtime", .needed = true },
	{ "sched:sched_process_fork", .needed = true },
	{ "sched:sched_waking", "sched:sched_wakeup", true },
	{ "sched:sched_wakeup_new", .needed = true },
	{ "sched:sched_migrate_task", .needed = true },
};

static const char *const before[] = { "-a", "-R", "-m", "1024", "-c", "1" };

void sched_record_arguments(struct verb_args *a, int argc, const char **argv)
{
	const struct sysroot here = { 0 };

	verb_args_init(a, "record");
	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		verb_args_add(a, before[i]);
	verb_args_events(a, &here, events, ARRAY_SIZE(events));
	verb_args_users(a, argc, argv);
}
