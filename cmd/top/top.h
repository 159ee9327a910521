/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf top: options (builtin-top.c, options.c), the run (run.c), its screens (stdio.c, keys.c). */
#ifndef PERF_CMD_TOP_TOP_H
#define PERF_CMD_TOP_TOP_H

#include "base/color.h"
#include "cmd/common/record-front.h"
#include "toprun/toprun.h"

struct top {
	const struct option *options;
	const char *const *usage;
	/* what is measured */
	struct record_front rec;
	/* what is shown of it */
	struct recording_options source;
	struct profile_options asked;
	struct toprun_look look;
	double delay;         /* seconds between refreshes */
	unsigned int entries; /* rows; 0: as many as fit the terminal */
	unsigned int least;   /* functions with fewer samples are not shown */
	u32 shown;            /* index of the event whose rows are shown */
	double percent_limit;
	bool relative, absolute_set;
	u16 widths[HIST_MAX_COLUMNS];
	bool widths_given;
	bool stdio, tui, branch_history;
	bool stitch;
	regex_t callees;
	struct palette palette;
	/* the run */
	struct toprun *run;
	struct toprun_view view;
};

/** top_opt_delay, _graph, _g, _percentage, _limit, _widths, _callees, _branches - callbacks of
 * options. opt->value: the struct top. */
int top_opt_delay(const struct option *opt, const char *arg, int unset);
int top_opt_graph(const struct option *opt, const char *arg, int unset);
int top_opt_g(const struct option *opt, const char *arg, int unset);
int top_opt_percentage(const struct option *opt, const char *arg, int unset);
int top_opt_limit(const struct option *opt, const char *arg, int unset);
int top_opt_widths(const struct option *opt, const char *arg, int unset);
int top_opt_callees(const struct option *opt, const char *arg, int unset);

/** top_has_rows - tell whether an event has rows of its own: members of groups have theirs in those
 * of their leaders. */
bool top_has_rows(const struct top *top, u32 evsel);
/** top_nr_events - return how many events have rows of their own. */
size_t top_nr_events(const struct top *top);
/** top_run - measure and show until the user has seen enough. Return: exit status. */
int top_run(struct top *top);
/** top_print - append the screen of the last refresh. @columns, @lines: of the terminal; 0: it is
 * none */
void top_print(const struct top *top, u32 columns, u32 lines, struct strbuf *out);

#endif
