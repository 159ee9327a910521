// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report: the command line. Input: argv; output: a struct report for cmd/report/run.c. */
#include "base/compat.h"

#include "cmd/report/report.h"
#include "builtin.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/usage.h"
#include "cmd/common/refusal.h"
#include "cmd/common/settings.h"

#include "base/alloc.h"
#include "browse/files.h"
#include "cli/values.h"
#include "columns/columns.h"
#include "profile/graph-option.h"
#include "base/pool.h"

#include <regex.h>
#include <unistd.h>

static const char *const report_usage[] = { "perf report [<options>]", NULL };

static int parse_quantum(const struct option *opt, const char *arg, int unset)
{
	struct report *rep = opt->value;
	struct err err = { 0 };

	rep->asked.time_quantum = 0;
	return !unset && quantum_parse(&rep->asked.time_quantum, arg, &err) ? error_err(&err) : 0;
}

static int parse_parent(const struct option *opt, const char *arg, int unset)
{
	struct report *rep = opt->value;
	char why[256];
	regex_t regex;
	int ret;

	rep->asked.parent = NULL;
	if (unset)
		return 0;
	ret = regcomp(&regex, arg, REG_EXTENDED | REG_NOSUB);
	if (ret) {
		regerror(ret, &regex, why, sizeof(why));
		fprintf(stderr, "Invalid regex: %s\n%s\n", arg, why);
		return -1;
	}
	regfree(&regex);
	rep->asked.parent = arg;
	return 0;
}

static int parse_color(const struct option *opt, const char *arg, int unset)
{
	struct report *rep = opt->value;

	if (unset)
		rep->color = COLOR_NEVER;
	else if (color_parse_when(arg, &rep->color))
		fprintf(stderr, "bad config value for 'color.ui', ignoring...\n");
	return 0;
}

/* A variable that is written like a part of -g. */
static void graph_default(struct report *rep, const char *key, int numbers)
{
	const char *v = NULL;

	config_default_str(key, &v);
	if (v && profile_graph_word(&rep->asked, v, &numbers))
		fprintf(stderr, "bad config value for '%s', ignoring...\n", key);
}

/* Take report.quality: false, true (to a terminal) or always. */
static void quality_default(struct report *rep)
{
	const char *v = NULL;

	config_default_str("report.quality", &v);
	rep->always_quality = v && !strcmp(v, "always");
	if (!rep->always_quality)
		config_default_bool("report.quality", &rep->asked.quality);
}

/* The configuration's defaults, before the options are read. */
static void report_defaults(struct report *rep)
{
	const char *limit = NULL, *percentage = NULL;

	rep->color = config_color();
	config_palette(&rep->palette);
	config_default_bool("report.children", &rep->asked.children);
	quality_default(rep);
	config_default_str("report.sort_order", &rep->asked.sort);
	config_default_str("report.percent-limit", &limit);
	config_default_str("hist.percentage", &percentage);
	graph_default(rep, "call-graph.print-type", 2);
	graph_default(rep, "call-graph.order", 2);
	graph_default(rep, "call-graph.threshold", 0);
	graph_default(rep, "call-graph.print-limit", 1);
	if (limit)
		rep->rows.percent_limit = rep->asked.chain.min_percent = strtod(limit, NULL);
	if (percentage)
		rep->rows.relative = !strcmp(percentage, "relative");
}

/* Tell the first thing that makes no sense in these options. Options that have no effect are told
 * between those that exclude each other and files that are not there. */
static bool refused(const struct report *rep, const struct option *options, int *status)
{
	const struct refusal excluded[] = {
		{ rep->look.prefix_strip && !rep->look.prefix, "--prefix-strip requires --prefix" },
	};
	const struct refusal files[] = {
		REFUSE_UNREADABLE_SYMBOLS(&rep->source, EXIT_REFUSED),
	};

	if (refusal_tell(excluded, ARRAY_SIZE(excluded), report_usage, options, status))
		return true;
	if (!rep->quiet && !report_on_screen(rep))
		look_options_tell(&rep->look);
	return refusal_tell(files, ARRAY_SIZE(files), report_usage, options, status);
}

/* Derive the settings that depend on more than one option. */
static void settle(struct report *rep)
{
	if (rep->inverted) {
		rep->asked.chain.caller = true;
		rep->asked.order_set = true;
	}
	/* The profile looks at these itself: threads that are left out still count in its total. */
	rep->asked.pids = rep->source.pids;
	rep->asked.tids = rep->source.tids;
	rep->asked.cpus = rep->source.cpus;
	rep->source.pids = rep->source.tids = rep->source.cpus = NULL;
	rep->source.no_demangle = !rep->demangle;
	/* With fixed widths, addresses without a symbol do not widen the column of objects. */
	rep->asked.fixed_widths |= rep->sep || rep->asked.dsos;
	rep->asked.quality &= !rep->quiet;
	rep->tell_quality = rep->asked.quality &&
			    (rep->always_quality || rep->verbose || isatty(STDERR_FILENO));
	/* Exports carry what the profile lacks with them. */
	rep->asked.quality &= rep->tell_quality || exports_any(&rep->exports);
	rep->asked.origins = rep->verbose && !rep->quiet;
	rep->source.verbose = rep->verbose;
	rep->source.parameters = rep->asked.origins && !exports_any(&rep->exports);
	source_defaults(&rep->source);
	rep->asked.no_stacks = !rep->asked.max_stack;
	if (rep->rows.branch_history)
		profile_branch_history(&rep->asked);
	rep->asked.cycles = rep->total_cycles;
	if (exports_any(&rep->exports))
		rep->asked.stacks = exports_dims(&rep->exports);
}

static struct report rep = {
	.demangle = true,
	.skip_empty = true,
	.rows = { .asked = &rep.asked },
	.asked = {
		.children = true,
		.quality = true,
		.inlines = true,
		.max_stack = 127,
		.group = true,
		.socket = -1,
		.chain = { .mode = CHAIN_GRAPH, .min_percent = 0.5 },
	},
};

static struct option options[] = {
	INPUT_OPTIONS(&rep.source),
	OPT_GONE(0, "gtk", "--gtk is gone: --html=FILE writes the profile as a page for a browser"),
	SYMBOL_OPTIONS(&rep.source),
	SAMPLE_FILTER_OPTIONS(&rep.source),
	FRAME_OPTIONS(&rep.source, &rep.asked, &rep.asked.whole_paths),
	TRACE_OPTIONS(&rep.stitch, &rep.source.itrace),
	HEADER_OPTIONS(&rep.header, &rep.header_only),
	OPT_INCR('v', "verbose", &rep.verbose,
		 "be more verbose (paths, addresses, origins of symbols, why they are missing)"),
	OPT_BOOLEAN('q', "quiet", &rep.quiet, "Do not show any warnings or messages"),
	OPT_BOOLEAN('n', "show-nr-samples", &rep.asked.nr_samples,
		    "Show a column with the number of samples"),
	OPT_BOOLEAN('I', "show-info", &rep.show_info,
		    "Display extended information about perf.data file"),
	OPT_BOOLEAN(0, "skip-empty", &rep.skip_empty,
		    "Do not display empty (or dummy) events in the output"),
	OPT_BOOLEAN('D', "dump-raw-trace", &rep.raw_dump, "dump raw trace in ASCII"),
	OPT_BOOLEAN(0, "stats", &rep.facts.stats, "Display event stats"),
	OPT_BOOLEAN(0, "tasks", &rep.facts.tasks, "Display recorded tasks"),
	OPT_BOOLEAN(0, "mmaps", &rep.facts.mmaps, "Display recorded tasks memory maps"),
	OPT_BOOLEAN(0, "stdio", &rep.stdio, "Use the stdio interface"),
	OPT_BOOLEAN(0, "tui", &rep.tui, "Show a screen to look around in, with keys and the mouse"),
	ROW_OPTIONS(&rep.rows, &rep.asked),
	OPT_STRING('s', "sort", &rep.asked.sort, "key[,key2...]", "sort by key(s):"),
	OPT_STRING('F', "fields", &rep.asked.fields, "key[,keys...]", "output field(s):"),
	OPT_CALLBACK_DEFAULT(
		'g', "call-graph", &rep,
		"print_type,threshold[,print_limit],order,sort_key[,branch],value",
		"Display call graph (stack chain): graph|flat|fractal|folded|none, least percent, "
		"most entries, caller|callee, function|address|srcline, branch, percent|period|count",
		report_opt_graph, "graph,0.5,caller,function,percent"),
	OPT_BOOLEAN_SET(0, "children", &rep.asked.children, &rep.children_set,
			"Accumulate callchains of children and show total overhead as well"),
	OPT_BOOLEAN_SET('b', "branch-stack", &rep.asked.branches, &rep.asked.branches_set,
			"use branch records for per branch histogram filling"),
	OPT_CALLBACK('p', "parent", &rep, "regex",
		     "regex filter to identify parent, see: '--sort parent'", parse_parent),
	OPT_BOOLEAN('x', "exclude-other", &rep.asked.exclude_other,
		    "Only display entries with parent-match"),
	OPT_BOOLEAN(0, "mem-mode", &rep.asked.mem, "mem access profile"),
	OPT_BOOLEAN('G', "inverted", &rep.inverted, "alias for inverted call graph"),
	OPT_STRING('d', "dsos", &rep.asked.dsos, "dso[,dso...]",
		   "only consider symbols in these dsos"),
	OPT_STRING(0, "symbol-filter", &rep.asked.symbol_filter, "filter",
		   "only show symbols that (partially) match with this filter"),
	OPT_BOOLEAN('U', "hide-unresolved", &rep.asked.hide_unresolved,
		    "Only display entries resolved to a symbol"),
	OPT_STRING('c', "comms", &rep.asked.comms, "comm[,comm...]",
		   "only consider symbols in these comms"),
	OPT_STRING('S', "symbols", &rep.asked.symbols, "symbol[,symbol...]",
		   "only consider these symbols"),
	OPT_STRING(
		't', "field-separator", &rep.sep, "separator",
		"separator for columns, no spaces will be added between columns '.' is reserved."),
	OPT_CALLBACK(0, "time-quantum", &rep, "time (ms|us|ns|s)",
		     "Set time quantum for time sort key (default 100ms)", parse_quantum),
	OPT_BOOLEAN(0, "ns", &rep.asked.nanosecs, "Show times in nanosecs"),
	OPT_INTEGER(0, "socket-filter", &rep.asked.socket,
		    "only show processor socket that match with this filter"),
	OPT_BOOLEAN(0, "show-cpu-utilization", &rep.asked.modes,
		    "Show sample percentage for different cpu modes"),
	OPT_BOOLEAN(0, "showcpuutilization", &rep.asked.modes,
		    "The name of --show-cpu-utilization in earlier versions"),
	OPT_BOOLEAN(
		0, "latency", &rep.asked.latency,
		"Show latency-centric profile rather than the default CPU-consumption-centric profile "
		"(requires perf record --latency flag)."),
	OPT_STRING(0, "parallelism", &rep.asked.levels, "parallelism[,parallelism...]",
		   "only consider these parallelism levels (cpu set format)"),
	OPT_BOOLEAN(0, "show-ref-call-graph", &rep.asked.reference_graphs,
		    "Show callgraph from reference event"),
	OPT_BOOLEAN('T', "threads", &rep.asked.read_threads, "Show per-thread event counters"),
	OPT_STRING(0, "pretty", &rep.pretty, "key", "pretty printing style key: normal raw"),
	OPT_BOOLEAN(0, "total-cycles", &rep.total_cycles, "Sort all blocks by 'Sampled Cycles%'"),
	OPT_BOOLEAN_SET(0, "group", &rep.asked.group, &rep.asked.group_set,
			"Show event group information together"),
	OPT_BOOLEAN(0, "demangle", &rep.demangle, "Disable symbol demangling"),
	OPT_CALLBACK_DEFAULT(0, "stdio-color", &rep, "mode",
			     "'always' (default), 'never' or 'auto' only applicable to --stdio mode",
			     parse_color, "always"),
	OPT_BOOLEAN('m', "modules", &rep.modules,
		    "load module symbols - WARNING: use only with -k and LIVE kernel"),
	OPT_BOOLEAN(0, "ignore-vmlinux", &rep.source.ignore_vmlinux,
		    "don't load vmlinux even if found"),
	OPT_BOOLEAN(0, "disable-order", &rep.no_order, "Disable raw trace ordering"),
	OPT_STRING(0, "pair", &rep.heatmap.pair, "start,end",
		   "Show the latencies between two events"),
	OPT_STRING(0, "key", &rep.heatmap.key, "field[,field...]",
		   "Fields that tell which events are a pair (default: tid)"),
	OPT_STRING_NOEMPTY(0, "heatmap", &rep.heatmap.file, "file",
			   "Draw latencies, or samples, over time to file (SVG or HTML)"),
	OPT_CALLBACK('M', "disassembler-style", &rep.look, "disassembler style",
		     "Specify disassembler style (e.g. -M intel for intel syntax)", look_option),
	OPT_CALLBACK(0, "objdump", &rep.look, "path",
		     "objdump binary to use for disassembly and annotations", look_option),
	OPT_CALLBACK(0, "prefix", &rep.look, "prefix",
		     "Add prefix to source file path names in programs (with --prefix-strip)",
		     look_option),
	OPT_CALLBACK(0, "prefix-strip", &rep.look, "N",
		     "Strip first N entries of source file path name in programs (with --prefix)",
		     look_option),
	OPT_CALLBACK_NOOPT(0, "source", &rep.look, NULL,
			   "Interleave source code with assembly code (default)", look_option),
	OPT_CALLBACK_NOOPT(0, "asm-raw", &rep.look, NULL,
			   "Display raw encoding of assembly instructions (default)", look_option),
	OPT_CALLBACK(0, "percent-type", &rep.look, "local-period",
		     "Set percent type local/global-period/hits", look_option),
	OPT_CALLBACK(0, "samples", &rep.look, "n",
		     "Number of samples to save per histogram entry for individual browsing",
		     look_option),
	OPT_END(), /* and those of exports */
};

/* The keys are told by the table of columns. */
static void name_keys(void)
{
	static struct strbuf help[2];
	int nr = 0;

	for (struct option *o = options; o->type != OPTION_END && nr < 2; o++) {
		struct strbuf names = STRBUF_INIT;

		if (o->short_name != 's' && o->short_name != 'F')
			continue;
		columns_names(&names);
		strbuf_addf(&help[nr], "%s %s trace_fields event.field", o->help,
			    strbuf_str(&names));
		o->help = strbuf_str(&help[nr++]);
		strbuf_release(&names);
	}
}

/* Take two recordings for exports: the one from before, and the one that is shown. Return: whether
 * there were two. */
static bool take_two(int argc, const char **argv)
{
	if (argc != 2 || !rep.exports.nr || rep.exports.compare || rep.source.input)
		return false;
	rep.exports.compare = argv[0];
	rep.source.input = argv[1];
	return true;
}

int cmd_report(int argc, const char **argv)
{
	int status;

	rep.asked.workers = pool_workers();
	rep.command = browse_command(argc, argv);
	name_keys();
	report_defaults(&rep);
	options[ARRAY_SIZE(options) - 1].parent = exports_options(&rep.exports, "");
	argc = parse_options(argc, argv, options, report_usage, 0);
	rep.options = options;
	rep.usage = report_usage;
	if (take_two(argc, argv))
		argc = 0;
	if (argc > 1)
		usage_with_options(report_usage, options);
	if (argc)
		rep.asked.symbol_filter = argv[0];
	if (refused(&rep, options, &status))
		return status;
	settle(&rep);
	return report_run(&rep);
}
