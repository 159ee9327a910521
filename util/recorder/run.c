// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The run of perf record: open, hold the workload at its gate, start, move ring spans to the file
 * until the end, describe. The steps are in record-open.c, -start.c, -loop.c and -end.c.
 */
#include "base/compat.h"
#include "recorder/recorder-internal.h"
#include "cmd/common/sdt.h"

#include "kernel/tracing.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define FAIL 255

static int fail(const struct err *err)
{
	fprintf(stderr, "Error:\n%s\n", err->msg);
	return FAIL;
}

static int exit_status(struct record *r)
{
	if (!r->workload.pid)
		return 0;
	if (WIFSIGNALED(r->workload.status)) {
		r->signal = WTERMSIG(r->workload.status);
		return 128 + r->signal;
	}
	return WEXITSTATUS(r->workload.status);
}

static int start_command(struct record *r, struct err *err)
{
	bool late = record_has_late(r);
	int rc = 0;

	if ((late ? workload_start_held : workload_start)(&r->workload, err)) {
		fprintf(stderr, "Failed to collect '%s' for the '%s' workload: %s\n",
			r->evlist.evsels[0]->name, r->command[0], err->msg);
		err->msg[0] = 0;
		return -ENOENT;
	}
	if (late) {
		rc = record_move_breakpoints(r, err);
		if (rc && !r->workload.ended)
			kill(r->workload.pid, SIGKILL);
		else if (!rc)
			workload_let_go(&r->workload);
	}
	return rc;
}

/* Between opened events and the end. @mask: none of ours. */
static int record_started(struct record *r, struct err *err)
{
	struct strbuf tables = STRBUF_INIT, synth = STRBUF_INIT;
	int rc = 0;

	for (size_t i = 0; !rc && i < r->evlist.nr && !r->tracing.len; i++)
		if (evsel_is_tracepoint(r->evlist.evsels[i]))
			rc = tracing_data(&r->sysroot, &r->evlist, &r->tracing, err);
	if (!rc) {
		/* it watches the system, not the workload: before that starts */
		rc = record_switch_start(r, err);
	}
	if (!rc) {
		record_clock(r);
		record_find_bpf(r);
		record_synth_tables(r, &tables);
		if (!r->ro.tail_synthesize)
			record_synth_events(r, &synth, false);
		if (r->sample.delayed)
			fprintf(stderr, "Events disabled\n");
		else if (!r->sample.enable_on_exec)
			record_enable(r, true);
		else
			record_offcpu_enable(r, true);
		rc = start_command(r, err);
	}
	if (!rc)
		rc = record_write_start(r, &tables, err);
	if (!rc)
		rc = record_write_synth(r, &synth, err);
	if (!rc)
		rc = record_write_mark(r, PERF_RECORD_FINISHED_INIT, err);
	strbuf_release(&tables);
	strbuf_release(&synth);
	if (!rc)
		rc = record_loop(r, err);
	if (!rc)
		rc = record_offcpu_finish(r, err);
	workload_term(&r->workload);
	if (r->writer.path) {
		/* A full disk does not undo what was written before it: the file is completed all
		 * the same. */
		struct err late = { 0 };
		int rc2 = record_finish(r, rc != 0, &late);

		if (rc2 && !rc)
			*err = late;

		rc = rc ? rc : rc2;
		rc2 = file_writer_close(&r->writer, rc ? NULL : err);
		rc = rc ? rc : rc2;
	}
	strbuf_release(&r->tracing);
	return rc;
}

/*
 * The kernel takes some 20 ms to let go of each tracepoint, one after the other: half a minute for
 * syscalls:*. A child that holds the descriptors a little longer than we do waits for that instead
 * of the user. Everything is written by then, and the events are disabled.
 */
static void release_events(struct record *r)
{
	bool slow = false;

	kevents_enable(&r->kevents, false);
	for (size_t i = 0; i < r->evlist.nr && r->kevents.nr; i++)
		slow |= evsel_is_tracepoint(r->evlist.evsels[i]);
	rings_release(&r->rings);
	/* probes that are still open cannot be removed */
	if (slow && !sdt_probes_made()) {
		fflush(NULL);
		if (!fork()) {
			prctl(PR_SET_NAME, "perf-close");
			/* nobody is to wait for the end of our output, nor to find us in the way */
			close(STDIN_FILENO);
			close(STDOUT_FILENO);
			close(STDERR_FILENO);
			(void)!chdir("/");
			setsid();
			kevents_release(&r->kevents);
			_exit(0);
		}
	}
	kevents_release(&r->kevents);
}

int record_run(struct record *r)
{
	struct err err = { 0 };
	sigset_t mask;
	int rc, status = FAIL;

	if (r->dry_run)
		return record_dry_run(r);
	r->sigfd = -1;
	sigprocmask(SIG_BLOCK, NULL, &mask);
	rc = file_writer_probe(r->output, &err);
	if (!rc && r->ro.kcore && record_kcore_probe(r))
		rc = err_set(&err, -EACCES, "ERROR: kcore is not readable.");
	if (!rc)
		rc = record_block_signals(r, &mask, &err);
	if (!rc && r->command)
		rc = workload_prepare(&r->workload, r->command, &mask, !strcmp(r->output, "-"),
				      &err);
	/* only now: the command is to have the dispositions we were started with */
	if (!rc)
		rc = pump_realtime(r, &err);
	pump_raise(r);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	if (!rc) {
		rc = record_find_target(r, &err);
		status = rc ? record_target_status(r, rc) : FAIL;
	}
	if (!rc)
		rc = record_late_breakpoints(r, &err);
	if (!rc) {
		rc = pumps_prepare(r, &err);
		status = rc == -EINVAL ? -EINVAL & 0xff : FAIL; /* that of perf 6.1 */
	}
	if (rc) {
		fprintf(stderr, "%s\n", err.msg);
	} else {
		evlist_configure(&r->evlist, &r->sample);
		record_offcpu_configure(r);
		record_keep_budget(r);
		rc = record_open_events(r, &err);
		if (rc)
			fail(&err);
	}
	if (!rc) {
		rc = record_started(r, &err);
		if (rc && err.msg[0])
			fprintf(stderr, "%s\n", err.msg);
	} else if (r->workload.pid) {
		workload_cancel(&r->workload);
	}
	pump_lower(r);
	/* The file is complete: a second Ctrl-C need not wait for a stubborn command. */
	sigprocmask(SIG_SETMASK, &mask, NULL);
	workload_wait(&r->workload);
	rc = rc ? status : exit_status(r);
	record_loop_release(r);
	record_hotplug_release(r);
	record_offcpu_release(r);
	record_switch_release(r);
	record_control_close(r);
	record_kcore_release(r);
	pumps_release(r);
	thread_sets_release(&r->near);
	release_events(r);
	if (r->bpf_watched)
		bpf_watch_close(&r->bpf_watch);
	bpf_filters_release(&r->filters);
	bpf_progs_release(&r->bpf);
	evlist_release(&r->evlist);
	int_list_release(&r->cpus);
	int_list_release(&r->tids);
	if (r->sigfd >= 0)
		close(r->sigfd);
	return rc;
}
