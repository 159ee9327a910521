/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watch for the end of threads that are not our children. The kernel has descriptors that become
 * readable then; threads for which it has none are checked from time to time.
 */
#ifndef PERF_KERNEL_EXIT_WATCH_H
#define PERF_KERNEL_EXIT_WATCH_H

#include "base/int-list.h"

#include <poll.h>

struct exit_watch {
	struct pollfd *fds; /* owned; the first @spare are the caller's, the others belong to a
			       thread or process each, with fd -1 when that has ended */
	size_t nr, cap, spare;
	struct int_list looked; /* threads that have to be checked */
};

/**
 * exit_watch_open - watch all of @tids.
 * @whole: they are all the threads of some processes, so that it suffices to watch the
 *	processes
 * @spare: the number of entries of fds that are left to the caller, with fd -1
 */
void exit_watch_open(struct exit_watch *e, const struct int_list *tids, bool whole, size_t spare);
/**
 * exit_watch_all - tell whether all of them have ended. The function uses revents of fds, which
 * poll() has set, and checks the threads without descriptors.
 */
bool exit_watch_all(struct exit_watch *e);
/** exit_watch_release - close the descriptors and free the lists. */
void exit_watch_release(struct exit_watch *e);

#endif
