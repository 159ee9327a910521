// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Definitions of probes, filters of names, ranges of lines, and lines of tracefs: parsing ends,
 * what was read is written as one line or refused, and reads back as the same.
 */
#include "base/compat.h"
#include "probe-fuzz.h"

#include "probe/event.h"
#include "probe/filter.h"
#include "probe/lines-text.h"

static void check_line(const struct probe_event *e, const struct probe_object *o)
{
	struct strbuf line = STRBUF_INIT;
	struct probe_line back;
	struct err err;

	if (!probe_event_line(o, e, &line, &err)) {
		if (strpbrk(strbuf_str(&line), "\n\r"))
			abort();
		if (!probe_line_parse(&back, strbuf_str(&line), line.len, o->user) ||
		    strcmp(back.event, e->event))
			abort();
		probe_line_release(&back);
	}
	strbuf_release(&line);
}

/* Make an event of a definition, with names as a hostile object would have them. */
static void check_event(const struct probe_definition *d, const char *text)
{
	struct probe_object user = { .user = true, .path = (char *)(uintptr_t) "/bin/x" };
	struct probe_object kernel = { 0 };
	struct probe_event e = { .returns = d->returns };
	struct probe_names taken = { 0 };
	struct err err;

	e.point = (struct probe_point){ .function = text, .symbol = text, .addr = 8 };
	e.group = probe_group_name(&user, &e.point);
	e.event = probe_event_name(d, &e.point, e.group, &taken, false, &err);
	if (!e.event || strlen(e.event) > PROBE_NAME_MAX + (d->event ? strlen(d->event) : 0))
		abort();
	for (size_t i = 0; i < d->nr_args; i++)
		probe_fetch_add(&e.args, d->args[i].name, d->args[i].value, d->args[i].type);
	check_line(&e, &user);
	check_line(&e, &kernel);
	probe_event_release(&e);
}

void probe_fuzz(const char *text)
{
	struct strbuf out = STRBUF_INIT;
	struct probe_definition d;
	struct line_range range;
	struct probe_line line;
	struct name_filter *f;
	struct err err;

	if (!probe_definition_parse(&d, text, &err)) {
		probe_point_text(&d, &out);
		for (size_t i = 0; i < d.nr_args; i++)
			probe_arg_text(&d.args[i], &out);
		check_event(&d, text);
	}
	probe_definition_release(&d);
	line_range_parse(&range, text, &err);
	line_range_release(&range);
	f = name_filter_parse(text, &err);
	name_filter_matches(f, "main");
	name_filter_free(f);
	for (int user = 0; user < 2; user++) {
		probe_line_parse(&line, text, strlen(text), user);
		probe_line_release(&line);
	}
	strbuf_release(&out);
}
