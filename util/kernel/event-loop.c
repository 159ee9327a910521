// SPDX-License-Identifier: GPL-2.0-or-later
/* Run the event loop on epoll: timers and signals are descriptors like all others. */
#include "base/compat.h"
#include "kernel/event-loop.h"

#include "base/alloc.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define MAX_READY 64

enum source_kind { SOURCE_WATCHED, SOURCE_ALWAYS_READY, SOURCE_TIMER, SOURCE_SIGNALS };

struct source {
	int fd; /* ours, unless it is watched for somebody */
	enum source_kind kind;
	bool dead; /* forgotten; epoll may just have reported it, so it is freed by the next wait */
	event_ready_fn ready;
	event_signal_fn got;
	void *ctx;  /* borrowed */
	u32 events; /* SOURCE_ALWAYS_READY: what it is ready for */
};

struct event_loop {
	int epoll;
	struct source **sources; /* owned, each */
	size_t nr, cap;
	size_t nr_always; /* of them SOURCE_ALWAYS_READY, not forgotten */
	bool any_dead;
};

struct event_loop *event_loop_new(struct err *err)
{
	struct event_loop *l;
	int fd = epoll_create1(EPOLL_CLOEXEC);

	if (fd < 0) {
		err_set(err, -errno, "failed to set up waiting: %s", err_str(-errno));
		return NULL;
	}
	l = xzalloc(sizeof(*l));
	l->epoll = fd;
	return l;
}

static void source_close(struct source *s)
{
	if ((s->kind == SOURCE_TIMER || s->kind == SOURCE_SIGNALS) && s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

void event_loop_free(struct event_loop *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->nr; i++) {
		source_close(l->sources[i]);
		free(l->sources[i]);
	}
	free(l->sources);
	close(l->epoll);
	free(l);
}

/* Wait for @src too. Its descriptor is closed after an error, when it is ours. */
static int add_source(struct event_loop *l, struct source src, u32 events, struct err *err)
{
	struct epoll_event ev = { .events = events };
	struct source *s = xmalloc(sizeof(*s));

	*s = src;
	ev.data.ptr = s;
	if (epoll_ctl(l->epoll, EPOLL_CTL_ADD, s->fd, &ev)) {
		int code = -errno;

		/* epoll does not take files, which never have to be waited for */
		if (code == -EPERM) {
			s->kind = SOURCE_ALWAYS_READY;
			s->events = events;
			code = 0;
			l->nr_always++;
		}
		if (code) {
			source_close(s);
			free(s);
			return err_set(err, code, "failed to wait for a descriptor: %s",
				       err_str(code));
		}
	}
	VEC_GROW(l->sources, l->nr + 1, l->cap);
	l->sources[l->nr++] = s;
	return 0;
}

int event_loop_watch(struct event_loop *l, int fd, u32 events, event_ready_fn ready, void *ctx,
		     struct err *err)
{
	struct source src = { .fd = fd, .ready = ready, .ctx = ctx };

	return add_source(l, src, events, err);
}

void event_loop_forget(struct event_loop *l, int fd)
{
	for (size_t i = 0; i < l->nr; i++) {
		struct source *s = l->sources[i];

		if (s->dead || s->fd != fd)
			continue;
		epoll_ctl(l->epoll, EPOLL_CTL_DEL, fd, NULL);
		source_close(s);
		l->nr_always -= s->kind == SOURCE_ALWAYS_READY;
		s->dead = l->any_dead = true;
	}
}

int event_loop_timer(struct event_loop *l, u64 ms, u64 every, event_ready_fn ready, void *ctx,
		     struct err *err)
{
	struct itimerspec t = {
		.it_value = { (time_t)(ms / 1000), (long)(ms % 1000) * 1000000 },
		.it_interval = { (time_t)(every / 1000), (long)(every % 1000) * 1000000 },
	};
	struct source src = { .kind = SOURCE_TIMER, .ready = ready, .ctx = ctx };
	int rc;

	/* a time of zero would switch the timer off */
	if (!ms)
		t.it_value.tv_nsec = 1;
	src.fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (src.fd < 0 || timerfd_settime(src.fd, 0, &t, NULL)) {
		rc = err_set(err, -errno, "failed to set a timer: %s", err_str(-errno));
		source_close(&src);
		return rc;
	}
	rc = add_source(l, src, EPOLLIN, err);
	return rc ? rc : src.fd;
}

int event_loop_signals(struct event_loop *l, const sigset_t *set, event_signal_fn got, void *ctx,
		       struct err *err)
{
	struct source src = { .kind = SOURCE_SIGNALS, .got = got, .ctx = ctx };

	src.fd = signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (src.fd < 0)
		return err_set(err, -errno, "failed to set up signals: %s", err_str(-errno));
	return add_source(l, src, EPOLLIN, err);
}

/* --- waiting ------------------------------------------------------------------------ */

static void free_dead(struct event_loop *l)
{
	size_t kept = 0;

	if (!l->any_dead)
		return;
	for (size_t i = 0; i < l->nr; i++) {
		if (l->sources[i]->dead)
			free(l->sources[i]);
		else
			l->sources[kept++] = l->sources[i];
	}
	l->nr = kept;
	l->any_dead = false;
}

static int read_signals(const struct source *s, struct err *err)
{
	struct signalfd_siginfo info;
	int rc = EVENT_LOOP_GO_ON;

	while (rc >= 0 && !s->dead && read(s->fd, &info, sizeof(info)) == sizeof(info)) {
		int got = s->got(s->ctx, &info, err);

		rc = got < 0 ? got : MAX(rc, got);
	}
	return rc;
}

static int deliver(const struct source *s, u32 events, struct err *err)
{
	u64 times;

	if (s->dead)
		return EVENT_LOOP_GO_ON;
	if (s->kind == SOURCE_SIGNALS)
		return read_signals(s, err);
	/* stopped and started again between the report and now, a timer has nothing to tell */
	if (s->kind == SOURCE_TIMER && read(s->fd, &times, sizeof(times)) != sizeof(times))
		return EVENT_LOOP_GO_ON;
	return s->ready(s->ctx, s->fd, events, err);
}

/* Call those that are always ready. @rc: what was returned so far. Return: the same, with what they
 * return. */
static int deliver_always(const struct event_loop *l, int rc, struct err *err)
{
	size_t nr = l->nr;

	for (size_t i = 0; i < nr && l->nr_always && rc >= 0; i++) {
		const struct source *s = l->sources[i];
		int got = s->kind == SOURCE_ALWAYS_READY ? deliver(s, s->events, err) : 0;

		rc = got < 0 ? got : MAX(rc, got);
	}
	return rc;
}

int event_loop_wait(struct event_loop *l, int timeout_ms, struct err *err)
{
	struct epoll_event ready[MAX_READY];
	int n, rc = EVENT_LOOP_GO_ON;

	free_dead(l);
	n = epoll_wait(l->epoll, ready, MAX_READY, l->nr_always ? 0 : timeout_ms);
	if (n < 0 && errno != EINTR)
		return err_set(err, -errno, "failed to wait for data: %s", err_str(-errno));
	for (int i = 0; i < n && rc >= 0; i++) {
		int got = deliver(ready[i].data.ptr, ready[i].events, err);

		rc = got < 0 ? got : MAX(rc, got);
	}
	return deliver_always(l, rc, err);
}
