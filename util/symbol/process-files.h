/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open files of living processes that are in a mount namespace, a root directory or a PID namespace
 * of their own. */
#ifndef PERF_SYMBOL_PROCESS_FILES_H
#define PERF_SYMBOL_PROCESS_FILES_H

#include "base/sysroot.h"

/**
 * process_file_open - open for reading the file that process @pid has under the absolute @path.
 * Links are followed below its root directory only, and what is no regular file is refused.
 * Return: a descriptor, which the caller closes, or a negative errno.
 */
int process_file_open(const struct sysroot *sr, u32 pid, const char *path);
/** process_file_path - return a path by which we find the same file. The caller frees it. */
char *process_file_path(const struct sysroot *sr, u32 pid, const char *path);
/** process_mapped_path - return a path by which we find the file that @pid maps at [@start, @end),
 * even if it was deleted. The caller frees it. */
char *process_mapped_path(const struct sysroot *sr, u32 pid, u64 start, u64 end);
/** process_elsewhere - tell whether names of files mean something else to @pid than to us. false
 * when it has ended, or cannot be looked at. */
bool process_elsewhere(const struct sysroot *sr, u32 pid);
/** process_maps_file - tell whether @pid maps the file @path with that device and inode now. */
bool process_maps_file(const struct sysroot *sr, u32 pid, const char *path, u32 maj, u32 min,
		       u64 ino);
/** process_inner_pid - return the number that @pid has in its own PID namespace; @pid itself when
 * that is not known. */
u32 process_inner_pid(const struct sysroot *sr, u32 pid);
/** process_owner - store the user of a process. Return: false when it does not exist. */
bool process_owner(const struct sysroot *sr, u32 pid, u32 *uid);

#endif
