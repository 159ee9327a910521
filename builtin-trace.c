// SPDX-License-Identifier: GPL-2.0-or-later
/* perf trace: what programs ask of the kernel. The command line. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/commands.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/record-front.h"
#include "cmd/common/settings.h"
#include "cmd/common/usage.h"
#include "cmd/trace/trace.h"

static const char *const trace_usage[] = {
	"perf trace [<options>] [<command>]",
	"perf trace [<options>] -- <command> [<options>]",
	"perf trace record [<options>] [<command>]",
	"perf trace record [<options>] -- <command> [<options>]",
	NULL,
};

static struct trace_command trace = {
	.rec = RECORD_FRONT(&trace.rec),
	.asked = { .select = &trace.select,
		   .syscalls = true,
		   .look = { .timestamp = true,
			     .duration = true,
			     .comm = true,
			     .view = SYSARGS_VIEW_DEFAULT } },
};

/* perf trace record takes the options of perf record, and copies the memory of calls as well. */
static struct record_front recorded = RECORD_FRONT(&recorded);
static const struct option record_options[] = { RECORD_OPTIONS(&recorded), OPT_END() };

#define TRACE_TARGET_OPTIONS(t, r)                                                                 \
	OPT_BOOLEAN('a', "all-cpus", &(r)->o.target.all_cpus,                                      \
		    "system-wide collection from all CPUs"),                                       \
		OPT_STRING('C', "cpu", &(r)->o.target.cpus, "cpu", "list of cpus to monitor"),     \
		OPT_INTEGER('D', "delay", &(r)->o.delay_ms,                                        \
			    "ms to wait before starting measurement after program start"),         \
		OPT_STRING('G', "cgroup", &(t)->cgroup, "name",                                    \
			   "monitor event in cgroup name only"),                                   \
		OPT_CALLBACK('m', "mmap-pages", r, "pages", "number of mmap data pages",           \
			     record_opt_value),                                                    \
		OPT_STRING('p', "pid", &(r)->o.target.pids, "pid",                                 \
			   "trace events on existing process id"),                                 \
		OPT_STRING('t', "tid", &(r)->o.target.tids, "tid",                                 \
			   "trace events on existing thread id"),                                  \
		OPT_STRING('u', "uid", &(r)->o.target.uid, "user", "user to profile"),             \
		OPT_BOOLEAN(0, "no-inherit", &(r)->o.sample.no_inherit,                            \
			    "child tasks do not inherit counters"),                                \
		OPT_UINTEGER(0, "proc-map-timeout", &(r)->o.map_timeout,                           \
			     "per thread proc mmap processing timeout in ms")

#define TRACE_EVENT_OPTIONS(t)                                                                     \
	OPT_CALLBACK_FLAG('e', "event", t, "event",                                                \
			  "event/syscall selector. use 'perf list' to list available events",      \
			  trace_opt_events, PARSE_OPT_NONEG),                                      \
		OPT_CALLBACK_FLAG(0, "expr", t, "expr", "list of syscalls/events to trace",        \
				  trace_opt_events, PARSE_OPT_NONEG),                              \
		OPT_CALLBACK_FLAG(0, "filter", t, "filter",                                        \
				  "filter on the events or the arguments of the calls before it",  \
				  trace_opt_filter, PARSE_OPT_NONEG),                              \
		OPT_STRING(0, "filter-pids", &(t)->filter_pids, "CSV list of pids",                \
			   "pids to filter (by the kernel)"),                                      \
		OPT_CALLBACK('F', "pf", t, "all|maj|min", "Trace pagefaults", trace_opt_faults),   \
		OPT_BOOLEAN(0, "syscalls", &(t)->asked.syscalls, "Trace syscalls"),                \
		OPT_BOOLEAN(0, "sched", &(t)->asked.sched, "show blocking scheduler events"),      \
		EVENT_SWITCH_OPTIONS(&(t)->source.on_off)

#define TRACE_CHAIN_OPTIONS(t)                                                                     \
	OPT_CALLBACK(0, "call-graph", &(t)->rec, "record_mode[,record_size]",                      \
		     "setup and enables call-graph (stack chain/backtrace): fp|dwarf|lbr, size "   \
		     "of stacks for dwarf",                                                        \
		     record_opt_value),                                                            \
		OPT_BOOLEAN(0, "kernel-syscall-graph", &(t)->asked.kernel_chains,                  \
			    "Show the kernel callchains on the syscall exit path"),                \
		OPT_UINTEGER(0, "max-stack", &(t)->asked.max_stack,                                \
			     "Set the maximum stack depth when parsing the callchain, anything "   \
			     "beyond the specified depth will be ignored"),                        \
		OPT_UINTEGER(0, "min-stack", &(t)->asked.min_stack,                                \
			     "Show only events whose callchain has so many frames")

#define TRACE_LINE_OPTIONS(t)                                                                      \
	OPT_STRING('o', "output", &(t)->output, "file", "output file name"),                       \
		OPT_BOOLEAN('T', "time", &(t)->asked.look.full_time,                               \
			    "Show full timestamp, not time relative to first start"),              \
		OPT_CALLBACK(0, "string-len", t, "n", "Show at most so many bytes of strings",     \
			     trace_opt_string_len),                                                \
		OPT_BOOLEAN(0, "force-btf", &(t)->asked.look.view.force_btf,                       \
			    "Show structs by the types of the kernel"),                            \
		OPT_BOOLEAN(0, "bitmask-list", &(t)->asked.look.view.bitmask_list,                 \
			    "Show sets of CPUs as lists, not as masks"),                           \
		OPT_BOOLEAN(0, "comm", &(t)->asked.look.comm,                                      \
			    "show the thread COMM next to its id"),                                \
		OPT_CALLBACK(0, "duration", t, "float", "show only events with duration > N.M ms", \
			     trace_opt_duration),                                                  \
		OPT_BOOLEAN(0, "failure", &(t)->asked.failed, "Show only syscalls that failed"),   \
		OPT_BOOLEAN(0, "json", &(t)->asked.look.json,                                      \
			    "Show each call, and each row of tables, as an object of JSON"),       \
		OPT_BOOLEAN(0, "show-cpu", &(t)->asked.look.cpu, "Show the CPU in each line"),     \
		OPT_U64(0, "max-events", &(t)->asked.most_events,                                  \
			"Set the maximum number of events to print, exit after that is reached"),  \
		OPT_BOOLEAN(0, "print-sample", &(t)->asked.print_sample,                           \
			    "print the PERF_RECORD_SAMPLE PERF_SAMPLE_ info, for debugging"),      \
		OPT_BOOLEAN(0, "libtraceevent_print", &(t)->asked.print_format,                    \
			    "Show tracepoints by their own formats"),                              \
		OPT_BOOLEAN(0, "sort-events", &(t)->sort_events,                                   \
			    "Sort batch of events before processing, which is always done"),       \
		OPT_BOOLEAN(0, "tool_stats", &(t)->asked.tool_stats, "show tool stats")

#define TRACE_SUMMARY_OPTIONS(t)                                                                   \
	OPT_BOOLEAN('s', NULL, &(t)->asked.summary, "The same as --summary"),                      \
		OPT_CALLBACK_OPTARG(0, "summary", t, NULL, "pN,wall",                              \
				    "Show only syscall summary with statistics, times that N per " \
				    "cent of the calls do not exceed, and the share of the time",  \
				    trace_opt_summary),                                            \
		OPT_BOOLEAN(0, "csv", &(t)->csv, "Print the summary as comma-separated values"),   \
		OPT_UINTEGER('I', "interval-print", &(t)->asked.interval_ms,                       \
			     "Show tables each so many ms, of the time since those before"),       \
		OPT_STRING(0, "hist", &(t)->asked.hist, "syscall",                                 \
			   "Show how long calls of this name took, below the tables"),             \
		HEATMAP_OPTION(&(t)->asked.heatmap, "times of calls"),                             \
		OPT_BOOLEAN('S', "with-summary", &(t)->with_summary,                               \
			    "Show all syscalls and summary with statistics"),                      \
		OPT_CALLBACK(0, "summary-mode", t, "thread|total|cgroup",                          \
			     "What the tables of the summary are about", trace_opt_mode),          \
		OPT_BOOLEAN_SET(0, "bpf-summary", &(t)->count, &(t)->count_given,                  \
				"Count calls in the kernel by BPF programs or fail, negated: do "  \
				"not try"),                                                        \
		OPT_UINTEGER(0, "max-summary", &(t)->asked.most_rows,                              \
			     "Show at most so many rows of each table of the summary"),            \
		OPT_BOOLEAN(0, "errno-summary", &(t)->asked.errnos,                                \
			    "Show errno stats per syscall, use with -s or -S")

static const struct option options[] = {
	TRACE_TARGET_OPTIONS(&trace, &trace.rec),
	INPUT_OPTIONS(&trace.source),
	TRACE_EVENT_OPTIONS(&trace),
	TRACE_CHAIN_OPTIONS(&trace),
	TRACE_LINE_OPTIONS(&trace),
	TRACE_SUMMARY_OPTIONS(&trace),
	OPT_CALLBACK(0, "map-dump", &trace, "BPF map", "Refused: it does not exist any more",
		     trace_opt_map_dump),
	OPT_INCR('v', "verbose", &trace.rec.verbose, "be more verbose"),
	OPT_END(),
};

static int run_record(int argc, const char **argv)
{
	const char **v;
	int nr = trace_record_arguments(&trace, argc, argv, &v);
	int status;

	recorded.o.copies = trace_record_copies(&trace, &recorded.o.nr_copies);
	status = record_front_run(&recorded, nr, v, record_options, trace_usage, NULL, NULL);
	free(v);
	return status;
}

int cmd_trace(int argc, const char **argv)
{
	const struct sysargs_abi here = trace_programs(NULL);
	struct err err = { 0 };
	int status;

	trace.sa = sysargs_new(&here, &err);
	if (!trace.sa) {
		error_err(&err);
		return EXIT_FAILED;
	}
	trace.rec.verbose = debug_level("verbose");
	event_arg_start(&trace.rec.sources, &trace.rec.sysroot);
	trace_read_config(&trace);
	argc = parse_options(argc, argv, options, trace_usage, PARSE_OPT_STOP_AT_NON_OPTION);
	if (argc && !strcmp(argv[0], "record")) {
		status = run_record(argc, argv);
	} else {
		trace.rec.o.command = argc ? (char *const *)argv : NULL;
		status = trace_do(&trace, trace_usage, options);
	}
	event_sources_release(&trace.rec.sources);
	record_front_release(&trace.rec);
	trace_select_release(&trace.select);
	int_list_release(&trace.pids);
	int_list_release(&trace.left_out);
	free(trace.copies);
	sysargs_free(trace.sa);
	return status;
}
