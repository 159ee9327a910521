/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event text to events:
 *
 *	list  := item { ',' item }
 *	item  := [ name ':' ] '{' event { ',' event } '}' [ ':' modifiers ]  |  event
 *	event := name | name '/' terms '/' | rHEX | TYPE ':' CONFIG | mem:ADDR[/LEN][:rwx] | system
 *':' name, each with [ ':' modifiers ]
 *
 * Names: generic hardware, software and cache events; tracepoints with globs on both sides; PMUs of
 *sysfs.
 */
#ifndef PERF_EVENTS_PARSE_H
#define PERF_EVENTS_PARSE_H

#include "base/err.h"
#include "base/sysroot.h"
#include "events/evlist.h"

struct parse_error {
	size_t at;      /* byte in the event text */
	char text[512]; /* what is wrong there */
	char help[512]; /* more lines below; "" when there are none */
};

/**
 * parse_events - append the events of @text to @l.
 * Events get type, config, modifiers and terms; sampling is configured later (events/config.h).
 * Return: 0; or -EINVAL, -ENOENT, -EACCES with @pe filled and @l as it was.
 */
int parse_events(struct evlist *l, const char *text, const struct sysroot *sr,
		 struct parse_error *pe);

/**
 * parse_error_format - the message as a user sees it: the text, a caret below the wrong place, the
 * reason. Long texts are cut so that the place fits a line of @width columns.
 */
void parse_error_format(const struct parse_error *pe, const char *text, size_t width,
			struct strbuf *out);

/** event_modifiers - apply "ukhGHpPSDIeW" to an event. Return: 0, -EINVAL: unknown letter or one
 * too many. */
int event_modifiers(struct evsel *e, const char *mods, size_t len);

/** tracefs_path - where tracefs is mounted ("/sys/kernel/tracing"), without the sysroot prefix; a
 * constant. */
const char *tracefs_path(const struct sysroot *sr);

#endif
