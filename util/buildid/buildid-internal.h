/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions are private to the room: all that writes to the cache handles files and folders
 * with them. */
#ifndef PERF_BUILDID_INTERNAL_H
#define PERF_BUILDID_INTERNAL_H

#include "base/compat.h"

/** write_all - write all @len bytes. Return: 0 or -errno. */
int write_all(int fd, const char *p, size_t len);
/** make_dirs - make a folder and those above it. Return: 0, also when it is there; -errno. */
int make_dirs(const char *path);
/** remove_entry - remove a folder of plain files, or the file that old caches have in its place.
 * Return: 0 or -errno. */
int remove_entry(const char *path);

#endif
