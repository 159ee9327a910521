// SPDX-License-Identifier: GPL-2.0-or-later
/* perf list: the events and metrics that can be counted or sampled on this machine. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/browser.h"
#include "cmd/common/events.h"
#include "cmd/common/message.h"
#include "cmd/common/pager.h"
#include "cmd/common/usage.h"
#include "cmd/common/settings.h"

#include "browse/events.h"
#include "listtext/listing.h"

#include <errno.h>

static const char *const list_usage[] = {
	"perf list [<options>] [hw|sw|cache|tracepoint|pmu|sdt|metric|metricgroup|event_glob]", NULL
};

struct list_args {
	bool raw, json, fields, pick;
	const char *output, *cputype;
};

static FILE *open_output(const char *path)
{
	FILE *f = path ? fopen(path, "we") : stdout;

	if (!f)
		fprintf(stderr, "cannot write %s: %s\n", path, err_str(-errno));
	return f;
}

static int put_output(FILE *f, const struct strbuf *out, const char *path)
{
	bool bad = fwrite(strbuf_str(out), 1, out->len, f) != out->len;

	if (f == stdout)
		return 0; /* finish_output() reports the error */
	if (fclose(f) || bad) {
		fprintf(stderr, "cannot write %s: %s\n", path, err_str(-errno));
		return -1;
	}
	return 0;
}

static int run(struct listing *l, const struct list_args *a, int argc, const char **argv)
{
	struct list_view *v = &l->view;
	FILE *f = open_output(a->output);
	int ret = 0;

	if (!f)
		return -1;
	v->out = &l->out;
	v->ops = a->json ? &list_json_ops : a->raw ? &list_raw_ops : &list_text_ops;
	v->width = term_columns();
	l->quiet = a->raw || a->json;
	if (a->fields)
		ret = listing_show_fields(l, argv, (size_t)argc, a->json);
	else
		listing_show(l, argv, (size_t)argc);
	return put_output(f, &l->out, a->output) ? -1 : ret;
}

/* Show the picker, and print the command when users have chosen. */
static int pick_of(struct offered_events *events)
{
	struct strbuf command = STRBUF_INIT;
	struct ui ui;

	if (!events->nr) {
		fprintf(stderr, "there is nothing to pick: no such event can be recorded\n");
		return -1;
	}
	if (!browser_open(&ui, true))
		return -1;
	if (browse_events(&ui, events, &command))
		strbuf_addch(&command, '\n');
	browser_close(&ui);
	print_text(&command);
	return 0;
}

static int pick(struct listing *l, int argc, const char **argv)
{
	struct offered_events events;
	int ret;

	if (!term_usable()) {
		fprintf(stderr,
			"--pick needs a terminal for its keys and its screen, and TERM that "
			"says which: without --pick the events are printed\n");
		return -1;
	}
	offer_events(&events, l, argv, (size_t)argc);
	ret = pick_of(&events);
	offered_events_release(&events);
	return ret;
}

int cmd_list(int argc, const char **argv)
{
	struct listing l = { .view = { .desc = true }, .notices = &stderr_notices };
	struct list_args a = { 0 };
	const struct option options[] = {
		OPT_BOOLEAN_FLAG(0, "raw-dump", &a.raw, "Dump raw events", PARSE_OPT_HIDDEN),
		OPT_BOOLEAN('j', "json", &a.json, "JSON encode events and metrics"),
		OPT_BOOLEAN('d', "desc", &l.view.desc,
			    "Print extra event descriptions. --no-desc to not print."),
		OPT_BOOLEAN('v', "long-desc", &l.view.long_desc,
			    "Print longer event descriptions."),
		OPT_BOOLEAN(0, "details", &l.view.details,
			    "Print information on the perf event names and expressions used "
			    "internally by events."),
		OPT_BOOLEAN(0, "deprecated", &l.deprecated, "Print deprecated events."),
		OPT_STRING(0, "cputype", &a.cputype, "hybrid cpu type",
			   "Print events applying cpu with this type for hybrid platform (e.g. "
			   "core or atom)"),
		OPT_STRING(0, "unit", &l.unit, "PMU name",
			   "Limit PMU or metric printing to the specified PMU."),
		OPT_BOOLEAN(0, "fields", &a.fields,
			    "Print what tracepoints hold and how to filter on it"),
		OPT_BOOLEAN(0, "pick", &a.pick,
			    "Show a screen to choose events on, and print the command that records "
			    "them"),
		OPT_CALLBACK(0, "events-dir", &l.sources, "dir",
			     "read names of events from the JSON files below this folder",
			     opt_events_dir),
		OPT_STRING('o', "output", &a.output, "file", "output file name"),
		OPT_BOOLEAN(0, "debug", &l.debug, "Enable debugging output"),
		OPT_END(),
	};
	int ret;

	event_arg_start(&l.sources, &l.sysroot);
	argc = parse_options(argc, argv, options, list_usage, 0);
	if (a.fields && !argc)
		usage_with_options_msg(list_usage, options, "--fields needs a tracepoint");
	if (a.pick && (a.raw || a.json || a.fields || a.output))
		usage_with_options_msg(list_usage, options,
				       "--pick shows a screen: -j, -o and --fields are for text");
	if (!a.output && !a.pick)
		setup_pager();
	l.view.gaps = !a.output && pager_in_use();
	if (a.cputype)
		listing_limit_core(&l, a.cputype);
	l.cache_dir = buildid_cache_dir();
	ret = a.pick ? pick(&l, argc, argv) : run(&l, &a, argc, argv);
	listing_release(&l);
	return ret;
}
