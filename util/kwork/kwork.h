/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This engine follows what the kernel does for nobody in particular: it handles interrupts and
 * softirqs, and runs works of workqueues; runs of tasks are added on request. Each has a begin and
 *an end; softirqs and works are raised before, and what is between is their delay:
 *
 *	raised ---- delay ---- begin ---- run ---- end
 *
 * A work may be raised on another CPU than the one that runs it, and a worker may move to another
 * CPU while it runs a work. Memory grows with the number of items, not of events.
 */
#ifndef PERF_KWORK_KWORK_H
#define PERF_KWORK_KWORK_H

#include "analyze/engine.h"

enum kwork_class { KWORK_IRQ, KWORK_SOFTIRQ, KWORK_WORKQUEUE, KWORK_SCHED, KWORK_CLASSES };

#define KWORK_BIT(class) (1U << (class))

/* These are sums over spans of time, in ns. */
struct kwork_spans {
	u64 count, total;
	u64 max, max_start, max_end; /* the longest one and when it was */
};

/* An item is an interrupt, softirq or task on a CPU, or a work on the CPU that ran it. */
struct kwork_item {
	enum kwork_class class;
	u32 cpu;
	u64 id;           /* number of the interrupt or softirq; address of the work; tid */
	u64 function;     /* of a work: the address by which it is named */
	const char *name; /* lives as long as the state; "": unknown, or it is a work */
	struct kwork_spans runs, delays;
};

/* This is told of a run when it has ended. */
struct kwork_run {
	const struct kwork_item *item;
	u64 start, end; /* ns */
	bool delayed;   /* it is known when it was raised */
	u64 delay;      /* ns between that and the start */
};

/* So many events lack their counterpart. */
struct kwork_missing {
	u64 raises;   /* nothing has begun after them */
	u64 unraised; /* begins of what can be raised and was not */
	u64 unended;  /* begins without an end */
	u64 ends;     /* ends without a begin */
};

struct kwork_conf {
	u32 classes; /* KWORK_BIT() of those that are wanted */
	/* A run has ended, by the event @in; may be NULL. */
	void (*run)(void *ctx, const struct kwork_run *run, const struct engine_input *in);
	/* An item that was raised at @since has begun at @until, in ns; may be NULL. */
	void (*delay)(void *ctx, const struct kwork_item *item, u64 since, u64 until);
	void *ctx;
};

/* These are the numbers of events in the table of the engine. */
enum kwork_event {
	KWORK_IRQ_ENTRY,
	KWORK_IRQ_EXIT,
	KWORK_SOFTIRQ_RAISE,
	KWORK_SOFTIRQ_ENTRY,
	KWORK_SOFTIRQ_EXIT,
	KWORK_ACTIVATE,
	KWORK_START,
	KWORK_END,
	KWORK_SWITCH,
	KWORK_EVENTS
};

struct kwork;

/** kwork_engine - return the engine for these classes, whose state is a struct kwork. @name: of it
 * in messages */
struct engine kwork_engine(const char *name, u32 classes);

/** kwork_new - prepare; kwork_free() frees the state. @conf: copied */
struct kwork *kwork_new(const struct kwork_conf *conf);
void kwork_free(struct kwork *k);

/**
 * kwork_add - add an item that was counted elsewhere, with its runs and delays, unless it is there.
 * Its name is copied. A softirq without one has that of the format which the engine has learnt.
 */
void kwork_add(struct kwork *k, const struct kwork_item *item);

/** kwork_items - return the items that have run, or were to run, in the order in which they
 * appeared. @nr: their number */
const struct kwork_item *kwork_items(const struct kwork *k, size_t *nr);
/** kwork_missing - return the counts of what had no counterpart. */
const struct kwork_missing *kwork_missing(const struct kwork *k);
/** kwork_time - return how many ns lie between the first and the last event. */
u64 kwork_time(const struct kwork *k);

#endif
