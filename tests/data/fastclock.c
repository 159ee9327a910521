// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Clocks that go FASTER times as fast, to be loaded before the C library: what a program reads of
 * them, and how long it waits. CLOCK_MONOTONIC is multiplied, other clocks go faster from the
 * second FASTER_FROM on.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define NS 1000000000LL

static long long number(const char *name, long long otherwise)
{
	const char *text = getenv(name);

	return text ? atoll(text) : otherwise;
}

static long long faster(void)
{
	return number("FASTER", 1);
}

static long long ns_of(const struct timespec *ts)
{
	return ts->tv_sec * NS + ts->tv_nsec;
}

static struct timespec time_of(long long ns)
{
	return (struct timespec){ ns / NS, ns % NS };
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
	const long long from = id == CLOCK_REALTIME ? number("FASTER_FROM", 0) * NS : 0;
	const int rc = (int)syscall(SYS_clock_gettime, id, ts);

	if (!rc && (id == CLOCK_MONOTONIC || id == CLOCK_REALTIME))
		*ts = time_of(from + (ns_of(ts) - from) * faster());
	return rc;
}

/* A time of zero switches a timer off, so that no other time may become that. */
static struct timespec shorter(const struct timespec *ts)
{
	const long long ns = ns_of(ts);

	return time_of(ns ? ns / faster() + 1 : 0);
}

int timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old)
{
	const struct itimerspec v = { shorter(&value->it_interval), shorter(&value->it_value) };

	return (int)syscall(SYS_timerfd_settime, fd, flags, &v, old);
}

static int less(int ms)
{
	return ms > 0 ? (int)(ms / faster()) + 1 : ms;
}

int poll(struct pollfd *fds, nfds_t nr, int ms)
{
	return (int)syscall(SYS_poll, fds, nr, less(ms));
}

int epoll_wait(int fd, struct epoll_event *events, int most, int ms)
{
	return (int)syscall(SYS_epoll_pwait, fd, events, most, less(ms), NULL, 8);
}

int nanosleep(const struct timespec *ts, struct timespec *left)
{
	const struct timespec t = shorter(ts);

	return (int)syscall(SYS_nanosleep, &t, left);
}
