/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pager: a child that reads what goes to standard output. */
#ifndef PERF_CLI_PAGER_H
#define PERF_CLI_PAGER_H

#include "base/compat.h"
#include "base/err.h"

struct pager {
	pid_t pid;  /* 0: none runs */
	int out_fd; /* the standard output there was before */
	int err_fd; /* and standard error, -1 when it was left alone */
};

/**
 * pager_command - the command to page with.
 * @configured: core.pager of the configuration, or NULL
 * Return: $PERF_PAGER, else @configured, else $PAGER, else "less" or "more" where installed; NULL
 * when there is none or it is "" or "cat" (nothing to start). Borrowed.
 */
const char *pager_command(const char *configured);

/**
 * pager_start - run @command by the shell and put its input in the place of fd 1 (and of 2, if that
 * is a terminal). LESS=FRSX is set for it unless LESS is set already. Return: 0, or -errno and a
 * sentence; then nothing has changed.
 */
int pager_start(struct pager *p, const char *command, struct err *err);

/**
 * pager_stop - close fds 1 and 2 towards the pager, wait for it, and restore them. The caller has
 * flushed its streams. Async-signal-safe; does nothing when none runs.
 */
void pager_stop(struct pager *p);

#endif
