// SPDX-License-Identifier: GPL-2.0-or-later
/* Options and descriptors that the benchmarks of epoll have in common. */
#include "base/compat.h"
#include "bench/epoll-internal.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#define OTHER_FILES 50
#define NESTED_MOST 64

/* Raise the limit of open files if it is too low. */
static int raise_limit(struct bench *b, const struct epoll_options *o, struct err *err)
{
	u64 needed = (u64)o->nfds * o->threads * 2 + OTHER_FILES + o->threads * o->nested;
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) || lim.rlim_cur >= needed)
		return 0;
	if (o->verbose)
		bench_say(b, "Setting RLIMIT_NOFILE rlimit from %" PRIu64 " to: %" PRIu64 "\n",
			  (u64)lim.rlim_cur, needed);
	lim.rlim_cur = needed;
	lim.rlim_max = MAX(lim.rlim_max, needed);
	if (!setrlimit(RLIMIT_NOFILE, &lim))
		return 0;
	return err_set(err, -errno,
		       "%" PRIu64 " open files are needed, and this user may not have them: %s; "
		       "choose fewer of them (--nfds) or fewer threads, or raise 'ulimit -n'",
		       needed, err_str(-errno));
}

int epoll_settle(struct bench *b, struct epoll_options *o, unsigned int spare, struct err *err)
{
	struct int_list cpus;

	if (!o->threads) {
		cpus = bench_cpus();
		o->threads = MAX((unsigned int)cpus.nr, spare + 1) - spare;
		int_list_release(&cpus);
	}
	if (!o->nfds)
		return bench_invalid(err, "--nfds is 0; it must be 1 at least");
	if (o->nested > NESTED_MOST)
		return bench_invalid(err, "--nested is %u; it may be %d at most", o->nested,
				     NESTED_MOST);
	if (o->verbose && o->nested)
		bench_say(b, "Nesting level(s): %u\n", o->nested);
	return raise_limit(b, o, err);
}

int epoll_instance(const struct epoll_options *o, int *chain, struct err *err)
{
	struct epoll_event ev = { .events = EPOLLHUP };
	int fd = epoll_create1(EPOLL_CLOEXEC), above = fd;
	unsigned int i;

	for (i = 0; i < o->nested; i++)
		chain[i] = -1;
	for (i = 0; i < o->nested && above >= 0; i++) {
		chain[i] = epoll_create1(EPOLL_CLOEXEC);
		ev.data.fd = chain[i];
		if (chain[i] < 0 || epoll_ctl(above, EPOLL_CTL_ADD, chain[i], &ev))
			break;
		above = chain[i];
	}
	if (fd >= 0 && i == o->nested)
		return fd;
	err_set(err, -errno, "could not create an instance of epoll%s: %s",
		i ? ", nested as deep as that" : "", err_str(-errno));
	epoll_close(chain, o->nested);
	epoll_close(&fd, 1);
	return err->code;
}

int epoll_eventfds(int *fds, size_t nr, struct err *err)
{
	size_t i;

	for (i = 0; i < nr; i++)
		fds[i] = -1;
	for (i = 0; i < nr; i++) {
		fds[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
		if (fds[i] < 0)
			return err_set(err, -errno, "could not create a descriptor to wait for: %s",
				       err_str(-errno));
	}
	return 0;
}

void epoll_close(const int *fds, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

u64 epoll_random(u64 *state)
{
	u64 x = *state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return *state = x;
}
