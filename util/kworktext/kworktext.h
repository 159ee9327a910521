/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions write work of the kernel as text: tables of runs and of delays, a row for each
 * run, and the shares of tasks and CPUs. */
#ifndef PERF_KWORKTEXT_KWORKTEXT_H
#define PERF_KWORKTEXT_KWORKTEXT_H

#include "analysis/analysis.h"
#include "kwork/kwork.h"
#include "kwork/top.h"

/* Users sort the rows of these tables. */
enum kwork_view { KWORK_REPORT, KWORK_LATENCY, KWORK_TOP, KWORK_VIEWS };

#define KWORK_KEYS 3 /* that each of them has */

/* Rows are sorted by these keys, the first one first. */
struct kwork_order {
	u8 keys[KWORK_KEYS];
	u32 nr;
};

/* Users choose what is shown. */
struct kwork_show {
	u32 classes; /* KWORK_BIT() of the classes of work */
	struct kwork_order order;
	const char *name; /* only what is called so; NULL: everything */
	bool whole;       /* names may be wider than their column */
	bool summary;     /* sums stand below the rows of KWORK_REPORT */
	bool chains;      /* the history has call chains behind its rows */
	u32 max_stack;    /* frames of these */
	/* A file for the runs over time, of KWORK_LATENCY and the history the delays; NULL: none */
	const char *heatmap;
};

/** kwork_classes_parse - read "irq,softirq,workqueue,sched". Return: 0, or -EINVAL and a sentence.
 */
int kwork_classes_parse(u32 *classes, const char *text, struct err *err);
/**
 * kwork_order_parse - read the keys of a table: "runtime,max,count" of KWORK_REPORT, "avg,max,count"
 * of KWORK_LATENCY, "rate,runtime,tid" of KWORK_TOP.
 * Return: 0, or -EINVAL and a sentence.
 */
int kwork_order_parse(struct kwork_order *o, enum kwork_view view, const char *text,
		      struct err *err);

/** kwork_class_words, kwork_key_words - append the words that these lists are made of, with blanks
 * between them; each key of any table once. */
void kwork_class_words(struct strbuf *out);
void kwork_key_words(struct strbuf *out);

/**
 * kwork_table_run - read the recording and append the table of runs or that of delays.
 * @view: KWORK_REPORT or KWORK_LATENCY
 * Return: 0, or negative and a sentence, as analysis_run().
 */
int kwork_table_run(const struct kwork_show *show, enum kwork_view view, struct analysis *a,
		    struct strbuf *out, struct err *err);
/* What was counted elsewhere, and who names functions. */
struct kwork_counted {
	const struct kwork *items;
	u64 time; /* ns that it lasted */
	/* Return the function at an address, valid until the next call; NULL: unknown. */
	const char *(*name)(void *ctx, u64 address);
	void *ctx;
};

/** kwork_table_put - append the table of runs or that of delays. @view: as of kwork_table_run() */
void kwork_table_put(const struct kwork_show *show, enum kwork_view view,
		     const struct kwork_counted *counted, struct strbuf *out);

/* A task has a row of its own. */
struct kwork_task {
	u32 tid;
	u64 ns;
	const char *comm; /* borrowed; NULL: unknown */
};

/* The CPUs and the tasks that had them. */
struct kwork_shares {
	const struct kwork_cpu *cpus;
	u32 nr_cpus;
	const struct kwork_task *tasks; /* without the idle ones */
	size_t nr_tasks;
	u64 time; /* ns that are 100 % */
};

/** kwork_top_put - append the table of tasks and CPUs that were counted elsewhere. */
void kwork_top_put(const struct kwork_show *show, const struct kwork_shares *s, struct strbuf *out);
/** kwork_top_run - do that with the table of tasks and CPUs. */
int kwork_top_run(const struct kwork_show *show, struct analysis *a, struct strbuf *out,
		  struct err *err);
/**
 * kwork_history_run - read the recording and write a row for each run.
 * @write: takes the text in pieces, with @ctx
 * Return: as kwork_table_run().
 */
int kwork_history_run(const struct kwork_show *show, struct analysis *a,
		      int (*write)(void *ctx, const char *text, size_t len), void *ctx,
		      struct err *err);

#endif
