// SPDX-License-Identifier: GPL-2.0-or-later
/* perf trace: from the options to a run, and the text to where it goes. */
#include "base/compat.h"

#include "cmd/trace/trace.h"

#include "cmd/common/message.h"
#include "cmd/common/settings.h"
#include "cmd/common/source.h"
#include "cmd/common/usage.h"

#include "kernel/cgroup.h"
#include "recordopts/settle.h"
#include "tracerun/counted.h"
#include "tracerun/events.h"
#include "tracerun/live.h"
#include "tracerun/settle.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* ---- the output ---- */

/* Write to the file. Once it takes no more, the summary that still comes is for stderr. */
static int write_text(void *ctx, const char *text, size_t len)
{
	struct output_file *out = ctx;

	while (len) {
		ssize_t n = write(out->failed ? STDERR_FILENO : out->fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			out->failed = true;
			return n ? -errno : -EIO;
		}
		text += n;
		len -= (size_t)n;
	}
	return 0;
}

/* Take back all that was written. */
static bool take_back(void *ctx)
{
	const struct output_file *out = ctx;

	return !out->failed && output_mark_return(&out->begin);
}

/* Tell of an error, but not that nobody reads any more. Return: exit status. */
static int tell_end(int rc, struct err *err)
{
	if (!rc || rc == -EPIPE)
		return EXIT_OK;
	error_err(err);
	return EXIT_FAILED;
}

static int open_output(struct trace_command *t)
{
	t->out.fd = STDERR_FILENO;
	if (!t->output)
		return 0;
	t->out.fd = open(t->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (t->out.fd >= 0)
		return 0;
	error("failed to create output file %s: %s", t->output, err_str(-errno));
	return -1;
}

static void close_output(struct trace_command *t)
{
	if (t->output)
		close(t->out.fd);
}

/* ---- from a file ---- */

static int show_file(struct trace_command *t)
{
	struct recording r;
	struct trace_run *run;
	struct err err = { 0 }, ignored = { 0 };
	struct trace_output output = {
		.write = write_text,
		.take_back = output_mark_set(&t->out.begin, t->out.fd) ? take_back : NULL,
		.ctx = &t->out,
	};
	int rc, end, status;

	source_defaults(&t->source);
	t->source.verbose = t->rec.verbose;
	t->source.cpus = t->rec.o.target.cpus;
	t->source.pids = t->rec.o.target.pids;
	t->source.tids = t->rec.o.target.tids;
	if (open_recording(&r, &t->source))
		return EXIT_FAILED;
	run = trace_run_new(&r, &t->asked, &output);
	recording_symbols(&r);
	rc = recording_prepare(&r, &err);
	rc = rc ?: recording_bind_switch(&r, &err);
	if (!rc) {
		rc = trace_run_events(run, &err);
		end = trace_run_end(run, rc ? &ignored : &err);
		rc = rc ?: end;
	}
	status = tell_end(rc, &err) ?: warn_diag(&r.session);
	trace_run_free(run);
	recording_close(&r);
	return status;
}

/* ---- live ---- */

/* The kernel counts calls where it can if a summary is all that is wanted, and else on request. */
static int settle_counting(struct trace_command *t, struct err *err)
{
	struct err why = { 0 };

	if (t->asked.heatmap && t->count)
		return err_set(err, -EINVAL,
			       "the kernel counts sums only, and --heatmap needs each call: leave "
			       "out --bpf-summary");
	if (t->asked.heatmap)
		return 0;
	if (!(t->count_given ? t->count : t->asked.summary && !t->asked.lines))
		return 0;
	if (t->cgroup && strchr(t->cgroup, ','))
		err_set(&why, -EOPNOTSUPP, "the kernel's sums are of one control group (-G)");
	else
		t->asked.counted = !trace_counted_open(&t->counted, &t->asked, &t->rec.o,
						       t->rec.evlist.nr, t->cgroup, t->sa,
						       &t->left_out, &t->rec.sysroot, &why);
	if (!t->asked.counted && t->count)
		return err_set(err, -EOPNOTSUPP, "--bpf-summary: %s", why.msg);
	if (!t->asked.counted && t->rec.verbose)
		fprintf(stderr, "calls are not counted in the kernel: %s\n", why.msg);
	return 0;
}

/* Lines show what arguments point to. */
static void settle_copies(struct trace_command *t)
{
	struct record_opts *o = &t->rec.o;

	t->copies = trace_settle_copies(&t->asked, &t->select, t->sa);
	o->copies = t->copies;
	o->nr_copies = t->copies ? sysargs_nr(t->sa) : 0;
	o->copies_not = &t->left_out;
}

/* Complete the events and the options of recording them. Return: 0, or negative errno. */
static int settle(struct trace_command *t, const char *const usage[], const struct option *table,
		  struct err *err)
{
	struct record_front *f = &t->rec;
	const bool named = f->evlist.nr;
	size_t nr_cgroups = 0;
	struct record_settling s = { .opts = &f->o,
				     .given = &f->given,
				     .sysroot = &f->sysroot,
				     .evlist = &f->evlist,
				     .triggers = &f->triggers,
				     .always = &stderr_notices };
	int rc;

	if (record_settle_target(&s) || (t->cgroup && !f->o.target.all_cpus))
		usage_with_options_msg(
			usage, table,
			"  Error: cgroup monitoring only available in system-wide mode\n");
	rc = trace_leave_out(&t->pids, t->filter_pids,
			     target_system(&f->o.target) || f->o.target.uid, &f->sysroot,
			     &t->left_out, err);
	rc = rc ?: settle_counting(t, err);
	rc = rc ?: trace_events_add(&f->evlist, &t->asked, t->sa, &f->sources.env, err);
	if (rc)
		return rc;
	if (t->cgroup) /* for all events, wherever it stands among the options */
		rc = evlist_set_cgroups(&f->evlist, &f->sysroot, t->cgroup, &nr_cgroups, err);
	if (rc)
		return rc;
	trace_settle_sampling(&t->asked, &f->o.sample);
	settle_copies(t);
	f->o.output = "perf.data"; /* nothing is written, so stdout is no recording */
	rc = record_settle(&s, err);
	if (!rc && filters_settle(&f->filter, named))
		return -ECANCELED;
	rc = rc ?: record_settle_events(&s, err);
	if (!rc)
		trace_events_leave_out(&f->evlist, t->left_out.v, t->left_out.nr);
	return rc;
}

static void tell_losses(const struct trace_live_result *r)
{
	if (r->lost)
		fprintf(stderr,
			"LOST %" PRIu64 " events in all: -m %zu (pages of each ring buffer) would "
			"have held them, it was %zu\n",
			r->lost, r->needed, r->pages);
}

static void end_counting(struct trace_command *t)
{
	const u64 lost = t->asked.counted ? call_sums_lost(&t->counted) : 0;

	if (lost)
		fprintf(stderr,
			"%" PRIu64 " calls were not counted: there are too many threads and "
			"calls for the BPF programs, --no-bpf-summary counts them otherwise\n",
			lost);
	if (t->asked.counted)
		call_sums_close(&t->counted);
}

static int run_live(struct trace_command *t, const char *const usage[], const struct option *table)
{
	const struct record_notes notes = record_front_notes(&t->rec);
	const struct trace_live_conf conf = { .sysroot = &t->rec.sysroot,
					      .opts = &t->rec.o,
					      .events = &t->rec.evlist,
					      .notes = &notes,
					      .source = &t->source,
					      .asked = &t->asked,
					      .left_out = &t->left_out,
					      .counted = &t->counted,
					      .out = { write_text, NULL, &t->out } };
	struct trace_live_result result = { 0 };
	struct err err = { 0 };
	int rc = settle(t, usage, table, &err);

	if (rc == -ECANCELED)
		return EXIT_FAILED;
	rc = rc ?: trace_live(&conf, &result, &err);
	rc = tell_end(rc, &err);
	tell_losses(&result);
	end_counting(t);
	if (t->rec.verbose)
		fprintf(stderr,
			"strings of %" PRIu64 " calls were read from memory of processes\n"
			"memory of %" PRIu64 " calls was copied by BPF programs\n",
			result.strings, result.copied);
	return rc;
}

/* ---- what is asked for ---- */

/* Derive the settings that depend on more than one option. @events: the command line names some */
static void settle_asked(struct trace_command *t, bool events)
{
	struct trace_asked *a = &t->asked;
	const struct record_opts *o = &t->rec.o;

	a->lines = !a->summary || t->with_summary;
	a->summary |= t->with_summary;
	/* events alone were named, so nobody has asked for calls */
	if (!t->select.given && events)
		a->syscalls = false;
	a->look.duration &= a->syscalls || a->faults;
	a->look.blank_duration = true;
	a->look.threads = !(o->sample.no_inherit && o->target.tids && !strchr(o->target.tids, ','));
	a->chains = t->source.input != NULL;
	a->sysroot = &t->rec.sysroot;
	a->live = t->source.input ? NULL : a->sysroot;
	source_defaults(&t->source);
}

static bool is_refused(struct trace_command *t)
{
	const struct target *target = &t->rec.o.target;
	struct err err = { 0 };

	if (table_form_choose(&t->asked.form, t->asked.look.json, t->csv, &err) ||
	    trace_check(&t->asked, t->sa, t->rec.o.sample.callgraph != CALLGRAPH_NONE, &err)) {
		error("%s", err.msg);
		return true;
	}
	if (!t->source.input && target->cpus && (target->pids || target->tids)) {
		fprintf(stderr, "PID/TID switch overriding CPU\n");
		return true;
	}
	if (!t->asked.syscalls && !t->asked.faults && !t->asked.sched && !t->rec.evlist.nr &&
	    !t->source.input) {
		error("--no-syscalls: say what to trace with -e or -F");
		return true;
	}
	return false;
}

int trace_do(struct trace_command *t, const char *const usage[], const struct option *table)
{
	const bool events = t->rec.evlist.nr;
	int status;

	if (!t->source.input && trace_config_events(t))
		return EXIT_REFUSED;
	settle_asked(t, events);
	if (is_refused(t))
		return EXIT_REFUSED;
	if (open_output(t))
		return EXIT_FAILED;
	status = t->source.input ? show_file(t) : run_live(t, usage, table);
	close_output(t);
	return status;
}
