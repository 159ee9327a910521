// SPDX-License-Identifier: GPL-2.0-or-later
/* perf timechart: what CPUs and tasks did over time, as a picture or a page. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/commands.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/settings.h"
#include "cmd/common/source.h"
#include "cmd/common/usage.h"

#include "base/alloc.h"
#include "recordopts/options.h"
#include "timechart/timechart.h"

static const char *const subcommands[] = { "record", NULL };
static const char *const usage[] = {
	"perf timechart [<options>] {record}",
	NULL,
};
static const char *const record_usage[] = {
	"perf timechart record [<options>] [<command>]",
	"perf timechart record [<options>] -- <command> [<options>]",
	NULL,
};

struct command_line {
	struct recording_options source;
	struct timechart_wish wish;
	const char **selected; /* owned */
	size_t cap_selected;
};

static int opt_process(const struct option *opt, const char *arg, int unset)
{
	struct command_line *c = opt->value;
	struct timechart_wish *w = &c->wish;

	if (unset) {
		w->nr_selected = 0;
		return 0;
	}
	VEC_GROW(c->selected, w->nr_selected + 1, c->cap_selected);
	c->selected[w->nr_selected++] = arg;
	w->selected = c->selected;
	return 0;
}

static int draw(void *ctx, struct analysis *a, struct err *err)
{
	const struct timechart_options *o = ctx;
	struct strbuf text = STRBUF_INIT;
	struct timechart_result result;
	struct analysis_losses losses;
	int ret = timechart_run(o, a, &result, err);

	if (ret)
		return ret;
	losses = analysis_losses(a);
	timechart_put_notes(&result, &losses, &text);
	fprintf(stderr, "%s%sWritten %.1f seconds of trace to %s.\n", analysis_missing(a),
		strbuf_str(&text), (double)result.span / 1e9, o->output);
	strbuf_release(&text);
	return 0;
}

static int run_record(int argc, const char **argv)
{
	const struct sysroot here = { 0 };
	struct timechart_wanted w = { 0 };
	struct verb_args a;
	const struct option options[] = {
		OPT_BOOLEAN('P', "power-only", &w.power, "output power data only"),
		OPT_BOOLEAN('T', "tasks-only", &w.tasks, "output processes data only"),
		OPT_BOOLEAN('I', "io-only", &w.io, "record only IO data"),
		OPT_BOOLEAN('g', "callchain", &w.chains, "record callchain"),
		OPT_END(),
	};

	argc = parse_options(argc, argv, options, record_usage, RECORD_VERB_PARSING);
	if (w.power + w.tasks + w.io > 1)
		usage_with_options_msg(record_usage, options, "-P, -T and -I exclude each other");
	timechart_record_args(&a, &w, &here, argc, argv);
	return record_verb(&a, record_usage, options);
}

int cmd_timechart(int argc, const char **argv)
{
	struct command_line c = { .wish = { .width = TIMECHART_NOT_GIVEN,
					    .least = TIMECHART_NOT_GIVEN } };
	struct timechart_wish *w = &c.wish;
	struct timechart_options o;
	const struct option options[] = {
		INPUT_OPTIONS(&c.source),
		OPT_STRING_NOEMPTY('o', "output", &w->output, "file", "output file name"),
		OPT_BOOLEAN(0, "html", &w->page,
			    "write a page for a browser, in which one can zoom and search"),
		OPT_BOOLEAN(0, "pftrace", &w->pftrace, "write a trace for ui.perfetto.dev"),
		OPT_BOOLEAN(0, "ctf", &w->ctf,
			    "write a trace in the Common Trace Format, which is a directory"),
		OPT_UINTEGER('w', "width", &w->width, "page width"),
		OPT_UINTEGER('n', "proc-num", &w->least, "min. number of tasks to print"),
		OPT_CALLBACK('p', "process", &c, "process",
			     "process selector. Pass a pid or process name.", opt_process),
		OPT_BOOLEAN('P', "power-only", &w->power_only, "output power data only"),
		OPT_BOOLEAN('T', "tasks-only", &w->tasks_only, "output processes data only"),
		OPT_BOOLEAN('t', "topology", &w->topology, "sort CPUs according to topology"),
		OPT_STRING(0, "highlight", &w->highlight, "duration or task name",
			   "highlight tasks. Pass duration in ns or process name."),
		OPT_BOOLEAN(0, "io-skip-eagain", &w->skip_eagain, "skip EAGAIN errors"),
		OPT_STRING(0, "io-min-time", &w->io_least, "time",
			   "all IO faster than min-time will visually appear longer"),
		OPT_STRING(0, "io-merge-dist", &w->io_merge, "time",
			   "merge events that are merge-dist us apart"),
		SYMFS_OPTION(&c.source),
		TIME_FILTER_OPTIONS(&c.source),
		OPT_END(),
	};
	struct err err = { 0 };
	int status;

	argc = parse_options_subcommand(argc, argv, options, subcommands, usage,
					PARSE_OPT_STOP_AT_NON_OPTION);
	if (argc && strlen(argv[0]) > 2 && !strncmp(argv[0], "record", strlen(argv[0])))
		return run_record(argc, argv);
	if (argc)
		usage_with_options(usage, options);
	if (timechart_settle(w, &o, &err))
		usage_with_options_msg(usage, options, "%s", err.msg);
	source_defaults(&c.source);
	status = analyse_recording(&c.source, draw, &o);
	free(c.selected);
	symfs_release(&c.source.symfs);
	return status;
}
