/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These are the options of perf record, which commands that record first have as well: groups of
 * rows, in the order in which they are listed, and the callbacks they need. */
#ifndef PERF_CMD_COMMON_RECORD_OPTIONS_H
#define PERF_CMD_COMMON_RECORD_OPTIONS_H

#include "cli/options.h"
#include "cmd/common/events.h"
#include "control/control.h"
#include "recordopts/options.h"

/* Option callbacks. All tell on stderr what is wrong. */

/** record_opt_value - take any option that record_value_set() knows. opt->value: struct
 * record_front */
int record_opt_value(const struct option *opt, const char *arg, int unset);
/** record_opt_g - call chains as the configuration has them. opt->value: struct sample_opts */
int record_opt_g(const struct option *opt, const char *arg, int unset);
/** record_opt_setup_filter - take "pin", "unpin" or "list". opt->value: const char * */
int record_opt_setup_filter(const struct option *opt, const char *arg, int unset);

#define RECORD_OPTIONS_EVENTS(f)                                                                   \
	OPTIONS_EVENTS(&(f)->events, &(f)->sources), OPTIONS_FILTER(&(f)->filter),                 \
		OPT_STRING('p', "pid", &(f)->o.target.pids, "pid",                                 \
			   "record events on existing process id"),                                \
		OPT_STRING('t', "tid", &(f)->o.target.tids, "tid",                                 \
			   "record events on existing thread id"),                                 \
		OPT_STRING('u', "uid", &(f)->o.target.uid, "user", "user to profile"),             \
		OPT_CALLBACK_FLAG('G', "cgroup", &(f)->cgroups, "name",                            \
				  "monitor event in cgroup name only", opt_cgroup,                 \
				  PARSE_OPT_NONEG),                                                \
		OPT_CALLBACK_FLAG(0, "for-each-cgroup", &(f)->cgroups, "name",                     \
				  "expand events for each cgroup", opt_each_cgroup,                \
				  PARSE_OPT_NONEG),                                                \
		OPT_BOOLEAN('R', "raw-samples", &(f)->o.sample.raw,                                \
			    "collect raw sample records from all opened counters"),                \
		OPT_BOOLEAN('a', "all-cpus", &(f)->o.target.all_cpus,                              \
			    "system-wide collection from all CPUs"),                               \
		OPT_STRING('C', "cpu", &(f)->o.target.cpus, "cpu", "list of cpus to monitor"),     \
		OPT_U64_SET('c', "count", &(f)->o.sample.count, &(f)->o.sample.count_set, "n",     \
			    "event period to sample")

#define RECORD_OPTIONS_RINGS(f)                                                                    \
	OPT_STRING('o', "output", &(f)->o.output, "file", "output file name"),                     \
		OPT_BOOLEAN('i', "no-inherit", &(f)->o.sample.no_inherit,                          \
			    "child tasks do not inherit counters"),                                \
		OPT_CALLBACK('m', "mmap-pages", (f), "pages[,pages]",                              \
			     "number of mmap data pages and AUX area tracing mmap pages",          \
			     record_opt_value),                                                    \
		OPT_CALLBACK(0, "mmap-flush", (f), "number",                                       \
			     "Minimal number of bytes that is extracted from mmap data "           \
			     "pages (default: 1)",                                                 \
			     record_opt_value),                                                    \
		OPT_CALLBACK_FLAG(0, "aio", (f), "n",                                              \
				  "Use <n> control blocks in asynchronous trace writing mode "     \
				  "(default: 1, max: 4)",                                          \
				  record_opt_value, PARSE_OPT_OPTARG),                             \
		OPT_CALLBACK(0, "affinity", (f), "node|cpu",                                       \
			     "Set affinity mask of trace reading thread to NUMA node "             \
			     "cpu mask or cpu of processed mmap buffer",                           \
			     record_opt_value),                                                    \
		OPT_INTEGER('r', "realtime", &(f)->o.ring.realtime,                                \
			    "collect data with this RT SCHED_FIFO priority"),                      \
		OPT_UINTEGER(0, "num-thread-synthesize", &(f)->o.ring.synth_threads,               \
			     "number of threads to run for event synthesis")

#define RECORD_OPTIONS_RATE(f)                                                                     \
	OPT_CALLBACK_FLAG('F', "freq", (f), "freq or 'max'", "profile at this frequency",          \
			  record_opt_value, PARSE_OPT_NONEG),                                      \
		OPT_BOOLEAN(0, "strict-freq", &(f)->given.strict_freq,                             \
			    "Fail if the specified frequency can't be used"),                      \
		OPT_BOOLEAN(0, "group", &(f)->o.sample.group,                                      \
			    "put the counters into a counter group"),                              \
		OPT_CALLBACK_NOOPT('g', NULL, &(f)->o.sample, NULL,                                \
				   "enables call-graph recording", record_opt_g),                  \
		OPT_CALLBACK(0, "call-graph", (f), "record_mode[,record_size]",                    \
			     "setup and enables call-graph (stack chain/backtrace):\n\n"           \
			     "\t\t\t\trecord_mode:\tcall graph recording mode "                    \
			     "(fp|dwarf|dwarf,unwind|lbr|auto)\n"                                  \
			     "\t\t\t\trecord_size:\tif record_mode is 'dwarf', max size "          \
			     "of stack recording (<bytes>)\n"                                      \
			     "\t\t\t\t\t\tdefault: 8192 (bytes)\n\n"                               \
			     "\t\t\t\tDefault: fp",                                                \
			     record_opt_value)

#define RECORD_OPTIONS_FIELDS(f)                                                                   \
	OPT_INCR('v', "verbose", &(f)->verbose,                                                    \
		 "be more verbose (show counter open errors, etc)"),                               \
		OPT_BOOLEAN(0, "dry-run", &(f)->dry_run, "Parse options then exit"),               \
		OPT_BOOLEAN('q', "quiet", &(f)->quiet, "don't print any warnings or messages"),    \
		OPT_BOOLEAN('s', "stat", &(f)->o.sample.stat, "per thread counts"),                \
		OPT_BOOLEAN('d', "data", &(f)->o.sample.addr, "Record the sample addresses"),      \
		OPT_BOOLEAN(0, "data-mmap", &(f)->o.sample.data_maps,                              \
			    "Record mmap events for non-executable mappings"),                     \
		OPT_BOOLEAN(0, "sample-mem-info", &(f)->o.sample.data_src,                         \
			    "Record what served memory accesses (no addresses)"),                  \
		OPT_BOOLEAN(0, "phys-data", &(f)->o.sample.phys,                                   \
			    "Record the sample physical addresses"),                               \
		OPT_BOOLEAN(0, "data-page-size", &(f)->o.sample.data_page_size,                    \
			    "Record the sampled data address data page size"),                     \
		OPT_BOOLEAN(0, "code-page-size", &(f)->o.sample.code_page_size,                    \
			    "Record the sampled code address (ip) page size"),                     \
		OPT_BOOLEAN(0, "sample-cpu", &(f)->o.sample.cpu, "Record the sample cpu"),         \
		OPT_BOOLEAN(0, "sample-identifier", &(f)->o.sample.identifier,                     \
			    "Record the sample identifier"),                                       \
		OPT_BOOLEAN_SET('T', "timestamp", &(f)->o.sample.time, &(f)->given.time_set,       \
				"Record the sample timestamps"),                                   \
		OPT_BOOLEAN_SET('P', "period", &(f)->o.sample.period, &(f)->given.period_set,      \
				"Record the sample period"),                                       \
		OPT_BOOLEAN('n', "no-samples", &(f)->o.sample.no_samples, "don't sample")

#define RECORD_OPTIONS_BUILD_IDS(f)                                                                \
	OPT_BOOLEAN_SET('B', "no-buildid", &(f)->o.no_buildid, &(f)->given.no_buildid_set,         \
			"do not collect buildids in perf.data"),                                   \
		OPT_BOOLEAN_SET('N', "no-buildid-cache", &(f)->o.no_buildid_cache,                 \
				&(f)->given.no_cache_set, "do not update the buildid cache"),      \
		OPT_BOOLEAN(0, "buildid-all", &(f)->o.buildid_all,                                 \
			    "Record build-id of all DSOs regardless of hits"),                     \
		OPT_STRING_OPTARG(0, "debuginfod", &(f)->given.debuginfod, "debuginfod urls",      \
				  "Enable debuginfod data retrieval from DEBUGINFOD_URLS or "      \
				  "specified urls",                                                \
				  "system"),                                                       \
		OPT_STRING(0, "vmlinux", &(f)->o.vmlinux, "file", "vmlinux pathname"),             \
		OPT_BOOLEAN(0, "buildid-mmap", &(f)->o.buildid_mmap,                               \
			    "Record build-id in map events")

#define RECORD_OPTIONS_OUTPUT(f)                                                                   \
	OPT_CALLBACK('D', "delay", (f), "ms",                                                      \
		     "ms to wait before starting measurement after program "                       \
		     "start (-1: start with events disabled), or ranges of time "                  \
		     "to enable events e.g. '-D 10-20,30-40'",                                     \
		     record_opt_value),                                                            \
		OPT_CALLBACK_FLAG(0, "begin", &(f)->begin_events, "event",                         \
				  "count while a window is open, which this event opens",          \
				  opt_events, PARSE_OPT_NONEG),                                    \
		OPT_CALLBACK_FLAG(0, "end", &(f)->end_events, "event",                             \
				  "count until this event closes the window", opt_events,          \
				  PARSE_OPT_NONEG),                                                \
		OPT_CALLBACK(0, "control", &(f)->control,                                          \
			     "fd:ctl-fd[,ack-fd] or fifo:ctl-fifo[,ack-fifo]",                     \
			     "Listen on ctl-fd descriptor for command to control "                 \
			     "measurement ('enable': enable events, 'disable': disable "           \
			     "events,\n"                                                           \
			     "\t\t\t  'snapshot': AUX area tracing snapshot).\n"                   \
			     "\t\t\t  Optionally send control command completion "                 \
			     "('ack\\n') to ack-fd descriptor.\n"                                  \
			     "\t\t\t  Alternatively, ctl-fifo / ack-fifo will be opened "          \
			     "and used as ctl-fd / ack-fd.",                                       \
			     opt_control),                                                         \
		OPT_STRING_OPTARG(0, "switch-output", &(f)->given.switch_arg,                      \
				  "signal or size[BKMG] or time[smhd]",                            \
				  "Switch output when receiving SIGUSR2 (signal) or cross a "      \
				  "size or time threshold",                                        \
				  "signal"),                                                       \
		OPT_CALLBACK_FLAG(0, "switch-output-event", &(f)->trigger_events,                  \
				  "switch output event",                                           \
				  "switch output event selector. use 'perf list' to list "         \
				  "available events",                                              \
				  opt_events, PARSE_OPT_NONEG),                                    \
		OPT_UINTEGER(0, "switch-max-files", &(f)->o.switching.max_files,                   \
			     "Limit number of switch output generated files"),                     \
		OPT_CALLBACK(0, "max-size", (f), "size",                                           \
			     "Limit the maximum size of the output file", record_opt_value),       \
		OPT_U64(0, "timeout", &(f)->o.duration_ms,                                         \
			"end recording after so many ms (0: it goes on)"),                         \
		OPT_BOOLEAN(0, "timestamp-filename", &(f)->o.timestamp_filename,                   \
			    "append timestamp to output filename"),                                \
		OPT_BOOLEAN(0, "timestamp-boundary", &(f)->timestamp_boundary,                     \
			    "Record timestamp boundary (time of first/last samples)"),             \
		OPT_BOOLEAN(0, "tail-synthesize", &(f)->o.tail_synthesize,                         \
			    "synthesize non-sample events at the end of output"),                  \
		OPT_UINTEGER(0, "proc-map-timeout", &(f)->o.map_timeout,                           \
			     "per thread proc mmap processing timeout in ms"),                     \
		OPT_BOOLEAN(0, "kcore", &(f)->o.kcore, "copy /proc/kcore"),                        \
		OPT_BOOLEAN(0, "overwrite", &(f)->o.overwrite, "use overwrite mode"),              \
		OPT_STRING_OPTARG(0, "threads", &(f)->o.ring.threads, "spec",                      \
				  "write collected trace data into several data files using "      \
				  "parallel threads",                                              \
				  "cpu"),                                                          \
		OPT_UINTEGER(0, "sample-budget", &(f)->o.ring.budget,                              \
			     "lower a frequency that would take more percent of a CPU "            \
			     "(default: 25, 0: any)")

#define RECORD_OPTIONS_SPECIAL(f)                                                                  \
	OPT_BOOLEAN(0, "no-buffering", &(f)->o.sample.no_buffering,                                \
		    "collect data without buffering"),                                             \
		OPT_STRING_OPTARG_SET('S', "snapshot", &(f)->snapshot, &(f)->given.snapshot_set,   \
				      "opts", "AUX area tracing Snapshot Mode", ""),               \
		OPT_STRING_OPTARG_SET(0, "aux-sample", &(f)->aux_sample,                           \
				      &(f)->given.aux_sample_set, "opts", "sample AUX area", ""),  \
		OPT_BOOLEAN('W', "weight", &(f)->o.sample.weight,                                  \
			    "sample by weight (on special events only)"),                          \
		OPT_BOOLEAN(0, "transaction", &(f)->o.sample.transaction,                          \
			    "sample transaction flags (special events only)"),                     \
		OPT_BOOLEAN(0, "running-time", &(f)->o.sample.running_time,                        \
			    "Record running/enabled time of read (:S) events"),                    \
		OPT_BOOLEAN(0, "latency", &(f)->o.sample.latency,                                  \
			    "Enable data collection for latency profiling"),                       \
		OPT_BOOLEAN(0, "per-thread", &(f)->o.sample.per_thread, "use per-thread mmaps"),   \
		OPT_CALLBACK_FLAG('k', "clockid", (f), "clockid",                                  \
				  "clockid to use for events, see clock_gettime()",                \
				  record_opt_value, 0),                                            \
		OPT_CALLBACK_FLAG('z', "compression-level", (f), "n",                              \
				  "Compress records using specified level (default: 1 - "          \
				  "fastest compression, 22 - greatest compression)",               \
				  record_opt_value, PARSE_OPT_OPTARG),                             \
		OPT_CALLBACK_FLAG('I', "intr-regs", (f), "any register",                           \
				  "sample selected machine registers on interrupt, use '-I?' "     \
				  "to list register names",                                        \
				  record_opt_value, PARSE_OPT_OPTARG),                             \
		OPT_CALLBACK_FLAG(0, "user-regs", (f), "any register",                             \
				  "sample selected machine registers in user space, use "          \
				  "'--user-regs=?' to list register names",                        \
				  record_opt_value, PARSE_OPT_OPTARG),                             \
		OPT_CALLBACK_NOOPT('b', "branch-any", (f), NULL, "sample any taken branches",      \
				   record_opt_value),                                              \
		OPT_CALLBACK('j', "branch-filter", (f), "branch filter mask",                      \
			     "branch stack filter modes", record_opt_value),                       \
		OPT_BOOLEAN(0, "switch-events", &(f)->o.sample.switches,                           \
			    "Record context switch events"),                                       \
		OPT_BOOLEAN(0, "namespaces", &(f)->o.sample.namespaces,                            \
			    "Record namespaces events"),                                           \
		OPT_BOOLEAN(0, "all-cgroups", &(f)->o.sample.cgroups, "Record cgroup events"),     \
		OPT_CALLBACK(0, "synth", (f), "no|all|task|mmap|cgroup",                           \
			     "Fine-tune event synthesis: default=all", record_opt_value),          \
		OPT_BOOLEAN(0, "no-bpf-event", &(f)->o.no_bpf, "do not record bpf events"),        \
		OPT_BOOLEAN(0, "all-kernel", &(f)->o.sample.all_kernel,                            \
			    "Configure all used events to run in kernel space."),                  \
		OPT_BOOLEAN(0, "all-user", &(f)->o.sample.all_user,                                \
			    "Configure all used events to run in user space."),                    \
		OPT_BOOLEAN(0, "kernel-callchains", &(f)->o.sample.kernel_chains,                  \
			    "collect kernel callchains"),                                          \
		OPT_BOOLEAN(0, "user-callchains", &(f)->o.sample.user_chains,                      \
			    "collect user callchains"),                                            \
		OPT_CALLBACK_FLAG(0, "setup-filter", &(f)->setup_filter, "pin|unpin|list",         \
				  "let users without rights filter samples",                       \
				  record_opt_setup_filter, PARSE_OPT_NONEG),                       \
		OPT_BOOLEAN(0, "off-cpu", &(f)->o.off_cpu, "Enable off-cpu analysis"),             \
		OPT_U64_SET(0, "off-cpu-thresh", &(f)->o.off_cpu_thresh, &(f)->o.off_cpu, "ms",    \
			    "Dump off-cpu samples that are as long as this (default: 500)"),       \
		OPT_BOOLEAN(0, "wall", &(f)->o.wall,                                               \
			    "Record wall-clock time: where threads run, and where they wait"),     \
		OPT_CALLBACK(                                                                      \
			0, "min-block", (f), "time",                                               \
			"with --wall, leave out waits that are shorter (ms, or with ns, us, s)",   \
			record_opt_value)

/* All options of record, in the order in which they are listed. @f: a struct record_front */
#define RECORD_OPTIONS(f)                                                                          \
	RECORD_OPTIONS_EVENTS(f), RECORD_OPTIONS_RINGS(f), RECORD_OPTIONS_RATE(f),                 \
		RECORD_OPTIONS_FIELDS(f), RECORD_OPTIONS_BUILD_IDS(f), RECORD_OPTIONS_OUTPUT(f),   \
		RECORD_OPTIONS_SPECIAL(f)

#endif
