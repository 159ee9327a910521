/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other commands of perf, which a screen runs in a process of their own. */
#ifndef PERF_BROWSE_CHILD_H
#define PERF_BROWSE_CHILD_H

#include "base/strbuf.h"
#include "ui/widgets/ui.h"

/**
 * browse_child - lend the terminal to `perf ARGUMENT...` until that ends.
 * @argv: begins with "perf", ends with NULL
 * Return: its exit status; -1: it could not be run, or a signal has ended it
 */
int browse_child(struct ui *ui, const char *const *argv);
/** browse_output - run it, and append to @out what it writes, errors as well. Return: as before */
int browse_output(const char *const *argv, struct strbuf *out);

#endif
