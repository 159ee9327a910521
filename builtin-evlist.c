// SPDX-License-Identifier: GPL-2.0-or-later
/* perf evlist: the events of a recording, and how they were opened. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"
#include "cmd/common/header.h"
#include "recording/formats.h"

#include "session/session.h"
#include "tracefmt/tracefmt.h"

static const char *const evlist_usage[] = { "perf evlist [<options>]", NULL };

struct evlist_opts {
	const char *input;
	bool force, freq, group, trace_fields;
	int verbose;
};

/* Named by their attrs, as 6.1 does it; by the recorder where an attr does not say enough. */
static void name_by_attr(struct evlist *l)
{
	struct strbuf name = STRBUF_INIT;
	size_t i;

	for (i = 0; i < l->nr; i++) {
		strbuf_reset(&name);
		evsel_default_name(&l->evsels[i]->attr, &name);
		if (strncmp(strbuf_str(&name), "unknown", 7))
			evsel_rename(l->evsels[i]);
	}
	strbuf_release(&name);
}

/* ---- printing ---- */

static void put_fields(const struct evsel *e, const struct tracefmt *tf, struct strbuf *out)
{
	const struct tf_event *ev;
	u32 i;

	if (!evsel_is_tracepoint(e)) {
		strbuf_addstr(out, "(not a tracepoint)");
		return;
	}
	ev = evsel_format(e, tf);
	if (!ev) {
		strbuf_addstr(out, "(no format recorded)");
		return;
	}
	strbuf_addstr(out, "trace_fields: ");
	for (i = ev->nr_common; i < ev->nr_fields; i++) {
		strbuf_addstr(out, i > ev->nr_common ? "," : "");
		strbuf_addname(out, ev->fields[i].name);
	}
}

static void put_event(const struct evlist_opts *o, const struct evsel *e, const struct tracefmt *tf,
		      struct strbuf *out)
{
	evsel_line(e, o->verbose, o->freq, out);
	if (o->trace_fields) {
		strbuf_addstr(out, o->verbose || o->freq ? ", " : ": ");
		put_fields(e, tf, out);
	}
	strbuf_addch(out, '\n');
}

static void put_events(const struct evlist_opts *o, const struct evlist *list,
		       const struct tracefmt *tf, struct strbuf *out)
{
	bool tracepoints = false;
	size_t i;

	for (i = 0; i < list->nr; i++) {
		const struct evsel *e = list->evsels[i];

		tracepoints |= evsel_is_tracepoint(e);
		if (o->group && e->leader != e->idx)
			continue;
		if (o->group && e->nr_members > 1) {
			evlist_group_line(list, e, out);
			strbuf_addch(out, '\n');
		} else {
			put_event(o, e, tf, out);
		}
	}
	if (tracepoints && !o->trace_fields)
		strbuf_addstr(out, "# Tip: use 'perf evlist --trace-fields' to show fields for "
				   "tracepoint events\n");
}

static int show(const struct evlist_opts *o, struct err *err)
{
	struct strbuf out = STRBUF_INIT;
	struct formats formats = { 0 };
	struct session s;
	int ret = session_open(&s, o->input, o->force, err);

	if (ret)
		return ret;
	ret = read_pipe_header(&s, err);
	if (s.file->pipe)
		name_by_attr(&s.evlist);
	if (o->trace_fields || formats_name_events(&s.evlist))
		formats_take(&formats, &s.evlist, &s.file->env, false, &stderr_notices);
	put_events(o, &s.evlist, formats.tracefmt, &out);
	fwrite(strbuf_str(&out), 1, out.len, stdout);
	strbuf_release(&out);
	formats_release(&formats);
	session_close(&s);
	return ret;
}

int cmd_evlist(int argc, const char **argv)
{
	struct evlist_opts o = { 0 };
	const struct option options[] = {
		OPT_STRING('i', "input", &o.input, "file", "Input file name"),
		OPT_BOOLEAN('F', "freq", &o.freq, "Show the sample frequency"),
		OPT_INCR('v', "verbose", &o.verbose, "Show all event attr details"),
		OPT_BOOLEAN('g', "group", &o.group, "Show event group information"),
		OPT_BOOLEAN('f', "force", &o.force, "don't complain, do it"),
		OPT_BOOLEAN(0, "trace-fields", &o.trace_fields, "Show tracepoint fields"),
		OPT_END(),
	};
	struct err err = { 0 };

	argc = parse_options(argc, argv, options, evlist_usage, 0);
	if (argc)
		usage_with_options(evlist_usage, options);
	if (o.group && (o.verbose || o.freq || o.trace_fields))
		usage_with_options_msg(
			evlist_usage, options,
			"  Error: --group option is not compatible with other options\n");
	if (show(&o, &err)) {
		error_err(&err);
		return -1;
	}
	return 0;
}
