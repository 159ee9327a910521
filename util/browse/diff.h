/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Show profiles side by side on a screen. */
#ifndef PERF_BROWSE_DIFF_H
#define PERF_BROWSE_DIFF_H

#include "profilediff/profile-diff.h"
#include "ui/widgets/ui.h"

/**
 * browse_diff - show a comparison until it is left.
 * @d: its files are counted, the first one has events, and no streams are asked for
 * @command: that asked for it: browse_command()
 */
void browse_diff(struct ui *ui, const struct differ *d, const char *command);

#endif
