/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Access to files that each machine has at the same places: /proc, /sys, and programs. A prefix is
 * put before every such path, so that tests can replace these trees.
 */
#ifndef PERF_BASE_SYSROOT_H
#define PERF_BASE_SYSROOT_H

#include "base/compat.h"
#include "base/strbuf.h"

/* The degree to which the kernel is locked down, see kernel_lockdown(7). With confidentiality, not
 * even root may look into the kernel. */
enum lockdown { LOCKDOWN_NONE, LOCKDOWN_INTEGRITY, LOCKDOWN_CONFIDENTIALITY };

struct sysroot {
	const char *prefix; /* borrowed; "" or NULL for the real machine */
};

/**
 * sysroot_open - open a file read-only and close-on-exec. Return: a descriptor or a negative errno.
 */
int sysroot_open(const struct sysroot *sr, const char *fmt, ...) __printf(2, 3);
/** sysroot_path - return the full path in a new string, which the caller frees. */
char *sysroot_path(const struct sysroot *sr, const char *fmt, ...) __printf(2, 3);
/** sysroot_read - append the contents of a small file to @out. Return: 0 or a negative errno. */
int sysroot_read(const struct sysroot *sr, struct strbuf *out, const char *fmt, ...) __printf(3, 4);
/**
 * sysroot_read_max - do what sysroot_read() does, for a file of at most @max bytes; -EFBIG when it
 * is larger.
 */
int sysroot_read_max(const struct sysroot *sr, size_t max, struct strbuf *out, const char *fmt, ...)
	__printf(4, 5);
/**
 * sysroot_read_u64 - read the decimal number at the start of a file. Return: 0 or a negative errno.
 */
int sysroot_read_u64(const struct sysroot *sr, u64 *out, const char *fmt, ...) __printf(3, 4);
/**
 * sysroot_lockdown - read the lockdown state from /sys/kernel/security/lockdown. When the file
 * cannot be read, the kernel counts as not locked down.
 */
enum lockdown sysroot_lockdown(const struct sysroot *sr);

/**
 * next_folder - walk over a list of folders with colons, such as $PATH, in place.
 * @at: where to go on; the function advances it
 * @len: gets the length of the folder. 0: it is the current one, as for execvp()
 * Return: the folder, which is borrowed and not terminated; NULL at the end of the list.
 */
const char *next_folder(const char **at, size_t *len);
/**
 * program_find - find a program that can be run, as execvp() does; an empty folder at the end of a
 * list does not count.
 * @folders: a list with colons. NULL: $PATH, or /bin:/usr/bin where it is not set
 * @name: a name; with a slash it is a path, for which no folder is looked through
 * Return: its path without the prefix, which the caller frees; NULL: there is none.
 */
char *program_find(const struct sysroot *sr, const char *folders, const char *name);
/** program_exists - tell whether program_find() finds a program. */
bool program_exists(const struct sysroot *sr, const char *folders, const char *name);

#endif
