// SPDX-License-Identifier: GPL-2.0-or-later
/* perf evlist: the events of a recording, and how they were opened. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"

#include "dump/events-text.h"
#include "recording/recording.h"

static const char *const evlist_usage[] = { "perf evlist [<options>]", NULL };

static int show(const struct recording_options *o, const struct events_text *t, struct err *err)
{
	struct strbuf out = STRBUF_INIT;
	struct recording r;
	int ret = recording_open(&r, o, &stderr_notices, err);
	struct evlist *l = &r.session.evlist;

	if (ret)
		return ret;
	ret = recording_read_header(&r, err);
	if (recording_is_stream(&r))
		evlist_name_by_attr(l); /* as 6.1 does it */
	if (t->fields || formats_name_events(l))
		formats_take(&r.formats, l, &r.session.file->env, false, r.notices);
	events_text(t, l, r.formats.tracefmt, &out);
	fwrite(strbuf_str(&out), 1, out.len, stdout);
	strbuf_release(&out);
	recording_close(&r);
	return ret;
}

int cmd_evlist(int argc, const char **argv)
{
	struct recording_options o = { 0 };
	struct events_text t = { 0 };
	int verbose = 0;
	const struct option options[] = {
		OPT_STRING('i', "input", &o.input, "file", "Input file name"),
		OPT_BOOLEAN('F', "freq", &t.freq, "Show the sample frequency"),
		OPT_INCR('v', "verbose", &verbose, "Show all event attr details"),
		OPT_BOOLEAN('g', "group", &t.group, "Show event group information"),
		OPT_BOOLEAN('f', "force", &o.force, "don't complain, do it"),
		OPT_BOOLEAN(0, "trace-fields", &t.fields, "Show tracepoint fields"),
		OPT_END(),
	};
	struct err err = { 0 };

	argc = parse_options(argc, argv, options, evlist_usage, 0);
	if (argc)
		usage_with_options(evlist_usage, options);
	t.attrs = verbose;
	if (t.group && (t.attrs || t.freq || t.fields))
		usage_with_options_msg(
			evlist_usage, options,
			"  Error: --group option is not compatible with other options\n");
	if (show(&o, &t, &err)) {
		error_err(&err);
		return -1;
	}
	return 0;
}
