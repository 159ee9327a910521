// SPDX-License-Identifier: GPL-2.0-or-later
/* perf evlist: the events of a recording, and how they were opened. */
#include "base/compat.h"

#include "builtin.h"

#include "output/header-text.h"
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

/* Parts of a line: "name: part, part". */
struct line_out {
	struct strbuf *sb;
	bool any;
};

static void next_part(struct line_out *l)
{
	strbuf_addstr(l->sb, l->any ? ", " : ": ");
	l->any = true;
}

static void put_fields(const struct evsel *e, const struct tracefmt *tf, struct line_out *l)
{
	const struct tf_event *ev;
	u32 i;

	next_part(l);
	if (!evsel_is_tracepoint(e)) {
		strbuf_addstr(l->sb, "(not a tracepoint)");
		return;
	}
	ev = tf ? tracefmt_event(tf, (u32)e->attr.config) : NULL;
	if (!ev) {
		strbuf_addstr(l->sb, "(no format recorded)");
		return;
	}
	strbuf_addstr(l->sb, "trace_fields: ");
	for (i = ev->nr_common; i < ev->nr_fields; i++) {
		strbuf_addstr(l->sb, i > ev->nr_common ? "," : "");
		strbuf_addname(l->sb, ev->fields[i].name);
	}
}

static void put_event(const struct evlist_opts *o, const struct evsel *e, const struct tracefmt *tf,
		      struct strbuf *out)
{
	struct line_out l = { .sb = out };

	strbuf_addname(out, e->name);
	if (o->verbose) {
		next_part(&l);
		attr_text(&e->attr, ": ", out);
	} else if (o->freq) {
		next_part(&l);
		strbuf_addf(out, "sample_%s=%" PRIu64, e->attr.freq ? "freq" : "period",
			    (u64)e->attr.sample_period);
	}
	if (o->trace_fields)
		put_fields(e, tf, &l);
	strbuf_addch(out, '\n');
}

static void put_group(const struct evlist *list, const struct evsel *lead, struct strbuf *out)
{
	u32 i, end = lead->idx + lead->nr_members;

	if (lead->group_name)
		strbuf_addname(out, lead->group_name);
	strbuf_addch(out, '{');
	for (i = lead->idx; i < end && i < list->nr; i++) {
		strbuf_addstr(out, i > lead->idx ? "," : "");
		strbuf_addname(out, list->evsels[i]->name);
	}
	strbuf_addstr(out, "}\n");
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
		if (o->group && e->nr_members > 1)
			put_group(list, e, out);
		else
			put_event(o, e, tf, out);
	}
	if (tracepoints && !o->trace_fields)
		strbuf_addstr(out, "# Tip: use 'perf evlist --trace-fields' to show fields for "
				   "tracepoint events\n");
}

static struct tracefmt *load_formats(const struct evlist_opts *o, const struct env *env)
{
	struct tracefmt *tf = NULL;
	struct err err = { 0 };

	if (!o->trace_fields || !env->tracing_data)
		return NULL;
	if (tracefmt_read_section(env->tracing_data, env->tracing_size, &tf, &err))
		tf = NULL;
	if (err.code)
		error_err(&err);
	return tf;
}

static int show(const struct evlist_opts *o, struct err *err)
{
	struct strbuf out = STRBUF_INIT;
	struct tracefmt *tf;
	struct session s;
	int ret = session_open(&s, o->input, o->force, err);

	if (ret)
		return ret;
	ret = read_pipe_header(&s, err);
	if (s.file->pipe)
		name_by_attr(&s.evlist);
	tf = load_formats(o, &s.file->env);
	put_events(o, &s.evlist, tf, &out);
	fwrite(strbuf_str(&out), 1, out.len, stdout);
	strbuf_release(&out);
	tracefmt_free(tf);
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
