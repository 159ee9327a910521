/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * These functions find the package of a Debian system that owns a file, and the one that has its
 * debug information. They read the lists that dpkg keeps of the files of each package
 * (dpkg-query(1), --listfiles).
 */
#ifndef PERF_OBJECTS_PACKAGES_H
#define PERF_OBJECTS_PACKAGES_H

#include "base/sysroot.h"

/**
 * packages_find - find the owners of files, in one pass over the lists.
 * @sr: the root directory of the system
 * @paths: of the files; NULL: none is to be found
 * @owners: receives @nr names, which the caller frees; NULL: nobody owns it, or there is no dpkg
 */
void packages_find(const struct sysroot *sr, const char *const *paths, size_t nr, char **owners);
/** package_debug - return the name of the package with the debug information of @owner. The caller
 * frees it. */
char *package_debug(const char *owner);

#endif
