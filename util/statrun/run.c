// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The run of perf stat: open, start, wait, read, add up. The window that is measured has nothing in
 * it but the start of the command and waiting.
 */
#include "base/compat.h"
#include "statrun/run-internal.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- opening ---------------------------------------------------------------------- */

static void tell_step(void *ctx, const char *text)
{
	const struct stat_run *r = ctx;

	if (r->o->verbose)
		notice(&r->to.notes, "%s\n", text);
}

static void tell_try(void *ctx, const struct open_try *t)
{
	const struct stat_run *r = ctx;

	r->to.tried(r->to.ctx, t);
}

/* The order in which events get onto counters; the caller frees. NULL: as they come */
static u32 *take_turns(const struct stat_run *r, size_t *nr)
{
	u32 *order = r->turn ? xcalloc(r->evlist->nr + 1, sizeof(*order)) : NULL;

	*nr = 0;
	for (u32 i = 0; order && i < r->evlist->nr; i++)
		if (r->evlist->evsels[i]->leader == i)
			order[(*nr)++] = i;
	multiplexing_order(r->turn, order, *nr);
	return order;
}

static int open_kevents(struct stat_run *r, struct err *err)
{
	struct open_opts o = {
		.sysroot = r->o->sysroot,
		.cpus = &r->table.cpus,
		.tids = &r->table.tids,
		.ignore_gone_threads = true,
		.counting = true,
		.note = tell_step,
		.tried = r->to.tried ? tell_try : NULL,
		.note_ctx = r,
	};
	struct int_list child = { 0 };
	u32 *order = take_turns(r, &o.nr_order);
	int rc;

	o.order = order;
	if (r->workload.pid && !o.cpus->nr && !o.tids->nr) {
		int_list_add(&child, r->workload.pid);
		o.tids = &child;
	}
	rc = kevents_open(&r->kevents, r->evlist, &o, err);
	int_list_release(&child);
	free(order);
	for (size_t i = 0; !rc && i < r->evlist->nr; i++)
		r->table.unsupported[i] = r->kevents.unsupported[i];
	return rc;
}

static int open_events(struct stat_run *r, struct err *err)
{
	int rc = stat_bpf_used(r) ? stat_bpf_open(r, err) : open_kevents(r, err);

	if (!rc)
		rc = stat_sampler_open(r, err);
	if (rc) {
		r->open_failed = true;
		return rc;
	}
	for (size_t i = 0; r->o->verbose && i < r->evlist->nr; i++) {
		const char *name = r->evlist->evsels[i]->name;

		if (r->table.unsupported[i])
			notice(&r->to.notes,
			       "Warning:\n%s event is not supported by the kernel.\n"
			       "failed to read counter %s\n",
			       name, name);
	}
	rc = kevents_filter(&r->kevents, r->evlist, r->o->sysroot, err);
	return rc ? rc : stat_file_start(r, err);
}

/* --- starting --------------------------------------------------------------------- */

/* The time of a delay is over: now it counts. Return: 0 or negative errno. */
static int start_late(struct stat_run *r, struct err *err)
{
	int rc;

	notice(&r->to.notes, "Events disabled\n");
	rc = stat_wait(r, err);
	stat_timers_stop(r);
	if (rc < 0)
		return rc;
	stat_run_enable(r, true);
	notice(&r->to.notes, "Events enabled\n");
	r->start = clock_ns(CLOCK_MONOTONIC);
	return stat_timers_start(r, err);
}

/* Wait for the time of the delay. Without a command it passes once more before the events count. */
static int wait_before(struct stat_run *r, struct err *err)
{
	int rc = stat_delay_start(r, err);

	if (!rc)
		rc = MIN(stat_wait(r, err), 0);
	stat_timers_stop(r);
	return rc;
}

static int start(struct stat_run *r, struct err *err)
{
	int delay = r->o->delay, rc = 0;

	if (delay < 0)
		notice(&r->to.notes, "Events disabled\n");
	if (delay > 0 && !r->workload.pid)
		rc = wait_before(r, err);
	if (rc)
		return rc;
	r->start = clock_ns(CLOCK_MONOTONIC);
	rc = delay > 0 ? stat_delay_start(r, err) : stat_timers_start(r, err);
	if (rc)
		return rc;
	if (!r->enable_on_exec && !delay)
		stat_run_enable(r, true);
	rc = workload_start(&r->workload, err);
	if (rc)
		return err_set(err, rc, "Workload failed: %s", err_str(rc));
	return delay > 0 ? start_late(r, err) : 0;
}

/* --- one run ---------------------------------------------------------------------- */

/* Run the command of --pre or --post. */
static int run_aside(const struct stat_run *r, const char *command, struct err *err)
{
	char *argv[] = { "/bin/sh", "-c", (char *)(uintptr_t)command, NULL };
	struct workload w;
	int rc = workload_prepare(&w, argv, &r->mask, WORKLOAD_OUTPUT_OURS, err);

	if (!rc)
		rc = workload_start(&w, err);
	if (rc)
		return rc;
	workload_wait(&w);
	if (WIFEXITED(w.status) && !WEXITSTATUS(w.status))
		return 0;
	return err_set(err, -ECHILD, "'%s' failed", command);
}

static u64 ns_of(const struct timeval *tv)
{
	return (u64)tv->tv_sec * 1000000000 + (u64)tv->tv_usec * 1000;
}

/* Take the times of a run. @before: of the children that ended before the run */
static void take_times(struct stat_run *r, u64 now, const struct rusage *before)
{
	struct rusage after;

	getrusage(RUSAGE_CHILDREN, &after);
	r->results.times = (struct stat_times){
		.wall = now - r->start,
		.user = ns_of(&after.ru_utime) - ns_of(&before->ru_utime),
		.system = ns_of(&after.ru_stime) - ns_of(&before->ru_stime),
	};
}

/* Return: why it ended, or negative errno. */
static int wait_for_end(struct stat_run *r, struct err *err)
{
	unsigned int nr = 0;
	int why;

	while ((why = stat_wait(r, err)) == STAT_INTERVAL) {
		stat_end_interval(r, clock_ns(CLOCK_MONOTONIC));
		if (r->o->interval_count && ++nr == r->o->interval_count)
			return STAT_TIMEOUT;
	}
	return why;
}

/* Prepare all that has to be there before counting, and begin to count. */
static int prepare(struct stat_run *r, struct rusage *before, struct err *err)
{
	const struct stat_options *o = r->o;
	int rc = o->pre ? run_aside(r, o->pre, err) : 0;

	r->results.times = (struct stat_times){ 0 };
	if (o->sync)
		sync();
	getrusage(RUSAGE_CHILDREN, before);
	if (!rc && r->command)
		rc = workload_prepare(&r->workload, r->command, &r->mask,
				      o->compare.nr && !o->compare.show_output
					      ? WORKLOAD_OUTPUT_HIDDEN
					      : WORKLOAD_OUTPUT_OURS,
				      err);
	if (!rc)
		rc = open_events(r, err);
	if (rc)
		return rc;
	stat_gauges_start(r);
	return start(r, err);
}

static void cancel(struct stat_run *r)
{
	stat_timers_stop(r);
	workload_cancel(&r->workload);
	kevents_release(&r->kevents);
	stat_sampler_close(r);
	stat_bpf_close(r);
}

/* Read all counts at the end. With intervals they are not written, as the file has them already. */
static void read_all(struct stat_run *r)
{
	r->file.mute = r->o->interval;
	stat_read(r);
	r->file.mute = false;
	if (!r->o->interval)
		stat_file_round(r, r->results.times.wall, true);
}

static int status_of(const struct stat_run *r)
{
	const struct workload *w = &r->workload;

	if (r->post_failed)
		return 255;
	if (!w->ended)
		return 0;
	/* that it was we who ended it is no failure */
	if (WIFSIGNALED(w->status))
		return r->results.why != STAT_ENDED ? 0 : 128 + WTERMSIG(w->status);
	return WEXITSTATUS(w->status);
}

static void run_post(struct stat_run *r)
{
	struct err err = { 0 };

	/* what was counted is shown all the same */
	r->post_failed = r->o->post && run_aside(r, r->o->post, &err);
	if (r->post_failed)
		notice(&r->to.notes, "%s\n", err.msg);
}

static int run_command(struct stat_run *r, struct err *err)
{
	const struct workload *w = &r->workload;
	struct rusage before;
	int rc = prepare(r, &before, err), why;

	if (rc) {
		cancel(r);
		return rc;
	}
	why = wait_for_end(r, err);
	stat_timers_stop(r);
	stat_end_workload(r);
	if (why < 0) {
		cancel(r);
		return why;
	}
	r->results.why = (enum stat_stop)why;
	if (w->ended && WIFSIGNALED(w->status) && !r->o->interval)
		notice(&r->to.notes, "%s: %s\n", r->command[0], strsignal(WTERMSIG(w->status)));
	take_times(r, clock_ns(CLOCK_MONOTONIC), &before);
	read_all(r);
	run_post(r);
	r->results.status = status_of(r);
	return 0;
}

int stat_run_once(struct stat_run *r, struct err *err)
{
	struct stat_results *res = &r->results;
	int rc = run_command(r, err);

	if (rc)
		return rc;
	if (r->o->interval && res->why != STAT_TIMEOUT && res->why != STAT_QUIT)
		stat_end_interval(r, r->start + res->times.wall);
	counts_unmark(&r->table.counts);
	stat_sum_up(r);
	res->last.duration = res->times.wall;
	if (r->to.run_end)
		r->to.run_end(r->to.ctx);
	return 0;
}

void stat_run_forget(struct stat_run *r)
{
	counts_clear(&r->table.counts);
	kevents_release(&r->kevents);
	stat_sampler_close(r);
	stat_bpf_close(r);
}

void stat_run_enable(struct stat_run *r, bool on)
{
	if (stat_bpf_used(r))
		bpf_counts_enable(&r->bpf.counts, on);
	else
		kevents_enable(&r->kevents, on);
	kevents_enable(&r->sampler.opened, on);
}
