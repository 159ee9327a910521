// SPDX-License-Identifier: GPL-2.0-or-later
/* perf timechart: what CPUs and tasks did over time, as a picture or a page. */
#include "base/compat.h"

#include "builtin.h"
#include "perf.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/settings.h"
#include "cmd/common/source.h"
#include "cmd/common/usage.h"

#include "base/alloc.h"
#include "recordopts/options.h"
#include "timechart/timechart.h"

#include <errno.h>
#include <stdlib.h>

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
	struct timechart_options o;
	const char **selected; /* owned */
	size_t cap_selected;
	const char *highlight, *io_least, *io_merge;
	u32 width, least; /* UINT32_MAX: not given */
	bool power_only, tasks_only;
	bool page, pftrace, ctf;
};

/* Parse a number of ns, or one with a unit. */
static bool parse_time(const char *text, u64 *ns)
{
	if (!text[strspn(text, "0123456789")] && *text) {
		*ns = strtoull(text, NULL, 10);
		return true;
	}
	return duration_parse(text, ns);
}

static int opt_process(const struct option *opt, const char *arg, int unset)
{
	struct command_line *c = opt->value;
	struct timechart_conf *conf = &c->o.conf;

	if (unset) {
		conf->nr_selected = 0;
		return 0;
	}
	VEC_GROW(c->selected, conf->nr_selected + 1, c->cap_selected);
	c->selected[conf->nr_selected++] = arg;
	conf->selected = c->selected;
	return 0;
}

/* Only pictures have a width and a choice of tasks by their weight, and traces in the Common Trace
 * Format have all tasks. Return: 0, or -EINVAL and a sentence. */
static int settle_form(struct command_line *c, struct err *err)
{
	struct timechart_options *o = &c->o;

	if (c->page + c->pftrace + c->ctf > 1)
		return err_set(err, -EINVAL, "--html, --pftrace and --ctf exclude each other");
	o->form = c->page      ? TIMECHART_PAGE
		  : c->pftrace ? TIMECHART_PFTRACE
		  : c->ctf     ? TIMECHART_CTF
		  : o->output  ? timechart_form_of(o->output)
			       : TIMECHART_SVG;
	if (!o->output)
		o->output = timechart_usual_output(o->form);
	if (o->form != TIMECHART_SVG && (c->width != UINT32_MAX || c->least != UINT32_MAX))
		return err_set(err, -EINVAL,
			       "-w and -n are for pictures: what --%s writes has no width and has "
			       "all tasks%s",
			       timechart_form_name(o->form),
			       o->form == TIMECHART_CTF ? "" : "; -p chooses some");
	if (o->form == TIMECHART_CTF && o->conf.nr_selected)
		return err_set(err, -EINVAL, "-p: a trace of --ctf has all tasks");
	if (o->form == TIMECHART_CTF && !strcmp(o->output, "-"))
		return err_set(err, -EINVAL, "--ctf writes a directory, which -o has to name");
	return 0;
}

/* Combine the options. Return: 0, or -EINVAL and a sentence. */
static int settle(struct command_line *c, struct err *err)
{
	struct timechart_conf *conf = &c->o.conf;

	if (c->io_least && !parse_time(c->io_least, &c->o.io.least))
		return err_set(err, -EINVAL, "--io-min-time: '%s' is no time such as 1ms",
			       c->io_least);
	if (c->io_merge && !parse_time(c->io_merge, &c->o.io.merge))
		return err_set(err, -EINVAL, "--io-merge-dist: '%s' is no time such as 1us",
			       c->io_merge);
	if (c->power_only && c->tasks_only)
		return err_set(err, -EINVAL, "-P and -T exclude each other");
	if (settle_form(c, err))
		return err->code;
	conf->width = c->width == UINT32_MAX ? TIMECHART_WIDTH : c->width;
	conf->least = c->least == UINT32_MAX ? TIMECHART_TASKS : c->least;
	if (conf->width < TIMECHART_NARROW || conf->width > TIMECHART_WIDE)
		return err_set(err, -EINVAL, "-w: %u is not between %u and %u pixels", conf->width,
			       TIMECHART_NARROW, TIMECHART_WIDE);
	conf->cpus = !c->tasks_only;
	conf->processes = !c->power_only;
	conf->long_run = UINT64_MAX;
	if (c->highlight && !parse_time(c->highlight, &conf->long_run))
		conf->highlight = c->highlight;
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
	fprintf(stderr, "%sWritten %.1f seconds of trace to %s.\n", strbuf_str(&text),
		(double)result.span / 1e9, o->output);
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

	argc = parse_options(argc, argv, options, record_usage,
			     PARSE_OPT_STOP_AT_NON_OPTION | PARSE_OPT_KEEP_UNKNOWN |
				     PARSE_OPT_KEEP_ARGV0 | PARSE_OPT_KEEP_DASHDASH);
	if (w.power + w.tasks + w.io > 1)
		usage_with_options_msg(record_usage, options, "-P, -T and -I exclude each other");
	timechart_record_args(&a, &w, &here, argc, argv);
	return run_verb(&a);
}

int cmd_timechart(int argc, const char **argv)
{
	struct command_line c = {
		.o = { .io = { .merge = TIMECHART_IO_MERGE, .least = TIMECHART_IO_LEAST } },
		.width = UINT32_MAX,
		.least = UINT32_MAX,
	};
	const struct option options[] = {
		INPUT_OPTIONS(&c.source),
		OPT_STRING_NOEMPTY('o', "output", &c.o.output, "file", "output file name"),
		OPT_BOOLEAN(0, "html", &c.page,
			    "write a page for a browser, in which one can zoom and search"),
		OPT_BOOLEAN(0, "pftrace", &c.pftrace, "write a trace for ui.perfetto.dev"),
		OPT_BOOLEAN(0, "ctf", &c.ctf,
			    "write a trace in the Common Trace Format, which is a directory"),
		OPT_UINTEGER('w', "width", &c.width, "page width"),
		OPT_UINTEGER('n', "proc-num", &c.least, "min. number of tasks to print"),
		OPT_CALLBACK('p', "process", &c, "process",
			     "process selector. Pass a pid or process name.", opt_process),
		OPT_BOOLEAN('P', "power-only", &c.power_only, "output power data only"),
		OPT_BOOLEAN('T', "tasks-only", &c.tasks_only, "output processes data only"),
		OPT_BOOLEAN('t', "topology", &c.o.topology, "sort CPUs according to topology"),
		OPT_STRING(0, "highlight", &c.highlight, "duration or task name",
			   "highlight tasks. Pass duration in ns or process name."),
		OPT_BOOLEAN(0, "io-skip-eagain", &c.o.io.skip_eagain, "skip EAGAIN errors"),
		OPT_STRING(0, "io-min-time", &c.io_least, "time",
			   "all IO faster than min-time will visually appear longer"),
		OPT_STRING(0, "io-merge-dist", &c.io_merge, "time",
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
	if (settle(&c, &err))
		usage_with_options_msg(usage, options, "%s", err.msg);
	source_defaults(&c.source);
	status = analyse_recording(&c.source, draw, &c.o);
	free(c.selected);
	symfs_release(&c.source.symfs);
	return status;
}
