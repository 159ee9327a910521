// SPDX-License-Identifier: GPL-2.0-or-later
/* perf record: the command line. Input: argv; output: a struct record for util/recorder/run.c. */
#include "base/compat.h"
#include "cmd/common/events.h"
#include "recorder/recorder.h"
#include "cmd/common/sdt.h"
#include "builtin.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"
#include "cmd/common/signals.h"

#include "base/alloc.h"
#include "file/compress.h"
#include "kernel/synth.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *const record_usage[] = {
	"perf record [<options>] [<command>]",
	"perf record [<options>] -- <command> [<options>]",
	NULL,
};

static int opt_compress(const struct option *opt, const char *arg, int unset)
{
	struct record *r = opt->value;
	struct compressor *c;
	struct err err = { 0 };
	char *end;
	long level;

	r->comp_level = 0;
	if (unset)
		return 0;
	level = arg ? strtol(arg, &end, 10) : 1;
	if (arg && (end == arg || *end || level < 0)) {
		fprintf(stderr, "invalid compression level '%s': give a number from 1 to %d\n", arg,
			COMPRESS_LEVEL_MAX);
		return -1;
	}
	level = MIN(MAX(level, 1L), (long)COMPRESS_LEVEL_MAX);
	if (compressor_new(&c, (int)level, &err)) {
		error_err(&err);
		return -1;
	}
	compressor_free(c);
	r->comp_level = (int)level;
	return 0;
}

static u64 max_rate(const struct record *r)
{
	u64 max = 0;

	return sysroot_read_u64(&r->sysroot, &max, "/proc/sys/kernel/perf_event_max_sample_rate")
		       ? 0
		       : max;
}

static int opt_freq(const struct option *opt, const char *arg, int unset)
{
	struct record *r = opt->value;
	char *end;

	if (unset)
		return -1;
	if (!strcasecmp(arg, "max")) {
		r->sample.freq = max_rate(r);
		if (!r->sample.freq) {
			fprintf(stderr,
				"couldn't read /proc/sys/kernel/perf_event_max_sample_rate\n");
			return -1;
		}
		fprintf(stderr, "info: Using a maximum frequency rate of %" PRIu64 " Hz\n",
			r->sample.freq);
	} else {
		errno = 0;
		r->sample.freq = strtoull(arg, &end, 10);
		if (errno || end == arg || *end || *arg == '-') {
			fprintf(stderr, "invalid frequency '%s': give a number of Hz, or max\n",
				arg);
			r->sample.freq = 0; /* refused as such, with the status of perf 6.1 */
		}
	}
	r->sample.freq_set = true;
	return 0;
}

/* -F and -c against each other and against what the kernel allows. */
static int check_rate(struct record *r)
{
	struct sample_opts *s = &r->sample;
	u64 max;

	if (s->count_set && !s->count)
		s->count_set = false;
	if (s->count_set && s->freq_set) {
		fprintf(stderr, "cannot set frequency and period at the same time\n");
		return -EINVAL;
	}
	if (s->freq_set && !s->freq) {
		fprintf(stderr, "frequency and count are zero, aborting\n");
		return -EINVAL;
	}
	max = max_rate(r);
	if (s->count_set || !max || s->freq <= max)
		return 0;
	if (r->strict_freq) {
		fprintf(stderr,
			"error: Maximum frequency rate (%" PRIu64 " Hz) exceeded.\n"
			"       Please use -F freq option with a lower value or consider\n"
			"       tweaking /proc/sys/kernel/perf_event_max_sample_rate.\n",
			max);
		return -EINVAL;
	}
	if (s->freq_set)
		fprintf(stderr,
			"warning: Maximum frequency rate (%" PRIu64
			" Hz) exceeded, throttling from %" PRIu64 " Hz to %" PRIu64 " Hz.\n"
			"         The limit can be raised via /proc/sys/kernel/perf_event_max_sample_rate.\n"
			"         The kernel will lower it when perf's interrupts take too long.\n"
			"         Use --strict-freq to disable this throttling, refusing to record.\n",
			max, s->freq, max);
	s->freq = max;
	return 0;
}

/* Output named by nothing goes down the pipe that stdout is, else to perf.data. */
static const char *default_output(void)
{
	struct stat st;

	return !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

#define BAD_SWITCH (-1)

/* Combine what the options say. Return: 0, an exit status, or BAD_SWITCH: --switch-output makes no
 * sense. */
static int settle(struct record *r)
{
	const struct parse_env env = { .sr = &r->sysroot };
	struct sample_opts *s = &r->sample;
	bool named = r->evlist.nr;
	int rc;

	if (s->latency && s->system_wide) {
		fprintf(stderr,
			"--latency is about the threads of a program: give a command, -p, -t or -u\n");
		return 234;
	}
	record_settle_lbr(r);
	record_settle_debuginfod(r);
	if (r->vmlinux && record_settle_vmlinux(r))
		return 234;
	s->delayed = r->delay_ms != 0;
	record_settle_regs(s);
	s->no_bpf = r->no_bpf;
	if (!r->output)
		r->output = default_output();
	s->stream = !strcmp(r->output, "-");
	if (record_settle_pump(r))
		return 234;
	rc = record_output_settle(r);
	if (rc)
		return rc == -EINVAL ? BAD_SWITCH : 234;
	if (!r->evlist.nr)
		parse_default(&r->evlist, &env);
	for (size_t i = 0; i < r->evlist.nr; i++) {
		if (!r->evlist.evsels[i]->terms.aux_sample_size)
			continue;
		fprintf(stderr, "No AUX area event to sample\n");
		return 234;
	}
	record_offcpu_add(r);
	if (r->buildid_mmap) {
		s->build_ids = r->no_buildid = true;
		if (r->verbose)
			fprintf(stderr, "Enabling build id in mmap2 events.\n");
	}
	rc = record_filter_settle(r, named);
	return rc ? rc : check_rate(r) ? 234 : 0;
}

/* The configuration's defaults, before the options are read. */
static void record_defaults(struct record *r)
{
	const char *ids = NULL, *aio = NULL;
	u64 budget = r->pump.budget;

	config_default_u64("record.sample-budget", &budget);
	r->pump.budget = (unsigned int)MIN(budget, (u64)100);
	config_default_str("record.aio", &aio);
	if (aio)
		record_default_aio(&r->pump, aio);
	config_default_str("record.build-id", &ids);
	if (ids && !strcmp(ids, "skip"))
		r->no_buildid = true;
	else if (ids && !strcmp(ids, "no-cache"))
		r->no_buildid_cache = true;
	else if (ids && !strcmp(ids, "mmap"))
		r->buildid_mmap = true;
	else if (ids && strcmp(ids, "cache"))
		fprintf(stderr, "bad config value for 'record.build-id', ignoring...\n");
}

static struct record rec = { .sample.freq = 4000,
			     .ro = { .kcore_last = -1, .map_timeout = 500 },
			     .off_cpu_thresh = 500,
			     .pump.budget = 25,
			     .synth = SYNTH_ALL,
			     .cgroups = { .evlist = &rec.evlist, .sysroot = &rec.sysroot },
			     .filter = { .evlist = &rec.evlist, .sysroot = &rec.sysroot } };
static struct event_sources rec_sources;
static struct event_arg rec_events = { &rec.evlist, &rec_sources };
static struct event_arg rec_switch_events = { &rec.ro.sw.event_list, &rec_sources };
static bool time_set;   /* -T or --no-timestamp was given */
static bool period_set; /* -P or --no-period was given */

static const struct option options[] = {
	OPTIONS_EVENTS(&rec_events, &rec_sources),
	OPTIONS_FILTER(&rec.filter),
	OPT_STRING('p', "pid", &rec.target.pids, "pid", "record events on existing process id"),
	OPT_STRING('t', "tid", &rec.target.tids, "tid", "record events on existing thread id"),
	OPT_STRING('u', "uid", &rec.target.uid, "user", "user to profile"),
	OPT_CALLBACK_FLAG('G', "cgroup", &rec.cgroups, "name", "monitor event in cgroup name only",
			  opt_cgroup, PARSE_OPT_NONEG),
	OPT_CALLBACK_FLAG(0, "for-each-cgroup", &rec.cgroups, "name",
			  "expand events for each cgroup", opt_each_cgroup, PARSE_OPT_NONEG),
	OPT_BOOLEAN('R', "raw-samples", &rec.sample.raw,
		    "collect raw sample records from all opened counters"),
	OPT_BOOLEAN('a', "all-cpus", &rec.target.all_cpus, "system-wide collection from all CPUs"),
	OPT_STRING('C', "cpu", &rec.target.cpus, "cpu", "list of cpus to monitor"),
	OPT_U64_SET('c', "count", &rec.sample.count, &rec.sample.count_set, "n",
		    "event period to sample"),
	OPT_STRING('o', "output", &rec.output, "file", "output file name"),
	OPT_BOOLEAN('i', "no-inherit", &rec.sample.no_inherit,
		    "child tasks do not inherit counters"),
	OPT_CALLBACK('m', "mmap-pages", &rec.pump, "pages[,pages]",
		     "number of mmap data pages and AUX area tracing mmap pages", record_opt_pages),
	OPT_CALLBACK(0, "mmap-flush", &rec.pump, "number",
		     "Minimal number of bytes that is extracted from mmap data pages (default: 1)",
		     record_opt_mmap_flush),
	OPT_CALLBACK_FLAG(
		0, "aio", &rec.pump, "n",
		"Use <n> control blocks in asynchronous trace writing mode (default: 1, max: 4)",
		record_opt_aio, PARSE_OPT_OPTARG),
	OPT_CALLBACK(
		0, "affinity", &rec.pump, "node|cpu",
		"Set affinity mask of trace reading thread to NUMA node cpu mask or cpu of processed mmap buffer",
		record_opt_affinity),
	OPT_INTEGER('r', "realtime", &rec.pump.realtime,
		    "collect data with this RT SCHED_FIFO priority"),
	OPT_UINTEGER(0, "num-thread-synthesize", &rec.pump.synth_threads,
		     "number of threads to run for event synthesis"),
	OPT_CALLBACK_FLAG('F', "freq", &rec, "freq or 'max'", "profile at this frequency", opt_freq,
			  PARSE_OPT_NONEG),
	OPT_BOOLEAN(0, "strict-freq", &rec.strict_freq,
		    "Fail if the specified frequency can't be used"),
	OPT_BOOLEAN(0, "group", &rec.sample.group, "put the counters into a counter group"),
	OPT_CALLBACK_NOOPT('g', NULL, &rec.sample, NULL, "enables call-graph recording",
			   record_opt_g),
	OPT_CALLBACK(
		0, "call-graph", &rec.sample, "record_mode[,record_size]",
		"setup and enables call-graph (stack chain/backtrace):\n\n"
		"\t\t\t\trecord_mode:\tcall graph recording mode (fp|dwarf|lbr)\n"
		"\t\t\t\trecord_size:\tif record_mode is 'dwarf', max size of stack recording (<bytes>)\n"
		"\t\t\t\t\t\tdefault: 8192 (bytes)\n\n"
		"\t\t\t\tDefault: fp",
		record_opt_callgraph),
	OPT_INCR('v', "verbose", &rec.verbose, "be more verbose (show counter open errors, etc)"),
	OPT_BOOLEAN(0, "dry-run", &rec.dry_run, "Parse options then exit"),
	OPT_BOOLEAN('q', "quiet", &rec.quiet, "don't print any warnings or messages"),
	OPT_BOOLEAN('s', "stat", &rec.sample.stat, "per thread counts"),
	OPT_BOOLEAN('d', "data", &rec.sample.addr, "Record the sample addresses"),
	OPT_BOOLEAN(0, "phys-data", &rec.sample.phys, "Record the sample physical addresses"),
	OPT_BOOLEAN(0, "data-page-size", &rec.sample.data_page_size,
		    "Record the sampled data address data page size"),
	OPT_BOOLEAN(0, "code-page-size", &rec.sample.code_page_size,
		    "Record the sampled code address (ip) page size"),
	OPT_BOOLEAN(0, "sample-cpu", &rec.sample.cpu, "Record the sample cpu"),
	OPT_BOOLEAN(0, "sample-identifier", &rec.sample.identifier, "Record the sample identifier"),
	OPT_BOOLEAN_SET('T', "timestamp", &rec.sample.time, &time_set,
			"Record the sample timestamps"),
	OPT_BOOLEAN_SET('P', "period", &rec.sample.period, &period_set, "Record the sample period"),
	OPT_BOOLEAN('n', "no-samples", &rec.sample.no_samples, "don't sample"),
	OPT_BOOLEAN_SET('B', "no-buildid", &rec.no_buildid, &rec.ro.no_buildid_set,
			"do not collect buildids in perf.data"),
	OPT_BOOLEAN_SET('N', "no-buildid-cache", &rec.no_buildid_cache, &rec.ro.no_cache_set,
			"do not update the buildid cache"),
	OPT_BOOLEAN(0, "buildid-all", &rec.buildid_all,
		    "Record build-id of all DSOs regardless of hits"),
	OPT_STRING_OPTARG(0, "debuginfod", &rec.debuginfod, "debuginfod urls",
			  "Enable debuginfod data retrieval from DEBUGINFOD_URLS or specified urls",
			  "system"),
	OPT_STRING(0, "vmlinux", &rec.vmlinux, "file", "vmlinux pathname"),
	OPT_BOOLEAN(0, "buildid-mmap", &rec.buildid_mmap, "Record build-id in map events"),
	OPT_CALLBACK(
		'D', "delay", &rec, "ms",
		"ms to wait before starting measurement after program start (-1: start with events disabled), or ranges of time to enable events e.g. '-D 10-20,30-40'",
		record_opt_delay),
	OPT_CALLBACK(
		0, "control", &rec, "fd:ctl-fd[,ack-fd] or fifo:ctl-fifo[,ack-fifo]",
		"Listen on ctl-fd descriptor for command to control measurement ('enable': enable events, 'disable': disable events,\n"
		"\t\t\t  'snapshot': AUX area tracing snapshot).\n"
		"\t\t\t  Optionally send control command completion ('ack\\n') to ack-fd descriptor.\n"
		"\t\t\t  Alternatively, ctl-fifo / ack-fifo will be opened and used as ctl-fd / ack-fd.",
		record_opt_control),
	OPT_STRING_OPTARG(
		0, "switch-output", &rec.ro.sw.arg, "signal or size[BKMG] or time[smhd]",
		"Switch output when receiving SIGUSR2 (signal) or cross a size or time threshold",
		"signal"),
	OPT_CALLBACK_FLAG(0, "switch-output-event", &rec_switch_events, "switch output event",
			  "switch output event selector. use 'perf list' to list available events",
			  opt_events, PARSE_OPT_NONEG),
	OPT_UINTEGER(0, "switch-max-files", &rec.ro.sw.max_files,
		     "Limit number of switch output generated files"),
	OPT_CALLBACK(0, "max-size", &rec, "size", "Limit the maximum size of the output file",
		     record_opt_max_size),
	OPT_BOOLEAN(0, "timestamp-filename", &rec.ro.timestamp_filename,
		    "append timestamp to output filename"),
	OPT_BOOLEAN(0, "timestamp-boundary", &rec.ro.timestamp_boundary,
		    "Record timestamp boundary (time of first/last samples)"),
	OPT_BOOLEAN(0, "tail-synthesize", &rec.ro.tail_synthesize,
		    "synthesize non-sample events at the end of output"),
	OPT_UINTEGER(0, "proc-map-timeout", &rec.ro.map_timeout,
		     "per thread proc mmap processing timeout in ms"),
	OPT_BOOLEAN(0, "kcore", &rec.ro.kcore, "copy /proc/kcore"),
	OPT_BOOLEAN(0, "overwrite", &rec.ro.overwrite, "use overwrite mode"),
	OPT_STRING_OPTARG(
		0, "threads", &rec.pump.threads, "spec",
		"write collected trace data into several data files using parallel threads", "cpu"),
	OPT_UINTEGER(
		0, "sample-budget", &rec.pump.budget,
		"lower a frequency that would take more percent of a CPU (default: 25, 0: any)"),
	OPT_BOOLEAN(0, "no-buffering", &rec.sample.no_buffering, "collect data without buffering"),
	OPT_STRING_OPTARG_SET('S', "snapshot", &rec.ro.snapshot, &rec.ro.snapshot_set, "opts",
			      "AUX area tracing Snapshot Mode", ""),
	OPT_STRING_OPTARG_SET(0, "aux-sample", &rec.ro.aux_sample, &rec.ro.aux_sample_set, "opts",
			      "sample AUX area", ""),
	OPT_BOOLEAN('W', "weight", &rec.sample.weight, "sample by weight (on special events only)"),
	OPT_BOOLEAN(0, "transaction", &rec.sample.transaction,
		    "sample transaction flags (special events only)"),
	OPT_BOOLEAN(0, "running-time", &rec.sample.running_time,
		    "Record running/enabled time of read (:S) events"),
	OPT_BOOLEAN(0, "latency", &rec.sample.latency,
		    "Enable data collection for latency profiling"),
	OPT_BOOLEAN(0, "per-thread", &rec.sample.per_thread, "use per-thread mmaps"),
	OPT_CALLBACK_FLAG('k', "clockid", &rec.sample, "clockid",
			  "clockid to use for events, see clock_gettime()", record_opt_clockid, 0),
	OPT_CALLBACK_FLAG(
		'z', "compression-level", &rec, "n",
		"Compress records using specified level (default: 1 - fastest compression, 22 - greatest compression)",
		opt_compress, PARSE_OPT_OPTARG),
	OPT_CALLBACK_FLAG(
		'I', "intr-regs", &rec.sample.intr_regs, "any register",
		"sample selected machine registers on interrupt, use '-I?' to list register names",
		record_opt_regs, PARSE_OPT_OPTARG),
	OPT_CALLBACK_FLAG(
		0, "user-regs", &rec.sample.user_regs, "any register",
		"sample selected machine registers in user space, use '--user-regs=?' to list register names",
		record_opt_regs, PARSE_OPT_OPTARG),
	OPT_CALLBACK_NOOPT('b', "branch-any", &rec.sample.branches, NULL,
			   "sample any taken branches", record_opt_branch_any),
	OPT_CALLBACK('j', "branch-filter", &rec.sample.branches, "branch filter mask",
		     "branch stack filter modes", record_opt_branches),
	OPT_BOOLEAN(0, "switch-events", &rec.sample.switches, "Record context switch events"),
	OPT_BOOLEAN(0, "namespaces", &rec.sample.namespaces, "Record namespaces events"),
	OPT_BOOLEAN(0, "all-cgroups", &rec.sample.cgroups, "Record cgroup events"),
	OPT_CALLBACK(0, "synth", &rec, "no|all|task|mmap|cgroup",
		     "Fine-tune event synthesis: default=all", record_opt_synth),
	OPT_BOOLEAN(0, "no-bpf-event", &rec.no_bpf, "do not record bpf events"),
	OPT_BOOLEAN(0, "all-kernel", &rec.sample.all_kernel,
		    "Configure all used events to run in kernel space."),
	OPT_BOOLEAN(0, "all-user", &rec.sample.all_user,
		    "Configure all used events to run in user space."),
	OPT_BOOLEAN(0, "kernel-callchains", &rec.sample.kernel_chains, "collect kernel callchains"),
	OPT_BOOLEAN(0, "user-callchains", &rec.sample.user_chains, "collect user callchains"),
	OPT_CALLBACK_FLAG(0, "setup-filter", &rec, "pin|unpin|list",
			  "let users without rights filter samples", record_opt_setup_filter,
			  PARSE_OPT_NONEG),
	OPT_BOOLEAN(0, "off-cpu", &rec.off_cpu, "Enable off-cpu analysis"),
	OPT_U64_SET(0, "off-cpu-thresh", &rec.off_cpu_thresh, &rec.off_cpu, "ms",
		    "Dump off-cpu samples that are as long as this (default: 500)"),
	OPT_END(),
};

struct record *record_asked(void)
{
	return &rec;
}

const struct option *record_options(void)
{
	return options;
}

int record_command(int argc, const char **argv, const struct option *table,
		   const char *const usage[], int (*check)(void *ctx), void *ctx)
{
	struct record *r = &rec;
	const char **words = xcalloc((size_t)argc + 1, sizeof(*words));
	int status;

	/* the parser moves argv about; the file is to hold what was typed */
	memcpy(words, argv, (size_t)argc * sizeof(*words));
	r->argc = argc;
	r->argv = words;
	r->verbose = debug_level("verbose");
	record_defaults(r);
	event_arg_start(&rec_sources, &r->sysroot);
	rec_sources.env.programs = true;
	sdt_probe_on_demand(&rec_sources.env);
	argc = parse_options(argc, argv, table, usage, PARSE_OPT_STOP_AT_NON_OPTION);
	event_sources_release(&rec_sources);
	r->sample.no_time = time_set && !r->sample.time;
	r->sample.no_period = period_set && !r->sample.period;
	r->command = argc ? (char **)argv : NULL;
	if (record_choose_target(r))
		usage_with_options_msg(
			usage, table,
			"  Error: cgroup monitoring only available in system-wide mode\n");
	status = r->setup_filter ? 0 : settle(r);
	if (status == BAD_SWITCH) {
		usage_one_option(usage, table, "switch-output", false);
		status = 234;
	}
	if (!status && check)
		status = check(ctx);
	if (!status && r->setup_filter)
		status = record_setup_filter(r);
	else if (!status)
		status = record_run(r);
	else
		evlist_release(&r->evlist);
	free(words);
	return status;
}

int cmd_record(int argc, const char **argv)
{
	int status = record_command(argc, argv, options, record_usage, NULL, NULL);

	if (rec.signal)
		end_by_signal(rec.signal);
	return status;
}
