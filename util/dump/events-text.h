/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the events of a recording as `perf evlist` lists them. */
#ifndef PERF_DUMP_EVENTS_TEXT_H
#define PERF_DUMP_EVENTS_TEXT_H

#include "base/strbuf.h"
#include "events/evlist.h"

struct events_text {
	bool attrs;  /* show all of how an event was opened */
	bool freq;   /* show its frequency or period */
	bool group;  /* groups have one line */
	bool fields; /* show the fields of tracepoints */
};

/**
 * events_text - append a line for each event, and a hint when there are tracepoints.
 * @tf: formats of the tracepoints; NULL: there are none
 */
void events_text(const struct events_text *t, const struct evlist *l, const struct tracefmt *tf,
		 struct strbuf *out);

#endif
