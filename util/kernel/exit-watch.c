// SPDX-License-Identifier: GPL-2.0-or-later
/* Watch for the end of threads. */
#include "base/compat.h"
#include "kernel/exit-watch.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OF_THREAD O_EXCL /* PIDFD_THREAD, Linux 6.9 */

static void add(struct exit_watch *e, int fd)
{
	VEC_GROW(e->fds, e->nr + 1, e->cap);
	e->fds[e->nr++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

static void watch(struct exit_watch *e, int tid, bool whole)
{
	int fd = (int)syscall(SYS_pidfd_open, tid, whole ? 0 : OF_THREAD);

	/*
	 * the descriptor of a leader lasts until all threads have ended, like that of its process
	 */
	if (fd < 0 && !whole && errno == EINVAL)
		fd = (int)syscall(SYS_pidfd_open, tid, 0);
	if (fd >= 0) {
		add(e, fd);
		return;
	}
	/* not a leader; its leader is in the list as well */
	if (whole && (errno == EINVAL || errno == ENOENT))
		return;
	if (errno != ESRCH)
		int_list_add(&e->looked, tid);
}

void exit_watch_open(struct exit_watch *e, const struct int_list *tids, bool whole, size_t spare)
{
	*e = (struct exit_watch){ .spare = spare };
	for (size_t i = 0; i < spare; i++)
		add(e, -1);
	for (size_t i = 0; i < tids->nr; i++)
		watch(e, tids->v[i], whole);
}

bool exit_watch_all(struct exit_watch *e)
{
	bool all = true;

	for (size_t i = e->spare; i < e->nr; i++) {
		struct pollfd *p = &e->fds[i];

		if (p->fd >= 0 && p->revents) {
			close(p->fd);
			p->fd = -1;
		}
		p->revents = 0;
		all &= p->fd < 0;
	}
	for (size_t i = 0; all && i < e->looked.nr; i++)
		all = kill(e->looked.v[i], 0) && errno == ESRCH;
	return all;
}

void exit_watch_release(struct exit_watch *e)
{
	for (size_t i = e->spare; i < e->nr; i++)
		if (e->fds[i].fd >= 0)
			close(e->fds[i].fd);
	free(e->fds);
	int_list_release(&e->looked);
	memset(e, 0, sizeof(*e));
}
