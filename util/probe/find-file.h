/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the files of programs, libraries, kernels and modules by what users call them. */
#ifndef PERF_PROBE_FIND_FILE_H
#define PERF_PROBE_FIND_FILE_H

#include "probe/object.h"

/**
 * probe_find_program - find a program or library by its path, or by its name in $PATH or in the
 * folders of libraries ("libc", "libc.so.6").
 * Return: its absolute path without links, which the caller frees; NULL and a sentence.
 */
char *probe_find_program(const struct probe_target *t, const char *name, struct err *err);
/** probe_real_path - return an absolute path without links, as the process of the target has it;
 * NULL with errno. The caller frees it. */
char *probe_real_path(const struct probe_target *t, const char *path);
/** probe_file_of - return where we read the file that the target has at an absolute path: below
 * --symfs, or in the root directory of its process. The caller frees it. */
char *probe_file_of(const struct probe_target *t, const char *path);
/** probe_kernel_file - return the vmlinux of the running kernel with its debug information; NULL:
 * none was found. The caller frees it. */
char *probe_kernel_file(const struct probe_target *t);
/** probe_open_file - open a file for reading. Return: a descriptor or -1. */
int probe_open_file(const char *path);

#endif
