/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_BROWSE_CONTENTION_H
#define PERF_BROWSE_CONTENTION_H

#include "linestext/linestext.h"
#include "ui/widgets/ui.h"

/* Cache lines that are shown. Pointers are borrowed. */
struct browsed_lines {
	struct clines_table *table;
	struct clines_show *show; /* that of the table; keys change it */
	const char *command;      /* as the user gave it */
};

/** browse_contention - show the lines, and the places in them, until they are left. */
void browse_contention(struct ui *ui, struct browsed_lines *b);

#endif
