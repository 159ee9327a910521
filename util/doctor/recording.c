// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks of a recording: what it lacks, and how to record it the next time. All of its records are
 * read once, by the search for objects without symbols (objects/gaps.h); then the checks look at
 * what was counted, at its events and at its header.
 */
#include "base/compat.h"
#include "doctor/doctor-internal.h"

#include "objects/gaps.h"
#include "recording/recording.h"

#include <sys/utsname.h>

struct checked {
	struct recording *r;
	struct gaps gaps;
};

typedef void recording_check(const struct checked *c, struct doctor_finding *f);

/* Return the number of events whose samples have the bits of @type. */
static size_t events_with(const struct checked *c, u64 type, bool all)
{
	const struct evlist *l = &c->r->session.evlist;
	size_t i, nr = 0;

	for (i = 0; i < l->nr; i++)
		if (!evsel_is_dummy(l->evsels[i]) &&
		    (l->evsels[i]->attr.sample_type & type) == type)
			nr++;
		else if (all && !evsel_is_dummy(l->evsels[i]))
			return 0;
	return nr;
}

static void check_complete(const struct checked *c, struct doctor_finding *f)
{
	const struct session *s = &c->r->session;

	if (diag_incomplete(&s->diag) || s->file->clipped) {
		finding_text(f, DOCTOR_MISSING,
			     "a part of what was recorded is missing or damaged");
		finding_fix(f, "copy the file again; what is readable is shown with -f");
	} else if (s->file->unfinished) {
		finding_text(f, DOCTOR_LIMITED,
			     "the recorder did not come to its end: the file has no header "
			     "features, such as the machine and build-ids");
		finding_fix(f, "end perf record with Ctrl-C or SIGTERM, not with SIGKILL, and look "
			       "whether the disk is full");
	} else {
		finding_text(f, DOCTOR_OK, "the recording is complete");
	}
}

static void check_samples(const struct checked *c, struct doctor_finding *f)
{
	const struct session *s = &c->r->session;
	u64 ns = s->last_time > s->first_time ? s->last_time - s->first_time : 0;

	if (!s->nr_samples && s->counts[PERF_RECORD_AUXTRACE]) {
		finding_text(f, DOCTOR_MISSING,
			     "there are no samples, but traces of the processor, whose packets "
			     "perf report -D shows");
		finding_fix(f, "record an event that is sampled beside the trace, such as cycles: "
			       "only traces of Arm SPE become samples here");
	} else if (!s->nr_samples) {
		finding_text(f, DOCTOR_MISSING, "there are no samples");
		finding_fix(f, "record for longer, all CPUs (-a), or with a higher -F; what sleeps "
			       "gives no samples of cycles: see --off-cpu and --wall");
	} else if (s->nr_samples < 100) {
		finding_text(f, DOCTOR_LIMITED,
			     "%" PRIu64 " samples are few: shares below %.0f%% mean little",
			     s->nr_samples, MIN(300.0 / (double)s->nr_samples, 100.0));
		finding_fix(f, "record for longer, or with a higher -F");
	} else {
		finding_text(f, DOCTOR_OK, "%" PRIu64 " samples in %.3f seconds", s->nr_samples,
			     (double)ns / 1e9);
	}
}

static void check_lost(const struct checked *c, struct doctor_finding *f)
{
	const struct session *s = &c->r->session;
	u64 lost = s->diag.count[DIAG_LOST] + s->diag.count[DIAG_LOST_SAMPLES];

	if (!lost) {
		finding_text(f, DOCTOR_OK, "the kernel lost nothing");
		return;
	}
	finding_text(f, DOCTOR_LIMITED, "the kernel lost %" PRIu64 " records or samples", lost);
	finding_fix(f, "larger rings (-m 4M), a lower -F, or less in each sample: "
		       "--call-graph fp in place of dwarf");
}

static void check_throttled(const struct checked *c, struct doctor_finding *f)
{
	u64 nr = c->r->session.counts[PERF_RECORD_THROTTLE];

	if (!nr) {
		finding_text(f, DOCTOR_OK, "the kernel did not hold samples back");
		return;
	}
	finding_text(f, DOCTOR_LIMITED,
		     "the kernel held samples back %" PRIu64 " times, because they came too fast",
		     nr);
	finding_fix(f, "a lower -F, or sudo sysctl kernel.perf_event_max_sample_rate=100000 "
		       "kernel.perf_cpu_time_max_percent=50");
}

static void check_event_kind(const struct checked *c, struct doctor_finding *f)
{
	const struct evlist *l = &c->r->session.evlist;
	size_t i, clocks = 0, precise = 0, hardware = 0;

	for (i = 0; i < l->nr; i++) {
		const struct perf_event_attr *a = &l->evsels[i]->attr;

		clocks += evsel_is_clock(l->evsels[i]);
		hardware += a->type == PERF_TYPE_HARDWARE || a->type == PERF_TYPE_RAW;
		precise += a->precise_ip > 0;
	}
	if (clocks && !hardware) {
		finding_text(f, DOCTOR_LIMITED,
			     "a timer took the samples (%s): code with interrupts off is not seen, "
			     "and lines are off by some instructions",
			     l->nr ? l->evsels[0]->name : "");
		finding_fix(f,
			    "record where the processor's counters can be used (perf doctor tells "
			    "of them)");
	} else if (hardware && !precise) {
		finding_text(f, DOCTOR_LIMITED,
			     "samples may be some instructions behind what they are about");
		finding_fix(f,
			    "an event with the modifier p, such as cycles:pp, where the processor "
			    "has it");
	} else {
		finding_text(f, DOCTOR_OK, "events say where they happened");
	}
}

static void check_kernel_part(const struct checked *c, struct doctor_finding *f)
{
	const struct evlist *l = &c->r->session.evlist;
	size_t i, nr = 0, user = 0;

	for (i = 0; i < l->nr; i++)
		if (!evsel_is_dummy(l->evsels[i])) {
			nr++;
			user += l->evsels[i]->attr.exclude_kernel;
		}
	if (!user || user < nr) {
		finding_text(f, DOCTOR_OK, "the kernel was measured as well");
		return;
	}
	finding_text(f, DOCTOR_LIMITED, "only user space was measured");
	finding_fix(f, "without the modifier u, with kernel.perf_event_paranoid at 1 or lower or "
		       "CAP_PERFMON (perf doctor tells what is allowed)");
}

static void check_chains(const struct checked *c, struct doctor_finding *f)
{
	if (events_with(c, PERF_SAMPLE_CALLCHAIN, false)) {
		finding_text(f, DOCTOR_OK, "samples have call chains%s",
			     evlist_copies_stacks(&c->r->session.evlist)
				     ? ", made from copies of stacks"
				     : "");
		return;
	}
	finding_text(f, DOCTOR_MISSING, "samples have no call chains: nothing tells who called");
	finding_fix(f, "perf record -g, or --call-graph dwarf for programs without frame pointers");
}

static void check_times(const struct checked *c, struct doctor_finding *f)
{
	bool time = c->r->session.has_time, cpu = events_with(c, PERF_SAMPLE_CPU, false) > 0;

	if (time && cpu) {
		finding_text(f, DOCTOR_OK, "samples have times and CPUs");
		return;
	}
	finding_text(f, DOCTOR_LIMITED, "samples have no %s%s",
		     time ? "CPU: -C and rows by CPU cannot be had"
			  : "times: --time, timelines and the order of events cannot be had",
		     time || cpu ? "" : ", and no CPU");
	finding_fix(f, "perf record%s%s", time ? "" : " -T", cpu ? "" : " --sample-cpu");
}

static void check_header(const struct checked *c, struct doctor_finding *f)
{
	const struct env *env = &c->r->session.file->env;
	const struct {
		bool there;
		const char *name;
	} parts[] = {
		{ env->hostname, "the name of the machine" },
		{ env->os_release, "its kernel" },
		{ env->arch, "its architecture" },
		{ env->cpu_desc, "its processor" },
		{ env->nr_cmdline, "the command line" },
	};
	struct strbuf lacks = STRBUF_INIT;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(parts); i++)
		if (!parts[i].there)
			strbuf_addf(&lacks, "%s%s", lacks.len ? ", " : "", parts[i].name);
	if (lacks.len) {
		finding_text(f, DOCTOR_LIMITED, "the header does not tell %s", strbuf_str(&lacks));
		finding_fix(f, "let perf record end by itself, and use a recent perf");
	} else {
		finding_text(f, DOCTOR_OK, "recorded on %s, Linux %s, %s, %u CPUs", env->hostname,
			     env->os_release, env->arch, env->nr_cpus_online);
	}
	strbuf_release(&lacks);
}

static void check_same_machine(const struct checked *c, struct doctor_finding *f)
{
	const struct env *env = &c->r->session.file->env;
	struct utsname here;

	if (uname(&here) || !env->os_release || !env->hostname ||
	    (!strcmp(here.release, env->os_release) && !strcmp(here.nodename, env->hostname))) {
		finding_text(f, DOCTOR_OK, "nothing says that it was recorded on another machine");
		return;
	}
	finding_text(
		f, DOCTOR_LIMITED,
		"it was recorded on another machine or kernel (%s, Linux %s): its programs may "
		"not be here",
		env->hostname, env->os_release);
	finding_fix(f, "there: perf archive; here: unpack that to ~/.debug, or --symfs, or "
		       "--debuginfod");
}

static void check_build_ids(const struct checked *c, struct doctor_finding *f)
{
	const struct session *s = &c->r->session;
	const struct evlist *l = &s->evlist;
	size_t i, in_maps = 0;

	for (i = 0; i < l->nr; i++)
		in_maps += l->evsels[i]->attr.build_id;
	if (s->file->env.nr_build_ids || in_maps || s->counts[PERF_RECORD_HEADER_BUILD_ID]) {
		finding_text(f, DOCTOR_OK, "build-ids tell which builds of programs ran");
		return;
	}
	finding_text(f, DOCTOR_LIMITED,
		     "no build-ids: symbols of programs that were updated since would be wrong");
	finding_fix(f,
		    "perf record without -B and -N, or --buildid-mmap; for this one: perf inject "
		    "-b, on the machine it is of");
}

static void check_kernel_map(const struct checked *c, struct doctor_finding *f)
{
	if (machine_kernel_map(c->r->machine)) {
		finding_text(f, DOCTOR_OK, "it tells where the kernel was");
		return;
	}
	finding_text(f, DOCTOR_LIMITED,
		     "it does not tell where the kernel was: its functions have no names");
	finding_fix(f, "record with kernel.kptr_restrict at 0 or as root (perf doctor tells what "
		       "hides addresses)");
}

static void check_symbols(const struct checked *c, struct doctor_finding *f)
{
	struct few_names names = { 0 };
	u64 samples = 0;

	for (size_t i = 0; i < c->gaps.nr; i++) {
		const struct gap *g = &c->gaps.v[i];

		if (!(g->what & (GAP_FILE | GAP_SYMBOLS)))
			continue;
		samples += g->samples;
		few_names_add(&names, g->dso->path);
	}
	if (!names.nr) {
		finding_text(f, DOCTOR_OK, "all objects with samples have symbols");
	} else {
		finding_text(f, samples * 20 < c->gaps.samples ? DOCTOR_OK : DOCTOR_LIMITED,
			     "%zu object%s with %.1f%% of the samples lack symbols here: %s",
			     names.nr, names.nr == 1 ? "" : "s",
			     100.0 * (double)samples / (double)MAX(c->gaps.samples, (u64)1),
			     strbuf_str(&names.text));
		finding_fix(f, "perf buildid-list --missing tells what to install, or use "
			       "--debuginfod");
	}
	few_names_release(&names);
}

static void check_formats(const struct checked *c, struct doctor_finding *f)
{
	const struct session *s = &c->r->session;
	size_t i, nr = 0;

	for (i = 0; i < s->evlist.nr; i++)
		nr += evsel_is_tracepoint(s->evlist.evsels[i]);
	if (!nr || s->file->env.tracing_data) {
		finding_text(f, DOCTOR_OK, "%s",
			     nr ? "the formats of its tracepoints are there"
				: "there are no tracepoints, which need formats");
		return;
	}
	finding_text(f, DOCTOR_LIMITED,
		     "the formats of %zu tracepoints are missing: their fields cannot be shown",
		     nr);
	finding_fix(f, "let perf record end by itself, with tracefs readable");
}

static const struct {
	const char *name;
	recording_check *check;
} checks[] = {
	{ "complete", check_complete },   { "samples", check_samples },
	{ "lost", check_lost },           { "throttled", check_throttled },
	{ "event", check_event_kind },    { "kernel", check_kernel_part },
	{ "call-chains", check_chains },  { "times", check_times },
	{ "header", check_header },       { "machine", check_same_machine },
	{ "build-ids", check_build_ids }, { "kernel-map", check_kernel_map },
	{ "symbols", check_symbols },     { "formats", check_formats },
};

int doctor_recording(struct recording *r, struct doctor_findings *out, struct err *err)
{
	struct checked c = { .r = r };
	int ret = gaps_find(r, &c.gaps, err);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(checks) && !ret; i++)
		checks[i].check(&c, finding_add(out, checks[i].name));
	gaps_release(&c.gaps);
	return ret;
}
