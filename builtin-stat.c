// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat: the command line. Input: argv; output: a struct stat_cmd, for what cmd/stat does. */
#include "base/compat.h"
#include "cmd/common/message.h"
#include "cmd/common/events.h"
#include "cmd/common/refusal.h"
#include "cmd/stat/stat.h"
#include "builtin.h"
#include "cmd/common/usage.h"
#include "cmd/common/settings.h"
#include "cmd/common/signals.h"

#include "base/alloc.h"

#include <errno.h>
#include <locale.h>
#include <unistd.h>

static const char *const stat_usage[] = {
	"perf stat [<options>] [<command>]",
	"perf stat --compare <command> <command>... [<options>]",
	NULL,
};

#define COMPARE_RUNS 10
#define LIVE_INTERVAL 1000 /* ms */

static struct stat_cmd st = {
	.o = { .sysroot = &st.sysroot,
	       .scale = true,
	       .repeat = 1,
	       .compare.warmup = 1,
	       .control = &st.control },
	.out = { .big_num = true },
	.cgroups = { .evlist = &st.evlist, .sysroot = &st.sysroot, .later = true },
	.filter = { .evlist = &st.evlist, .sysroot = &st.sysroot },
};
static bool st_repeat_given, st_big_num_given, st_affinity;

static struct event_sources st_sources;
static struct event_arg st_events = { &st.evlist, &st_sources };

/* Options that choose how CPUs are told apart. @mode: the enum aggr_mode; @cmd: the struct
 * stat_cmd */
#define AGGR_OPTIONS(mode, cmd)                                                                    \
	OPT_SET_UINT(0, "per-socket", mode, "aggregate counts per processor socket", AGGR_SOCKET), \
		OPT_SET_UINT(0, "per-die", mode, "aggregate counts per processor die", AGGR_DIE),  \
		OPT_SET_UINT(0, "per-cluster", mode, "aggregate counts per processor cluster",     \
			     AGGR_CLUSTER),                                                        \
		OPT_CALLBACK_OPTARG(0, "per-cache", cmd, NULL, "level",                            \
				    "aggregate counts per cache of this level (L1 to L9; "         \
				    "default: the last)",                                          \
				    opt_per_cache),                                                \
		OPT_SET_UINT(0, "per-core", mode, "aggregate counts per physical processor core",  \
			     AGGR_CORE)

static const struct option options[] = {
	OPTIONS_EVENTS(&st_events, &st_sources),
	OPT_CALLBACK_FLAG(0, "filter", &st.filter, "filter", "event filter", opt_filter,
			  PARSE_OPT_NONEG),
	OPT_BOOLEAN('i', "no-inherit", &st.o.count.no_inherit,
		    "child tasks do not inherit counters"),
	OPT_CALLBACK_FLAG(
		0, "cputype", &st, "hybrid cpu type",
		"Only enable events on applying cpu with this type for hybrid platform (e.g. core or atom)",
		opt_cputype, PARSE_OPT_NONEG),
	OPT_STRING(0, "pmu-filter", &st.ev.pmu, "pmu",
		   "of PMUs that are alike, count the events of this one (e.g. uncore_imc_0)"),
	OPT_CALLBACK_FLAG('M', "metrics", &st, "metric/metric group list",
			  "monitor specified metrics or metric groups (separated by ,)",
			  opt_metrics, PARSE_OPT_NONEG),
	OPT_BOOLEAN(0, "metric-only", &st.view.metric_only,
		    "Only print computed metrics. No raw values"),
	OPT_BOOLEAN(0, "metric-no-group", &st.ev.metric.no_group,
		    "don't group metric events, impacts multiplexing"),
	OPT_BOOLEAN(0, "metric-no-merge", &st.ev.metric.no_merge,
		    "don't try to share events between metrics in a group"),
	OPT_BOOLEAN(0, "metric-no-threshold", &st.ev.metric.no_threshold,
		    "disable metric thresholds"),
	OPT_BOOLEAN(0, "topdown", &st.ev.topdown, "measure top-down statistics"),
	OPT_UINTEGER(0, "td-level", &st.ev.td_level,
		     "Set the metrics level for the top-down statistics (0: max level)"),
	OPT_BOOLEAN(0, "smi-cost", &st.ev.smi_cost, "measure SMI cost"),
	OPT_CALLBACK_OPTARG(0, "iostat", &st, NULL, "default",
			    "measure I/O performance metrics provided by arch/platform",
			    opt_iostat),
	OPT_BOOLEAN(0, "affinity", &st_affinity,
		    "Move to each CPU to read its counters; perf reads them from where it runs"),
	OPT_BOOLEAN(0, "record-tpebs", &st.o.record_latency,
		    "sample the retire latency of events with the modifier R"),
	OPT_CALLBACK_FLAG(0, "tpebs-mode", &st, "mean|min|max|last",
			  "with --record-tpebs: the latency of all samples that is shown",
			  opt_tpebs_mode, PARSE_OPT_NONEG),
	OPT_BOOLEAN(0, "no-merge", &st.ev.apart, "Do not merge identical named events"),
	OPT_BOOLEAN(0, "hybrid-merge", &st.ev.merge_all, "Merge identical named hybrid events"),
	OPT_BOOLEAN(
		0, "percore-show-thread", &st.view.show_threads,
		"Use with 'percore' event qualifier to show the event counts of one hardware thread by sum up total hardware threads of same physical core"),
	OPT_BOOLEAN(0, "hide-zero-events", &st.view.hide_zero,
		    "leave out events that counted nothing"),
	OPT_BOOLEAN('T', "transaction", &st.ev.transaction, "hardware transaction statistics"),
	OPT_STRING('p', "pid", &st.o.target.pids, "pid", "stat events on existing process id"),
	OPT_STRING('t', "tid", &st.o.target.tids, "tid", "stat events on existing thread id"),
	OPT_STRING('b', "bpf-prog", &st.o.bpf.progs, "bpf-prog-id",
		   "stat events on existing bpf program id"),
	OPT_BOOLEAN(0, "bpf-counters", &st.o.bpf.counters, "use bpf program to count events"),
	OPT_STRING(0, "bpf-attr-map", &st.o.bpf.attr_map, "attr-map-path",
		   "path to the map of events that are shared with others"),
	OPT_BOOLEAN('a', "all-cpus", &st.o.target.all_cpus, "system-wide collection from all CPUs"),
	OPT_CALLBACK_FLAG('G', "cgroup", &st.cgroups, "name", "monitor event in cgroup name only",
			  opt_cgroup, PARSE_OPT_NONEG),
	OPT_CALLBACK_FLAG(0, "for-each-cgroup", &st.cgroups, "name",
			  "expand events for each cgroup", opt_each_cgroup, PARSE_OPT_NONEG),
	OPT_BOOLEAN('g', "group", &st.o.count.group, "put the counters into a counter group"),
	OPT_INCR('v', "verbose", &st.o.verbose, "be more verbose (show counter open errors, etc)"),
	OPT_INTEGER_SET('r', "repeat", &st.o.repeat, &st_repeat_given,
			"repeat command and print average + stddev (max: 100, forever: 0)"),
	OPT_CALLBACK_FLAG(0, "compare", &st.o.compare, "command",
			  "compare this command with the others that are given", opt_compare,
			  PARSE_OPT_NONEG),
	OPT_BOOLEAN(0, "show-output", &st.o.compare.show_output, "with --compare: show output"),
	OPT_UINTEGER(0, "warmup", &st.o.compare.warmup,
		     "with --compare: runs of each command that do not count (default: 1)"),
	OPT_CALLBACK_FLAG(0, "fail-if", &st.limits, "[event:][<>]percent",
			  "with --compare: exit with 1 on a change by more, and by more than chance",
			  opt_compare_fail_if, PARSE_OPT_NONEG),
	OPT_BOOLEAN(0, "live", &st.live.asked,
		    "draw the counts and how they change every -I ms (1000), instead of rows"),
	OPT_STRING(0, "prometheus", &st.prometheus, "file|:port",
		   "keep counts for Prometheus in a file, or serve them on a port of this machine"),
	OPT_BOOLEAN(0, "table", &st.out.table,
		    "display details about each run (only with -r option)"),
	OPT_BOOLEAN('n', "null", &st.null, "null run - dont start any counters"),
	OPT_INCR('d', "detailed", &st.ev.detailed, "detailed run - start a lot of events"),
	OPT_BOOLEAN_SET('B', "big-num", &st.out.big_num, &st_big_num_given,
			"print large numbers with thousands' separators"),
	OPT_STRING('C', "cpu", &st.o.target.cpus, "cpu", "list of cpus to monitor in system-wide"),
	OPT_SET_UINT('A', "no-aggr", &st.o.mode, "disable CPU count aggregation", AGGR_NONE),
	OPT_STRING('x', "field-separator", &st.out.sep, "separator",
		   "print counts with custom separator"),
	OPT_BOOLEAN('j', "json-output", &st.out.json, "print counts in JSON format"),
	OPT_STRING('o', "output", &st.out.path, "file", "output file name"),
	OPT_BOOLEAN(0, "append", &st.out.append, "append to the output file"),
	OPT_INTEGER(0, "log-fd", &st.out.log_fd, "log output to fd, instead of stderr"),
	OPT_UINTEGER(
		'I', "interval-print", &st.o.interval,
		"print counts at regular interval in ms (overhead is possible for values <= 100ms)"),
	OPT_UINTEGER(0, "interval-count", &st.o.interval_count,
		     "print counts for fixed number of times"),
	OPT_UINTEGER(0, "timeout", &st.o.timeout,
		     "stop workload and print counts after a timeout period in ms (>= 10ms)"),
	AGGR_OPTIONS(&st.o.mode, &st),
	OPT_SET_UINT(0, "per-thread", &st.o.mode, "aggregate counts per thread", AGGR_THREAD),
	OPT_SET_UINT(0, "per-node", &st.o.mode, "aggregate counts per numa node", AGGR_NODE),
	OPT_CALLBACK_FLAG(
		0, "control", &st.control, "fd:ctl-fd[,ack-fd] or fifo:ctl-fifo[,ack-fifo]",
		"Listen on ctl-fd descriptor for command to control measurement ('enable': enable events, 'disable': disable events).\n"
		"\t\t\t  Optionally send control command completion ('ack\\n') to ack-fd descriptor.\n"
		"\t\t\t  Alternatively, ctl-fifo / ack-fifo will be opened and used as ctl-fd / ack-fd.",
		opt_control, PARSE_OPT_NONEG),
	OPT_INTEGER(
		'D', "delay", &st.o.delay,
		"ms to wait before starting measurement after program start (-1: start with events disabled)"),
	OPT_BOOLEAN_FLAG(0, "all-user", &st.o.count.all_user,
			 "Configure all used events to run in user space.", PARSE_OPT_EXCLUSIVE),
	OPT_BOOLEAN_FLAG(0, "all-kernel", &st.o.count.all_kernel,
			 "Configure all used events to run in kernel space.", PARSE_OPT_EXCLUSIVE),
	OPT_BOOLEAN(0, "interval-clear", &st.out.clear, "clear screen in between new interval"),
	OPT_BOOLEAN(0, "summary", &st.out.summary, "print summary for interval mode"),
	OPT_BOOLEAN(0, "no-csv-summary", &st.out.no_csv_summary,
		    "don't print 'summary' for CSV summary output"),
	OPT_BOOLEAN('S', "sync", &st.o.sync, "call sync() before starting a run"),
	OPT_STRING(0, "pre", &st.o.pre, "command", "command to run prior to the measured command"),
	OPT_STRING(0, "post", &st.o.post, "command",
		   "command to run after to the measured command"),
	OPT_BOOLEAN('c', "scale", &st.o.scale,
		    "Use --no-scale to disable counter scaling for multiplexing"),
	OPT_BOOLEAN(0, "quiet", &st.out.quiet, "don't print any output, messages or warnings"),
	OPT_END(),
};

/* Tell the first thing that makes no sense in these options. Return: the exit status, 0: nothing */
static int refuse(const struct stat_cmd *s)
{
	const struct stat_options *o = &s->o;
	const struct stat_output *out = &s->out;
	bool by_cpu = o->mode != AGGR_GLOBAL && o->mode != AGGR_THREAD;
	const struct refusal all[] = {
		{ o->compare.nr == 1,
		  "--compare needs two commands: --compare 'this' 'that'",
		  { "compare" } },
		{ o->compare.nr && (o->interval || out->table || s->prometheus || s->live.asked ||
				    o->mode != AGGR_GLOBAL || target_tasks(&o->target)),
		  "--compare is about whole runs of commands: neither -I nor --live, --prometheus, -p, -t, --table or counts told apart",
		  { "compare" } },
		{ s->live.asked && (out->sep || out->json || s->view.metric_only),
		  "--live is a view of its own: neither -x nor -j nor --metric-only",
		  { "live" } },
		{ !o->compare.nr &&
			  (s->limits.nr || o->compare.warmup != 1 || o->compare.show_output),
		  "--fail-if, --warmup and --show-output are for --compare",
		  { "compare", "fail-if", "warmup", "show-output" } },
		{ out->log_fd < 0, "argument to --log-fd must be a > 0", { "log-fd" } },
		{ out->clear && (out->path || out->log_fd || !isatty(STDERR_FILENO)),
		  "--interval-clear does not work with output",
		  { "output", "log-fd", "interval-clear" },
		  .status = EXIT_FAILED },
		{ out->path && out->log_fd,
		  "cannot use both --output and --log-fd",
		  { "output", "log-fd" } },
		{ out->sep && !out->json && out->big_num && st_big_num_given,
		  "-B option not supported with -x",
		  { "big-num", "field-separator" } },
		{ o->repeat < 0, "Run count must be a positive number", { "repeat" } },
		{ s->view.metric_only && o->mode == AGGR_THREAD,
		  "--metric-only is not supported with --per-thread" },
		{ s->view.metric_only && o->repeat != 1, "--metric-only is not supported with -r" },
		{ out->table && o->repeat == 1,
		  "--table is only supported with -r",
		  { "repeat", "table" } },
		{ o->interval_count && !o->interval,
		  "interval-count option should be used together with interval-print.",
		  { "interval-count", "interval-print" },
		  .usage_each = true },
		{ o->timeout && o->timeout < 10, "timeout must be >= 10ms.", { "timeout" } },
		{ o->timeout && o->interval,
		  "timeout option is not supported with interval-print.",
		  { "timeout", "interval-print" },
		  .usage_each = true },
		{ o->mode == AGGR_THREAD && !o->target.pids && !o->target.tids &&
			  (o->command || o->target.cpus) && !o->target.all_cpus,
		  "The --per-thread option is only available when monitoring via -p -t -a options or only --per-thread.",
		  { "pid", "tid" },
		  .no_usage = true },
		{ o->bpf.attr_map && !o->bpf.counters,
		  "--bpf-attr-map is for --bpf-counters",
		  { "bpf-attr-map", "bpf-counters" } },
		{ o->latency_mode && !o->record_latency,
		  "--tpebs-mode is for --record-tpebs",
		  { "tpebs-mode", "record-tpebs" } },
		{ o->bpf.progs && o->record_latency,
		  "--record-tpebs samples tasks and CPUs, not BPF programs",
		  { "record-tpebs", "bpf-prog" } },
		{ o->bpf.progs && (o->bpf.counters || target_tasks(&o->target)),
		  "-b is about all that a BPF program does: neither -p nor -t nor --bpf-counters",
		  { "bpf-prog" } },
		{ (by_cpu || s->cgroups.nr || s->cgroups.each) && !target_system(&o->target) &&
			  !o->bpf.progs,
		  "both cgroup and no-aggregation modes only available in system-wide mode",
		  { "cgroup", "no-aggr", "all-cpus", "for-each-cgroup" } },
	};

	return refusal_find(all, ARRAY_SIZE(all), stat_usage, options);
}

static void choose_view(struct stat_cmd *s)
{
	setlocale(LC_NUMERIC, "");
	s->view.thousands = s->out.big_num ? localeconv()->thousands_sep : NULL;
	setlocale(LC_NUMERIC, "C");
	s->view.ops = s->out.json ? &stat_json_ops : s->out.sep ? &stat_csv_ops : &stat_text_ops;
	s->view.sep = s->out.sep && !strcmp(s->out.sep, "\\t") ? "\t" : s->out.sep;
	s->view.all_threads = s->o.target.all_cpus;
	s->view.interval = s->o.interval;
	s->view.several = s->o.repeat > 1;
	s->out.color = config_color();
}

/* The words between options are commands as well. Return: 0 or -1 */
static int take_compared(struct stat_cmd *s, int argc, const char **argv)
{
	struct err err = { 0 };

	while (argc) {
		if (stat_compare_add(&s->o.compare, argv[0], &err))
			return error_err(&err);
		argc = parse_options(argc, argv, options, stat_usage, PARSE_OPT_STOP_AT_NON_OPTION);
	}
	if (!st_repeat_given)
		s->o.repeat = COMPARE_RUNS;
	return 0;
}

static const char *const report_usage[] = { "perf stat report [<options>]", NULL };
static const char *report_input;

static const struct option report_options[] = {
	OPT_STRING('i', "input", &report_input, "file", "input file name"),
	AGGR_OPTIONS(&st.o.mode, &st),
	OPT_SET_UINT(0, "per-node", &st.o.mode, "aggregate counts per numa node", AGGR_NODE),
	OPT_SET_UINT('A', "no-aggr", &st.o.mode, "disable CPU count aggregation", AGGR_NONE),
	OPT_STRING('x', "field-separator", &st.out.sep, "separator",
		   "print counts with custom separator"),
	OPT_BOOLEAN('j', "json-output", &st.out.json, "print counts in JSON format"),
	OPT_END(),
};

static int cmd_stat_report(int argc, const char **argv)
{
	int rc;

	argc = parse_options(argc, argv, report_options, report_usage, 0);
	if (argc)
		report_input = argv[0];
	choose_view(&st);
	if (stat_show_start(&st))
		return 255;
	rc = stat_report(&st, report_input, st.o.mode != AGGR_GLOBAL);
	return stat_show_close(&st) ? 255 : rc;
}

/* "rec" is enough of "record". */
static bool is_subcommand(int argc, const char **argv, const char *name)
{
	return argc && strlen(argv[0]) > 2 && !strncmp(name, argv[0], strlen(argv[0]));
}

/* Options may follow the word. Return: how many words are left, or -1 after a message. */
static int take_record(int argc, const char **argv)
{
	argc = parse_options(argc, argv, options, stat_usage, PARSE_OPT_STOP_AT_NON_OPTION);
	if (st.o.repeat != 1) {
		fprintf(stderr, "Cannot use -r option with perf stat record.\n");
		return -1;
	}
	/* -o is that of the recording here */
	st.o.file.path = st.out.path ? st.out.path : "perf.data";
	st.out.path = NULL;
	return argc;
}

int cmd_stat(int argc, const char **argv)
{
	const char **words = xcalloc((size_t)argc + 1, sizeof(*words));
	int rc, signal;

	/* the parser moves argv about; the file is to hold what was typed */
	memcpy(words, argv, (size_t)argc * sizeof(*words));
	st.o.file.argc = argc;
	st.o.file.argv = words;
	event_arg_start(&st_sources, &st.sysroot);
	argc = parse_options(argc, argv, options, stat_usage, PARSE_OPT_STOP_AT_NON_OPTION);
	if (is_subcommand(argc, argv, "report"))
		return cmd_stat_report(argc, argv);
	if (is_subcommand(argc, argv, "record"))
		argc = take_record(argc, argv);
	if (argc < 0)
		return 255;
	if (st.o.compare.nr && take_compared(&st, argc, argv))
		return 129;
	if (argc && !st.o.compare.nr)
		st.o.command = (char **)(uintptr_t)argv;
	if (st.o.timeout >= 10 && st.o.timeout < 100)
		fputs("timeout < 100ms. The overhead percentage could be high in some cases. Please proceed with caution.\n",
		      stderr);
	target_choose(&st.o.target, argc || st.o.compare.nr || st.o.bpf.progs, &stderr_notices);
	if (st.live.asked && !st.o.interval)
		st.o.interval = LIVE_INTERVAL;
	rc = refuse(&st);
	if (rc)
		return rc;
	choose_view(&st);
	rc = stat_choose_events(&st, &st_sources);
	if (rc)
		return rc;
	rc = filters_settle(&st.filter, st.evlist.nr);
	if (rc)
		return rc;
	if (stat_show_start(&st))
		return st.out.log_fd ? EXIT_REFUSED : 255;
	rc = stat_count(&st, &signal);
	if (signal && rc != EXIT_FAILED)
		end_by_signal(signal);
	return rc;
}
