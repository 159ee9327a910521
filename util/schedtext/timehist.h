/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The history of CPUs as text. */
#ifndef PERF_SCHEDTEXT_TIMEHIST_H
#define PERF_SCHEDTEXT_TIMEHIST_H

#include "analysis/analysis.h"
#include "analyze/sched-events.h"
#include "base/int-list.h"
#include "codec/table.h"

struct timehist_show {
	enum table_form form;
	bool rows, sums; /* the latter below the former; in forms for programs only one of them */
	bool visual, wakeups, migrations, next, state; /* columns and rows */
	bool prio;                                     /* a column of priorities */
	bool moving;                                   /* a column of delays before migrations */
	bool idle;             /* only the time of CPUs without a task is told */
	bool chains;           /* call chains behind rows */
	u32 max_stack;         /* frames of these */
	struct int_list prios; /* only tasks of these priorities; empty: all */
	u32 cpus;              /* of the recorded machine */
	const char *heatmap;   /* of the delays of rows: a file; NULL: none */
	int (*write)(void *ctx, const char *text, size_t len); /* takes the text in pieces */
	/* Takes back all text, and tells whether it could; NULL: it cannot, so the file is read
	 * twice. */
	bool (*take_back)(void *ctx);
	void *ctx;
};

/**
 * timehist_run - read the recording and write its history.
 * @counts: gets the counts of what does not fit together
 * Return: 0, or negative and a sentence, as analysis_run().
 */
int timehist_run(const struct timehist_show *show, struct analysis *a, struct sched_counts *counts,
		 struct err *err);

#endif
