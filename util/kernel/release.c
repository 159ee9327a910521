// SPDX-License-Identifier: GPL-2.0-or-later
/* Open events are enabled, disabled, given filters and closed here. */
#include "base/compat.h"
#include "kernel/open.h"

#include "base/alloc.h"
#include "kernel/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

/* --- enabling ---------------------------------------------------------------------- */

void kfd_enable(struct kfd *k, bool on)
{
	k->on = on;
	ioctl(k->fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

struct enabling {
	struct kevents *k;
	bool on;
};

static void enable_one(void *ctx, size_t i)
{
	const struct enabling *e = ctx;
	struct kfd *kf = &e->k->fds[i];

	if (kf->later && !kf->on)
		return;
	if (kf->follows)
		kf->on = e->on;
	else
		kfd_enable(kf, e->on);
}

void kevents_enable(struct kevents *k, bool on)
{
	kevents_walk(k, enable_one, &(struct enabling){ k, on });
}

void kevents_enable_later(struct kevents *k)
{
	for (size_t i = 0; i < k->nr; i++)
		if (k->fds[i].later)
			kfd_enable(&k->fds[i], true);
}

/* --- what can be set while they are open ------------------------------------------- */

int kevents_move_breakpoint(const struct kevents *k, const struct evsel *e, bool on)
{
	struct perf_event_attr a = e->attr;

	a.disabled = !on;
	/* enable_on_exec is cleared by the kernel at that exec */
	a.enable_on_exec = 0;
	for (size_t i = 0; i < k->nr; i++)
		if (k->fds[i].evsel == e->idx &&
		    ioctl(k->fds[i].fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &a))
			return -errno;
	return 0;
}

static int filter_error(const struct evsel *e, int code, const struct sysroot *sr, struct err *err)
{
	struct strbuf why = STRBUF_INIT;

	if (e->tp_name)
		filter_why(sr, e->tp_name, e->filter, &why);
	err_set(err, code, "failed to set filter \"%s\" on event %s with %d (%s)%s%s", e->filter,
		e->name, -code, err_str(code), why.len ? "\n" : "", strbuf_str(&why));
	strbuf_release(&why);
	return code;
}

int kevents_filter(struct kevents *k, const struct evlist *l, const struct sysroot *sr,
		   struct err *err)
{
	for (size_t i = 0; i < k->nr; i++) {
		const struct evsel *e = l->evsels[k->fds[i].evsel];

		if (e->filter && ioctl(k->fds[i].fd, PERF_EVENT_IOC_SET_FILTER, e->filter) < 0)
			return filter_error(e, -errno, sr, err);
	}
	return 0;
}

/* --- closing ----------------------------------------------------------------------- */

static void close_one(void *ctx, size_t i)
{
	const struct kevents *k = ctx;

	close(k->fds[i].fd);
}

/* A bundle that loses its first event counts alone from then on: that event goes last. */
static void close_all(const struct kevents *k)
{
	if (!k->nr_heads) {
		kevents_walk(k, close_one, (void *)k);
		return;
	}
	for (size_t i = k->nr; i-- > 0;)
		close(k->fds[i].fd);
}

void kevents_release(struct kevents *k)
{
	close_all(k);
	free(k->fds);
	free(k->heads);
	free(k->unsupported);
	strbuf_release(&k->left_out);
	memset(k, 0, sizeof(*k));
}

static int by_number(const void *pa, const void *pb)
{
	int a = *(const int *)pa, b = *(const int *)pb;

	return a < b ? -1 : a > b;
}

/* Close the descriptors from @from to @to. Kernels before 5.9 are asked for each. */
static void close_range_of(int from, int to)
{
	if (from > to || !syscall(SYS_close_range, (unsigned int)from, (unsigned int)to, 0U))
		return;
	to = (int)MIN((long)to, sysconf(_SC_OPEN_MAX));
	for (int fd = from; fd <= to; fd++)
		close(fd);
}

/*
 * Close all but the events and @kept: nobody is to wait for the end of our output or for a lock
 * that we have inherited.
 */
static void close_others(const struct kevents *k, int kept)
{
	int *fds = xcalloc(k->nr + 1, sizeof(*fds)), next = 0;

	for (size_t i = 0; i < k->nr; i++)
		fds[i] = k->fds[i].fd;
	fds[k->nr] = kept;
	qsort(fds, k->nr + 1, sizeof(*fds), by_number);
	for (size_t i = 0; i <= k->nr; i++) {
		close_range_of(next, fds[i] - 1);
		next = fds[i] + 1;
	}
	close_range_of(next, INT32_MAX);
	free(fds);
}

/* The child: hold the events until the parent has none of them any more, or is gone. */
_Noreturn static void hold(const struct kevents *k, int parent)
{
	char byte;

	prctl(PR_SET_NAME, "perf-close");
	close_others(k, parent);
	/* nor is anybody to find us in the way */
	(void)!chdir("/");
	setsid();
	while (read(parent, &byte, 1) < 0 && errno == EINTR)
		;
	close_all(k);
	_exit(0);
}

void kevents_release_behind(struct kevents *k)
{
	int ends[2];
	pid_t child;

	if (!k->nr || pipe2(ends, O_CLOEXEC)) {
		kevents_release(k);
		return;
	}
	fflush(NULL);
	child = fork();
	if (!child)
		hold(k, ends[0]);
	close(ends[0]);
	kevents_release(k);
	/* only now: whoever closes last waits */
	close(ends[1]);
}
