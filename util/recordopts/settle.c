// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "recordopts/settle.h"

#include "arch/arch.h"
#include "base/name-list.h"
#include "buildid/debuginfod.h"
#include "events/filter.h"
#include "events/parse.h"
#include "kernel/rights.h"
#include "recordopts/values.h"
#include "symbol/object-id.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define SYNTH_THREADS_MAX 1024

/* A combination of options that cannot be recorded. The first row of a table that holds counts, so
 * rows stand in the order in which perf 6.1 tells them. */
struct refusal {
	bool holds;
	const char *sentence;
	const char *option; /* that it is about; NULL: no single one */
};

/* Return: 0, or -EINVAL with the sentence of the first of @rows that holds. */
static int refuse(struct record_settling *s, const struct refusal *rows, size_t nr, struct err *err)
{
	for (size_t i = 0; i < nr; i++) {
		if (!rows[i].holds)
			continue;
		s->option = rows[i].option;
		return err_set(err, -EINVAL, "%s", rows[i].sentence);
	}
	return 0;
}

int record_settle_target(const struct record_settling *s)
{
	const struct record_given *given = s->given;
	struct sample_opts *o = &s->opts->sample;

	o->no_time = given->time_set && !o->time;
	o->no_period = given->period_set && !o->period;
	record_opts_target(s->opts, s->always);
	for (size_t i = 0; !s->opts->target.all_cpus && i < s->evlist->nr; i++)
		if (s->evlist->evsels[i]->cgroup)
			return -EINVAL;
	return 0;
}

/* --- samples --------------------------------------------------------------------- */

/* Tell where --call-graph=lbr cannot be had. */
static void tell_lbr(const struct record_settling *s)
{
	const struct sample_opts *o = &s->opts->sample;
	bool kernel_only = false;

	if (o->callgraph != CALLGRAPH_LBR)
		return;
	for (size_t i = 0; i < s->evlist->nr; i++)
		kernel_only |= s->evlist->evsels[i]->attr.exclude_user;
	if (o->branches)
		notice(s->always,
		       "Cannot use LBR callstack with branch stack. Falling back to framepointers.\n");
	else if (kernel_only)
		notice(s->always,
		       "LBR callstack option is only available to get user callchain information. "
		       "Falling back to framepointers.\n");
}

/* The registers that unwinding needs, beside those asked for. */
static void settle_regs(struct sample_opts *o)
{
	const struct arch *host = arch_host();

	o->dwarf_regs = o->user_regs ? host->unwind_regs : host->sample_regs;
	if (o->callgraph == CALLGRAPH_FP && host->link_reg)
		o->user_regs |= 1ULL << host->link_reg;
}

static int refuse_rate(const struct record_settling *s, bool exceeded, u64 max, struct err *err)
{
	const struct sample_opts *o = &s->opts->sample;

	if (o->count_set && o->freq_set)
		return err_set(err, -EINVAL, "cannot set frequency and period at the same time");
	if (o->freq_set && !o->freq)
		return err_set(err, -EINVAL, "frequency and count are zero, aborting");
	if (exceeded && s->given->strict_freq)
		return err_set(err, -EINVAL,
			       "error: Maximum frequency rate (%" PRIu64 " Hz) exceeded.\n"
			       "       Please use -F freq option with a lower value or consider\n"
			       "       tweaking /proc/sys/kernel/perf_event_max_sample_rate.",
			       max);
	return 0;
}

/* -F and -c against each other and against what the kernel allows. */
static int settle_rate(const struct record_settling *s, struct err *err)
{
	struct sample_opts *o = &s->opts->sample;
	u64 max = record_max_rate(s->sysroot);
	bool exceeded;
	int rc;

	o->count_set = o->count_set && o->count;
	exceeded = !o->count_set && max && o->freq > max;
	rc = refuse_rate(s, exceeded, max, err);
	if (rc || !exceeded)
		return rc;
	if (o->freq_set)
		notice(s->always,
		       "warning: Maximum frequency rate (%" PRIu64
		       " Hz) exceeded, throttling from %" PRIu64 " Hz to %" PRIu64 " Hz.\n"
		       "         The limit can be raised via /proc/sys/kernel/perf_event_max_sample_rate.\n"
		       "         The kernel will lower it when perf's interrupts take too long.\n"
		       "         Use --strict-freq to disable this throttling, refusing to record.\n",
		       max, o->freq, max);
	o->freq = max;
	return 0;
}

/* --- build-ids -------------------------------------------------------------------- */

/* --debuginfod: is there what it takes? */
static void settle_debuginfod(const struct record_settling *s)
{
	struct debuginfod *d;
	struct err err = { 0 };

	if (!s->given->debuginfod)
		return;
	if (debuginfod_open(&d, &err)) {
		notice(s->always, "WARNING: debuginfod support requested, but %s\n", err.msg);
		return;
	}
	debuginfod_close(d);
	s->opts->fetch = true;
}

/* Check that the file of --vmlinux is that of the running kernel. Another one is told of and
 * forgotten. */
static int settle_vmlinux(const struct record_settling *s, struct err *err)
{
	const char *path = s->opts->vmlinux;
	char file[41] = "none", kernel[41] = "none";
	u8 id[20];
	int n;

	if (!path)
		return 0;
	if (access(path, R_OK))
		return err_set(err, -EINVAL, "Invalid file: %s: %s", path, err_str(-errno));
	n = elf_build_id(path, id);
	if (n > 0)
		build_id_hex(id, (u8)n, file);
	n = object_id(s->sysroot, "[kernel.kallsyms]", true, 0, id);
	if (n > 0)
		build_id_hex(id, (u8)n, kernel);
	if (n > 0 && !strcmp(file, kernel))
		return 0;
	notice(s->always,
	       "Warning:\n%s is not of the running kernel and is not used: its build-id is %s, the "
	       "kernel's %s.\n",
	       path, file, kernel);
	s->opts->vmlinux = NULL;
	return 0;
}

/* Looking for build-ids would take time at each switch of the output: only when asked for. */
static void settle_build_ids(const struct record_settling *s)
{
	const struct record_given *given = s->given;
	struct record_opts *o = s->opts;

	if (o->switching.enabled && !(given->no_buildid_set && !o->no_buildid) &&
	    !(given->no_cache_set && !o->no_buildid_cache))
		o->no_buildid = o->no_buildid_cache = true;
	if (!o->buildid_mmap)
		return;
	o->sample.build_ids = o->no_buildid = true;
	notice(s->detail, "Enabling build id in mmap2 events.\n");
}

/* --- rings and the output ----------------------------------------------------------- */

/* Refuse options that several threads cannot serve. */
static int refuse_threads(struct record_settling *s, struct err *err)
{
	const struct record_opts *o = s->opts;
	const struct refusal rows[] = {
		{ o->sample.stream, "Parallel trace streaming is not available in pipe mode." },
		{ o->ring.aio, "Asynchronous streaming mode (--aio) is mutually exclusive to "
			       "parallel streaming mode." },
		{ o->sample.per_thread,
		  "--per-thread option is mutually exclusive to parallel streaming mode." },
		{ o->overwrite,
		  "--overwrite option is mutually exclusive to parallel streaming mode." },
		{ o->sample.unwind, "--call-graph dwarf,unwind cannot be combined with --threads, "
				    "whose threads do not see each other's mappings" },
	};

	return o->ring.threads ? refuse(s, rows, ARRAY_SIZE(rows), err) : 0;
}

/* Several threads cannot switch the output. */
static void settle_threads(struct record_settling *s)
{
	if (!s->opts->ring.threads)
		return;
	if (s->given->switch_arg || s->triggers->nr)
		notice(s->always,
		       "WARNING: --switch-output option is not available in parallel streaming mode.\n");
	s->given->switch_arg = NULL;
	evlist_release(s->triggers);
}

/* Events that fill an AUX area need a processor that traces. */
static void tell_pages(const struct record_settling *s)
{
	size_t pages = s->opts->ring.pages;
	char unit = 'K';
	u64 kb;

	if (s->given->aux_pages)
		notice(s->info, "-m: no event here has an AUX area, its size is not used\n");
	if (!s->given->pages_rounded)
		return;
	kb = (u64)pages * (u64)sysconf(_SC_PAGESIZE) / 1024;
	for (const char *u = "MG"; *u && kb % 1024 == 0; u++) {
		kb /= 1024;
		unit = *u;
	}
	notice(s->info, "rounding mmap pages size to %" PRIu64 "%c (%zu pages)\n", kb, unit, pages);
}

static int refuse_output(struct record_settling *s, struct err *err)
{
	const struct record_opts *o = s->opts;
	bool pipe = o->sample.stream;
	const struct refusal rows[] = {
		{ o->ring.budget > 100, "--sample-budget: at most 100 percent" },
		{ o->ring.synth_threads > SYNTH_THREADS_MAX,
		  "--num-thread-synthesize: at most 1024" },
		{ s->given->snapshot_set, "No AUX area tracing to snapshot" },
		{ s->given->aux_sample_set, "No AUX area event to sample" },
		{ o->kcore && pipe, "--kcore needs a file: a pipe has no room for it" },
		{ o->switching.enabled && pipe,
		  "--switch-output needs a file: a pipe cannot be switched", "switch-output" },
	};

	return refuse(s, rows, ARRAY_SIZE(rows), err);
}

static int settle_output(struct record_settling *s, struct err *err)
{
	const char *arg = s->given->switch_arg;
	struct record_opts *o = s->opts;
	struct switch_opts *sw = &o->switching;
	bool bad = arg && switch_parse(sw, arg), pipe = o->sample.stream;
	int rc;

	sw->enabled = arg || s->triggers->nr;
	rc = refuse_output(s, err);
	if (rc)
		return rc;
	if (bad) {
		s->option = "switch-output";
		return err_set(err, -EINVAL,
			       "invalid threshold '%s': give signal, a size (B, K, M, G) or a time "
			       "(s, m, h, d)",
			       arg);
	}
	if (o->timestamp_filename && pipe)
		notice(s->always, "Warning:\n--timestamp-filename needs a file: ignored\n");
	o->timestamp_filename = (o->timestamp_filename || sw->enabled) && !pipe;
	o->sample.overwrite = o->overwrite;
	return 0;
}

/* --- windows of --begin and --end ---------------------------------------------------- */

static size_t events_of(const struct evlist *l)
{
	return l ? l->nr : 0;
}

/* Tell whether both lists have an event by this name, with the same filter. */
static bool is_in(const struct evlist *l, const struct evsel *e)
{
	for (size_t i = 0; i < l->nr; i++)
		if (!strcmp(l->evsels[i]->name, e->name) &&
		    !strcmp(l->evsels[i]->filter ?: "", e->filter ?: ""))
			return true;
	return false;
}

/* The filters of the events are known by now. */
static int refuse_windows(const struct record_settling *s, struct err *err)
{
	const struct evlist *const both[] = { s->begins, s->ends };

	for (size_t n = 0; n < ARRAY_SIZE(both); n++)
		for (size_t i = 0; i < events_of(both[n]); i++) {
			const struct evsel *e = both[n]->evsels[i];

			if (e->sample_filter)
				return err_set(err, -EINVAL,
					       "--filter '%s': events of --begin and --end can be "
					       "filtered if they are tracepoints, %s is none",
					       e->sample_filter, e->name);
			if (n && events_of(s->begins) && is_in(s->begins, e))
				return err_set(
					err, -EINVAL,
					"%s cannot open and close a window: give --begin and "
					"--end events that differ",
					e->name);
		}
	return 0;
}

/* Without an event to wait for, the first window is open from the start. */
static int settle_windows(struct record_settling *s, struct err *err)
{
	struct record_opts *o = s->opts;
	const bool any = events_of(s->begins) || events_of(s->ends);
	const struct refusal rows[] = {
		{ o->delay_ms,
		  "-D is about times, --begin and --end are about events: give one of "
		  "both",
		  "delay" },
	};

	o->sample.own_side_band = s->controlled || any;
	if (!any)
		return 0;
	o->sample.delayed |= events_of(s->begins);
	return refuse(s, rows, ARRAY_SIZE(rows), err);
}

/* Output named by nothing goes down the pipe that stdout is, else to perf.data. */
static const char *default_output(void)
{
	struct stat st;

	return !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

/* --- all of it ---------------------------------------------------------------------- */

/* Add what --wall needs beside its events: stacks, times, and records of context switches. */
static int settle_wall(struct record_settling *s, struct err *err)
{
	struct record_opts *o = s->opts;
	struct rights rights;
	const struct refusal rows[] = {
		{ s->evlist->nr, "--wall has events of its own: leave out -e and --filter",
		  "wall" },
		{ o->sample.system_wide,
		  "--wall is about the threads of a program: give a command, "
		  "-p, -t or -u" },
		{ o->sample.stream,
		  "--wall needs a file: a pipe does not tell in time when a thread "
		  "comes back" },
		{ o->sample.all_user,
		  "--wall needs the kernel's part: threads wait in the kernel" },
	};
	int rc = o->wall ? refuse(s, rows, ARRAY_SIZE(rows), err) : 0;

	if (rc || !o->wall)
		return rc;
	rights_read(s->sysroot, &rights);
	if (rights.paranoid > 1 && !rights_perfmon(&rights))
		return err_set(
			err, -EACCES,
			"--wall: kernel.perf_event_paranoid=%d hides where threads wait: it has "
			"to be 1 or less (sudo sysctl kernel.perf_event_paranoid=1)",
			rights.paranoid);
	wall_events_add(s->evlist, o->min_block);
	if (o->sample.callgraph == CALLGRAPH_NONE)
		o->sample.callgraph = CALLGRAPH_FP;
	o->sample.switches = o->sample.time = o->sample.cpu = o->sample.period = true;
	return 0;
}

/* The events that are recorded, but for their filters. */
static int complete_events(struct record_settling *s, struct err *err)
{
	const struct parse_env env = { .sr = s->sysroot, .machines = s->machines };
	bool aux = false;
	int rc = settle_wall(s, err);

	if (rc)
		return rc;
	if (!s->evlist->nr)
		parse_default(s->evlist, &env);
	for (size_t i = 0; i < s->evlist->nr; i++)
		aux |= s->evlist->evsels[i]->terms.aux_sample_size;
	if (aux)
		return err_set(err, -EINVAL, "No AUX area event to sample");
	if (s->opts->off_cpu) {
		offcpu_event_add(s->evlist);
		/* its samples differ from all others */
		s->opts->sample.identifier = true;
	}
	settle_build_ids(s);
	return 0;
}

int record_settle(struct record_settling *s, struct err *err)
{
	struct record_opts *o = s->opts;
	int rc;

	if (o->sample.latency && o->sample.system_wide)
		return err_set(
			err, -EINVAL,
			"--latency is about the threads of a program: give a command, -p, -t "
			"or -u");
	record_settle_stacks(s);
	o->sample.text_pokes = o->kcore; /* the copy of its code does not stay right */
	tell_lbr(s);
	settle_debuginfod(s);
	rc = settle_vmlinux(s, err);
	if (rc)
		return rc;
	o->sample.delayed = o->delay_ms != 0;
	rc = settle_windows(s, err);
	if (rc)
		return rc;
	settle_regs(&o->sample);
	o->sample.no_bpf = o->no_bpf;
	if (!o->output)
		o->output = default_output();
	o->sample.stream = !strcmp(o->output, "-");
	rc = refuse_threads(s, err);
	if (rc)
		return rc;
	settle_threads(s);
	tell_pages(s);
	rc = settle_output(s, err);
	return rc ? rc : complete_events(s, err);
}

/* The fields a filter looks at have to be in the sample: for that event, they are recorded. */
static void add_filtered_fields(const struct record_settling *s)
{
	for (size_t i = 0; i < s->evlist->nr; i++) {
		struct evsel *e = s->evlist->evsels[i];
		struct compiled_filter filter;
		struct filter_error fe;
		u64 types;

		if (!e->sample_filter || compiled_filter_parse(&filter, e->sample_filter, &fe))
			continue;
		types = compiled_filter_types(&filter);
		compiled_filter_release(&filter);
		/* where the id stands is the same for all events of a file */
		s->opts->sample.identifier |= !!(types & PERF_SAMPLE_IDENTIFIER);
		e->attr.sample_type |= types & ~(u64)PERF_SAMPLE_IDENTIFIER;
	}
}

/* Values that perf reads by itself are events for perf stat; there are no samples of them. */
static bool is_sampled(const struct evsel *e)
{
	return !e->tool || e->tool == TOOL_RETIRE_LATENCY;
}

bool record_any_sampled(const struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (is_sampled(l->evsels[i]))
			return true;
	return false;
}

static void tell_unsampled(const struct record_settling *s)
{
	struct few_names names = { 0 };

	for (size_t i = 0; i < s->evlist->nr; i++)
		if (!is_sampled(s->evlist->evsels[i]))
			few_names_add(&names, s->evlist->evsels[i]->name);
	if (names.nr)
		notice(s->always, "There are no samples of %s: perf stat shows the value%s.\n",
		       strbuf_str(&names.text), names.nr > 1 ? "s" : "");
	few_names_release(&names);
}

int record_settle_events(const struct record_settling *s, struct err *err)
{
	tell_unsampled(s);
	add_filtered_fields(s);
	return refuse_windows(s, err) ?: settle_rate(s, err);
}
