/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An analysis (analysis/analysis.h) of events while they happen: they are opened, their rings are
 * read by the caller's thread in rounds, and no file is written. Results may be shown between two
 * rounds. Memory grows with what the engine keeps and with the tasks that there were.
 */
#ifndef PERF_ANALYSISLIVE_ANALYSISLIVE_H
#define PERF_ANALYSISLIVE_ANALYSISLIVE_H

#include "analysis/analysis.h"
#include "recorder/opened.h"

struct analysis_live_conf {
	/* All are borrowed. */
	const struct sysroot *sysroot;
	struct record_opts *opts; /* settled (recordopts/settle.h) */
	struct evlist *events;    /* the events asked for; changed to what was really opened */
	const struct record_notes *notes;
	const struct recording_options *source; /* where symbols come from; filters */
	unsigned int refresh_ms;
	/* Does the analysis, that is, calls analysis_run(), which returns when @go_on ends it. */
	int (*work)(void *ctx, struct analysis *a, struct err *err);
	/* Called between two rounds. @due: @refresh_ms have passed since it was last due, so what
	 * the engine has may be shown. Return: false: it is to end. */
	bool (*go_on)(void *ctx, struct analysis *a, bool due);
	void *ctx;
};

/** analysis_live - open the events and do the work. Return: 0, or negative errno and a sentence. */
int analysis_live(const struct analysis_live_conf *conf, struct err *err);

#endif
