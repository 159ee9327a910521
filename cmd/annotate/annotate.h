/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf annotate: options (builtin-annotate.c) and the run. */
#ifndef PERF_CMD_ANNOTATE_ANNOTATE_H
#define PERF_CMD_ANNOTATE_ANNOTATE_H

#include "annotate/annotate.h"
#include "annotatetext/annotate-text.h"
#include "recording/recording.h"

struct annotate {
	struct recording_options source;
	struct annotate_conf conf;
	struct annotate_text text;
	const char *dsos, *symbol; /* NULL: all */
	double percent_limit;
	char *command; /* as it was given, without the name of a function; owned */
	bool stdio, tui, stdio2, json, raw_dump, quiet, demangle, source_lines, skip_missing, group,
		group_set, skip_empty, modules;
	int verbose;
	enum color_when color;
	struct palette palette;
	const char *data_type; /* show types of data, "": all; NULL: show code */
	bool type_stat, insn_stat;
};

/** annotate_run - annotate the functions of a recording. Return: the exit status. */
int annotate_run(struct annotate *an);

#endif
