// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf record's loop. Everything that can wake it is a descriptor registered with loop_watch():
 * signals, events, BPF's, timers, and what other parts bring. After each waking the rings are
 * emptied into the output, as spans of the mappings themselves, and the checks run.
 */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include "base/alloc.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define MAX_READY 64

struct loop_source {
	int fd;
	bool dead;  /* forgotten: freed with the loop, as epoll may just have handed it out */
	bool timer; /* fd is ours */
	loop_ready_fn ready;
	void *ctx; /* borrowed */
};

struct loop_checker {
	loop_check_fn check;
	void *ctx; /* borrowed */
};

struct record_loop {
	int epoll;
	struct loop_source **sources; /* owned, each */
	size_t nr, cap;
	struct loop_checker *checks; /* owned */
	size_t nr_checks, cap_checks;
	size_t live; /* descriptors of events that have not hung up */
};

/* --- what is waited for ----------------------------------------------------- */

static struct record_loop *loop_of(struct record *r, struct err *err)
{
	int fd;

	if (r->loop)
		return r->loop;
	fd = epoll_create1(EPOLL_CLOEXEC);
	if (fd < 0) {
		err_set(err, -errno, "failed to set up waiting: %s", err_str(-errno));
		return NULL;
	}
	r->loop = xzalloc(sizeof(*r->loop));
	r->loop->epoll = fd;
	return r->loop;
}

static int add_source(struct record *r, struct loop_source src, u32 events, struct err *err)
{
	struct record_loop *l = loop_of(r, err);
	struct epoll_event ev = { .events = events };

	if (!l)
		return err ? err->code : -EMFILE;
	VEC_GROW(l->sources, l->nr + 1, l->cap);
	l->sources[l->nr] = ev.data.ptr = xmalloc(sizeof(src));
	*l->sources[l->nr] = src;
	if (epoll_ctl(l->epoll, EPOLL_CTL_ADD, src.fd, &ev)) {
		int code = -errno;

		free(l->sources[l->nr]);
		return err_set(err, code, "failed to wait for a descriptor: %s", err_str(code));
	}
	l->nr++;
	return 0;
}

int loop_watch(struct record *r, int fd, u32 events, loop_ready_fn ready, void *ctx,
	       struct err *err)
{
	struct loop_source src = { .fd = fd, .ready = ready, .ctx = ctx };

	return add_source(r, src, events, err);
}

static void source_end(struct record_loop *l, struct loop_source *s)
{
	epoll_ctl(l->epoll, EPOLL_CTL_DEL, s->fd, NULL);
	s->dead = true;
	if (s->timer)
		close(s->fd);
}

void loop_forget(struct record *r, int fd)
{
	struct record_loop *l = r->loop;

	for (size_t i = 0; l && i < l->nr; i++)
		if (l->sources[i]->fd == fd && !l->sources[i]->dead)
			source_end(l, l->sources[i]);
}

int loop_timer(struct record *r, u64 ms, u64 every, loop_ready_fn ready, void *ctx, struct err *err)
{
	struct itimerspec t = {
		.it_value = { (time_t)(ms / 1000), (long)(ms % 1000) * 1000000 },
		.it_interval = { (time_t)(every / 1000), (long)(every % 1000) * 1000000 },
	};
	struct loop_source src = { .timer = true, .ready = ready, .ctx = ctx };
	int rc;

	/* all zero would disarm it */
	if (!ms)
		t.it_value.tv_nsec = 1;
	src.fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (src.fd < 0 || timerfd_settime(src.fd, 0, &t, NULL)) {
		rc = err_set(err, -errno, "failed to set a timer: %s", err_str(-errno));
		if (src.fd >= 0)
			close(src.fd);
		return rc;
	}
	rc = add_source(r, src, EPOLLIN, err);
	if (rc)
		close(src.fd);
	return rc ? rc : src.fd;
}

void loop_timer_stop(struct record *r, int timer)
{
	loop_forget(r, timer);
}

void loop_check(struct record *r, loop_check_fn check, void *ctx)
{
	struct record_loop *l = loop_of(r, NULL);

	if (!l)
		return;
	VEC_GROW(l->checks, l->nr_checks + 1, l->cap_checks);
	l->checks[l->nr_checks++] = (struct loop_checker){ check, ctx };
}

void record_loop_release(struct record *r)
{
	struct record_loop *l = r->loop;

	for (size_t i = 0; l && i < l->nr; i++) {
		if (l->sources[i]->timer && !l->sources[i]->dead)
			close(l->sources[i]->fd);
		free(l->sources[i]);
	}
	if (l) {
		free(l->sources);
		free(l->checks);
		close(l->epoll);
	}
	free(l);
	r->loop = NULL;
}

/* --- the recorder's own sources --------------------------------------------- */

static int on_signal(struct record *r, void *ctx, u32 revents, struct err *err)
{
	struct signalfd_siginfo si;
	bool done = false;

	(void)ctx;
	(void)revents;
	(void)err;
	while (read(r->sigfd, &si, sizeof(si)) == sizeof(si)) {
		if (si.ssi_signo == SIGCHLD) {
			done |= workload_poll(&r->workload);
		} else if (si.ssi_signo == SIGUSR2) {
			record_switch_trigger(r);
		} else {
			r->signal = (int)si.ssi_signo;
			done = r->stopped = true;
		}
	}
	return done ? LOOP_END : LOOP_GO_ON;
}

bool record_live(const struct record *r)
{
	return r->loop->live || pumps_live(r);
}

/* A descriptor hangs up when its thread has ended. The end, when none is left. */
static int on_event(struct record *r, void *ctx, u32 revents, struct err *err)
{
	const struct kfd *k = ctx;

	(void)err;
	if (!(revents & (EPOLLHUP | EPOLLERR)))
		return LOOP_GO_ON;
	loop_forget(r, k->fd);
	r->loop->live--;
	return record_live(r) ? LOOP_GO_ON : LOOP_END;
}

static int on_bpf(struct record *r, void *ctx, u32 revents, struct err *err)
{
	const struct kfd *k = ctx;

	(void)err;
	if (revents & (EPOLLHUP | EPOLLERR))
		loop_forget(r, k->fd);
	bpf_watch_read(&r->bpf_watch, &r->bpf);
	return LOOP_GO_ON;
}

void record_enable(struct record *r, bool on)
{
	kevents_enable(&r->kevents, on);
	record_offcpu_enable(r, on);
}

/* Rings beside those of the watched event, which is then one that is overwritten. */
static int on_other_ring(struct record *r, void *ctx, u32 revents, struct err *err)
{
	const struct ring *ring = ctx;

	(void)err;
	if (revents & (EPOLLHUP | EPOLLERR))
		loop_forget(r, ring->fd);
	return LOOP_GO_ON;
}

static int watch_own(struct record *r, struct err *err)
{
	int rc = loop_watch(r, r->sigfd, EPOLLIN, on_signal, NULL, err);
	u32 watched = 0;

	/* one descriptor per place does: that of an event that is everywhere */
	while (watched + 1 < r->evlist.nr && r->evlist.evsels[watched]->cpumask)
		watched++;
	for (size_t i = 0; !rc && i < r->kevents.nr; i++) {
		if (r->kevents.fds[i].evsel != watched || !pumps_mine(r, r->kevents.fds[i].cpu))
			continue;
		/* what is overwritten is read when asked for, not when it comes */
		rc = loop_watch(r, r->kevents.fds[i].fd, r->kevents.fds[i].backward ? 0 : EPOLLIN,
				on_event, &r->kevents.fds[i], err);
		r->loop->live++;
	}
	for (size_t i = 0; !rc && r->evlist.evsels[watched]->attr.write_backward && i < r->rings.nr;
	     i++)
		if (!r->rings.v[i].backward)
			rc = loop_watch(r, r->rings.v[i].fd, EPOLLIN, on_other_ring, &r->rings.v[i],
					err);
	for (size_t i = 0; !rc && i < r->bpf_watch.kevents.nr; i++)
		rc = loop_watch(r, r->bpf_watch.kevents.fds[i].fd, EPOLLIN, on_bpf,
				&r->bpf_watch.kevents.fds[i], err);
	if (!rc)
		rc = pumps_start(r, watched, err);
	if (!rc)
		rc = record_delay_start(r, err);
	if (!rc)
		rc = record_control_start(r, err);
	if (!rc)
		rc = record_hotplug_start(r, err);
	if (!rc)
		rc = record_limit_start(r, err);
	record_feedback_start(r);
	return rc;
}

/* --- the loop ----------------------------------------------------------------- */

int record_drain_rings(struct record *r, size_t thread, u64 least, bool *left, struct err *err)
{
	bool any = false;

	for (size_t i = 0; i < r->rings.nr; i++) {
		struct ring *ring = &r->rings.v[i];
		struct iovec iov[2];
		u64 head;
		int nr, rc;

		/* what is overwritten is read at the end, into the common file */
		if (ring->backward || pumps_thread(r, i) != thread)
			continue;
		nr = ring_spans(ring, iov, &head);
		if (!nr)
			continue;
		if (head - ring->tail < MIN(least, (u64)ring->size / 4)) {
			if (left)
				*left = true;
			continue;
		}
		/* the other threads stay where they are */
		if (!thread)
			pump_follow(r, ring->cpu);
		rc = r->threads ? pumps_write(r, i, iov, nr, err)
				: record_write_events(r, iov, nr, err);
		if (rc)
			return rc;
		ring_consume(ring, head);
		any = true;
	}
	if (any)
		write_back_note(r->write_back);
	return any;
}

/* @mark: the round ends here */
static int drain(struct record *r, u64 least, bool mark, struct err *err)
{
	bool left = false;
	int rc = record_drain_rings(r, 0, least, &left, err);

	/* what was left is older than what comes next: the round is not finished */
	if (rc <= 0 || left || !mark || r->threads)
		return rc;
	return record_write_mark(r, PERF_RECORD_FINISHED_ROUND, err) ?: 1;
}

int record_drain(struct record *r, struct err *err)
{
	return drain(r, 0, true, err);
}

int record_drain_some(struct record *r, struct err *err)
{
	return drain(r, 0, false, err);
}

/* Wait, and let all that is ready act. Return: LOOP_*, or negative errno. */
static int wait_once(struct record *r, struct err *err)
{
	struct epoll_event ready[MAX_READY];
	int n = epoll_wait(r->loop->epoll, ready, MAX_READY, -1), rc = LOOP_GO_ON;

	if (n < 0 && errno != EINTR)
		return err_set(err, -errno, "failed to wait for data: %s", err_str(-errno));
	for (int i = 0; i < n && rc >= 0; i++) {
		struct loop_source *s = ready[i].data.ptr;
		u64 times;
		int got;

		if (s->timer && !s->dead)
			(void)!read(s->fd, &times, sizeof(times));
		got = s->dead ? LOOP_GO_ON : s->ready(r, s->ctx, ready[i].events, err);

		rc = got < 0 ? got : MAX(rc, got);
	}
	return rc;
}

static int run_checks(struct record *r, bool any, struct err *err)
{
	int rc = LOOP_GO_ON;

	for (size_t i = 0; i < r->loop->nr_checks && rc >= 0; i++) {
		const struct loop_checker *c = &r->loop->checks[i];
		int got = c->check(r, c->ctx, any, err);

		rc = got < 0 ? got : MAX(rc, got);
	}
	return rc;
}

int record_loop(struct record *r, struct err *err)
{
	bool done = false;
	int rc;

	pump_places(r);
	rc = watch_own(r, err);
	if (!rc)
		rc = record_offcpu_watch(r, err);
	/* The kernel tells only once that a ring is half full, and epoll asks as it takes a
	 * descriptor in: a ring that was by then would not wake us again. */
	if (r->bpf_watched)
		bpf_watch_read(&r->bpf_watch, &r->bpf);
	if (rc >= 0)
		rc = record_drain(r, err);
	while (!done && rc >= 0) {
		rc = wait_once(r, err);
		if (rc < 0)
			break;
		r->waking++;
		done = rc == LOOP_END;
		if (done)
			record_enable(r, false);
		rc = drain(r, done ? 0 : r->pump.flush, true, err);
		if (rc >= 0) {
			int checked = run_checks(r, rc > 0, err);

			if (checked == LOOP_END && !done)
				record_enable(r, false);
			done |= checked == LOOP_END;
			rc = checked < 0 ? checked : rc;
		}
	}
	if (rc >= 0)
		rc = 1;
	while (rc > 0)
		rc = record_drain(r, err);
	return rc;
}
