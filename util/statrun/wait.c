// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat: waiting for the next thing to do, without looking around meanwhile. */
#include "base/compat.h"
#include "statrun/statrun.h"

#include "base/clock.h"

#include <sys/signalfd.h>
#include <unistd.h>

u64 stat_now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* Return: true when one came that ends the run. */
static bool take_signals(struct stat_cmd *s)
{
	struct signalfd_siginfo si;

	while (read(s->sigfd, &si, sizeof(si)) == sizeof(si)) {
		if (si.ssi_signo == SIGCHLD) {
			workload_poll(&s->workload);
			continue;
		}
		s->signal = (int)si.ssi_signo;
	}
	return s->signal;
}

#define LOOK_EVERY 100000000 /* ns: what the kernel has no descriptor for */

#define ONE_SIGNAL 200000000 /* ns */

enum { FD_SIGNAL, FD_SIDE, FD_CONTROL, FD_OWN };

static void poll_for(struct stat_cmd *s, u64 ns)
{
	struct ends *e = &s->ends;
	struct timespec ts;

	if (e->looked.nr)
		ns = MIN(ns, (u64)LOOK_EVERY);
	ts = (struct timespec){ (time_t)(ns / 1000000000), (long)(ns % 1000000000) };
	if (ppoll(e->fds, e->nr, ns == UINT64_MAX ? NULL : &ts, NULL) < 0)
		for (size_t i = 0; i < e->nr; i++)
			e->fds[i].revents = 0;
}

void stat_wait_start(struct stat_cmd *s)
{
	static const struct int_list none;
	bool attached = target_tasks(&s->target) && !s->command;

	ends_open(&s->ends, attached ? &s->tids : &none, s->target.pids, FD_OWN);
	s->ends.fds[FD_SIGNAL].fd = s->sigfd;
	s->ends.fds[FD_SIDE].fd = s->side.fd;
	s->ends.fds[FD_CONTROL].fd = s->control.given ? s->control.fd : -1;
}

static bool ended(struct stat_cmd *s)
{
	return s->command ? s->workload.ended : target_tasks(&s->target) && ends_all(&s->ends);
}

enum stat_event stat_wait(struct stat_cmd *s, u64 until)
{
	struct pollfd *control = &s->ends.fds[FD_CONTROL];

	for (;;) {
		u64 now = stat_now();

		if (take_signals(s))
			return STAT_SIGNAL;
		if (ended(s))
			return STAT_ENDED;
		if (s->stopped)
			return STAT_STOPPED;
		if (until && now >= until)
			return STAT_INTERVAL;
		side_serve(s);
		if (s->side.quit)
			return STAT_TIMEOUT;
		if (s->signal)
			return STAT_SIGNAL;
		poll_for(s, until ? until - now : UINT64_MAX);
		if (control->revents && !stat_serve_control(s))
			control->fd = -1;
		control->revents = 0;
	}
}

void stat_end_workload(struct stat_cmd *s)
{
	int first = s->signal;
	u64 since = stat_now();
	struct pollfd *control = &s->ends.fds[FD_CONTROL];
	int fd = control->fd;

	control->fd = -1;
	workload_term(&s->workload);
	/* It may take its time; whoever does not want to wait for that says so once more. The same
	 * signal sent to us and to our group is one. */
	while (s->workload.pid && !s->workload.ended) {
		s->signal = 0;
		if (take_signals(s) && stat_now() - since > ONE_SIGNAL)
			break;
		side_serve(s);
		if (!s->workload.ended)
			poll_for(s, UINT64_MAX);
	}
	control->fd = fd;
	s->signal = first ? first : s->signal;
}
