/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watch for the end of threads that are not our children. The kernel has descriptors that become
 * readable then; threads for which it has none are checked from time to time.
 */
#ifndef PERF_KERNEL_ENDS_H
#define PERF_KERNEL_ENDS_H

#include "base/int-list.h"

#include <poll.h>

struct ends {
	struct pollfd *fds; /* owned; the first @spare are the caller's, the others belong to a
			       thread or process each, with fd -1 when that has ended */
	size_t nr, cap, spare;
	struct int_list looked; /* threads that have to be checked */
};

/**
 * ends_open - watch all of @tids.
 * @whole: they are all the threads of some processes, so that it suffices to watch the
 *	processes
 * @spare: the number of entries of fds that are left to the caller, with fd -1
 */
void ends_open(struct ends *e, const struct int_list *tids, bool whole, size_t spare);
/**
 * ends_all - tell whether all of them have ended. The function uses revents of fds, which poll()
 * has set, and checks the threads without descriptors.
 */
bool ends_all(struct ends *e);
/** ends_release - close the descriptors and free the lists. */
void ends_release(struct ends *e);

#endif
