/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The history of CPUs in its forms: as text and for programs. Private to the room. */
#ifndef PERF_SCHEDTEXT_TIMEHIST_INTERNAL_H
#define PERF_SCHEDTEXT_TIMEHIST_INTERNAL_H

#include "analysis/analysis.h"
#include "analyze/sched-timehist.h"
#include "codec/table.h"
#include "schedtext/timehist.h"

/* ---- text ---- */

struct timehist_text;

/** timehist_text_new - prepare; timehist_text_free() frees it. @r: borrowed */
struct timehist_text *timehist_text_new(const struct timehist_show *show, struct recording *r);
void timehist_text_free(struct timehist_text *t);

/** timehist_head - write the lines above the rows. */
void timehist_head(struct timehist_text *t);
/** timehist_row - write a row. */
void timehist_row(struct timehist_text *t, const struct sched_row *row);
/** timehist_sums - write the sums of tasks and CPUs. */
void timehist_sums(struct timehist_text *t, struct analysis *a, const struct sched_timehist *h);
/** timehist_idle_begins, timehist_idle_ends - sum up idle time by call chains, when idle time,
 * chains and sums are shown. */
void timehist_idle_begins(struct timehist_text *t, const struct engine_input *in);
void timehist_idle_ends(struct timehist_text *t, u32 cpu, u64 ns);
/** timehist_end - hand on the rest of the text. */
void timehist_end(struct timehist_text *t);

/* ---- for programs ---- */

/** timehist_rows_head, timehist_sums_head - append what stands above the rows, or the sums. */
void timehist_rows_head(enum table_form form, struct strbuf *out);
void timehist_sums_head(enum table_form form, struct strbuf *out);
/** timehist_rows_put - append a row. @chain: its call chain; "": none */
void timehist_rows_put(enum table_form form, const struct sched_row *row, const char *chain,
		       struct strbuf *out);
/** timehist_sums_put - append the sums of a task. */
void timehist_sums_put(enum table_form form, const struct task_at *task,
		       const struct task_life *life, const struct sched_runs *r,
		       struct strbuf *out);

#endif
