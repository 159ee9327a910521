/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tasks of a file as a tree: what `perf report --tasks` and `--mmaps` print. */
#ifndef PERF_DUMP_TASKS_TEXT_H
#define PERF_DUMP_TASKS_TEXT_H

#include "machine/tasks.h"

/**
 * tasks_text - the table, children below their parents; with mappings where the model has them.
 * @write: takes the text piece by piece; nonzero stops with that code
 */
int tasks_text(const struct tasks *t, int (*write)(void *ctx, const char *text, size_t len),
	       void *ctx);

#endif
