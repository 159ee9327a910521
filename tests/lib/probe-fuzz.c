// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Definitions of probes, filters of names, ranges of lines, lines of tracefs, and definitions that
 * a cache keeps: parsing ends, what was read is written as one line or refused, and reads back as
 * the same.
 */
#include "base/compat.h"
#include "probe-fuzz.h"

#include "proberun/cached.h"
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

/* Read a file of a cache, write it, and read what was written. */
static void check_cached(const char *text)
{
	struct probe_object user = { .user = true, .path = (char *)(uintptr_t) "/bin/x" };
	struct probe_cached_list once = { 0 }, twice = { 0 };
	struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;

	probe_cached_read(&once, text, strlen(text));
	probe_cached_write(&once, &first);
	probe_cached_read(&twice, strbuf_str(&first), first.len);
	probe_cached_write(&twice, &second);
	if (strcmp(strbuf_str(&first), strbuf_str(&second)))
		abort();
	for (size_t i = 0; i < once.nr; i++) {
		struct probe_events events = { 0 };
		struct probe_names taken = { 0 };
		struct err err;

		probe_cached_events(&user, &once.v[i], &events);
		if (!probe_cached_name(&events, &taken, true, &err))
			for (size_t k = 0; k < events.nr; k++)
				check_line(&events.v[k], &user);
		probe_names_release(&taken);
		probe_events_release(&events);
	}
	arena_release(&user.texts);
	probe_cached_release(&once);
	probe_cached_release(&twice);
	strbuf_release(&first);
	strbuf_release(&second);
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
	check_cached(text);
	strbuf_release(&out);
}
