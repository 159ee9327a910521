/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands where a recording is to be written becomes "<path>.old". */
#ifndef PERF_FILE_KEEP_OLD_H
#define PERF_FILE_KEEP_OLD_H

#include "base/err.h"

/** keep_old_probe - would keep_old() work? -EEXIST and a sentence when what is in the way is no
 * recording. */
int keep_old_probe(const char *path, struct err *err);
/** keep_old - rename a file that is not empty, or a folder, to "<path>.old". Return: 0, or negative
 * errno and a sentence. */
int keep_old(const char *path, struct err *err);
/** recording_remove - remove a file, or a folder that has nothing but what recordings have. Return:
 * 0, -EEXIST: it has something else (nothing was removed), or another negative errno. */
int recording_remove(const char *path);
/** recording_mkdir - a folder for a recording of several files; what stood there is kept. Return:
 * 0, or negative errno and a sentence. */
int recording_mkdir(const char *path, struct err *err);

#endif
