// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "dump/events-text.h"

#include "tracefmt/tracefmt.h"

static void put_fields(const struct evsel *e, const struct tracefmt *tf, struct strbuf *out)
{
	const struct tf_event *ev = evsel_format(e, tf);

	if (!evsel_is_tracepoint(e)) {
		strbuf_addstr(out, "(not a tracepoint)");
		return;
	}
	if (!ev) {
		strbuf_addstr(out, "(no format recorded)");
		return;
	}
	strbuf_addstr(out, "trace_fields: ");
	for (u32 i = ev->nr_common; i < ev->nr_fields; i++) {
		strbuf_addstr(out, i > ev->nr_common ? "," : "");
		strbuf_addname(out, ev->fields[i].name);
	}
}

static void put_event(const struct events_text *t, const struct evsel *e, const struct tracefmt *tf,
		      struct strbuf *out)
{
	evsel_line(e, t->attrs, t->freq, out);
	if (t->fields) {
		strbuf_addstr(out, t->attrs || t->freq ? ", " : ": ");
		put_fields(e, tf, out);
	}
	strbuf_addch(out, '\n');
}

void events_text(const struct events_text *t, const struct evlist *l, const struct tracefmt *tf,
		 struct strbuf *out)
{
	bool tracepoints = false;

	for (size_t i = 0; i < l->nr; i++) {
		const struct evsel *e = l->evsels[i];

		tracepoints |= evsel_is_tracepoint(e);
		if (t->group && e->leader != e->idx)
			continue;
		if (t->group && e->nr_members > 1) {
			evlist_group_line(l, e, out);
			strbuf_addch(out, '\n');
		} else {
			put_event(t, e, tf, out);
		}
	}
	if (tracepoints && !t->fields)
		strbuf_addstr(out, "# Tip: use 'perf evlist --trace-fields' to show fields for "
				   "tracepoint events\n");
}
