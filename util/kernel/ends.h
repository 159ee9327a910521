/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When threads end that are none of our children: descriptors that become readable then, and for
 * those that the kernel has none of, a look from time to time. */
#ifndef PERF_KERNEL_ENDS_H
#define PERF_KERNEL_ENDS_H

#include "base/int-list.h"

#include <poll.h>

struct ends {
	struct pollfd *fds; /* owned; the first @spare are the caller's, then one for each thread
			       or process; fd -1 when it has ended */
	size_t nr, cap, spare;
	struct int_list looked; /* those that have to be looked at */
};

/**
 * ends_open - watch all of @tids.
 * @whole: they are all the threads of some processes, whose ends are enough
 * @spare: entries of fds to be left for the caller, fd -1
 */
void ends_open(struct ends *e, const struct int_list *tids, bool whole, size_t spare);
/** ends_all - have all of them ended? Looks at revents of fds, as poll() has set them, and at those
 * that have to be looked at. */
bool ends_all(struct ends *e);
/** ends_release - close and free. */
void ends_release(struct ends *e);

#endif
