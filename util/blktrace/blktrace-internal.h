/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_BLKTRACE_BLKTRACE_INTERNAL_H
#define PERF_BLKTRACE_BLKTRACE_INTERNAL_H

#include "blktrace/blktrace.h"

#define BLKTRACE_MIDDLE ".blktrace." /* between the device and the CPU in the name of a file */

struct blktrace_paths {
	char **v; /* owned, as the strings are; sorted */
	size_t nr, cap;
};

/** blktrace_paths_find - find the files that a path stands for, see blktrace_is(). */
void blktrace_paths_find(const char *path, struct blktrace_paths *out);
void blktrace_paths_release(struct blktrace_paths *p);
/** blktrace_has_magic - tell whether the first four bytes of a file are those of a record. */
bool blktrace_has_magic(const u8 *p);

#endif
