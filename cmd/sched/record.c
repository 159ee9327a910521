// SPDX-License-Identifier: GPL-2.0-or-later
/* The arguments with which perf sched record and perf sched script run other commands: some of
 * their own, and then the user's. */
#include "base/compat.h"

#include "cmd/sched/sched.h"

#include "base/alloc.h"
#include "base/sysroot.h"
#include "events/parse.h"

#include <unistd.h>

/* The events of the scheduler. Not every kernel has all of them. */
static const struct {
	const char *name;
	const char *instead; /* the event to record where this one does not exist */
	bool needed;
} events[] = {
	{ "sched_switch", .needed = true },
	{ "sched_stat_wait" },
	{ "sched_stat_sleep" },
	{ "sched_stat_iowait" },
	{ "sched_stat_runtime", .needed = true },
	{ "sched_process_fork", .needed = true },
	{ "sched_waking", "sched_wakeup", true },
	{ "sched_wakeup_new", .needed = true },
	{ "sched_migrate_task", .needed = true },
};

static const char *const before[] = { "-a", "-R", "-m", "1024", "-c", "1" };

#define OWN_ARGUMENTS 16 /* the most that stand in front of the user's */

/* Begin with the name of the command. */
static void begin(struct sched_arguments *a, int argc, const char *command)
{
	*a = (struct sched_arguments){ xcalloc((size_t)argc + OWN_ARGUMENTS, sizeof(*a->v)), 0,
				       NULL };
	a->v[a->nr++] = command;
}

/* Add the user's arguments, which stand behind the name of the verb. */
static void add_users(struct sched_arguments *a, int argc, const char **argv)
{
	for (int i = 1; i < argc; i++)
		a->v[a->nr++] = argv[i];
}

void sched_arguments_release(struct sched_arguments *a)
{
	free(a->v);
	free(a->events);
}

static bool event_exists(const char *tracefs, const char *name)
{
	char *path = xasprintf("%s/events/sched/%s", tracefs, name);
	bool exists = !access(path, F_OK);

	free(path);
	return exists;
}

/* Return "sched:sched_switch,sched:...", which the caller frees. An event that is needed stays in
 * it, so that record tells why it is missing. */
static char *event_list(void)
{
	const struct sysroot here = { 0 };
	const char *tracefs = tracefs_path(&here);
	struct strbuf list = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		const char *name = events[i].name;

		if (!event_exists(tracefs, name)) {
			if (events[i].instead && event_exists(tracefs, events[i].instead))
				name = events[i].instead;
			else if (!events[i].needed)
				continue;
		}
		strbuf_addf(&list, "%ssched:%s", list.len ? "," : "", name);
	}
	return strbuf_detach(&list);
}

void sched_record_arguments(struct sched_arguments *a, int argc, const char **argv)
{
	begin(a, argc, "record");
	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		a->v[a->nr++] = before[i];
	a->events = event_list();
	a->v[a->nr++] = "-e";
	a->v[a->nr++] = a->events;
	add_users(a, argc, argv);
}

void sched_script_arguments(struct sched_arguments *a, int argc, const char **argv,
			    const struct sched_common *c)
{
	begin(a, argc, "script");
	if (c->source.input) {
		a->v[a->nr++] = "-i";
		a->v[a->nr++] = c->source.input;
	}
	if (c->source.force)
		a->v[a->nr++] = "-f";
	if (c->dump)
		a->v[a->nr++] = "-D";
	add_users(a, argc, argv);
}
