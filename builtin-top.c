// SPDX-License-Identifier: GPL-2.0-or-later
/* perf top: the command line. Input: argv; output: a struct top for cmd/top/run.c. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/refusal.h"
#include "cmd/common/settings.h"
#include "cmd/common/usage.h"
#include "cmd/top/top.h"

#include "base/alloc.h"
#include "recordopts/settle.h"
#include "profile/graph-option.h"

static const char *const top_usage[] = { "perf top [<options>]", NULL };

static struct top top = {
	.rec = RECORD_FRONT(&top.rec),
	.text = { .set = { .delay = 2, .least_percent = 5 },
		  .events = &top.rec.evlist,
		  .target = &top.rec.o.target },
	.rows = { .asked = &top.asked, .relative = true, .relative_default = true },
	.source_lines = true,
	.asked = {
		.children = true,
		.max_stack = 127,
		.group = true,
		.socket = -1,
		.default_sort = "dso,symbol",
		.workers = 1,
		.chain = { .mode = CHAIN_GRAPH, .min_percent = 0.5 },
	},
};

#define TARGET_OPTIONS(r)                                                                          \
	OPT_BOOLEAN('a', "all-cpus", &(r)->o.target.all_cpus,                                      \
		    "system-wide collection from all CPUs"),                                       \
		OPT_STRING('p', "pid", &(r)->o.target.pids, "pid",                                 \
			   "profile events on existing process id"),                               \
		OPT_STRING('t', "tid", &(r)->o.target.tids, "tid",                                 \
			   "profile events on existing thread id"),                                \
		OPT_STRING('u', "uid", &(r)->o.target.uid, "user", "user to profile"),             \
		OPT_STRING('C', "cpu", &(r)->o.target.cpus, "cpu", "list of cpus to monitor"),     \
		OPT_CALLBACK_FLAG('G', "cgroup", &(r)->cgroups, "name",                            \
				  "monitor event in cgroup name only", opt_cgroup,                 \
				  PARSE_OPT_NONEG),                                                \
		OPT_BOOLEAN('i', "no-inherit", &(r)->o.sample.no_inherit,                          \
			    "child tasks do not inherit counters")

#define SAMPLING_OPTIONS(r)                                                                        \
	OPT_U64_SET('c', "count", &(r)->o.sample.count, &(r)->o.sample.count_set, "n",             \
		    "event period to sample"),                                                     \
		OPT_CALLBACK_FLAG('F', "freq", r, "freq or 'max'", "profile at this frequency",    \
				  record_opt_value, PARSE_OPT_NONEG),                              \
		OPT_CALLBACK('m', "mmap-pages", r, "pages", "number of mmap data pages",           \
			     record_opt_value),                                                    \
		OPT_BOOLEAN(0, "overwrite", &(r)->o.overwrite,                                     \
			    "Use a backward ring buffer, default: no"),                            \
		OPT_INTEGER('r', "realtime", &(r)->o.ring.realtime,                                \
			    "collect data with this RT SCHED_FIFO priority"),                      \
		OPT_BOOLEAN(0, "group", &(r)->o.sample.group,                                      \
			    "put the counters into a counter group"),                              \
		OPT_CALLBACK_NOOPT('b', "branch-any", r, NULL, "sample any taken branches",        \
				   record_opt_value),                                              \
		OPT_CALLBACK('j', "branch-filter", r, "branch filter mask",                        \
			     "branch stack filter modes", record_opt_value)

#define STATE_OPTIONS(r)                                                                           \
	OPT_BOOLEAN(0, "namespaces", &(r)->o.sample.namespaces, "Record namespaces events"),       \
		OPT_BOOLEAN(0, "all-cgroups", &(r)->o.sample.cgroups, "Record cgroup events"),     \
		OPT_BOOLEAN(0, "no-bpf-event", &(r)->o.no_bpf, "do not record bpf events"),        \
		OPT_UINTEGER(0, "proc-map-timeout", &(r)->o.map_timeout,                           \
			     "per thread proc mmap processing timeout in ms"),                     \
		OPT_UINTEGER(0, "num-thread-synthesize", &(r)->o.ring.synth_threads,               \
			     "number of threads to run event synthesize")

static const struct option options[] = {
	OPTIONS_EVENTS(&top.rec.events, &top.rec.sources),
	OPTIONS_FILTER(&top.rec.filter),
	TARGET_OPTIONS(&top.rec),
	SAMPLING_OPTIONS(&top.rec),
	STATE_OPTIONS(&top.rec),
	SYMBOL_OPTIONS(&top.source),
	OPT_BOOLEAN(0, "ignore-vmlinux", &top.source.ignore_vmlinux,
		    "don't load vmlinux even if found"),
	OPT_BOOLEAN(0, "force", &top.source.force, "don't complain, do it"),
	EVENT_SWITCH_OPTIONS(&top.source.on_off),
	UNWIND_OPTION(&top.source),
	OPT_UINTEGER(0, "max-stack", &top.asked.max_stack,
		     "Set the maximum stack depth when parsing the callchain, anything beyond is "
		     "ignored"),
	OPT_CALLBACK_NOOPT('g', NULL, &top, NULL, "enables call-graph recording and display",
			   top_opt_g),
	OPT_CALLBACK(0, "call-graph", &top,
		     "record_mode[,record_size],print_type,threshold[,print_limit],order,"
		     "sort_key[,branch]",
		     "setup and enables call-graph (stack chain/backtrace): fp|dwarf|lbr|auto, size "
		     "of stacks, and as -g of report: graph|flat|fractal|folded|none, least "
		     "percent, most entries, caller|callee, function|address|srcline, branch, "
		     "percent|period|count",
		     top_opt_graph),
	OPT_BOOLEAN(0, "children", &top.asked.children,
		    "Accumulate callchains of children and show total overhead as well"),
	OPT_BOOLEAN(0, "stitch-lbr", &top.stitch, "Enable LBR callgraph stitching approach"),
	ROW_OPTIONS(&top.rows, &top.asked),
	OPT_STRING('s', "sort", &top.asked.sort, "key[,key2...]",
		   "sort by key(s): as -s of perf report (default: dso,symbol)"),
	OPT_STRING(0, "fields", &top.asked.fields, "key[,keys...]",
		   "output field(s): overhead, period, sample plus all of sort keys"),
	OPT_BOOLEAN('n', "show-nr-samples", &top.asked.nr_samples,
		    "Show a column with the number of samples"),
	OPT_STRING(0, "dsos", &top.asked.dsos, "dso[,dso...]",
		   "only consider symbols in these dsos"),
	OPT_STRING(0, "comms", &top.asked.comms, "comm[,comm...]",
		   "only consider symbols in these comms"),
	OPT_STRING(0, "symbols", &top.asked.symbols, "symbol[,symbol...]",
		   "only consider these symbols"),
	OPT_STRING(0, "symbol-filter", &top.asked.symbol_filter, "filter",
		   "only show symbols that match (partially) this filter"),
	OPT_BOOLEAN('D', "dump-symtab", &top.dump_symtab,
		    "dump the symbol table used for profiling"),
	OPT_BOOLEAN('K', "hide_kernel_symbols", &top.text.set.hide_kernel, "hide kernel symbols"),
	OPT_BOOLEAN('U', "hide_user_symbols", &top.text.set.hide_user, "hide user symbols"),
	OPT_STRING_NOEMPTY(0, "record", &top.record, "file",
			   "Write all records to file, too, for perf report"),
	OPT_BOOLEAN('z', "zero", &top.text.set.zero, "zero history across updates"),
	OPT_CALLBACK('d', "delay", &top, "n", "number of seconds to delay between refreshes",
		     top_opt_delay),
	OPT_UINTEGER('E', "entries", &top.text.entries, "display this many functions"),
	OPT_UINTEGER('f', "count-filter", &top.text.set.least,
		     "only display functions with at least so many events"),
	OPT_CALLBACK(0, "sym-annotate", &top, "symbol name", "symbol to annotate", top_opt_symbol),
	OPT_BOOLEAN(0, "source", &top.source_lines,
		    "Interleave source code with assembly code (default)"),
	OPT_BOOLEAN(0, "asm-raw", &top.text.code.raw,
		    "Display raw encoding of assembly instructions"),
	OPT_STRING('M', "disassembler-style", &top.text.code.syntax, "disassembler style",
		   "Specify disassembler style (e.g. -M intel for intel syntax)"),
	OPT_STRING(0, "objdump", &top.text.code.objdump_path, "path",
		   "objdump binary to use for disassembly and annotations"),
	OPT_STRING(0, "prefix", &top.text.code.prefix, "prefix",
		   "Add prefix to source file path names in programs (with --prefix-strip)"),
	OPT_INTEGER(0, "prefix-strip", &top.text.code.prefix_strip,
		    "Strip first N entries of source file path name in programs (with --prefix)"),
	OPT_BOOLEAN(0, "stdio", &top.stdio, "Use the stdio interface"),
	OPT_BOOLEAN(0, "tui", &top.tui, "Use the TUI interface"),
	OPT_INCR('v', "verbose", &top.rec.verbose,
		 "be more verbose (show counter open errors, etc)"),
	OPT_END(),
};

/* The configuration's defaults, before the options are read. */
static void take_defaults(void)
{
	const char *percentage = NULL;

	config_palette(&top.palette);
	config_default_bool("top.children", &top.asked.children);
	config_default_str("hist.percentage", &percentage);
	if (percentage)
		top.rows.relative = !strcmp(percentage, "relative");
}

/* Derive the settings that depend on more than one option. */
static void settle(void)
{
	bool chains = top.rec.o.sample.callgraph != CALLGRAPH_NONE;

	top.asked.children &= chains;
	top.text.groups = top.asked.group;
	top.text.nr_samples = top.asked.nr_samples;
	top.text.total_period = top.asked.total_period;
	top.text.relative = top.rows.relative;
	top.text.percent_limit = top.rows.percent_limit;
	top.text.widths = top.rows.widths_given ? top.rows.widths : NULL;
	top.asked.no_stacks = !top.asked.max_stack;
	top.text.code.objdump = top.text.code.objdump_path != NULL;
	top.text.code.no_source = !top.source_lines;
	top.source.verbose = top.rec.verbose;
	if (top.rows.branch_history)
		profile_branch_history(&top.asked);
	source_defaults(&top.source);
}

/* Tell what makes no sense. Return: the exit status; 0: nothing. */
static int refused(void)
{
	const struct refusal rows[] = {
		{ top.text.code.prefix_strip && !top.text.code.prefix,
		  "--prefix-strip requires --prefix" },
		{ top.text.symbol && !top.stdio && top.tui,
		  "--sym-annotate is for --stdio: on a screen the key 'a' looks into a function" },
		{ !record_any_sampled(&top.rec.evlist),
		  "there is nothing to show: no event that was named has samples" },
		REFUSE_UNREADABLE_SYMBOLS(&top.source, EXIT_REFUSED),
	};

	return refusal_find(rows, ARRAY_SIZE(rows), top_usage, options);
}

int cmd_top(int argc, const char **argv)
{
	const char **words = xcalloc((size_t)argc + 1, sizeof(*words));
	int status;

	/* the parser moves argv about; the file of --record is to hold what was typed */
	memcpy(words, argv, (size_t)argc * sizeof(*words));
	top.rec.o.argc = argc;
	top.rec.o.argv = words;

	top.options = options;
	top.usage = top_usage;
	top.rec.o.output = "perf.data"; /* nothing is written, so stdout is no recording */
	take_defaults();
	status = record_front_read(&top.rec, argc, argv, options, top_usage);
	if (top.rec.o.command)
		usage_with_options(top_usage, options);
	if (!status)
		status = refused();
	if (!status) {
		settle();
		status = top_run(&top);
	}
	record_front_release(&top.rec);
	free(top.text.symbol);
	free(words);
	return status;
}
