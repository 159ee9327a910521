/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts that `perf probe` shows, in the layout of perf 6.1. */
#ifndef PERF_PROBE_TEXT_H
#define PERF_PROBE_TEXT_H

#include "probe/event.h"
#include "probe/filter.h"

/**
 * probe_event_text - append the line of a new event: its name, and in parentheses its place and
 * arguments as the user wrote them.
 */
void probe_event_text(const struct probe_object *o, const struct probe_definition *d,
		      const struct probe_event *e, struct strbuf *out);
/**
 * probe_line_text - append the line of an event that there is, with the place in the source that
 * its address has.
 * @o: the object of the probe; NULL: it could not be opened
 */
void probe_line_text(struct probe_object *o, const struct probe_line *l, struct strbuf *out);
/** probe_line_json - append what probe_line_text() does, and the words of the line, as an object of
 * JSON. */
void probe_line_json(struct probe_object *o, const struct probe_line *l, struct strbuf *out);
/** probe_events_json - append a JSON document with events. @events: objects of probe_line_json(),
 * with commas between them */
void probe_events_json(const struct strbuf *events, struct strbuf *out);
/**
 * probe_functions_text - append the names of the functions of an object that pass a filter, sorted,
 * each once and on a line.
 */
void probe_functions_text(struct probe_object *o, const struct name_filter *f, struct strbuf *out);
/** probe_functions_json - append a JSON document with what probe_functions_text() appends. */
void probe_functions_json(struct probe_object *o, const struct name_filter *f, struct strbuf *out);

#endif
