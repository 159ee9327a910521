// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the event loop: pipes, timers and signals, callbacks that stop it or forget each other. */
#include "base/compat.h"
#include "kernel/event-loop.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

#define REASON 7

struct seen {
	struct event_loop *loop;
	int calls, fd, forget, result, signo;
	u32 events;
};

static int on_ready(void *ctx, int fd, u32 events, struct err *err)
{
	struct seen *s = ctx;

	s->calls++;
	s->fd = fd;
	s->events = events;
	if (s->forget >= 0)
		event_loop_forget(s->loop, s->forget);
	return s->result < 0 ? err_set(err, s->result, "refused by the test") : s->result;
}

static int on_signal(void *ctx, const struct signalfd_siginfo *info, struct err *err)
{
	struct seen *s = ctx;

	(void)err;
	s->calls++;
	s->signo = (int)info->ssi_signo;
	return s->result;
}

static struct seen seen_in(struct event_loop *l, int result)
{
	return (struct seen){ .loop = l, .fd = -1, .forget = -1, .result = result };
}

/* A file never has to be waited for, until it is forgotten. */
static void test_file(void **state)
{
	struct err err = { 0 };
	struct event_loop *l = event_loop_new(&err);
	struct seen s = seen_in(l, REASON);
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(event_loop_watch(l, fd, EPOLLIN, on_ready, &s, &err), 0);
	assert_int_equal(event_loop_wait(l, -1, &err), REASON);
	s.forget = fd;
	assert_int_equal(event_loop_wait(l, -1, &err), REASON);
	assert_int_equal(s.calls, 2);
	assert_int_equal(s.fd, fd);
	assert_int_equal(s.events, EPOLLIN);
	assert_int_equal(event_loop_wait(l, 0, &err), EVENT_LOOP_GO_ON);
	assert_int_equal(s.calls, 2);
	event_loop_free(l);
	assert_int_equal(close(fd), 0);
}

static void test_pipe(void **state)
{
	struct err err = { 0 };
	struct event_loop *l = event_loop_new(&err);
	struct seen s = seen_in(l, EVENT_LOOP_GO_ON);
	char c;
	int p[2];

	(void)state;
	assert_non_null(l);
	assert_int_equal(pipe(p), 0);
	assert_int_equal(event_loop_watch(l, p[0], EPOLLIN, on_ready, &s, &err), 0);
	assert_int_equal(event_loop_wait(l, 0, &err), EVENT_LOOP_GO_ON);
	assert_int_equal(s.calls, 0);

	assert_int_equal(write(p[1], "x", 1), 1);
	assert_int_equal(event_loop_wait(l, -1, &err), EVENT_LOOP_GO_ON);
	assert_int_equal(s.calls, 1);
	assert_int_equal(s.fd, p[0]);
	assert_true(s.events & EPOLLIN);
	/* what is not read is told again */
	assert_int_equal(event_loop_wait(l, 0, &err), EVENT_LOOP_GO_ON);
	assert_int_equal(s.calls, 2);
	assert_int_equal(read(p[0], &c, 1), 1);

	close(p[1]);
	assert_int_equal(event_loop_wait(l, -1, &err), EVENT_LOOP_GO_ON);
	assert_true(s.events & EPOLLHUP);
	event_loop_forget(l, p[0]);
	assert_int_equal(event_loop_wait(l, 0, &err), EVENT_LOOP_GO_ON);
	assert_int_equal(s.calls, 3);
	event_loop_free(l);
	/* it was never the loop's to close */
	assert_true(fcntl(p[0], F_GETFD) >= 0);
	close(p[0]);
}

static void test_reasons(void **state)
{
	struct err err = { 0 };
	struct event_loop *l = event_loop_new(&err);
	struct seen low = seen_in(l, EVENT_LOOP_STOP), high = seen_in(l, REASON);
	int p[2], q[2];

	(void)state;
	assert_int_equal(pipe(p) | pipe(q), 0);
	assert_int_equal(write(p[1], "x", 1) + write(q[1], "x", 1), 2);
	assert_int_equal(event_loop_watch(l, p[0], EPOLLIN, on_ready, &high, &err), 0);
	assert_int_equal(event_loop_watch(l, q[0], EPOLLIN, on_ready, &low, &err), 0);
	/* all that are ready are called, and the largest reason counts */
	assert_int_equal(event_loop_wait(l, -1, &err), REASON);
	assert_int_equal(low.calls, 1);
	assert_int_equal(high.calls, 1);

	event_loop_forget(l, q[0]);
	high.result = -EPIPE;
	assert_int_equal(event_loop_wait(l, -1, &err), -EPIPE);
	assert_string_equal(err.msg, "refused by the test");
	event_loop_free(l);
	close(p[0]);
	close(p[1]);
	close(q[0]);
	close(q[1]);
}

/* When two are ready at once, the one that is handled first forgets the other. */
static void test_forget_ready(void **state)
{
	struct err err = { 0 };
	struct event_loop *l = event_loop_new(&err);
	struct seen a = seen_in(l, 0), b = seen_in(l, 0);
	int p[2], q[2];

	(void)state;
	assert_int_equal(pipe(p) | pipe(q), 0);
	assert_int_equal(write(p[1], "x", 1) + write(q[1], "x", 1), 2);
	a.forget = q[0];
	b.forget = p[0];
	assert_int_equal(event_loop_watch(l, p[0], EPOLLIN, on_ready, &a, &err), 0);
	assert_int_equal(event_loop_watch(l, q[0], EPOLLIN, on_ready, &b, &err), 0);
	assert_int_equal(event_loop_wait(l, -1, &err), EVENT_LOOP_GO_ON);
	assert_int_equal(a.calls + b.calls, 1);
	/* a descriptor that was forgotten can be watched again */
	assert_int_equal(event_loop_watch(l, a.calls ? q[0] : p[0], EPOLLIN, on_ready,
					  a.calls ? &b : &a, &err),
			 0);
	a.forget = b.forget = -1;
	assert_int_equal(event_loop_wait(l, -1, &err), EVENT_LOOP_GO_ON);
	assert_true(a.calls && b.calls);
	event_loop_free(l);
	close(p[0]);
	close(p[1]);
	close(q[0]);
	close(q[1]);
}

static void test_timers(void **state)
{
	struct err err = { 0 };
	struct event_loop *l = event_loop_new(&err);
	struct seen once = seen_in(l, 0), often = seen_in(l, 0), at_once = seen_in(l, 0);
	int fd;

	(void)state;
	fd = event_loop_timer(l, 1, 1, on_ready, &often, &err);
	assert_true(fd >= 0);
	assert_true(event_loop_timer(l, 2, 0, on_ready, &once, &err) >= 0);
	assert_true(event_loop_timer(l, 0, 0, on_ready, &at_once, &err) >= 0);
	while (often.calls < 5 || !once.calls)
		assert_int_equal(event_loop_wait(l, -1, &err), EVENT_LOOP_GO_ON);
	assert_int_equal(once.calls, 1);
	assert_int_equal(at_once.calls, 1);
	event_loop_forget(l, fd);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
	often.calls = 0;
	assert_int_equal(event_loop_wait(l, 5, &err), EVENT_LOOP_GO_ON);
	assert_int_equal(often.calls, 0);
	event_loop_free(l);
}

static void test_signals(void **state)
{
	struct err err = { 0 };
	struct event_loop *l = event_loop_new(&err);
	struct seen s = seen_in(l, 0);
	sigset_t set, old;

	(void)state;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, &old);
	assert_int_equal(event_loop_signals(l, &set, on_signal, &s, &err), 0);
	raise(SIGUSR1);
	raise(SIGUSR2);
	assert_int_equal(event_loop_wait(l, -1, &err), EVENT_LOOP_GO_ON);
	assert_int_equal(s.calls, 2);
	s.result = EVENT_LOOP_STOP;
	raise(SIGUSR2);
	assert_int_equal(event_loop_wait(l, -1, &err), EVENT_LOOP_STOP);
	assert_int_equal(s.signo, SIGUSR2);
	event_loop_free(l);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

static void test_bad_descriptor(void **state)
{
	struct err err = { 0 };
	struct event_loop *l = event_loop_new(&err);
	struct seen s = seen_in(l, 0);

	(void)state;
	assert_int_equal(event_loop_watch(l, -1, EPOLLIN, on_ready, &s, &err), -EBADF);
	assert_true(err.msg[0]);
	event_loop_free(l);
	event_loop_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pipe),           cmocka_unit_test(test_file),
		cmocka_unit_test(test_reasons),        cmocka_unit_test(test_forget_ready),
		cmocka_unit_test(test_timers),         cmocka_unit_test(test_signals),
		cmocka_unit_test(test_bad_descriptor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
