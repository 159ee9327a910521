/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find manual pages, and the program that shows them. */
#ifndef PERF_CLI_MAN_H
#define PERF_CLI_MAN_H

#include "base/err.h"

struct config;

/** man_page_of - return the name of the page about a command: "perf-record" for "record". The
 * caller frees it. */
char *man_page_of(const char *command);
/** man_page_is_plain - tell whether the word can be a part of a shell command and of a file
 * name. */
bool man_page_is_plain(const char *word);
/**
 * man_page_path - return the path of a man page such as "perf-record". It is looked for beside a
 * binary in its build folder, under the prefix of the binary, and in @man_dir. The caller frees the
 * path. NULL when the page is not found.
 */
char *man_page_path(const char *page, const char *man_dir);

/**
 * man_show - run the viewer of manual pages, which the variables man.viewer and man.VIEWER.cmd of
 * @config name, and wait for it.
 * @page: a page or the path of one; it is plain, see above
 * Return: its exit status, 128 and the signal that ended it; 127, and a sentence, when there is no
 * viewer.
 */
int man_show(const struct config *config, const char *page, struct err *err);

#endif
