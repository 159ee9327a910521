/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run the pager, a child process that reads what the command writes to standard output. */
#ifndef PERF_CLI_PAGER_H
#define PERF_CLI_PAGER_H

#include "base/compat.h"
#include "base/err.h"

struct pager {
	pid_t pid;  /* 0 when no pager runs */
	int out_fd; /* a copy of the former standard output */
	int err_fd; /* a copy of the former standard error; -1 when it was not redirected */
};

/**
 * pager_command - return the command of the pager: $PERF_PAGER, else @configured, else $PAGER, else
 * "less" or "more" if installed. The text is borrowed.
 * @configured: core.pager of the configuration, or NULL
 * Return: NULL when there is none, or when it is "" or "cat", which need not be started.
 */
const char *pager_command(const char *configured);

/**
 * pager_start - start @command in a shell and connect fd 1 to its input, and fd 2 as well if that
 * is a terminal. The pager gets LESS=FRSX unless LESS is set.
 * Return: 0, or a negative errno and a sentence, and then nothing has changed.
 */
int pager_start(struct pager *p, const char *command, struct err *err);

/**
 * pager_stop - close fds 1 and 2 towards the pager, wait for its end, and restore them. The caller
 * has flushed its streams. The function is async-signal-safe and does nothing when no pager runs.
 */
void pager_stop(struct pager *p);

#endif
