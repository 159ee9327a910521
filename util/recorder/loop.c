// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * While it records: everything that can wake the recorder is watched by its event loop. After each
 * waking the rings are emptied into the output, as spans of the mappings themselves, and the parts
 * look at what there is.
 */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include "kernel/cpu-watch.h"

#include <errno.h>

/* --- what wakes it ------------------------------------------------------------- */

int loop_on_signal(void *ctx, const struct signalfd_siginfo *info, struct err *err __unused)
{
	struct recorder *r = ctx;

	if (info->ssi_signo == SIGCHLD)
		return workload_poll(&r->workload) ? EVENT_LOOP_STOP : EVENT_LOOP_GO_ON;
	if (info->ssi_signo == SIGUSR2) {
		switching_trigger(&r->switching);
		return EVENT_LOOP_GO_ON;
	}
	r->result.signal = (int)info->ssi_signo;
	r->result.stopped = true;
	return EVENT_LOOP_STOP;
}

/* A descriptor hangs up when its thread has ended. The end, when none is left. */
static int on_event(void *ctx, int fd, u32 events, struct err *err __unused)
{
	struct recorder *r = ctx;

	if (!(events & (EPOLLHUP | EPOLLERR)))
		return EVENT_LOOP_GO_ON;
	event_loop_forget(r->loop, fd);
	r->live--;
	return r->live || ring_threads_live(r->threads) ? EVENT_LOOP_GO_ON : EVENT_LOOP_STOP;
}

static int on_bpf(void *ctx, int fd, u32 events, struct err *err __unused)
{
	struct recorder *r = ctx;

	if (events & (EPOLLHUP | EPOLLERR))
		event_loop_forget(r->loop, fd);
	bpf_watch_read(&r->bpf_watch, &r->progs);
	return EVENT_LOOP_GO_ON;
}

/* Rings beside those of the watched event, which is then one that is overwritten. */
static int on_other_ring(void *ctx, int fd, u32 events, struct err *err __unused)
{
	struct recorder *r = ctx;

	if (events & (EPOLLHUP | EPOLLERR))
		event_loop_forget(r->loop, fd);
	return EVENT_LOOP_GO_ON;
}

static int on_duration(void *ctx, int fd __unused, u32 events __unused, struct err *err __unused)
{
	struct recorder *r = ctx;

	r->result.stopped = true;
	return EVENT_LOOP_STOP;
}

/*
 * Objects of other mount namespaces go with their processes: the records that tell of them are
 * looked at soon, however slowly the rings fill.
 */
#define LOOK_MS 250

static int on_look(void *ctx, int fd __unused, u32 events __unused, struct err *err __unused)
{
	struct recorder *r = ctx;

	r->looking = true;
	return EVENT_LOOP_GO_ON;
}

static int watch_objects(struct recorder *r, struct err *err)
{
	if (!keeps_objects(r) || r->threads || r->opts->overwrite)
		return 0;
	return MIN(event_loop_timer(r->loop, LOOK_MS, LOOK_MS, on_look, r, err), 0);
}

/* --- CPUs that come back --------------------------------------------------------- */

/*
 * The kernel lets go of the events of a CPU for good when it goes offline: they are opened anew,
 * into the ring that is there. Their ids are new ones, which the file learns at its end; a stream
 * has told its ids by then, so there nothing is done.
 */
static int open_again(struct recorder *r, int cpu, struct err *err)
{
	struct kevents *k = &r->ev.kevents;
	/* other threads that look at records look ids up meanwhile: not the new ones */
	bool index = !r->out.compress_thread && !r->threads;
	int rc = opened_again(&r->ev, cpu, index, &r->hooks->notes, err);

	if (rc > 0 && r->feedback.left_out)
		feedback_leave_out(&r->ev, cpu);
	for (size_t i = 0; rc > 0 && i < k->nr; i++)
		if (k->fds[i].cpu == cpu && k->fds[i].on)
			kfd_enable(&k->fds[i], true);
	return rc;
}

static int on_cpu(void *ctx, int fd, u32 events __unused, struct err *err __unused)
{
	struct recorder *r = ctx;
	const struct record_notes *notes = &r->hooks->notes;
	int cpu;

	while ((cpu = cpu_watch_read(fd)) >= 0) {
		struct err why = { 0 };
		int rc = open_again(r, cpu, &why);

		/* the others go on, whatever happens to this one */
		if (rc < 0)
			notice(notes->info, "CPU %d came back, but is not recorded again: %s\n",
			       cpu, why.msg);
		else if (rc)
			notice(notes->detail, "CPU %d came back and is recorded again\n", cpu);
	}
	return EVENT_LOOP_GO_ON;
}

static int watch_cpus(struct recorder *r, struct err *err)
{
	if (!r->opts->sample.system_wide || r->out.writer.pipe)
		return 0;
	r->cpu_watch = cpu_watch_open();
	/* where nothing is announced, CPUs that come back stay silent */
	return r->cpu_watch < 0 ? 0
				: event_loop_watch(r->loop, r->cpu_watch, EPOLLIN, on_cpu, r, err);
}

/* --- what is watched --------------------------------------------------------------- */

/* One descriptor per place does: that of an event that is everywhere. */
static u32 watched_event(const struct evlist *l)
{
	u32 watched = 0;

	while (watched + 1 < l->nr && l->evsels[watched]->cpumask)
		watched++;
	return watched;
}

static int watch_events(struct recorder *r, u32 watched, struct err *err)
{
	const struct kevents *k = &r->ev.kevents;
	const struct rings *rings = &r->ev.rings;
	int rc = 0;

	for (size_t i = 0; !rc && i < k->nr; i++) {
		if (k->fds[i].evsel != watched || !ring_threads_mine(r->threads, k->fds[i].cpu))
			continue;
		/* what is overwritten is read when asked for, not when it comes */
		rc = event_loop_watch(r->loop, k->fds[i].fd, k->fds[i].backward ? 0 : EPOLLIN,
				      on_event, r, err);
		r->live++;
	}
	if (!r->ev.list->evsels[watched]->attr.write_backward)
		return rc;
	for (size_t i = 0; !rc && i < rings->nr; i++)
		if (!rings->v[i].backward)
			rc = event_loop_watch(r->loop, rings->v[i].fd, EPOLLIN, on_other_ring, r,
					      err);
	return rc;
}

static int watch_bpf(struct recorder *r, struct err *err)
{
	const struct kevents *k = &r->bpf_watch.kevents;
	int rc = 0;

	for (size_t i = 0; !rc && i < k->nr; i++)
		rc = event_loop_watch(r->loop, k->fds[i].fd, EPOLLIN, on_bpf, r, err);
	return rc;
}

/* --- the control channel ------------------------------------------------------------ */

static void control_measure(void *ctx, bool on)
{
	struct recorder *r = ctx;

	counting_measure(&r->counting, on);
}

static bool control_snapshot(void *ctx)
{
	struct recorder *r = ctx;

	return switching_trigger(&r->switching);
}

static int watch_control(struct recorder *r, struct err *err)
{
	const struct control_target target = { .evlist = r->ev.list,
					       .kevents = &r->ev.kevents,
					       .measure = control_measure,
					       .snapshot = control_snapshot,
					       .ctx = r,
					       .stop = EVENT_LOOP_STOP,
					       .notices = r->hooks->notes.always };

	if (!r->hooks->control || !control_start(r->hooks->control, &target, r->loop, err))
		return 0;
	err_prefix(err, "--control");
	return err->code;
}

static int watch_all(struct recorder *r, struct err *err)
{
	u32 watched = watched_event(r->ev.list);
	struct ring_threads_start threads = { .ev = &r->ev,
					      .opts = &r->opts->ring,
					      .notes = &r->hooks->notes,
					      .loop = r->loop,
					      .live = &r->live,
					      .watched = watched };
	int rc = watch_events(r, watched, err);

	if (!rc)
		rc = watch_bpf(r, err);
	if (!rc)
		rc = ring_threads_start(r->threads, &threads, err);
	if (!rc)
		rc = delay_start(&r->delay, r->opts, &r->counting, r->loop, err);
	if (!rc)
		rc = watch_control(r, err);
	if (!rc)
		rc = watch_cpus(r, err);
	if (!rc)
		rc = watch_objects(r, err);
	if (!rc && r->opts->duration_ms)
		rc = MIN(event_loop_timer(r->loop, r->opts->duration_ms, 0, on_duration, r, err),
			 0);
	feedback_start(&r->feedback, &r->ev, r->opts->sample.system_wide);
	r->out.count_handed = r->feedback.watched;
	return rc ? rc : sleeps_watch(r->sleeps, r->loop, err);
}

/* --- emptying rings ------------------------------------------------------------------ */

static int write_ring(void *ctx, size_t ring __unused, struct iovec *iov, int nr, struct err *err)
{
	return output_events(ctx, iov, nr, err);
}

/* Empty the rings. @mark: the round ends here. Return: 1 when there was any, 0, or negative
 * errno. */
static int drain(struct recorder *r, u64 least, bool mark, struct err *err)
{
	struct ring_sink to = { .write = write_ring, .ctx = &r->out };
	bool left = false;
	int rc;

	if (r->threads)
		to = ring_threads_sink(r->threads);
	to.near = &r->near;
	to.write_back = r->out.write_back;
	rc = drain_rings(&r->ev.rings, &to, 0, least, &left, err);
	/* what was left is older than what comes next: the round is not finished */
	if (rc <= 0 || left || !mark || r->threads)
		return rc;
	return output_mark(&r->out, PERF_RECORD_FINISHED_ROUND, err) ?: 1;
}

int loop_drain_some(struct recorder *r, struct err *err)
{
	return drain(r, 0, false, err);
}

/* --- what parts do after that ------------------------------------------------------------ */

static int check_size(struct recorder *r, bool any)
{
	u64 size = files_written(r);

	if (!r->max_size || !any || size < r->max_size)
		return EVENT_LOOP_GO_ON;
	notice(r->hooks->notes.always,
	       "[ perf record: perf size limit reached (%" PRIu64 " KB), stopping session ]\n",
	       size >> 10);
	/* said once */
	r->max_size = UINT64_MAX;
	return EVENT_LOOP_STOP;
}

/* Look whether the recorder fills its own recording. With a compress thread, the samples handed to
 * it are counted, as its scan is behind. */
static void check_feedback(struct recorder *r)
{
	struct own_share now = { r->out.seen.samples, r->out.seen.own };

	if (r->out.compress_thread)
		now = r->out.handed;
	else
		ring_threads_share(r->threads, &now);
	feedback_look(&r->feedback, &r->ev, now, r->hooks->notes.info);
	r->out.count_handed = r->feedback.watched && !r->feedback.left_out;
}

/* Sleeps belong to the round that begins now. */
static int write_sleeps(struct recorder *r, struct err *err)
{
	struct strbuf sleeps = STRBUF_INIT;
	int rc;

	sleeps_read(r->sleeps, &sleeps);
	rc = output_records(&r->out, &sleeps, err);
	strbuf_release(&sleeps);
	return rc;
}

/* Do what follows each drain. @any: it moved something */
static int after_drain(struct recorder *r, bool any, struct err *err)
{
	int rc = 0, stop;

	if (switching_due(&r->switching, any, files_written(r)))
		rc = files_switch(r, err);
	if (rc < 0)
		return rc;
	stop = check_size(r, any);
	if (r->feedback.watched)
		check_feedback(r);
	if (r->sleeps)
		rc = write_sleeps(r, err);
	return rc < 0 ? rc : stop;
}

/* --- the loop -------------------------------------------------------------------------- */

/* Wait once, empty the rings, let the parts look. Return: EVENT_LOOP_*, or negative errno. */
static int turn(struct recorder *r, struct err *err)
{
	int rc = event_loop_wait(r->loop, -1, err), checked;
	bool done = rc == EVENT_LOOP_STOP;

	if (rc < 0)
		return rc;
	r->waking += !r->looking || done;
	r->looking = false;
	if (done)
		counting_enable(&r->counting, false);
	rc = drain(r, done ? 0 : r->opts->ring.flush, true, err);
	if (rc < 0)
		return rc;
	checked = after_drain(r, rc > 0, err);
	if (checked == EVENT_LOOP_STOP && !done)
		counting_enable(&r->counting, false);
	return checked < 0 ? checked : done || checked == EVENT_LOOP_STOP;
}

int loop_run(struct recorder *r, struct err *err)
{
	int rc;

	nearness_find(&r->near, r->opts->ring.affinity, r->ev.sysroot, &r->ev.cpus);
	rc = watch_all(r, err);
	/* The kernel tells only once that a ring is half full, and epoll asks as it takes a
	 * descriptor in: a ring that was by then would not wake us again. */
	if (r->bpf_watched)
		bpf_watch_read(&r->bpf_watch, &r->progs);
	if (rc >= 0)
		rc = drain(r, 0, true, err);
	if (rc >= 0)
		rc = EVENT_LOOP_GO_ON;
	while (rc == EVENT_LOOP_GO_ON)
		rc = turn(r, err);
	while (rc > 0)
		rc = drain(r, 0, true, err);
	return rc;
}
