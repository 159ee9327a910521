// SPDX-License-Identifier: GPL-2.0-or-later
/* perf block: what block devices do, for whom, and where the time of their I/O goes. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/commands.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/pager.h"
#include "cmd/common/settings.h"
#include "cmd/common/source.h"
#include "cmd/common/usage.h"

#include "blocktext/parse.h"

#include <sys/stat.h>
#include <unistd.h>

static const char *const subcommands[] = { "record", "report", "parse", "live", "script", NULL };
static const char *const block_usage[] = {
	"perf block [<options>] [{record|report|parse|live|script}]",
	NULL,
};

/* Options of all verbs may stand before and behind the verb; each verb has others beside them. */
struct command_line {
	struct recording_options source;
	struct block_devices devices;
	struct block_show show;
	struct block_parse_show parse;
	const char *by, *span, *output;
	const char *trace_dir; /* of files of blktrace that are written; NULL: none */
	struct block_live *live;
	unsigned int refresh_ms;
	const char *trace; /* files of blktrace that are read; NULL: a recording is */
	bool json, csv;
	bool damaged; /* files of blktrace were */
	int verbose;
};

#define DEVICE_OPTION(c)                                                                           \
	OPT_CALLBACK('d', "dev", &(c)->devices, "device",                                          \
		     "Only this device, by name or as major:minor; may be repeated", opt_device)

#define REPORT_OPTIONS(c)                                                                          \
	OPT_STRING(0, "by", &(c)->by, "key[,key...]",                                              \
		   "A row for each of these: dev, task, op, cgroup, stack"),                       \
		OPT_STRING(0, "latency", &(c)->span, "latency",                                    \
			   "The latency of the histogram and the heat map, such as q2c or d2c"),   \
		OPT_BOOLEAN(0, "histogram", &(c)->show.histogram,                                  \
			    "Show how latencies are distributed"),                                 \
		OPT_BOOLEAN(0, "details", &(c)->show.details,                                      \
			    "Show sizes, distances and numbers of requests of each device"),       \
		OPT_STRING(0, "heatmap", &(c)->show.heatmap, "file",                               \
			   "Write latencies over time as a picture (SVG, or a page with .html)"),  \
		OPT_BOOLEAN(0, "json", &(c)->json, "Print a JSON object for each row"),            \
		OPT_BOOLEAN(0, "csv", &(c)->csv, "Print rows as comma-separated values"),          \
		OPT_STRING(0, "comm", &(c)->source.comms, "comm[,comm...]",                        \
			   "only consider I/O of tasks of these names"),                           \
		THREAD_FILTER_OPTIONS(&(c)->source), TIME_FILTER_OPTIONS(&(c)->source),            \
		OPT_STRING('C', "cpu", &(c)->source.cpus, "cpu", "list of cpus to profile")

static int opt_device(const struct option *opt, const char *arg, int unset)
{
	static const struct sysroot here = { 0 };
	struct block_devices *d = opt->value;
	struct err err = { 0 };

	if (unset)
		block_devices_release(d);
	else if (block_devices_add(d, &here, arg, &err))
		return error_err(&err);
	return 0;
}

/* Refuse options that stand before a verb which has no use for them. @filters: it has none for
 * filters of CPUs and times either */
static void refuse_others(const struct command_line *c, const char *verb, bool filters,
			  const char *const usage[], const struct option *options)
{
	const struct recording_options *s = &c->source;

	if (c->by || c->span || c->json || c->csv || c->show.histogram || c->show.details ||
	    c->show.heatmap || s->comms || s->pids || s->tids || (filters && (s->cpus || s->time)))
		usage_with_options_msg(usage, options, "Options of the report do not go with %s",
				       verb);
}

/* ---- record ---- */

static int write_summary(void *ctx, struct analysis *a, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = block_record_summary(a, &text, err);

	fputs(strbuf_str(&text), stderr);
	strbuf_release(&text);
	return ret;
}

static int write_trace(void *ctx, struct analysis *a, struct err *err)
{
	const struct command_line *c = ctx;
	struct strbuf text = STRBUF_INIT;
	int ret = block_to_blktrace(a, c->trace_dir, &text, err);

	fputs(strbuf_str(&text), stderr);
	strbuf_release(&text);
	return ret;
}

/* Tell whether the recorder writes to standard output, which nobody here can read again. */
static bool writes_stream(const struct command_line *c)
{
	struct stat st;

	if (c->output)
		return !strcmp(c->output, "-");
	return !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode);
}

/* Look at what was recorded. Return: the exit status. */
static int after_record(struct command_line *c)
{
	int status;

	c->source.input = c->output;
	source_defaults(&c->source);
	status = analyse_recording(&c->source, write_summary, c);
	if (!status && c->trace_dir)
		status = analyse_recording(&c->source, write_trace, c);
	return status;
}

static int run_record(int argc, const char **argv, struct command_line *c,
		      const struct option *parent)
{
	static const char *const usage[] = {
		"perf block record [<options>] [<command>]",
		"perf block record [<options>] -- <command> [<options>]",
		NULL,
	};
	const struct sysroot here = { 0 };
	const struct option options[] = {
		OPT_STRING('o', "output", &c->output, "file", "output file name"),
		OPT_STRING(0, "trace", &c->trace_dir, "directory",
			   "Write the events as files of blktrace as well"),
		DEVICE_OPTION(c),
		OPT_END(),
	};
	struct verb_args a;
	int ret;

	argc = parse_options(argc, argv, options, usage, RECORD_VERB_PARSING);
	refuse_others(c, "record", true, usage, options);
	if (c->source.input)
		usage_with_options_msg(usage, options, "record reads no recording: leave out -i");
	if (c->trace_dir && writes_stream(c))
		usage_with_options_msg(usage, options,
				       "--trace needs a recording in a file, not in a pipe");
	block_record_args(&a, &c->devices, &here, c->output, argc, argv);
	ret = record_verb(&a, usage, options);
	return ret || writes_stream(c) ? ret : after_record(c);
}

/* ---- verbs that read a recording ---- */

static int run_script(int argc, const char **argv, struct command_line *c,
		      const struct option *parent)
{
	refuse_others(c, "script", true, block_usage, parent);
	if (c->devices.nr)
		usage_with_options_msg(block_usage, parent, "--dev does not go with script");
	return script_verb(&c->source, false, argc, argv);
}

static void tell_damage(void *ctx, const char *sentence)
{
	bool *damaged = ctx;

	*damaged = true;
	error("%s", sentence);
}

/* Work on a recording, or on files of blktrace. Return: the exit status. */
static int analyse(struct command_line *c, analysis_work work)
{
	struct err err = { 0 };

	c->trace = block_blktrace_path(c->source.input);
	if (!c->trace)
		return analyse_recording(&c->source, work, c);
	if (c->source.cpus || c->source.time || c->source.comms || c->source.pids ||
	    c->source.tids) {
		error("-C, --time, --comm, --pid and --tid are for recordings, and %s is of blktrace",
		      c->trace);
		return EXIT_FAILED;
	}
	if (work(c, NULL, &err)) {
		error_err(&err);
		return EXIT_FAILED;
	}
	return c->damaged ? EXIT_FAILED : EXIT_OK;
}

static struct block_source source_of(struct command_line *c, struct analysis *a)
{
	return (struct block_source){ a, c->trace, tell_damage, &c->damaged };
}

static int write_report(void *ctx, struct analysis *a, struct err *err)
{
	struct command_line *c = ctx;
	struct strbuf text = STRBUF_INIT;
	const struct block_source source = source_of(c, a);
	int ret = block_report_run(&c->show, &source, &text, err);

	if (!ret) {
		setup_pager();
		print_text(&text);
	}
	strbuf_release(&text);
	return ret;
}

/* Settle what the report shows, or print the usage. */
static void settle_report(struct command_line *c, const char *const usage[],
			  const struct option *options)
{
	struct block_show *show = &c->show;
	struct err err = { 0 };

	show->span = BLOCK_Q2C;
	if ((c->by && block_by_parse(&show->by, c->by, &err)) ||
	    (c->span && block_span_parse(&show->span, c->span, &err)) ||
	    table_form_choose(&show->form, c->json, c->csv, &err))
		usage_with_options_msg(usage, options, "%s", err.msg);
	if ((show->histogram || show->details) && show->form != TABLE_TEXT)
		usage_with_options_msg(
			usage, options,
			"--histogram and --details are text, which --json and --csv are not");
	if (show->details && show->by)
		usage_with_options_msg(usage, options,
				       "--details is part of the report, which --by replaces");
	show->devices = &c->devices;
	c->source.verbose = c->verbose;
	source_defaults(&c->source);
}

static int run_report(int argc, const char **argv, struct command_line *c,
		      const struct option *parent)
{
	static const char *const usage[] = { "perf block report [<options>]", NULL };

	if (parse_options(argc, argv, parent, usage, 0))
		usage_with_options(usage, parent);
	settle_report(c, usage, parent);
	return analyse(c, write_report);
}

/* ---- live ---- */

/* A terminal shows one table at a time. */
static bool show_live(void *ctx, struct analysis *a)
{
	const struct command_line *c = ctx;
	struct strbuf text = STRBUF_INIT;

	if (isatty(STDOUT_FILENO))
		fputs(CLEAR_SCREEN, stdout);
	block_live_put(c->live, &text);
	print_text(&text);
	return !fflush(stdout);
}

static int work_live(void *ctx, struct analysis *a, struct err *err)
{
	struct command_line *c = ctx;
	const struct block_source source = source_of(c, a);
	struct strbuf text = STRBUF_INIT;
	int ret;

	c->live = block_live_new(&c->show, &source);
	ret = block_live_run(c->live, &text, err);
	print_text(&text);
	block_live_free(c->live);
	return ret;
}

static int run_live(int argc, const char **argv, struct command_line *c,
		    const struct option *parent)
{
	static const char *const usage[] = { "perf block live [<options>]", NULL };
	const struct sysroot here = { 0 };
	const struct option options[] = {
		OPT_UINTEGER(0, "refresh", &c->refresh_ms, "ms between two tables (default 2000)"),
		OPT_PARENT(parent),
	};
	struct live_work live = { usage, &c->source, work_live, show_live, c, 0 };
	struct verb_args a;

	if (parse_options(argc, argv, options, usage, 0))
		usage_with_options(usage, options);
	if (c->source.input)
		usage_with_options_msg(usage, options, "live reads no recording: leave out -i");
	if (!c->refresh_ms)
		usage_with_options_msg(usage, options, "--refresh: 0 ms are too few");
	settle_report(c, usage, options);
	live.refresh_ms = c->refresh_ms;
	block_live_args(&a, &c->show, &here);
	return analyse_live(&live, &a);
}

/* ---- parse ---- */

static int write_events(void *ctx, struct analysis *a, struct err *err)
{
	struct command_line *c = ctx;
	const struct block_source source = source_of(c, a);

	setup_pager();
	return block_parse_run(&c->parse, &source, write_stdout, NULL, err);
}

static int run_parse(int argc, const char **argv, struct command_line *c,
		     const struct option *parent)
{
	static const char *const usage[] = { "perf block parse [<options>]", NULL };
	struct block_parse_show *show = &c->parse;
	const struct option options[] = {
		OPT_STRING('i', "input", &c->source.input, "file", "input file name"),
		OPT_BOOLEAN(0, "force", &c->source.force, "don't complain, do it"),
		OPT_INCR('v', "verbose", &c->verbose, "be more verbose"),
		OPT_CALLBACK(0, "dev", &c->devices, "device",
			     "Only this device, by name or as major:minor; may be repeated",
			     opt_device),
		OPT_STRING('f', "format-spec", &show->format, "format",
			   "Write events in this format of blkparse"),
		OPT_BOOLEAN('t', "track-ios", &show->elapsed,
			    "Show the time since the step before (in ns)"),
		OPT_BOOLEAN('O', "no-text-output", &show->quiet, "Show only the counts"),
		OPT_STRING('d', "dump-binary", &show->dump, "file",
			   "Write all events in the order of time to a file of blktrace"),
		TIME_FILTER_OPTIONS(&c->source),
		OPT_STRING('C', "cpu", &c->source.cpus, "cpu", "list of cpus to profile"),
		OPT_END(),
	};
	struct err err = { 0 };

	if (parse_options(argc, argv, options, usage, 0))
		usage_with_options(usage, options);
	if (show->format && block_format_check(show->format, &err))
		usage_with_options_msg(usage, options, "%s", err.msg);
	refuse_others(c, "parse", false, usage, options);
	show->devices = &c->devices;
	c->source.verbose = c->verbose;
	source_defaults(&c->source);
	return analyse(c, write_events);
}

static const struct {
	const char *name;
	int (*run)(int argc, const char **argv, struct command_line *c,
		   const struct option *parent);
} verbs[] = {
	{ "report", run_report }, { "record", run_record }, { "parse", run_parse },
	{ "live", run_live },     { "script", run_script },
};

int cmd_block(int argc, const char **argv)
{
	struct command_line c = { .verbose = debug_level("verbose"), .refresh_ms = 2000 };
	const struct option options[] = {
		INPUT_OPTIONS(&c.source),
		OPT_INCR('v', "verbose", &c.verbose, "be more verbose"),
		DEVICE_OPTION(&c),
		REPORT_OPTIONS(&c),
		OPT_END(),
	};
	int ret = -1;

	argc = parse_options_subcommand(argc, argv, options, subcommands, block_usage,
					PARSE_OPT_STOP_AT_NON_OPTION);
	for (size_t i = 0; argc && i < ARRAY_SIZE(verbs) && ret < 0; i++)
		if (!strncmp(verbs[i].name, argv[0], MAX(strlen(argv[0]), (size_t)3)))
			ret = verbs[i].run(argc, argv, &c, options);
	if (argc && ret < 0)
		usage_with_options_msg(block_usage, options, "Unknown command: %s", argv[0]);
	if (!argc)
		ret = run_report(1, (const char *[]){ "report", NULL }, &c, options);
	block_devices_release(&c.devices);
	return ret;
}
