// SPDX-License-Identifier: GPL-2.0-or-later
/* perf record: the command line. Input: argv; output: a struct record for builtin-record-run.c. */
#include "base/compat.h"
#include "builtin-record.h"
#include "builtin.h"

#include "base/alloc.h"
#include "events/parse.h"

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

static int opt_event(const struct option *opt, const char *arg, int unset)
{
	struct record *r = opt->value;
	struct strbuf text = STRBUF_INIT;
	struct parse_error pe;

	if (unset)
		return -1;
	if (!parse_events(&r->evlist, arg, &r->sysroot, &pe))
		return 0;
	parse_error_format(&pe, arg, 80, &text);
	strbuf_addstr(&text, "Run 'perf list' for a list of valid events\n");
	fputs(strbuf_str(&text), stderr);
	strbuf_release(&text);
	return -1;
}

static int opt_filter(const struct option *opt, const char *arg, int unset)
{
	struct record *r = opt->value;
	struct evlist *l = &r->evlist;

	if (unset || !l->nr || !evsel_is_tracepoint(l->evsels[l->nr - 1])) {
		fprintf(stderr,
			"--filter option should follow a -e tracepoint or HW tracer option\n");
		return -1;
	}
	for (size_t i = l->last_item; i < l->nr; i++) {
		struct evsel *e = l->evsels[i];
		char *all = e->filter ? xasprintf("(%s) && (%s)", e->filter, arg) : xstrdup(arg);

		free(e->filter);
		e->filter = all;
	}
	return 0;
}

/* What the unwinder needs to know of user space, by the bits of the architecture's asm/perf_regs.h.
 */
#if defined(__x86_64__)
#define DWARF_REGS 0xff0fffULL /* without the segments that have no use: ds, es, fs, gs */
#elif defined(__aarch64__)
#define DWARF_REGS ((1ULL << 33) - 1)
#else
#define DWARF_REGS 0
#endif

/* dwarf[,size]: store registers and the top of the stack with each sample */
static int callgraph_dwarf(struct sample_opts *s, const char *size)
{
	unsigned long bytes = 8192;
	char *end;

	if (!DWARF_REGS) {
		fprintf(stderr, "callchain: dwarf is not there on this architecture\n");
		return -1;
	}
	if (*size == ',') {
		bytes = strtoul(size + 1, &end, 0);
		bytes = ALIGN_UP(bytes, sizeof(u64));
		if (end == size + 1 || *end || !bytes || bytes > 65528) {
			fprintf(stderr, "callchain: Incorrect stack dump size (max 65528): %s\n",
				size + 1);
			return -1;
		}
	}
	s->callgraph = CALLGRAPH_DWARF;
	s->stack_size = (u32)bytes;
	s->user_regs = DWARF_REGS;
	return 0;
}

static int opt_callgraph(const struct option *opt, const char *arg, int unset)
{
	struct sample_opts *s = opt->value;

	if (unset || !strcmp(arg, "no")) {
		s->callgraph = CALLGRAPH_NONE;
		return 0;
	}
	if (!strcmp(arg, "fp")) {
		s->callgraph = CALLGRAPH_FP;
		return 0;
	}
	if (!strncmp(arg, "dwarf", 5) && (!arg[5] || arg[5] == ','))
		return callgraph_dwarf(s, arg + 5);
	fprintf(stderr, "callchain: Unknown --call-graph option value: %s\n", arg);
	return -1;
}

static int opt_g(const struct option *opt, const char *arg __unused, int unset)
{
	struct sample_opts *s = opt->value;

	s->callgraph = unset ? CALLGRAPH_NONE : CALLGRAPH_FP;
	return 0;
}

static int opt_clockid(const struct option *opt, const char *arg, int unset)
{
	static const struct {
		const char *name;
		s32 id;
	} clocks[] = {
		{ "monotonic", CLOCK_MONOTONIC },
		{ "mono", CLOCK_MONOTONIC },
		{ "monotonic_raw", CLOCK_MONOTONIC_RAW },
		{ "raw", CLOCK_MONOTONIC_RAW },
		{ "mono_raw", CLOCK_MONOTONIC_RAW },
		{ "realtime", CLOCK_REALTIME },
		{ "real", CLOCK_REALTIME },
		{ "boottime", CLOCK_BOOTTIME },
		{ "boot", CLOCK_BOOTTIME },
		{ "tai", CLOCK_TAI },
	};
	struct sample_opts *s = opt->value;
	const char *name = arg;

	s->clockid_set = false;
	if (unset)
		return 0;
	if (!strncasecmp(name, "CLOCK_", 6))
		name += 6;
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (!strcasecmp(name, clocks[i].name)) {
			s->clockid = clocks[i].id;
			s->clockid_set = true;
			return 0;
		}
	}
	fprintf(stderr, "Warning:\nunknown clockid %s, check man page\n", arg);
	return -1;
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
			return -1;
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

static int check_pages(const struct record *r)
{
	char unit = 'K';
	bool rounded;
	size_t pages = ring_pages_parse(r->pages_arg, &rounded);
	u64 kb = (u64)pages * (u64)sysconf(_SC_PAGESIZE) / 1024;

	if (!pages) {
		fprintf(stderr, "Invalid argument for --mmap_pages/-m: '%s'\n", r->pages_arg);
		return -EINVAL;
	}
	if (!rounded || r->quiet)
		return 0;
	for (const char *u = "MG"; *u && kb % 1024 == 0; u++) {
		kb /= 1024;
		unit = *u;
	}
	fprintf(stderr, "rounding mmap pages size to %" PRIu64 "%c (%zu pages)\n", kb, unit, pages);
	return 0;
}

/* Output named by nothing goes down the pipe that stdout is, else to perf.data. */
static const char *default_output(void)
{
	struct stat st;

	return !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

/* Combine what the options say. Return: 0, or an exit status. */
static int settle(struct record *r)
{
	struct sample_opts *s = &r->sample;

	if (r->pids && r->tids_arg)
		r->tids_arg = NULL;
	if (r->pids || r->tids_arg) {
		if (r->all_cpus)
			fprintf(stderr, "Warning:\nPID/TID switch overriding SYSTEM\n");
		r->all_cpus = false;
	} else if (!r->command && !r->cpu_list) {
		r->all_cpus = true; /* no target at all: the whole system */
	}
	if (s->per_thread && (r->all_cpus || r->cpu_list)) {
		fprintf(stderr, "--per-thread option is mutually exclusive to -a and -C\n");
		return 129;
	}
	s->system_wide = (r->all_cpus || r->cpu_list) && !r->pids && !r->tids_arg;
	s->enable_on_exec = r->command && !s->system_wide && !r->pids && !r->tids_arg;
	s->delayed = r->delay_ms != 0;
	s->no_bpf = r->no_bpf;
	if (r->tids_arg || s->per_thread)
		s->no_inherit = true;
	if (!r->output)
		r->output = default_output();
	if (r->pages_arg && check_pages(r))
		return 234;
	if (!r->evlist.nr)
		evlist_add_default(&r->evlist);
	return check_rate(r) ? 234 : 0;
}

/* Die of what the workload, or we, were killed by: the shell is to see it. */
static int end_by_signal(int sig)
{
	struct rlimit no_core = { 0, 0 };
	sigset_t set;

	fflush(NULL);
	setrlimit(RLIMIT_CORE, &no_core);
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	return 128 + sig;
}

/* The configuration's defaults, before the options are read. */
static void record_defaults(struct record *r)
{
	const char *ids = NULL, *mode = NULL;

	config_default_str("record.build-id", &ids);
	config_default_str("call-graph.record-mode", &mode);
	if (ids && !strcmp(ids, "skip"))
		r->no_buildid = true;
	else if (ids && !strcmp(ids, "no-cache"))
		r->no_buildid_cache = true;
	else if (ids && strcmp(ids, "cache"))
		fprintf(stderr, "bad config value for 'record.build-id', ignoring...\n");
	if (mode && strcmp(mode, "fp"))
		fprintf(stderr, "bad config value for 'call-graph.record-mode', ignoring...\n");
}

static int parse_and_run(struct record *r, int argc, const char **argv,
			 const struct option *options, const bool *period_set)
{
	const char **words = xcalloc((size_t)argc + 1, sizeof(*words));
	int status;

	/* the parser moves argv about; the file is to hold what was typed */
	memcpy(words, argv, (size_t)argc * sizeof(*words));
	r->argc = argc;
	r->argv = words;
	record_defaults(r);
	argc = parse_options(argc, argv, options, record_usage, PARSE_OPT_STOP_AT_NON_OPTION);
	r->sample.no_period = *period_set && !r->sample.period;
	r->command = argc ? (char **)argv : NULL;
	status = settle(r);
	if (!status)
		status = record_run(r);
	else
		evlist_release(&r->evlist);
	free(words);
	return r->signal ? end_by_signal(r->signal) : status;
}

int cmd_record(int argc, const char **argv)
{
	struct record rec = { .sample.freq = 4000, .verbose = debug_level("verbose") };
	struct sample_opts *s = &rec.sample;
	bool period_set = false;
	const struct option options[] = {
		OPT_CALLBACK_FLAG('e', "event", &rec, "event",
				  "event selector. use 'perf list' to list available events",
				  opt_event, PARSE_OPT_NONEG),
		OPT_CALLBACK_FLAG(0, "filter", &rec, "filter", "event filter", opt_filter,
				  PARSE_OPT_NONEG),
		OPT_STRING('p', "pid", &rec.pids, "pid", "record events on existing process id"),
		OPT_STRING('t', "tid", &rec.tids_arg, "tid", "record events on existing thread id"),
		OPT_BOOLEAN('R', "raw-samples", &s->raw,
			    "collect raw sample records from all opened counters"),
		OPT_BOOLEAN('a', "all-cpus", &rec.all_cpus, "system-wide collection from all CPUs"),
		OPT_STRING('C', "cpu", &rec.cpu_list, "cpu", "list of cpus to monitor"),
		OPT_U64_SET('c', "count", &s->count, &s->count_set, "n", "event period to sample"),
		OPT_STRING('o', "output", &rec.output, "file", "output file name"),
		OPT_BOOLEAN('i', "no-inherit", &s->no_inherit,
			    "child tasks do not inherit counters"),
		OPT_STRING('m', "mmap-pages", &rec.pages_arg, "pages", "number of mmap data pages"),
		OPT_CALLBACK_FLAG('F', "freq", &rec, "freq or 'max'", "profile at this frequency",
				  opt_freq, PARSE_OPT_NONEG),
		OPT_BOOLEAN(0, "strict-freq", &rec.strict_freq,
			    "Fail if the specified frequency can't be used"),
		OPT_CALLBACK_NOOPT('g', NULL, s, NULL, "enables call-graph recording", opt_g),
		OPT_CALLBACK(0, "call-graph", s, "record_mode",
			     "call graph recording mode (fp: frame pointers)", opt_callgraph),
		OPT_INCR('v', "verbose", &rec.verbose,
			 "be more verbose (show counter open errors, etc)"),
		OPT_BOOLEAN('q', "quiet", &rec.quiet, "don't print any warnings or messages"),
		OPT_BOOLEAN('s', "stat", &s->stat, "per thread counts"),
		OPT_BOOLEAN('d', "data", &s->addr, "Record the sample addresses"),
		OPT_BOOLEAN(0, "phys-data", &s->phys, "Record the sample physical addresses"),
		OPT_BOOLEAN(0, "data-page-size", &s->data_page_size,
			    "Record the sampled data address data page size"),
		OPT_BOOLEAN(0, "code-page-size", &s->code_page_size,
			    "Record the sampled code address (ip) page size"),
		OPT_BOOLEAN(0, "sample-cpu", &s->cpu, "Record the sample cpu"),
		OPT_BOOLEAN(0, "sample-identifier", &s->identifier, "Record the sample identifier"),
		OPT_BOOLEAN('T', "timestamp", &s->time, "Record the sample timestamps"),
		OPT_BOOLEAN_SET('P', "period", &s->period, &period_set, "Record the sample period"),
		OPT_BOOLEAN('n', "no-samples", &s->no_samples, "don't sample"),
		OPT_BOOLEAN('B', "no-buildid", &rec.no_buildid,
			    "do not collect buildids in perf.data"),
		OPT_BOOLEAN('N', "no-buildid-cache", &rec.no_buildid_cache,
			    "do not update the buildid cache"),
		OPT_BOOLEAN(0, "buildid-all", &rec.buildid_all,
			    "Record build-id of all DSOs regardless of hits"),
		OPT_INTEGER(
			'D', "delay", &rec.delay_ms,
			"ms to wait before starting measurement after program start (-1: start with events disabled)"),
		OPT_BOOLEAN('W', "weight", &s->weight, "sample by weight (on special events only)"),
		OPT_BOOLEAN(0, "per-thread", &s->per_thread, "use per-thread mmaps"),
		OPT_CALLBACK_FLAG('k', "clockid", s, "clockid",
				  "clockid to use for events, see clock_gettime()", opt_clockid, 0),
		OPT_BOOLEAN(0, "switch-events", &s->switches, "Record context switch events"),
		OPT_BOOLEAN(0, "namespaces", &s->namespaces, "Record namespaces events"),
		OPT_BOOLEAN(0, "all-cgroups", &s->cgroups, "Record cgroup events"),
		OPT_BOOLEAN(0, "no-bpf-event", &rec.no_bpf, "do not record bpf events"),
		OPT_BOOLEAN(0, "all-kernel", &s->all_kernel,
			    "Configure all used events to run in kernel space."),
		OPT_BOOLEAN(0, "all-user", &s->all_user,
			    "Configure all used events to run in user space."),
		OPT_BOOLEAN(0, "kernel-callchains", &s->kernel_chains, "collect kernel callchains"),
		OPT_BOOLEAN(0, "user-callchains", &s->user_chains, "collect user callchains"),
		OPT_END(),
	};

	return parse_and_run(&rec, argc, argv, options, &period_set);
}
