// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "recordopts/verb-args.h"

#include "base/alloc.h"
#include "events/parse.h"

#include <unistd.h>

void verb_args_init(struct verb_args *a, const char *command)
{
	*a = (struct verb_args){ 0 };
	verb_args_add(a, command);
}

void verb_args_add(struct verb_args *a, const char *word)
{
	VEC_GROW(a->v, (size_t)a->nr + 1, a->cap);
	a->v[a->nr++] = word;
}

void verb_args_own(struct verb_args *a, char *word)
{
	VEC_GROW(a->lists, a->nr_lists + 1, a->cap_lists);
	a->lists[a->nr_lists++] = word;
	verb_args_add(a, word);
}

void verb_args_users(struct verb_args *a, int argc, const char **argv)
{
	a->users = a->nr;
	for (int i = 1; i < argc; i++)
		verb_args_add(a, argv[i]);
}

void verb_args_release(struct verb_args *a)
{
	for (size_t i = 0; i < a->nr_lists; i++)
		free(a->lists[i]);
	free(a->lists);
	free(a->v);
}

/* @name: "sched:sched_switch" */
static bool event_exists(const struct sysroot *sr, const char *name)
{
	const char *colon = strchr(name, ':');
	char *path = sysroot_path(sr, "%s/events/%.*s/%s", tracefs_path(sr), (int)(colon - name),
				  name, colon + 1);
	bool exists = !access(path, F_OK);

	free(path);
	return exists;
}

/* Return the name under which an event is recorded; NULL: it is left out. */
static const char *name_here(const struct sysroot *sr, const struct verb_event *event)
{
	if (event_exists(sr, event->name))
		return event->name;
	if (event->instead && event_exists(sr, event->instead))
		return event->instead;
	return event->needed ? event->name : NULL;
}

void verb_args_events(struct verb_args *a, const struct sysroot *sr,
		      const struct verb_event *events, size_t nr)
{
	struct strbuf list = STRBUF_INIT;

	for (size_t i = 0; i < nr; i++) {
		const char *name = name_here(sr, &events[i]);

		if (name)
			strbuf_addf(&list, "%s%s", list.len ? "," : "", name);
	}
	if (!list.len)
		return;
	verb_args_add(a, "-e");
	verb_args_own(a, strbuf_detach(&list));
}
