/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions keep whatever exists at the path of a new recording as "<path>.old". */
#ifndef PERF_FILE_KEEP_OLD_H
#define PERF_FILE_KEEP_OLD_H

#include "base/err.h"

/**
 * keep_old_probe - check whether keep_old() would work. Return: 0; -EEXIST and a sentence when the
 * existing file or folder is not a recording.
 */
int keep_old_probe(const char *path, struct err *err);
/**
 * keep_old - rename a file that is not empty, or a folder, to "<path>.old". Return: 0, or a
 * negative errno and a sentence.
 */
int keep_old(const char *path, struct err *err);
/**
 * recording_remove - remove a file, or a folder that contains only files of recordings. Return: 0;
 * -EEXIST when the folder contains anything else, and then nothing was removed; another negative
 * errno.
 */
int recording_remove(const char *path);
/**
 * recording_mkdir - create a folder for a recording of several files, after keep_old(). Return: 0,
 * or a negative errno and a sentence.
 */
int recording_mkdir(const char *path, struct err *err);

#endif
