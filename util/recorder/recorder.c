// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The steps of a recording: find the target and hold the command at its gate, open, start, move
 * what is in the rings to the file until the end, describe, let go.
 */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include "base/alloc.h"
#include "file/writer.h"
#include "kernel/tracing.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define FAIL 255
#define BUNDLED 32 /* from so many events on they are enabled as bundles */

/* Events count from now on, or no more, because a window has opened or closed. */
static void window_measure(void *ctx, bool on)
{
	struct recorder *r = ctx;

	counting_set(&r->counting, on);
	notice(r->hooks->notes.detail, "Window %s\n", on ? "opened" : "closed");
}

struct recorder *recorder_new(const struct record_opts *o, const struct sysroot *sr,
			      const struct record_events *events, const struct record_hooks *hooks)
{
	struct recorder *r = xzalloc(sizeof(*r));

	r->opts = o;
	r->hooks = hooks;
	r->ev.sysroot = sr;
	r->ev.list = events->list;
	r->switching.watch.list = events->triggers;
	r->windows = (struct count_windows){ .begin.list = events->begins,
					     .end.list = events->ends,
					     .measure = window_measure,
					     .ctx = r,
					     .last = !o->command };
	r->late = (struct late_breakpoints){
		.ev = &r->ev,
		.sets = { { events->list, &r->ev.kevents, !o->sample.delayed, NULL },
			  { events->triggers, &r->switching.watch.events, true,
			    &r->switching.of_target },
			  { events->begins, &r->windows.begin.events, true, NULL },
			  { events->ends, &r->windows.end.events, true, NULL } },
		.workload = &r->workload,
		.command = o->command ? o->command[0] : NULL,
	};
	r->counting = (struct counting){ .kevents = &r->ev.kevents,
					 .list = events->list,
					 .notes = hooks->notes.always };
	r->switching.opts = &o->switching;
	r->rotation.max = o->switching.max_files;
	r->existing = (struct existing){
		.opts = o, .ev = &r->ev, .progs = &r->progs, .notes = hooks->notes.always
	};
	r->cache = (struct object_cache){ .sysroot = sr, .vmlinux = o->vmlinux, .fetch = o->fetch };
	r->no_buildid = o->no_buildid;
	r->max_size = o->max_size;
	r->cpu_watch = r->kcore_last = -1;
	sigprocmask(SIG_BLOCK, NULL, &r->mask);
	return r;
}

/* --- before the events ----------------------------------------------------------- */

/* The end of the terminal ends the recording, unless nohup was asked to prevent that. */
static bool hangup_ends(void)
{
	struct sigaction now;

	return !sigaction(SIGHUP, NULL, &now) && now.sa_handler != SIG_IGN;
}

/* Have signals come through the loop from now on. */
static int take_signals(struct recorder *r, struct err *err)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	if (hangup_ends())
		sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, &r->mask);
	r->loop = event_loop_new(err);
	return r->loop ? event_loop_signals(r->loop, &set, loop_on_signal, r, err) : err->code;
}

static int find_target(struct recorder *r, struct err *err)
{
	const struct record_opts *o = r->opts;
	int rc = opened_find_target(&r->ev, o, r->workload.pid, err);

	if (rc) {
		r->result.status = opened_status(&o->target, rc);
		return rc;
	}
	rc = late_settle(&r->late, err);
	if (!rc && o->ring.threads) {
		rc = ring_threads_new(&r->threads, o->ring.threads, r->ev.sysroot, &r->ev.cpus,
				      err);
		if (rc == -EINVAL)
			r->result.status = -EINVAL & 0xff; /* that of perf 6.1 */
	}
	return rc;
}

static int probe_kcore(const struct sysroot *sr, struct err *err)
{
	int rc = kcore_probe(sr);

	if (!rc)
		return 0;
	return err_set(err, -EACCES,
		       "ERROR: kcore is not readable.\n/proc/kcore, for --kcore: %s. It needs root "
		       "with the capability CAP_SYS_RAWIO, in a kernel that is not locked down.",
		       err_str(rc));
}

int recorder_prepare(struct recorder *r, struct err *err)
{
	const struct record_opts *o = r->opts;
	int rc = file_writer_probe(o->output, err);

	r->result.status = FAIL;
	if (!rc && o->kcore)
		rc = probe_kcore(r->ev.sysroot, err);
	if (!rc)
		rc = take_signals(r, err);
	if (!rc && o->command)
		rc = workload_prepare(&r->workload, o->command, &r->mask,
				      strcmp(o->output, "-") ? WORKLOAD_OUTPUT_OURS
							     : WORKLOAD_OUTPUT_TO_STDERR,
				      err);
	r->existing.command = r->workload.pid;
	/* only now: the command is to have the dispositions we were started with */
	if (!rc)
		rc = realtime_set(o->ring.realtime, err);
	priority_raise(&r->priority);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	return rc ? rc : find_target(r, err);
}

/* --- events ------------------------------------------------------------------------ */

/* Are all events enabled and disabled together, and are there so many that it matters? */
static bool bundle(const struct recorder *r)
{
	const struct record_opts *o = r->opts;

	return o->sample.system_wide && !o->sample.delayed && !o->spans.nr &&
	       !count_windows_given(&r->windows) &&
	       !(r->hooks->control && r->hooks->control->given) && r->ev.list->nr >= BUNDLED;
}

int recorder_open(struct recorder *r, struct err *err)
{
	const struct record_notes *notes = &r->hooks->notes;
	const struct record_opts *o = r->opts;
	int rc;

	r->result.status = FAIL;
	opened_copies(&r->ev, o, notes->info);
	record_opts_events(o, r->ev.list);
	/* the rate nobody has asked for is a modest one */
	if (o->sample.freq_set)
		budget_keep(r->ev.list, o->ring.budget, notes->info);
	rc = opened_events(&r->ev, notes, bundle(r), r->hooks->progress, err);
	if (!rc && o->off_cpu)
		rc = sleeps_open(&r->sleeps, &r->ev, o, err);
	r->counting.sleeps = r->sleeps;
	if (rc)
		return rc;
	if (r->ev.kevents.missing & MISSING_BUILD_ID) {
		notice(notes->always,
		       "Warning:\nThis kernel (before 5.12) cannot put build-ids into map records: "
		       "those of what samples hit are written at the end instead.\n");
		r->no_buildid = false;
	}
	rc = opened_rings(&r->ev, o, notes, err);
	if (!rc)
		opened_copies_start(&r->ev, notes->info);
	return rc;
}

/* The BPF programs that are loaded, and those that will be. */
static void find_bpf(struct recorder *r)
{
	struct int_list cpus = { 0 };

	if (r->opts->no_bpf || bpf_progs_all(&r->progs))
		return;
	if (!cpu_list_online(r->ev.sysroot, &cpus, NULL))
		r->bpf_watched = !bpf_watch_open(&r->bpf_watch, r->ev.sysroot, &cpus);
	int_list_release(&cpus);
	/* those that came between the two */
	bpf_progs_all(&r->progs);
}

/* --- the recording ------------------------------------------------------------------- */

/* Tell whether the command is a value that somebody has meant for -g. */
static bool value_of_g(const struct record_opts *o)
{
	static const char *const modes[] = { "fp", "dwarf", "lbr", "auto", "no" };
	size_t len = strcspn(o->command[0], ",");

	for (size_t i = 0; o->sample.callgraph && i < ARRAY_SIZE(modes); i++)
		if (strlen(modes[i]) == len && !strncmp(modes[i], o->command[0], len))
			return true;
	return false;
}

static int start_command(struct recorder *r, struct err *err)
{
	bool late = late_any(&r->late);
	struct err why = { 0 };
	int rc = 0;

	if ((late ? workload_start_held : workload_start)(&r->workload, &why))
		return err_set(err, -ENOENT, "Failed to collect '%s' for the '%s' workload: %s%s",
			       r->ev.list->evsels[0]->name, r->opts->command[0], why.msg,
			       value_of_g(r->opts) ? "\nHint: -g takes no value: these call chains "
						     "are asked for with --call-graph, as in "
						     "--call-graph dwarf."
						   : "");
	if (late) {
		rc = late_move(&r->late, err);
		if (rc && !r->workload.ended)
			kill(r->workload.pid, SIGKILL);
		else if (!rc)
			workload_let_go(&r->workload);
	}
	return rc;
}

static void start_counting(struct recorder *r)
{
	const struct sample_opts *s = &r->opts->sample;

	if (s->delayed)
		notice(r->hooks->notes.always, "Events disabled\n");
	else if (!s->enable_on_exec)
		counting_enable(&r->counting, true);
	else
		sleeps_enable(r->sleeps, true);
}

/* The events that open and close windows are those of what is recorded. */
static int watch_windows(struct recorder *r, struct err *err)
{
	const struct record_notes *notes = &r->hooks->notes;
	const struct opened *ev = &r->ev;
	const struct open_opts o = { .sysroot = ev->sysroot,
				     .cpus = &ev->cpus,
				     .tids = &ev->tids,
				     .ignore_gone_threads = true,
				     .tried = notes->tried,
				     .note_ctx = notes->tried_ctx };
	/* the kernel has no ring for a thread and its children that is not of one CPU */
	const bool inherit = ev->tids.nr && ev->cpus.nr && !r->opts->sample.no_inherit;

	if (!count_windows_given(&r->windows))
		return 0;
	return count_windows_start(&r->windows, &o, inherit, r->loop, err);
}

/* Start the command and begin the file, once the events are opened. */
static int start(struct recorder *r, struct err *err)
{
	struct strbuf tables = STRBUF_INIT, existing = STRBUF_INIT;
	const struct record_opts *o = r->opts;
	int rc = 0;

	if (opened_is_traced(&r->ev))
		rc = tracing_data(r->ev.sysroot, r->ev.list, &r->tracing, err);
	/* it watches the system, not the command: before that starts */
	if (!rc)
		rc = switching_start(&r->switching, &r->ev, o->sample.system_wide, &r->hooks->notes,
				     r->loop, err);
	if (!rc)
		rc = watch_windows(r, err);
	if (!rc) {
		facts_clock(&o->sample, &r->clock);
		find_bpf(r);
		existing_tables(&r->existing, &tables);
		if (!o->tail_synthesize)
			existing_events(&r->existing, &existing, false);
		start_counting(r);
		rc = start_command(r, err);
	}
	if (!rc)
		rc = files_first(r, &tables, &existing, err);
	strbuf_release(&tables);
	strbuf_release(&existing);
	return rc;
}

/* Write the sums of sleeps. */
static int finish_sleeps(struct recorder *r, struct err *err)
{
	struct strbuf sums = STRBUF_INIT;
	int rc;

	if (!r->sleeps)
		return 0;
	sleeps_finish(r->sleeps, &sums, r->hooks->notes.info);
	rc = output_records(&r->out, &sums, err);
	strbuf_release(&sums);
	return rc ? rc : output_mark(&r->out, PERF_RECORD_FINISHED_ROUND, err);
}

static void tell_windows(const struct recorder *r)
{
	const struct record_notes *notes = &r->hooks->notes;
	const struct count_windows *w = &r->windows;
	struct strbuf sb = STRBUF_INIT;

	if (!w->begin.list->nr)
		return;
	strbuf_addf(&sb, w->nr == 1 ? "one window was" : "%" PRIu64 " windows were", w->nr);
	if (w->missed)
		strbuf_addf(&sb, " open, %" PRIu64 " more had closed before perf woke up",
			    w->missed);
	else
		strbuf_addstr(&sb, " open");
	if (w->nr || w->missed)
		notice(notes->info, "[ perf record: %s ]\n", strbuf_str(&sb));
	else
		notice(notes->always,
		       "Warning:\n--begin: the event did not happen, so there are no samples.\n");
	strbuf_release(&sb);
}

int recorder_record(struct recorder *r, struct err *err)
{
	struct err late = { 0 };
	int rc, rc2;

	r->started = true;
	r->result.status = FAIL;
	rc = start(r, err);
	if (!rc)
		rc = loop_run(r, err);
	if (!rc)
		rc = finish_sleeps(r, err);
	workload_term(&r->workload);
	if (!rc)
		tell_windows(r);
	if (r->out.writer.path) {
		/* A full disk does not undo what was written before it: the file is completed all
		 * the same. */
		rc2 = files_finish(r, rc != 0, &late);
		if (rc2 && !rc)
			*err = late;
		rc = rc ? rc : rc2;
		rc2 = file_writer_close(&r->out.writer, rc ? NULL : err);
		rc = rc ? rc : rc2;
	}
	if (!rc)
		r->result.status = 0;
	return rc;
}

/* --- the end --------------------------------------------------------------------------- */

/*
 * Everything is written by now: what the kernel still has to do for tracepoints, half a minute for
 * syscalls:*, goes on without the user. Only probes that are still open cannot be removed.
 */
static void release_events(struct recorder *r)
{
	struct kevents *k = &r->ev.kevents;

	kevents_enable(k, false);
	rings_release(&r->ev.rings);
	if (opened_is_traced(&r->ev) && !r->opts->release_late && !opened_has_probes(&r->ev))
		kevents_release_behind(k);
	else
		kevents_release(k);
}

static void release(struct recorder *r)
{
	event_loop_free(r->loop);
	if (r->cpu_watch >= 0)
		close(r->cpu_watch);
	sleeps_free(r->sleeps);
	opened_copies_stop(&r->ev);
	switching_release(&r->switching);
	count_windows_release(&r->windows);
	rotation_release(&r->rotation);
	map64_release(&r->existing.tasks);
	kcore_release(&r->kcore_last);
	ring_threads_free(r->threads);
	thread_sets_release(&r->near.sets);
	release_events(r);
	if (r->bpf_watched)
		bpf_watch_close(&r->bpf_watch);
	opened_release(&r->ev);
	bpf_progs_release(&r->progs);
	statistics_release(&r->stats);
	record_scan_release(&r->out.seen);
	unwound_release(&r->out.unwound);
	strbuf_release(&r->tracing);
}

void recorder_close(struct recorder *r, struct record_result *result)
{
	const struct workload *w = &r->workload;

	if (!r->started && w->pid)
		workload_cancel(&r->workload);
	priority_lower(&r->priority);
	/* The file is complete: a second Ctrl-C need not wait for a stubborn command. */
	sigprocmask(SIG_SETMASK, &r->mask, NULL);
	workload_wait(&r->workload);
	/* That the command was ended when time was up is no failure. */
	if (r->result.stopped && !r->result.signal) {
		r->result.status = 0;
	} else if (!r->result.status && w->pid && WIFSIGNALED(w->status)) {
		r->result.signal = WTERMSIG(w->status);
		r->result.status = 128 + r->result.signal;
	} else if (!r->result.status && w->pid) {
		r->result.status = WEXITSTATUS(w->status);
	}
	*result = r->result;
	release(r);
	free(r);
}
