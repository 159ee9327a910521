/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Show a live profile in the report browser: it is counted anew at each refresh. */
#ifndef PERF_BROWSE_TOP_H
#define PERF_BROWSE_TOP_H

#include "toptext/toptext.h"
#include "ui/widgets/ui.h"

/**
 * browse_top - show it until it is left.
 * @t: of a run that was started
 * @asked: what the run was asked for
 * @command: that asked for it: browse_command()
 * Return: 0, or negative errno and a sentence.
 */
int browse_top(struct ui *ui, struct toptext *t, const struct profile_options *asked,
	       const char *command, struct err *err);

#endif
