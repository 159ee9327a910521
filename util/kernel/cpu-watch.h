/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watch for CPUs that come online, as the kernel announces them to device managers. */
#ifndef PERF_KERNEL_CPU_WATCH_H
#define PERF_KERNEL_CPU_WATCH_H

#include "base/compat.h"

/**
 * cpu_watch_open - open the source of announcements. Return: a descriptor to be polled for input,
 * which the caller closes, or a negative errno when nothing is announced on this system.
 */
int cpu_watch_open(void);
/**
 * cpu_watch_read - return the next CPU that came online, or -1 when no more are announced so far.
 * Announcements of other devices are skipped.
 */
int cpu_watch_read(int fd);
/** cpu_watch_parse - do what cpu_watch_read() does, for one message of @len bytes. */
int cpu_watch_parse(const char *text, size_t len);

#endif
