/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read lines of source files, each file once. */
#ifndef PERF_RESOLVE_SOURCE_FILES_H
#define PERF_RESOLVE_SOURCE_FILES_H

#include "base/compat.h"

struct source_files;

/** source_files_new - make an empty cache of files. source_files_free() frees it. */
struct source_files *source_files_new(void);
void source_files_free(struct source_files *s);
/**
 * source_line - look up a line of a file, counted from 1.
 * @number: receives a number that is unique for each line of each file
 * @text: receives the line, which is borrowed and not terminated
 * Return: false when the file or the line does not exist.
 */
bool source_line(struct source_files *s, const char *path, u32 line, u32 *number, const char **text,
		 size_t *len);

#endif
