/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of source files, which are read once each. */
#ifndef PERF_RESOLVE_SOURCE_FILES_H
#define PERF_RESOLVE_SOURCE_FILES_H

#include "base/compat.h"

struct source_files;

struct source_files *source_files_new(void);
void source_files_free(struct source_files *s);
/**
 * source_line - a line of a file, counted from 1.
 * @number: another one for each line of each file; @text: not terminated; borrowed
 * Return: false when there is no such file or line.
 */
bool source_line(struct source_files *s, const char *path, u32 line, u32 *number, const char **text,
		 size_t *len);

#endif
