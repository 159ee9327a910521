// SPDX-License-Identifier: GPL-2.0-or-later
/* The options of perf record are settled: one may follow from others, some exclude each other. */
#include "base/compat.h"
#include "cmd/common/record-settle.h"

#include "arch/arch.h"
#include "base/alloc.h"
#include "cli/config.h"
#include "cmd/common/message.h"
#include "cmd/common/refusal.h"
#include "cmd/common/settings.h"
#include "events/filter.h"
#include "recorder/off-cpu.h"
#include "buildid/debuginfod.h"
#include "symbol/object-id.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define SYNTH_THREADS_MAX 1024

void record_defaults(struct record_front *f)
{
	struct record_opts *o = &f->o;
	const char *ids = NULL, *aio = NULL;
	u64 budget = o->ring.budget;

	config_default_u64("record.sample-budget", &budget);
	o->ring.budget = (unsigned int)MIN(budget, (u64)100);
	config_default_str("record.aio", &aio);
	if (aio)
		record_default_aio(&o->ring, aio);
	config_default_str("record.build-id", &ids);
	if (ids && !strcmp(ids, "skip"))
		o->no_buildid = true;
	else if (ids && !strcmp(ids, "no-cache"))
		o->no_buildid_cache = true;
	else if (ids && !strcmp(ids, "mmap"))
		o->buildid_mmap = true;
	else if (ids && strcmp(ids, "cache"))
		fprintf(stderr, "bad config value for 'record.build-id', ignoring...\n");
}

int record_settle_target(struct record_front *f)
{
	struct sample_opts *s = &f->o.sample;

	s->no_time = f->time_set && !s->time;
	s->no_period = f->period_set && !s->period;
	record_opts_target(&f->o, &stderr_notices);
	for (size_t i = 0; !f->o.target.all_cpus && i < f->evlist.nr; i++)
		if (f->evlist.evsels[i]->cgroup)
			return -1;
	return 0;
}

/* --- samples --------------------------------------------------------------------- */

/* Say where --call-graph=lbr cannot be had. */
static void tell_lbr(const struct record_front *f)
{
	bool kernel_only = false;

	if (f->o.sample.callgraph != CALLGRAPH_LBR)
		return;
	for (size_t i = 0; i < f->evlist.nr; i++)
		kernel_only |= f->evlist.evsels[i]->attr.exclude_user;
	if (f->o.sample.branches)
		fprintf(stderr,
			"Cannot use LBR callstack with branch stack. Falling back to framepointers.\n");
	else if (kernel_only)
		fprintf(stderr,
			"LBR callstack option is only available to get user callchain information. "
			"Falling back to framepointers.\n");
}

/* The registers that unwinding needs, beside those asked for. */
static void settle_regs(struct sample_opts *s)
{
	const struct arch *host = arch_host();

	s->dwarf_regs = s->user_regs ? host->unwind_regs : host->sample_regs;
	if (s->callgraph == CALLGRAPH_FP && host->link_reg)
		s->user_regs |= 1ULL << host->link_reg;
}

/* The fields a filter looks at have to be in the sample: for that event, they are recorded. */
static int settle_filters(struct record_front *f, bool named)
{
	int status = filters_settle(&f->filter, named);

	for (size_t i = 0; i < f->evlist.nr && !status; i++) {
		struct evsel *e = f->evlist.evsels[i];
		struct compiled_filter filter;
		struct filter_error fe;
		u64 types;

		if (!e->sample_filter || compiled_filter_parse(&filter, e->sample_filter, &fe))
			continue;
		types = compiled_filter_types(&filter);
		compiled_filter_release(&filter);
		/* where the id stands is the same for all events of a file */
		f->o.sample.identifier |= !!(types & PERF_SAMPLE_IDENTIFIER);
		e->attr.sample_type |= types & ~(u64)PERF_SAMPLE_IDENTIFIER;
	}
	return status;
}

static int refuse_rate(const struct record_front *f, bool exceeded, u64 max)
{
	const struct sample_opts *s = &f->o.sample;
	char *strict = xasprintf("error: Maximum frequency rate (%" PRIu64 " Hz) exceeded.\n"
				 "       Please use -F freq option with a lower value or consider\n"
				 "       tweaking /proc/sys/kernel/perf_event_max_sample_rate.",
				 max);
	const struct refusal refusals[] = {
		{ .holds = s->count_set && s->freq_set,
		  .sentence = "cannot set frequency and period at the same time" },
		{ .holds = s->freq_set && !s->freq,
		  .sentence = "frequency and count are zero, aborting" },
		{ .holds = exceeded && f->strict_freq, .sentence = strict },
	};
	int status = refusal_find(refusals, ARRAY_SIZE(refusals), NULL, NULL);

	free(strict);
	return status;
}

/* -F and -c against each other and against what the kernel allows. */
static int settle_rate(struct record_front *f)
{
	struct sample_opts *s = &f->o.sample;
	u64 max = record_max_rate(&f->sysroot);
	bool exceeded;
	int status;

	s->count_set = s->count_set && s->count;
	exceeded = !s->count_set && max && s->freq > max;
	status = refuse_rate(f, exceeded, max);
	if (status || !exceeded)
		return status;
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

/* --- build-ids -------------------------------------------------------------------- */

/* --debuginfod: is there what it takes? */
static void settle_debuginfod(struct record_front *f)
{
	struct debuginfod *d;
	struct err err = { 0 };

	if (!f->debuginfod)
		return;
	if (strcmp(f->debuginfod, "system"))
		setenv("DEBUGINFOD_URLS", f->debuginfod, 1);
	if (debuginfod_open(&d, &err)) {
		fprintf(stderr, "WARNING: debuginfod support requested, but %s\n", err.msg);
		return;
	}
	debuginfod_close(d);
	f->o.fetch = true;
}

/* Is the file of --vmlinux that of the running kernel? One that is not is told of and forgotten. */
static int settle_vmlinux(struct record_front *f)
{
	char file[41] = "none", kernel[41] = "none";
	u8 id[20];
	int n;

	if (!f->o.vmlinux)
		return 0;
	if (!file_is_readable(f->o.vmlinux))
		return EXIT_REFUSED;
	n = elf_build_id(f->o.vmlinux, id);
	if (n > 0)
		build_id_hex(id, (u8)n, file);
	n = object_id(&f->sysroot, "[kernel.kallsyms]", true, 0, id);
	if (n > 0)
		build_id_hex(id, (u8)n, kernel);
	if (n > 0 && !strcmp(file, kernel))
		return 0;
	fprintf(stderr,
		"Warning:\n%s is not of the running kernel and is not used: its build-id is %s, the kernel's %s.\n",
		f->o.vmlinux, file, kernel);
	f->o.vmlinux = NULL;
	return 0;
}

/* Looking for build-ids would take time at each switch of the output: only when asked for. */
static void settle_build_ids(struct record_front *f)
{
	struct record_opts *o = &f->o;

	if (o->switching.enabled && !(f->no_buildid_set && !o->no_buildid) &&
	    !(f->no_cache_set && !o->no_buildid_cache))
		o->no_buildid = o->no_buildid_cache = true;
	if (!o->buildid_mmap)
		return;
	o->sample.build_ids = o->no_buildid = true;
	if (f->verbose)
		fprintf(stderr, "Enabling build id in mmap2 events.\n");
}

/* --- rings and the output ----------------------------------------------------------- */

/* What several threads cannot do. */
static int settle_threads(struct record_front *f)
{
	const struct record_opts *o = &f->o;
	bool threads = o->ring.threads;
	const struct refusal refusals[] = {
		{ .holds = threads && o->sample.stream,
		  .sentence = "Parallel trace streaming is not available in pipe mode." },
		{ .holds = threads && o->ring.aio,
		  .sentence = "Asynchronous streaming mode (--aio) is mutually "
			      "exclusive to parallel streaming mode." },
		{ .holds = threads && o->sample.per_thread,
		  .sentence =
			  "--per-thread option is mutually exclusive to parallel streaming mode." },
		{ .holds = threads && o->overwrite,
		  .sentence =
			  "--overwrite option is mutually exclusive to parallel streaming mode." },
	};
	int status = refusal_find(refusals, ARRAY_SIZE(refusals), NULL, NULL);

	if (status || !threads)
		return status;
	if (f->switch_arg || f->triggers.nr)
		fprintf(stderr,
			"WARNING: --switch-output option is not available in parallel streaming mode.\n");
	f->switch_arg = NULL;
	evlist_release(&f->triggers);
	return 0;
}

/* Events that fill an AUX area need a processor that traces. */
static void tell_pages(const struct record_front *f)
{
	size_t pages = f->o.ring.pages;
	char unit = 'K';
	u64 kb;

	if (f->quiet)
		return;
	if (f->aux_pages)
		fprintf(stderr, "-m: no event here has an AUX area, its size is not used\n");
	if (!f->pages_rounded)
		return;
	kb = (u64)pages * (u64)sysconf(_SC_PAGESIZE) / 1024;
	for (const char *u = "MG"; *u && kb % 1024 == 0; u++) {
		kb /= 1024;
		unit = *u;
	}
	fprintf(stderr, "rounding mmap pages size to %" PRIu64 "%c (%zu pages)\n", kb, unit, pages);
}

static int refuse_output(const struct record_front *f, bool bad_threshold,
			 const char *const usage[], const struct option *table)
{
	const struct record_opts *o = &f->o;
	bool pipe = o->sample.stream;
	char *threshold = xasprintf("invalid threshold '%s': give signal, a size (B, K, M, G) or a "
				    "time (s, m, h, d)",
				    f->switch_arg ? f->switch_arg : "");
	const struct refusal refusals[] = {
		{ .holds = o->ring.budget > 100,
		  .sentence = "--sample-budget: at most 100 percent" },
		{ .holds = o->ring.synth_threads > SYNTH_THREADS_MAX,
		  .sentence = "--num-thread-synthesize: at most 1024" },
		{ .holds = f->snapshot_set, .sentence = "No AUX area tracing to snapshot" },
		{ .holds = f->aux_sample_set, .sentence = "No AUX area event to sample" },
		{ .holds = o->kcore && pipe,
		  .sentence = "--kcore needs a file: a pipe has no room for it" },
		{ .holds = o->switching.enabled && pipe,
		  .sentence = "--switch-output needs a file: a pipe cannot be switched",
		  .options = { "switch-output" } },
		{ .holds = bad_threshold, .sentence = threshold, .options = { "switch-output" } },
	};
	int status = refusal_find(refusals, ARRAY_SIZE(refusals), usage, table);

	free(threshold);
	return status;
}

static int settle_output(struct record_front *f, const char *const usage[],
			 const struct option *table)
{
	struct record_opts *o = &f->o;
	struct switch_opts *sw = &o->switching;
	bool bad = f->switch_arg && switch_parse(sw, f->switch_arg), pipe = o->sample.stream;
	int status;

	sw->enabled = f->switch_arg || f->triggers.nr;
	status = refuse_output(f, bad, usage, table);
	if (status)
		return status;
	if (o->timestamp_filename && pipe)
		fprintf(stderr, "Warning:\n--timestamp-filename needs a file: ignored\n");
	o->timestamp_filename = (o->timestamp_filename || sw->enabled) && !pipe;
	o->sample.own_side_band = f->control.given;
	o->sample.overwrite = o->overwrite;
	return 0;
}

/* Output named by nothing goes down the pipe that stdout is, else to perf.data. */
static const char *default_output(void)
{
	struct stat st;

	return !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

/* --- all of it ---------------------------------------------------------------------- */

/* The events that are recorded, complete. */
static int settle_events(struct record_front *f)
{
	const struct parse_env env = { .sr = &f->sysroot };
	bool named = f->evlist.nr, aux = false;
	int status;

	if (!named)
		parse_default(&f->evlist, &env);
	for (size_t i = 0; i < f->evlist.nr; i++)
		aux |= f->evlist.evsels[i]->terms.aux_sample_size;
	if (aux) {
		fprintf(stderr, "No AUX area event to sample\n");
		return EXIT_REFUSED;
	}
	if (f->o.off_cpu) {
		sleeps_add_event(&f->evlist);
		/* its samples differ from all others */
		f->o.sample.identifier = true;
	}
	settle_build_ids(f);
	status = settle_filters(f, named);
	return status ? status : settle_rate(f);
}

int record_settle(struct record_front *f, const char *const usage[], const struct option *table)
{
	struct record_opts *o = &f->o;
	struct sample_opts *s = &o->sample;
	const struct refusal latency = {
		.holds = s->latency && s->system_wide,
		.sentence =
			"--latency is about the threads of a program: give a command, -p, -t or -u"
	};
	int status = refusal_find(&latency, 1, NULL, NULL);

	if (status)
		return status;
	tell_lbr(f);
	settle_debuginfod(f);
	status = settle_vmlinux(f);
	s->delayed = o->delay_ms != 0;
	settle_regs(s);
	s->no_bpf = o->no_bpf;
	if (!o->output)
		o->output = default_output();
	s->stream = !strcmp(o->output, "-");
	if (!status)
		status = settle_threads(f);
	if (!status) {
		tell_pages(f);
		status = settle_output(f, usage, table);
	}
	return status ? status : settle_events(f);
}
