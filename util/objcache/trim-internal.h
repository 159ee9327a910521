/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keep the folder of a cache within its size. */
#ifndef PERF_OBJCACHE_TRIM_INTERNAL_H
#define PERF_OBJCACHE_TRIM_INTERNAL_H

#include "objcache/objcache.h"

extern const char *const objcache_endings[OBJCACHE_KINDS]; /* of names of files, by kind */
#define OBJCACHE_TEMP ".part-" /* in the names of files that are being written */

/** objcache_trim - where the files below @dir have more than @size bytes together, remove those
 * that were not used for the longest time, and what processes that ended early have left. */
void objcache_trim(const char *dir, u64 size);

#endif
