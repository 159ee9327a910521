// SPDX-License-Identifier: GPL-2.0-or-later
/* What all export formats use: the event to export, the union of two profiles, facts as JSON. */
#include "base/compat.h"

#include "export/export.h"

#include "base/escape.h"
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

struct stacks *export_joined(const struct stacks *s, const struct export_opts *opts,
			     struct err *err)
{
	const struct stacks *other = opts->other;
	int event = export_event(s, opts, err);
	u32 before = UINT32_MAX;

	if (event < 0)
		return NULL;
	for (u32 i = 0; i < other->nr_events; i++)
		if (!strcmp(stacks_text(other, other->events[i].name),
			    stacks_text(s, s->events[event].name)))
			before = i;
	return stacks_join(other, before, s, (u32)event);
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
