/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Put back what a run changes in the kernel's tracing files, however the run ends. A process of its
 * own, the guard, is told of each change before it is made. When this process closes its end of a
 * pipe, or is gone, the guard undoes the changes, the last one first.
 */
#ifndef PERF_FTRACECTL_GUARD_H
#define PERF_FTRACECTL_GUARD_H

#include "base/err.h"

#include <sys/types.h>

enum guard_undo {
	GUARD_WRITE = 'w',  /* write a text to a file, which is emptied first */
	GUARD_APPEND = 'a', /* write a text to a file */
	GUARD_RMDIR = 'd',  /* remove a folder */
};

struct guard {
	int pipe; /* -1: no guard */
	pid_t pid;
};

/** guard_start - start the guard. Return: 0, or a negative errno and a sentence. */
int guard_start(struct guard *g, struct err *err);
/** guard_tell - tell the guard what has to be done at the end. Return: 0 or a negative errno. */
int guard_tell(struct guard *g, enum guard_undo what, const char *path, const char *text);
/**
 * guard_end - have all changes undone and wait for that. Files in a folder that is to be removed
 * have to be closed before. Return: 0, or -EBUSY when something could not be undone.
 */
int guard_end(struct guard *g);

#endif
