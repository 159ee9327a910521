/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that a session has dumped, perf.data.TIME, of which old ones are removed. */
#ifndef PERF_DAEMON_DUMPS_H
#define PERF_DAEMON_DUMPS_H

#include "daemon/config.h"

struct dump {
	char *path;     /* owned */
	u64 size, time; /* @time of the last change, in ns since 1970 */
};

/**
 * dumps_kept - sort dumps, the newest first, and tell how many of them are kept.
 * @now: in ns since 1970
 */
size_t dumps_kept(struct dump *v, size_t nr, const struct daemon_keep *k, u64 now);
/** dumps_remove - remove those of a directory that are not to be kept. Return: how many. */
u32 dumps_remove(const char *dir, const struct daemon_keep *k);

#endif
