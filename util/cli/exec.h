/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that are programs of their own: perf-NAME in the exec path or in $PATH; and where the
 * binary is. */
#ifndef PERF_CLI_EXEC_H
#define PERF_CLI_EXEC_H

#include "base/compat.h"

/* A growing list of owned strings. */
struct names {
	char **v;
	size_t nr, cap;
};

/** names_add - append a copy. */
void names_add(struct names *n, const char *s);
/** names_release - free the list and the strings. */
void names_release(struct names *n);
/** names_sort - sort and drop doubles. */
void names_sort(struct names *n);

/** exec_list_dir - append NAME of every executable perf-NAME in @dir. */
void exec_list_dir(struct names *n, const char *dir);
/** exec_list_path - the same for every folder of $PATH but @except. */
void exec_list_path(struct names *n, const char *except);

/**
 * exec_external - become perf-<argv[0]>, searched in @exec_dir and then in $PATH; @exec_dir is put
 * in front of $PATH for it. Returns only when there is none.
 */
void exec_external(const char *exec_dir, const char **argv);

/**
 * man_page_path - the file of a man page, "perf-record": beside a binary in its build folder, under
 * its prefix, or in @man_dir.
 * Return: a path the caller frees, or NULL.
 */
char *man_page_path(const char *page, const char *man_dir);

#endif
