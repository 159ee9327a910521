/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions show the progress bar of long work on stderr. */
#ifndef PERF_CMD_COMMON_PROGRESS_H
#define PERF_CMD_COMMON_PROGRESS_H

#include "base/progress.h"

/**
 * progress_open - open a progress bar on stderr for a job that may take more than a second.
 * Return: what to hand to the room, or NULL when stderr is no terminal; progress_close() ends it.
 */
struct progress *progress_open(void);

/** progress_close - wipe the bar and free it; NULL is fine. */
void progress_close(struct progress *p);

#endif
