/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of the engines on scheduling as text. */
#ifndef PERF_SCHEDTEXT_SCHEDTEXT_H
#define PERF_SCHEDTEXT_SCHEDTEXT_H

#include "analysis/analysis.h"
#include "analyze/sched-latency.h"
#include "codec/table.h"

/** sched_put_losses - append a line for each kind of what is missing from a recording or does not
 * fit together. */
void sched_put_losses(const struct sched_counts *c, const struct analysis_losses *l,
		      struct strbuf *out);

/* ---- delays ---- */

#define DELAY_KEYS 8

/* Rows of delays are sorted by these keys, the first one first. */
struct delay_order {
	u8 keys[DELAY_KEYS];
	u32 nr;
};

/**
 * delay_order_parse - read "runtime,switch,avg,max,pid,p50,p90,p99".
 * Return: 0, or -EINVAL and a sentence.
 */
int delay_order_parse(struct delay_order *o, const char *keys, struct err *err);
/** delay_order_steps - tell whether the order needs the distributions of delays. */
bool delay_order_steps(const struct delay_order *o);

/* ---- their distribution ---- */

enum delay_scale { DELAY_LOG, DELAY_LINEAR };

/** delay_scale_parse - read "log" or "linear". Return: 0, or -EINVAL and a sentence. */
int delay_scale_parse(enum delay_scale *scale, const char *name, struct err *err);
/**
 * delay_histogram - append how many delays of all rows there are in each span. Delays are known
 * within an eighth of their value. @rows: with their steps
 */
void delay_histogram(enum delay_scale scale, const struct sched_delays *rows, size_t nr_rows,
		     struct strbuf *out);

/* ---- what is shown of them ---- */

struct delay_show {
	enum table_form form;
	enum sched_merge merge;
	struct delay_order order;
	enum delay_scale scale; /* of the distribution */
	bool some_cpus;         /* events of other CPUs are filtered out */
	bool percentiles;       /* there are columns for them */
	bool histogram;         /* the distribution is below the table */
};

/**
 * delay_state_new - make the state of the engine sched_latency_engine() for what is to be shown;
 * sched_latency_free() frees it.
 */
struct sched_latency *delay_state_new(const struct delay_show *show, struct analysis *a);
/**
 * delay_run - feed that engine with the recording.
 * @state: may be replaced by one that is made anew
 * @watched: it may not, because somebody watches it
 * Return: 0, or a negative errno and a sentence; -ENOENT: the recording does not have what is to
 * be shown.
 */
int delay_run(const struct delay_show *show, struct analysis *a, struct sched_latency **state,
	      bool watched, struct err *err);
/** delay_put - append what was found, in the form and order that @show tells. The engine may go on.
 */
void delay_put(const struct delay_show *show, struct analysis *a, const struct sched_latency *state,
	       struct strbuf *out);

#endif
