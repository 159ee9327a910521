/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf top: options (builtin-top.c, options.c) and the run (run.c). */
#ifndef PERF_CMD_TOP_TOP_H
#define PERF_CMD_TOP_TOP_H

#include "base/color.h"
#include "cmd/common/record-front.h"
#include "toptext/toptext.h"
#include "ui/widgets/ui.h"

struct top {
	const struct option *options;
	const char *const *usage;
	/* what is measured */
	struct record_front rec;
	/* what is shown of it */
	struct recording_options source;
	struct profile_options asked;
	struct toptext text;
	u16 widths[HIST_MAX_COLUMNS];
	bool widths_given;
	const char *record; /* a file for all records; NULL: none */
	bool stdio, tui, branch_history, source_lines, dump_symtab;
	bool stitch;
	regex_t callees;
	struct palette palette;
};

/** top_opt_delay, _graph, _g, _percentage, _limit, _widths, _symbol, _callees - callbacks of
 * options. opt->value: the struct top. */
int top_opt_delay(const struct option *opt, const char *arg, int unset);
int top_opt_graph(const struct option *opt, const char *arg, int unset);
int top_opt_g(const struct option *opt, const char *arg, int unset);
int top_opt_percentage(const struct option *opt, const char *arg, int unset);
int top_opt_limit(const struct option *opt, const char *arg, int unset);
int top_opt_widths(const struct option *opt, const char *arg, int unset);
int top_opt_symbol(const struct option *opt, const char *arg, int unset);
int top_opt_callees(const struct option *opt, const char *arg, int unset);

/** top_run - measure and show until the user has seen enough. Return: exit status. */
int top_run(struct top *top);
#endif
