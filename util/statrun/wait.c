// SPDX-License-Identifier: GPL-2.0-or-later
/* Wait for the next thing to do, on the event loop of the run. */
#include "base/compat.h"
#include "statrun/run-internal.h"

#include "base/clock.h"

#define LOOK_EVERY 100       /* ms: what the kernel has no descriptor for */
#define ONE_SIGNAL 200000000 /* ns */

enum { TIMER_INTERVAL, TIMER_TIMEOUT };

/* --- what comes in ------------------------------------------------------------------- */

static int on_signal(void *ctx, const struct signalfd_siginfo *info, struct err *err)
{
	struct stat_run *r = ctx;

	(void)err;
	if (info->ssi_signo != SIGCHLD)
		return stat_run_signal(r, (int)info->ssi_signo);
	workload_poll(&r->workload);
	return STAT_GO_ON;
}

int stat_run_signal(struct stat_run *r, int signo)
{
	r->results.signal = signo;
	return STAT_SIGNAL;
}

/* A thread or process has ended. */
static int on_end(void *ctx, int fd, u32 events, struct err *err)
{
	struct stat_run *r = ctx;

	(void)events;
	(void)err;
	event_loop_forget(r->loop, fd);
	for (size_t i = 0; i < r->exits.nr; i++)
		if (r->exits.fds[i].fd == fd)
			r->exits.fds[i].revents = POLLIN;
	return STAT_GO_ON;
}

static int on_interval(void *ctx, int fd, u32 events, struct err *err)
{
	(void)ctx;
	(void)fd;
	(void)events;
	(void)err;
	return STAT_INTERVAL;
}

static int on_timeout(void *ctx, int fd, u32 events, struct err *err)
{
	(void)ctx;
	(void)fd;
	(void)events;
	(void)err;
	return STAT_TIMEOUT;
}

/* The loop looks at what has ended after each waking. */
static int on_look(void *ctx, int fd, u32 events, struct err *err)
{
	(void)ctx;
	(void)fd;
	(void)events;
	(void)err;
	return STAT_GO_ON;
}

/* --- what is waited for -------------------------------------------------------------- */

static int watch_ends(struct stat_run *r, struct err *err)
{
	const struct target *t = &r->o->target;
	int rc = 0;

	if (!target_tasks(t) || r->o->command)
		return 0;
	exit_watch_open(&r->exits, &r->table.tids, t->pids, 0);
	for (size_t i = 0; !rc && i < r->exits.nr; i++)
		rc = event_loop_watch(r->loop, r->exits.fds[i].fd, EPOLLIN, on_end, r, err);
	if (!rc && r->exits.looked.nr)
		rc = MIN(event_loop_timer(r->loop, LOOK_EVERY, LOOK_EVERY, on_look, r, err), 0);
	return rc;
}

int stat_wait_start(struct stat_run *r, struct err *err)
{
	sigset_t set;
	int rc;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	rc = event_loop_signals(r->loop, &set, on_signal, r, err);
	return rc ? rc : watch_ends(r, err);
}

/* Return: 0 or negative errno; @timer is set when @first is not 0. */
static int set_timer(struct stat_run *r, int *timer, u64 first, u64 every, event_ready_fn fn,
		     struct err *err)
{
	if (first)
		*timer = event_loop_timer(r->loop, first, every, fn, r, err);
	return first ? MIN(*timer, 0) : 0;
}

int stat_timers_start(struct stat_run *r, struct err *err)
{
	const struct stat_options *o = r->o;
	int rc = set_timer(r, &r->timers[TIMER_INTERVAL], o->interval, o->interval, on_interval,
			   err);

	return rc ? rc : set_timer(r, &r->timers[TIMER_TIMEOUT], o->timeout, 0, on_timeout, err);
}

int stat_delay_start(struct stat_run *r, struct err *err)
{
	return set_timer(r, &r->timers[TIMER_INTERVAL], (u64)r->o->delay, 0, on_interval, err);
}

void stat_timers_stop(struct stat_run *r)
{
	for (size_t i = 0; i < ARRAY_SIZE(r->timers); i++) {
		if (r->timers[i] >= 0)
			event_loop_forget(r->loop, r->timers[i]);
		r->timers[i] = -1;
	}
}

/* --- waiting ------------------------------------------------------------------------- */

static bool ended(struct stat_run *r)
{
	if (r->command)
		return r->workload.ended;
	return target_tasks(&r->o->target) && exit_watch_all(&r->exits);
}

static int wait_once(struct stat_run *r, struct err *err)
{
	int rc = event_loop_wait(r->loop, -1, err);

	r->stopped |= rc == STAT_STOPPED;
	r->quit |= rc == STAT_QUIT;
	return rc;
}

int stat_wait(struct stat_run *r, struct err *err)
{
	int rc = STAT_GO_ON;

	for (;;) {
		if (r->results.signal)
			return STAT_SIGNAL;
		if (ended(r))
			return STAT_ENDED;
		if (r->stopped)
			return STAT_STOPPED;
		if (r->quit)
			return STAT_QUIT;
		if (rc)
			return rc;
		rc = wait_once(r, err);
	}
}

void stat_end_workload(struct stat_run *r)
{
	int first = r->results.signal;
	u64 since = clock_ns(CLOCK_MONOTONIC);

	workload_term(&r->workload);
	/* It may take its time; whoever does not want to wait for that says so once more. The same
	 * signal sent to us and to our group is one. */
	while (r->workload.pid && !r->workload.ended) {
		r->results.signal = 0;
		if (wait_once(r, NULL) < 0 ||
		    (r->results.signal && clock_ns(CLOCK_MONOTONIC) - since > ONE_SIGNAL))
			break;
	}
	r->results.signal = first ? first : r->results.signal;
}
