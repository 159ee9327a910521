// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat: the command line. Input: argv; output: a struct stat_cmd for util/statrun/run.c. */
#include "base/compat.h"
#include "cmd/common/message.h"
#include "cmd/common/events.h"
#include "cmd/common/refusal.h"
#include "statrun/statrun.h"
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
	.big_num = true,
	.scale = true,
	.repeat = 1,
	.compare = { .warmup = 1 },
	.side = { .fd = -1, .live = { .keys = -1, .signals = -1 } },
	.cgroups = { .evlist = &st.evlist, .sysroot = &st.sysroot },
	.filter = { .evlist = &st.evlist, .sysroot = &st.sysroot },
};
static bool st_repeat_given, st_big_num_given;
static struct event_sources st_sources;
static struct event_arg st_events = { &st.evlist, &st_sources };

static const struct option options[] = {
	OPTIONS_EVENTS(&st_events, &st_sources),
	OPT_CALLBACK_FLAG(0, "filter", &st.filter, "filter", "event filter", opt_filter,
			  PARSE_OPT_NONEG),
	OPT_BOOLEAN('i', "no-inherit", &st.count.no_inherit, "child tasks do not inherit counters"),
	OPT_CALLBACK_FLAG(
		0, "cputype", &st, "hybrid cpu type",
		"Only enable events on applying cpu with this type for hybrid platform (e.g. core or atom)",
		opt_cputype, PARSE_OPT_NONEG),
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
	OPT_BOOLEAN(0, "no-merge", &st.ev.apart, "Do not merge identical named events"),
	OPT_BOOLEAN(0, "hybrid-merge", &st.ev.merge_all, "Merge identical named hybrid events"),
	OPT_BOOLEAN(
		0, "percore-show-thread", &st.view.show_threads,
		"Use with 'percore' event qualifier to show the event counts of one hardware thread by sum up total hardware threads of same physical core"),
	OPT_BOOLEAN(0, "hide-zero-events", &st.view.hide_zero,
		    "leave out events that counted nothing"),
	OPT_BOOLEAN('T', "transaction", &st.ev.transaction, "hardware transaction statistics"),
	OPT_STRING('p', "pid", &st.target.pids, "pid", "stat events on existing process id"),
	OPT_STRING('t', "tid", &st.target.tids, "tid", "stat events on existing thread id"),
	OPT_STRING('b', "bpf-prog", &st.bpf.progs, "bpf-prog-id",
		   "stat events on existing bpf program id"),
	OPT_BOOLEAN(0, "bpf-counters", &st.bpf.counters, "use bpf program to count events"),
	OPT_STRING(0, "bpf-attr-map", &st.bpf.attr_map, "attr-map-path",
		   "path to the map of events that are shared with others"),
	OPT_BOOLEAN('a', "all-cpus", &st.target.all_cpus, "system-wide collection from all CPUs"),
	OPT_CALLBACK_FLAG('G', "cgroup", &st.cgroups, "name", "monitor event in cgroup name only",
			  opt_cgroup, PARSE_OPT_NONEG),
	OPT_CALLBACK_FLAG(0, "for-each-cgroup", &st, "name", "expand events for each cgroup",
			  opt_stat_each_cgroup, PARSE_OPT_NONEG),
	OPT_BOOLEAN('g', "group", &st.count.group, "put the counters into a counter group"),
	OPT_INCR('v', "verbose", &st.verbose, "be more verbose (show counter open errors, etc)"),
	OPT_INTEGER_SET('r', "repeat", &st.repeat, &st_repeat_given,
			"repeat command and print average + stddev (max: 100, forever: 0)"),
	OPT_CALLBACK_FLAG(0, "compare", &st.compare, "command",
			  "compare this command with the others that are given", opt_compare,
			  PARSE_OPT_NONEG),
	OPT_UINTEGER(0, "warmup", &st.compare.warmup,
		     "with --compare: runs of each command that do not count (default: 1)"),
	OPT_CALLBACK_FLAG(0, "fail-if", &st.compare, "[event:][<>]percent",
			  "with --compare: exit with 1 on a change by more, and by more than chance",
			  opt_compare_fail_if, PARSE_OPT_NONEG),
	OPT_BOOLEAN(0, "live", &st.side.live.asked,
		    "draw the counts and how they change every -I ms (1000), instead of rows"),
	OPT_STRING(0, "prometheus", &st.side.monitor.where, "file|:port",
		   "keep counts for Prometheus in a file, or serve them on a port of this machine"),
	OPT_BOOLEAN(0, "table", &st.table, "display details about each run (only with -r option)"),
	OPT_BOOLEAN('n', "null", &st.null, "null run - dont start any counters"),
	OPT_INCR('d', "detailed", &st.ev.detailed, "detailed run - start a lot of events"),
	OPT_BOOLEAN_SET('B', "big-num", &st.big_num, &st_big_num_given,
			"print large numbers with thousands' separators"),
	OPT_STRING('C', "cpu", &st.target.cpus, "cpu", "list of cpus to monitor in system-wide"),
	OPT_SET_UINT('A', "no-aggr", &st.mode, "disable CPU count aggregation", AGGR_NONE),
	OPT_STRING('x', "field-separator", &st.sep, "separator",
		   "print counts with custom separator"),
	OPT_BOOLEAN('j', "json-output", &st.json, "print counts in JSON format"),
	OPT_STRING('o', "output", &st.output, "file", "output file name"),
	OPT_BOOLEAN(0, "append", &st.append, "append to the output file"),
	OPT_INTEGER(0, "log-fd", &st.log_fd, "log output to fd, instead of stderr"),
	OPT_UINTEGER(
		'I', "interval-print", &st.interval,
		"print counts at regular interval in ms (overhead is possible for values <= 100ms)"),
	OPT_UINTEGER(0, "interval-count", &st.interval_count,
		     "print counts for fixed number of times"),
	OPT_UINTEGER(0, "timeout", &st.timeout,
		     "stop workload and print counts after a timeout period in ms (>= 10ms)"),
	OPT_SET_UINT(0, "per-socket", &st.mode, "aggregate counts per processor socket",
		     AGGR_SOCKET),
	OPT_SET_UINT(0, "per-die", &st.mode, "aggregate counts per processor die", AGGR_DIE),
	OPT_SET_UINT(0, "per-cluster", &st.mode, "aggregate counts per processor cluster",
		     AGGR_CLUSTER),
	OPT_CALLBACK_OPTARG(0, "per-cache", &st, NULL, "level",
			    "aggregate counts per cache of this level (L1 to L9; default: the last)",
			    opt_per_cache),
	OPT_SET_UINT(0, "per-core", &st.mode, "aggregate counts per physical processor core",
		     AGGR_CORE),
	OPT_SET_UINT(0, "per-thread", &st.mode, "aggregate counts per thread", AGGR_THREAD),
	OPT_SET_UINT(0, "per-node", &st.mode, "aggregate counts per numa node", AGGR_NODE),
	OPT_CALLBACK_FLAG(
		0, "control", &st, "fd:ctl-fd[,ack-fd] or fifo:ctl-fifo[,ack-fifo]",
		"Listen on ctl-fd descriptor for command to control measurement ('enable': enable events, 'disable': disable events).\n"
		"\t\t\t  Optionally send control command completion ('ack\\n') to ack-fd descriptor.\n"
		"\t\t\t  Alternatively, ctl-fifo / ack-fifo will be opened and used as ctl-fd / ack-fd.",
		opt_stat_control, PARSE_OPT_NONEG),
	OPT_INTEGER(
		'D', "delay", &st.delay,
		"ms to wait before starting measurement after program start (-1: start with events disabled)"),
	OPT_BOOLEAN_FLAG(0, "all-user", &st.count.all_user,
			 "Configure all used events to run in user space.", PARSE_OPT_EXCLUSIVE),
	OPT_BOOLEAN_FLAG(0, "all-kernel", &st.count.all_kernel,
			 "Configure all used events to run in kernel space.", PARSE_OPT_EXCLUSIVE),
	OPT_BOOLEAN(0, "interval-clear", &st.interval_clear,
		    "clear screen in between new interval"),
	OPT_BOOLEAN(0, "summary", &st.summary, "print summary for interval mode"),
	OPT_BOOLEAN(0, "no-csv-summary", &st.no_csv_summary,
		    "don't print 'summary' for CSV summary output"),
	OPT_BOOLEAN('S', "sync", &st.sync, "call sync() before starting a run"),
	OPT_STRING(0, "pre", &st.pre, "command", "command to run prior to the measured command"),
	OPT_STRING(0, "post", &st.post, "command", "command to run after to the measured command"),
	OPT_BOOLEAN('c', "scale", &st.scale,
		    "Use --no-scale to disable counter scaling for multiplexing"),
	OPT_BOOLEAN(0, "quiet", &st.quiet, "don't print any output, messages or warnings"),
	OPT_END(),
};

/* Tell the first thing that makes no sense in these options. Return: the exit status, 0: nothing */
static int refuse(const struct stat_cmd *s)
{
	bool by_cpu = s->mode != AGGR_GLOBAL && s->mode != AGGR_THREAD;
	const struct refusal all[] = {
		{ s->compare.nr == 1,
		  "--compare needs two commands: --compare 'this' 'that'",
		  { "compare" } },
		{ s->compare.nr &&
			  (s->interval || s->table || s->side.monitor.where || s->side.live.asked ||
			   s->mode != AGGR_GLOBAL || target_tasks(&s->target)),
		  "--compare is about whole runs of commands: neither -I nor --live, --prometheus, -p, -t, --table or counts told apart",
		  { "compare" } },
		{ s->side.live.asked && (s->sep || s->json || s->view.metric_only),
		  "--live is a view of its own: neither -x nor -j nor --metric-only",
		  { "live" } },
		{ !s->compare.nr && (s->compare.nr_limits || s->compare.warmup != 1),
		  "--fail-if and --warmup are for --compare",
		  { "compare", "fail-if", "warmup" } },
		{ s->log_fd < 0, "argument to --log-fd must be a > 0", { "log-fd" } },
		{ s->interval_clear && (s->output || s->log_fd || !isatty(STDERR_FILENO)),
		  "--interval-clear does not work with output",
		  { "output", "log-fd", "interval-clear" },
		  .status = EXIT_FAILED },
		{ s->output && s->log_fd,
		  "cannot use both --output and --log-fd",
		  { "output", "log-fd" } },
		{ s->sep && !s->json && s->big_num && st_big_num_given,
		  "-B option not supported with -x",
		  { "big-num", "field-separator" } },
		{ s->repeat < 0, "Run count must be a positive number", { "repeat" } },
		{ s->view.metric_only && s->mode == AGGR_THREAD,
		  "--metric-only is not supported with --per-thread" },
		{ s->view.metric_only && s->repeat != 1, "--metric-only is not supported with -r" },
		{ s->table && s->repeat == 1,
		  "--table is only supported with -r",
		  { "repeat", "table" } },
		{ s->interval_count && !s->interval,
		  "interval-count option should be used together with interval-print.",
		  { "interval-count", "interval-print" },
		  .usage_each = true },
		{ s->timeout && s->timeout < 10, "timeout must be >= 10ms.", { "timeout" } },
		{ s->timeout && s->interval,
		  "timeout option is not supported with interval-print.",
		  { "timeout", "interval-print" },
		  .usage_each = true },
		{ s->mode == AGGR_THREAD && !s->target.pids && !s->target.tids &&
			  (s->command || s->target.cpus) && !s->target.all_cpus,
		  "The --per-thread option is only available when monitoring via -p -t -a options or only --per-thread.",
		  { "pid", "tid" },
		  .no_usage = true },
		{ s->bpf.attr_map && !s->bpf.counters,
		  "--bpf-attr-map is for --bpf-counters",
		  { "bpf-attr-map", "bpf-counters" } },
		{ s->bpf.progs && (s->bpf.counters || target_tasks(&s->target)),
		  "-b is about all that a BPF program does: neither -p nor -t nor --bpf-counters",
		  { "bpf-prog" } },
		{ (by_cpu || s->cgroups.nr || s->cgroups.each) && !target_system(&s->target) &&
			  !s->bpf.progs,
		  "both cgroup and no-aggregation modes only available in system-wide mode",
		  { "cgroup", "no-aggr", "all-cpus", "for-each-cgroup" } },
	};

	return refusal_find(all, ARRAY_SIZE(all), stat_usage, options);
}

static void choose_view(struct stat_cmd *s)
{
	setlocale(LC_NUMERIC, "");
	s->view.thousands = s->big_num ? localeconv()->thousands_sep : NULL;
	setlocale(LC_NUMERIC, "C");
	s->view.ops = s->json ? &stat_json_ops : s->sep ? &stat_csv_ops : &stat_text_ops;
	s->view.sep = s->sep && !strcmp(s->sep, "\\t") ? "\t" : s->sep;
	s->view.all_threads = s->target.all_cpus;
	s->view.interval = s->interval;
	s->view.several = s->repeat > 1;
	s->color = config_color();
}

/* The words between options are commands as well. Return: 0 or -1 */
static int take_compared(struct stat_cmd *s, int argc, const char **argv)
{
	while (argc) {
		if (compare_add(&s->compare, argv[0]))
			return -1;
		argc = parse_options(argc, argv, options, stat_usage, PARSE_OPT_STOP_AT_NON_OPTION);
	}
	if (!st_repeat_given)
		s->repeat = COMPARE_RUNS;
	return 0;
}

static const char *const report_usage[] = { "perf stat report [<options>]", NULL };
static const char *report_input;
static unsigned int report_mode = AGGR_NR;

static const struct option report_options[] = {
	OPT_STRING('i', "input", &report_input, "file", "input file name"),
	OPT_SET_UINT(0, "per-socket", &report_mode, "aggregate counts per processor socket",
		     AGGR_SOCKET),
	OPT_SET_UINT(0, "per-die", &report_mode, "aggregate counts per processor die", AGGR_DIE),
	OPT_SET_UINT(0, "per-cluster", &report_mode, "aggregate counts per processor cluster",
		     AGGR_CLUSTER),
	OPT_CALLBACK_OPTARG(0, "per-cache", &st, NULL, "level",
			    "aggregate counts per cache of this level (L1 to L9; default: the last)",
			    opt_per_cache),
	OPT_SET_UINT(0, "per-core", &report_mode, "aggregate counts per physical processor core",
		     AGGR_CORE),
	OPT_SET_UINT(0, "per-node", &report_mode, "aggregate counts per numa node", AGGR_NODE),
	OPT_SET_UINT('A', "no-aggr", &report_mode, "disable CPU count aggregation", AGGR_NONE),
	OPT_STRING('x', "field-separator", &st.sep, "separator",
		   "print counts with custom separator"),
	OPT_BOOLEAN('j', "json-output", &st.json, "print counts in JSON format"),
	OPT_END(),
};

static int cmd_stat_report(int argc, const char **argv)
{
	int rc;

	argc = parse_options(argc, argv, report_options, report_usage, 0);
	if (argc)
		report_input = argv[0];
	if (st.mode != AGGR_CACHE && report_mode != AGGR_NR)
		st.mode = (enum aggr_mode)report_mode;
	choose_view(&st);
	if (stat_show_start(&st))
		return 255;
	rc = stat_report(&st, report_input, st.mode != AGGR_GLOBAL);
	return stat_show_close(&st) ? 255 : rc;
}

static void restore(struct stat_cmd *s)
{
	struct err err = { 0 };

	if (stat_events_restore(&s->chosen, &s->sysroot, &err))
		fprintf(stderr, "%s\n", err.msg);
}

/* Return: 0, or an exit status after a message. */
static int choose_events(struct stat_cmd *s)
{
	struct err err = { 0 };
	int rc;

	s->ev.system = target_system(&s->target);
	s->ev.all_cpus = s->target.all_cpus;
	s->ev.metrics = s->metric_names;
	s->ev.core = s->core;
	rc = stat_events_choose(&s->evlist, &s->ev, &st_sources, &s->chosen, &err);
	s->view.metric_only |= s->chosen.metric_only;
	if (!rc)
		return 0;
	restore(s);
	fprintf(stderr, "%s\n", err.msg);
	return rc == -EOPNOTSUPP ? EXIT_REFUSED : EXIT_USAGE;
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
	if (st.repeat != 1) {
		fprintf(stderr, "Cannot use -r option with perf stat record.\n");
		return -1;
	}
	/* -o is that of the recording here */
	st.file.path = st.output ? st.output : "perf.data";
	st.output = NULL;
	return argc;
}

int cmd_stat(int argc, const char **argv)
{
	const char **words = xcalloc((size_t)argc + 1, sizeof(*words));
	int rc;

	/* the parser moves argv about; the file is to hold what was typed */
	memcpy(words, argv, (size_t)argc * sizeof(*words));
	st.file.argc = argc;
	st.file.argv = words;
	event_arg_start(&st_sources, &st.sysroot);
	argc = parse_options(argc, argv, options, stat_usage, PARSE_OPT_STOP_AT_NON_OPTION);
	if (is_subcommand(argc, argv, "report"))
		return cmd_stat_report(argc, argv);
	if (is_subcommand(argc, argv, "record"))
		argc = take_record(argc, argv);
	if (argc < 0)
		return 255;
	if (st.compare.nr && take_compared(&st, argc, argv))
		return 129;
	if (argc && !st.compare.nr)
		st.command = (char **)(uintptr_t)argv;
	if (st.timeout >= 10 && st.timeout < 100)
		fputs("timeout < 100ms. The overhead percentage could be high in some cases. Please proceed with caution.\n",
		      stderr);
	target_choose(&st.target, argc || st.compare.nr || st.bpf.progs, &stderr_notices);
	if (st.side.live.asked && !st.interval)
		st.interval = LIVE_INTERVAL;
	rc = refuse(&st);
	if (rc)
		return rc;
	choose_view(&st);
	rc = st.null ? 0 : choose_events(&st);
	if (rc)
		return rc;
	rc = filters_settle(&st.filter, st.evlist.nr);
	if (rc)
		return rc;
	if (stat_show_start(&st))
		return st.log_fd ? EXIT_REFUSED : 255;
	rc = stat_run(&st);
	restore(&st);
	if (stat_show_close(&st) | side_end(&st) | stat_file_end(&st))
		return 255;
	if (st.signal)
		end_by_signal(st.signal);
	return rc;
}
