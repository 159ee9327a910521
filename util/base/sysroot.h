/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The door to /proc and /sys: a prefix put before every such path, so that tests can fake the
 * trees. */
#ifndef PERF_BASE_SYSROOT_H
#define PERF_BASE_SYSROOT_H

#include "base/compat.h"
#include "base/strbuf.h"

/* kernel_lockdown(7): confidentiality keeps the kernel's insides from everybody, root too. */
enum lockdown { LOCKDOWN_NONE, LOCKDOWN_INTEGRITY, LOCKDOWN_CONFIDENTIALITY };

struct sysroot {
	const char *prefix; /* borrowed; "" or NULL for the real machine */
};

/** sysroot_open - open(2) read-only, close-on-exec. Return: fd or -errno. */
int sysroot_open(const struct sysroot *sr, const char *fmt, ...) __printf(2, 3);
/** sysroot_path - the full path in a new string; the caller frees. */
char *sysroot_path(const struct sysroot *sr, const char *fmt, ...) __printf(2, 3);
/** sysroot_read - a whole small file appended to @out. Return: 0 or -errno. */
int sysroot_read(const struct sysroot *sr, struct strbuf *out, const char *fmt, ...) __printf(3, 4);
/** sysroot_read_max - the same of a file that may be up to @max bytes large, else -EFBIG. */
int sysroot_read_max(const struct sysroot *sr, size_t max, struct strbuf *out, const char *fmt, ...)
	__printf(4, 5);
/** sysroot_read_u64 - the decimal number a file starts with. Return: 0 or -errno. */
int sysroot_read_u64(const struct sysroot *sr, u64 *out, const char *fmt, ...) __printf(3, 4);
/** sysroot_lockdown - how far the kernel is locked down, by /sys/kernel/security/lockdown; where
 * that cannot be read, not at all. */
enum lockdown sysroot_lockdown(const struct sysroot *sr);

#endif
