/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the tasks of a file as a tree, as `perf report --tasks` and `--mmaps` do. */
#ifndef PERF_DUMP_TASKS_TEXT_H
#define PERF_DUMP_TASKS_TEXT_H

#include "machine/tasks.h"

/**
 * tasks_text - write the table, children below their parents, with mappings if the model has them.
 * @write: receives the text in pieces; a nonzero return value stops with that code
 */
int tasks_text(const struct tasks *t, int (*write)(void *ctx, const char *text, size_t len),
	       void *ctx);

#endif
