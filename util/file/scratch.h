/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make and remove a folder for files that do not stay. */
#ifndef PERF_FILE_SCRATCH_H
#define PERF_FILE_SCRATCH_H

#include "base/err.h"

/**
 * scratch_make - make a new folder in $TMPDIR or /tmp, that only its owner may enter.
 * @name: what its name begins with
 * @path: set to its path; the caller frees
 * Return: 0, or negative errno and a sentence.
 */
int scratch_make(const char *name, char **path, struct err *err);
/** scratch_remove - remove a folder with all that is in it; signal handlers may call it. */
void scratch_remove(const char *path);

#endif
