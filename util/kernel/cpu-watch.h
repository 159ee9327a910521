/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs that come online, as the kernel announces them to device managers. */
#ifndef PERF_KERNEL_CPU_WATCH_H
#define PERF_KERNEL_CPU_WATCH_H

#include "base/compat.h"

/** cpu_watch_open - Return: a descriptor to poll for input, which the caller closes; or negative
 * errno where nothing is announced. */
int cpu_watch_open(void);
/** cpu_watch_read - the next CPU that has come online. Return: its number, or -1 when no more is
 * announced yet; other devices are passed over. */
int cpu_watch_read(int fd);
/** cpu_watch_parse - the same of one message of @len bytes. */
int cpu_watch_parse(const char *text, size_t len);

#endif
