/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The history of CPUs as text. */
#ifndef PERF_SCHEDTEXT_TIMEHIST_H
#define PERF_SCHEDTEXT_TIMEHIST_H

#include "analysis/analysis.h"
#include "analyze/sched-timehist.h"
#include "resolve/callchain.h"

struct timehist_show {
	bool visual, wakeups, migrations, next, state; /* columns and rows */
	bool idle;     /* only the time of CPUs without a task is told */
	bool chains;   /* call chains behind rows */
	u32 max_stack; /* frames of these */
	u32 cpus;      /* of the recorded machine */
	int (*write)(void *ctx, const char *text, size_t len); /* takes the text in pieces */
	void *ctx;
};

struct timehist_text;

/** timehist_text_new - prepare; timehist_text_free() frees it. @r: borrowed */
struct timehist_text *timehist_text_new(const struct timehist_show *show, struct recording *r);
void timehist_text_free(struct timehist_text *t);

/** timehist_head - write the lines above the rows. */
void timehist_head(struct timehist_text *t);
/** timehist_row - write a row; of struct sched_timehist_conf. @ctx: a struct timehist_text */
void timehist_row(void *ctx, const struct sched_row *row);
/** timehist_sums - write the sums of tasks and CPUs. */
void timehist_sums(struct timehist_text *t, struct analysis *a, const struct sched_timehist *h);
/** timehist_end - hand on the rest of the text. */
void timehist_end(struct timehist_text *t);

#endif
