/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make the text of the progress bar, which builtins write to a terminal. */
#ifndef PERF_CLI_PROGRESS_BAR_H
#define PERF_CLI_PROGRESS_BAR_H

#include "base/compat.h"
#include "base/progress.h"
#include "base/strbuf.h"

struct progress_bar {
	u64 start_ns;         /* when the job began; a short job shows no bar */
	u64 last_ns;          /* when the bar was last drawn; 0: never */
	unsigned int columns; /* width of the terminal */
};

#define PROGRESS_BAR_DELAY_NS 1000000000ULL
#define PROGRESS_BAR_EVERY_NS 100000000ULL

/** progress_bar_due - tell whether the bar is to be drawn at @now_ns; if so, remember that time. */
bool progress_bar_due(struct progress_bar *b, u64 now_ns);

/**
 * progress_bar_draw - append "\r", title, bar and percentage, at most @b->columns - 1 columns wide.
 */
void progress_bar_draw(const struct progress_bar *b, const struct progress *p, struct strbuf *sb);

/** progress_bar_erase - append the bytes that clear the line, if a bar was ever drawn. */
void progress_bar_erase(const struct progress_bar *b, struct strbuf *sb);

#endif
