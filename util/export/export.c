// SPDX-License-Identifier: GPL-2.0-or-later
/* These functions serve all export formats: they choose the event, join two profiles and write
 * facts as JSON. */
#include "base/compat.h"

#include "export/export.h"

#include "base/escape.h"
#include "base/alloc.h"
#include "codec/quote.h"

#include <errno.h>

int export_event(const struct stacks *s, const struct export_opts *opts, struct err *err)
{
	char name[256];

	if (!s->nr_events)
		return err_set(err, -ENOENT, "There are no samples to be written.");
	if (!opts->event)
		return 0;
	for (u32 i = 0; i < s->nr_events; i++)
		if (!strcmp(stacks_text(s, s->events[i].name), opts->event))
			return (int)i;
	escape_name(name, sizeof(name), opts->event);
	return err_set(err, -ENOENT, "There are no samples of an event '%s'.", name);
}

int export_only(const struct stacks *s, const struct export_opts *opts, u32 *only, struct err *err)
{
	int event = opts->event ? export_event(s, opts, err) : 0;

	*only = opts->event ? (u32)event : EXPORT_ALL;
	return MIN(event, 0);
}

static u32 event_named(const struct stacks *s, const char *name)
{
	for (u32 i = 0; i < s->nr_events; i++)
		if (!strcmp(stacks_text(s, s->events[i].name), name))
			return i;
	return UINT32_MAX;
}

struct stacks *export_joined(const struct stacks *s, const struct export_opts *opts,
			     struct err *err)
{
	int event = export_event(s, opts, err);
	struct stacks_run *runs;
	struct stacks *joined;
	const char *name;

	if (event < 0)
		return NULL;
	name = stacks_text(s, s->events[event].name);
	runs = xcalloc((size_t)opts->nr_runs + 2, sizeof(*runs));
	runs[0] = (struct stacks_run){ opts->other, event_named(opts->other, name), STACKS_BEFORE };
	runs[1] = (struct stacks_run){ s, (u32)event, STACKS_NOW };
	for (u32 i = 0; i < opts->nr_runs; i++) {
		runs[i + 2] = opts->runs[i];
		runs[i + 2].event = event_named(runs[i + 2].s, name);
	}
	joined = stacks_join(runs, opts->nr_runs + 2);
	free(runs);
	return joined;
}

void export_json_facts(struct export_out *o, const struct export_opts *opts)
{
	export_ch(o, '{');
	for (u32 i = 0; i < opts->nr_facts; i++) {
		if (i)
			export_ch(o, ',');
		quote_json(export_buf(o), opts->facts[i].key);
		export_ch(o, ':');
		quote_json(export_buf(o), opts->facts[i].value);
	}
	export_ch(o, '}');
}

const char *export_fact(const struct export_opts *opts, const char *key)
{
	for (u32 i = 0; i < opts->nr_facts; i++)
		if (!strcmp(opts->facts[i].key, key))
			return opts->facts[i].value;
	return NULL;
}
