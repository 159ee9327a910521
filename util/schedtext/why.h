/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why tasks waited for a CPU, as text or as JSON. */
#ifndef PERF_SCHEDTEXT_WHY_H
#define PERF_SCHEDTEXT_WHY_H

#include "analysis/analysis.h"
#include "analyze/sched-why.h"
#include "base/name-list.h"
#include "codec/table.h"

struct why_show {
	enum table_form form;   /* TABLE_TEXT, or TABLE_JSON: an object in each line */
	struct name_list names; /* tasks by name or tid; empty: all */
	u32 most;               /* so many delays */
	u32 depth;              /* so many wakers of each */
	u32 max_stack;          /* frames of a call chain */
	const char *heatmap;    /* of all delays of these tasks: a file; NULL: none */
};

/**
 * why_run - read the recording, and append the longest delays with their reasons.
 * Return: 0, or negative and a sentence: also -ENOENT when no such task waited.
 */
int why_run(const struct why_show *show, struct analysis *a, struct strbuf *out, struct err *err);

#endif
