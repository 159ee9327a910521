// SPDX-License-Identifier: GPL-2.0-or-later
/* perf sched stats: what the scheduler counted during a run. Its verbs are record, report and diff;
 * without one of them a run is counted and shown. */
#include "base/compat.h"

#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/pager.h"
#include "cmd/common/signals.h"
#include "cmd/common/usage.h"
#include "cmd/sched/sched.h"

#include "base/alloc.h"
#include "file/writer.h"
#include "schedrun/stats.h"
#include "schedtext/stats.h"

#include <errno.h>

static const char *const usage[] = {
	"perf sched stats [<options>] [<command>]",
	"perf sched stats record [<options>] [<command>]",
	"perf sched stats report [<options>]",
	"perf sched stats diff [<options>] [<old file> <new file>]",
	NULL,
};

struct stats_command {
	struct sched_common *c;
	const char *cpus, *output;
	struct int_list list; /* of cpus */
	bool json;
};

#define STATS_CPU(s) OPT_STRING('C', "cpu", &(s)->cpus, "cpu", "only these CPUs")
#define STATS_OUTPUT(s) OPT_STRING('o', "output", &(s)->output, "file", "output file name")
#define STATS_JSON(s) OPT_BOOLEAN(0, "json", &(s)->json, "Show the counters as JSON")

/* ---- counting ---- */

/* End as the run has ended: without a command, Ctrl-C is its normal end. */
static int end_run(const struct stats_counted *counted, bool command)
{
	if (counted->signal && (command || counted->signal != SIGINT)) {
		fflush(stdout);
		end_by_signal(counted->signal);
	}
	return EXIT_OK;
}

/* Return: 0, or -1 with a message printed. */
static int count(struct stats_command *s, const char **command, struct stats_counted *counted)
{
	const struct sysroot here = { 0 };
	struct stats_run run = { .sysroot = &here,
				 .command = (char *const *)command,
				 .cpus = &s->list,
				 .output = s->output && !strcmp(s->output, "-")
						   ? WORKLOAD_OUTPUT_TO_STDERR
						   : WORKLOAD_OUTPUT_OURS };
	struct err err = { 0 };

	return stats_count(&run, counted, &err) ? error_err(&err) : 0;
}

static void tell_left_out(const struct schedstat_gone *gone, u64 damaged)
{
	struct strbuf text = STRBUF_INIT;

	stats_left_out(gone, damaged, &text);
	fputs(strbuf_str(&text), stderr);
	strbuf_release(&text);
}

/* @b: NULL: there is only one run */
static void show(const struct stats_command *s, const struct schedstat *a,
		 const struct schedstat *b)
{
	const struct stats_look look = { s->json, s->c->verbose };
	struct strbuf text = STRBUF_INIT;

	setup_pager();
	schedstat_text(a, b, &look, &text);
	print_text(&text);
}

/*
 * Count a run, show it and keep it in a file, or only one of these.
 * @argc, @argv: the command line from "stats" on
 */
static int run(struct stats_command *s, bool shown, int argc, const char **argv,
	       const char **command)
{
	const struct sysroot here = { 0 };
	struct stats_counted counted = { 0 };
	struct schedstat grown = { 0 };
	struct schedstat_gone gone;
	struct err err = { 0 };
	int ret = 0;

	if (s->output && file_writer_probe(s->output, &err)) {
		error_err(&err);
		return EXIT_FAILED;
	}
	if (count(s, command, &counted))
		return EXIT_FAILED;
	if (s->output)
		ret = stats_write(s->output, &here, &counted, argc, argv, &err);
	if (!ret && s->output)
		fprintf(stderr, "[ perf sched stats: Wrote samples to %s ]\n", s->output);
	if (!ret && shown) {
		ret = schedstat_change(&counted.before, &counted.after, &grown, &gone, &err);
		tell_left_out(&gone, 0);
	}
	if (ret)
		error_err(&err);
	else if (shown)
		show(s, &grown, NULL);
	schedstat_release(&grown);
	stats_counted_release(&counted);
	return ret ? EXIT_FAILED : end_run(&counted, command[0]);
}

/* ---- reading ---- */

struct reading {
	const struct stats_command *s;
	struct stats_read got;
};

static int read_work(void *ctx, struct analysis *a, struct err *err)
{
	struct reading *r = ctx;
	int ret = stats_read(analysis_recording(a), &r->s->list, &r->got, err);

	tell_left_out(&r->got.gone, r->got.damaged);
	return ret;
}

static int report(struct stats_command *s)
{
	struct reading r = { .s = s };
	int status = sched_read(s->c, read_work, &r);

	if (r.got.grown.nr_cpus)
		show(s, &r.got.grown, NULL);
	schedstat_release(&r.got.grown);
	return status;
}

static int diff(struct stats_command *s, const char *old, const char *new)
{
	struct reading a = { .s = s }, b = { .s = s };
	int status[2];

	s->c->source.input = old;
	status[0] = sched_read(s->c, read_work, &a);
	s->c->source.input = new;
	status[1] = a.got.grown.nr_cpus ? sched_read(s->c, read_work, &b) : EXIT_OK;
	if (b.got.grown.nr_cpus)
		show(s, &a.got.grown, &b.got.grown);
	schedstat_release(&a.got.grown);
	schedstat_release(&b.got.grown);
	return status[0] ? status[0] : status[1];
}

/* ---- the command line ---- */

enum verb { LIVE, RECORD, REPORT, DIFF };

static const char *const verbs[] = { "record", "report", "diff", NULL };
static const char *const no_verbs[] = { NULL };

static enum verb verb_of(int argc, const char **argv)
{
	for (u32 i = 0; argc > 1 && verbs[i]; i++)
		if (!strcmp(argv[1], verbs[i]))
			return RECORD + i;
	return LIVE;
}

int sched_stats(int argc, const char **argv, struct sched_common *c, const struct option *parent)
{
	struct stats_command s = { .c = c };
	const struct option both[] = { STATS_CPU(&s), STATS_OUTPUT(&s), STATS_JSON(&s),
				       OPT_PARENT(parent) };
	const struct option written[] = { STATS_CPU(&s), STATS_OUTPUT(&s), OPT_PARENT(parent) };
	const struct option shown[] = { STATS_CPU(&s), STATS_JSON(&s), OPT_PARENT(parent) };
	enum verb verb = verb_of(argc, argv);
	const struct option *options = verb == LIVE ? both : verb == RECORD ? written : shown;
	const char **all = xcalloc((size_t)argc + 1, sizeof(*all));
	int nr = argc, status;

	memcpy(all, argv, (size_t)argc * sizeof(*all));
	argc = parse_options_subcommand(argc - (verb != LIVE), argv + (verb != LIVE), options,
					verb == LIVE ? verbs : no_verbs, usage,
					PARSE_OPT_STOP_AT_NON_OPTION);
	argv += verb != LIVE;
	if (s.cpus && cpu_list_parse(&s.list, s.cpus))
		usage_with_options_msg(usage, options, "-C: %s is no list of CPUs", s.cpus);
	if (verb == LIVE && s.output && !strcmp(s.output, "-"))
		usage_with_options_msg(usage, options, "-o -: standard output has the report");
	if ((verb == REPORT && argc) || (verb == DIFF && argc && argc != 2))
		usage_with_options(usage, options);
	if (verb == RECORD && !s.output)
		s.output = "perf.data";
	if (verb == LIVE || verb == RECORD)
		status = run(&s, verb == LIVE, nr, all, argv);
	else if (verb == REPORT)
		status = report(&s);
	else
		status = diff(&s, argc ? argv[0] : "perf.data.old", argc ? argv[1] : "perf.data");
	int_list_release(&s.list);
	free(all);
	return status;
}
