/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find and run commands that are separate programs, perf-NAME in the exec path or in $PATH. */
#ifndef PERF_CLI_EXEC_H
#define PERF_CLI_EXEC_H

#include "base/strbuf.h"

/* A growing list of owned strings. */
struct names {
	char **v;
	size_t nr, cap;
};

/** names_add - append a copy of @s. */
void names_add(struct names *n, const char *s);
/** names_split - append the words of "a,b,c"; empty ones are left out. */
void names_split(struct names *n, const char *list);
/** names_release - free the list and its strings. */
void names_release(struct names *n);
/** names_sort - sort the list and remove duplicates. */
void names_sort(struct names *n);
/**
 * names_table - append a title with a line under it, and the names in columns; nothing when there
 * are none.
 * @width: characters of a line
 */
void names_table(const struct names *n, const char *title, unsigned int width, struct strbuf *out);

/** exec_list_dir - append NAME for every executable perf-NAME in @dir. */
void exec_list_dir(struct names *n, const char *dir);
/** exec_list_path - do what exec_list_dir() does, for every folder of $PATH except @except. */
void exec_list_path(struct names *n, const char *except);

/**
 * exec_external - replace this process by perf-<argv[0]>, which is searched in @exec_dir and then
 * in $PATH. The program gets a $PATH that starts with @exec_dir. The function returns only when
 * there is no such program.
 */
void exec_external(const char *exec_dir, const char **argv);

#endif
