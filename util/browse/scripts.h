/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts that are run on a recording, in a process of their own, and shown in a window. */
#ifndef PERF_BROWSE_SCRIPTS_H
#define PERF_BROWSE_SCRIPTS_H

#include "ui/widgets/ui.h"

/**
 * browse_scripts - let users choose a script, or samples as text, and show what is written.
 * @input: the file of the recording
 * @symbol: only samples in this function count; NULL: all do
 */
void browse_scripts(struct ui *ui, const char *input, const char *symbol);

#endif
