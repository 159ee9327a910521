// SPDX-License-Identifier: GPL-2.0-or-later
/* The arguments of the command that records for pictures. */
#include "base/compat.h"

#include "timechart/timechart.h"

#include "base/alloc.h"

static const struct verb_event of_tasks[] = {
	{ "sched:sched_switch", .needed = true },
	{ "sched:sched_waking", "sched:sched_wakeup", true },
	{ "sched:sched_wakeup_new" },
	{ "sched:sched_process_fork" },
};

static const struct verb_event of_power[] = {
	{ "power:cpu_idle", .needed = true },
	{ "power:cpu_frequency" },
};

static const char *const before[] = { "-a", "-R", "-c", "1" };

/* Not every architecture has all of the system calls. */
static void add_io(struct verb_args *a, const struct sysroot *sr)
{
	static const char *const ends[] = { "enter", "exit" };
	const char *call;

	for (u32 nr = 0; (call = io_call_name(nr)); nr++) {
		for (size_t end = 0; end < ARRAY_SIZE(ends); end++) {
			char *name = xasprintf("syscalls:sys_%s_%s", ends[end], call);

			verb_args_events(a, sr, &(struct verb_event){ name, .needed = !nr }, 1);
			free(name);
		}
	}
}

void timechart_record_args(struct verb_args *a, const struct timechart_wanted *w,
			   const struct sysroot *sr, int argc, const char **argv)
{
	bool all = !w->power && !w->tasks;

	verb_args_init(a, "record");
	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		verb_args_add(a, before[i]);
	if (w->chains)
		verb_args_add(a, "-g");
	if (w->io)
		add_io(a, sr);
	if (!w->io && (w->tasks || all))
		verb_args_events(a, sr, of_tasks, ARRAY_SIZE(of_tasks));
	if (!w->io && (w->power || all))
		verb_args_events(a, sr, of_power, ARRAY_SIZE(of_power));
	verb_args_users(a, argc, argv);
}
