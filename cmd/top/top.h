/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf top: options (builtin-top.c, options.c) and the run (run.c). */
#ifndef PERF_CMD_TOP_TOP_H
#define PERF_CMD_TOP_TOP_H

#include "base/color.h"
#include "cmd/common/record-front.h"
#include "cmd/common/option-groups.h"
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
	struct row_options rows;
	const char *record; /* a file for all records; NULL: none */
	bool stdio, tui, source_lines, dump_symtab;
	bool stitch;
	struct palette palette;
};

/** top_opt_delay, _graph, _g, _symbol - callbacks of options. opt->value: the struct top. */
int top_opt_delay(const struct option *opt, const char *arg, int unset);
int top_opt_graph(const struct option *opt, const char *arg, int unset);
int top_opt_g(const struct option *opt, const char *arg, int unset);
int top_opt_symbol(const struct option *opt, const char *arg, int unset);

/** top_run - measure and show until the user has seen enough. Return: exit status. */
int top_run(struct top *top);
#endif
