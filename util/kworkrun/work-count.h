/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts, softirqs and works of workqueues, counted by BPF programs at their tracepoints: how
 * long each ran, and how long it had waited since it was raised. Nothing is recorded: sums are kept
 * in a map, and read at the end.
 */
#ifndef PERF_BPF_WORK_COUNT_H
#define PERF_BPF_WORK_COUNT_H

#include "base/err.h"
#include "base/int-list.h"
#include "base/sysroot.h"

#define WORK_COUNT_PROGS 8
#define WORK_COUNT_NAME 32

enum work_class { WORK_IRQ, WORK_SOFTIRQ, WORK_OF_QUEUE, WORK_CLASSES };

struct work_count_opts {
	const struct sysroot *sysroot; /* borrowed, as all are */
	u32 classes;                   /* bits of enum work_class */
	const struct int_list *cpus;   /* only what happens on these; NULL: on any */
	u32 entries;                   /* sums that can be kept */
};

/* These are sums over spans of time, in ns. */
struct work_span {
	u64 count, total;
	u64 max, max_start, max_end; /* the longest one and when it was, by CLOCK_MONOTONIC */
};

struct work_sum {
	enum work_class class;
	u32 cpu;
	u64 id;                     /* number of the interrupt or softirq; address of the work */
	u64 function;               /* of a work */
	char name[WORK_COUNT_NAME]; /* of an interrupt; terminated */
	struct work_span runs, delays;
};

typedef void (*work_count_fn)(void *ctx, const struct work_sum *sum);

struct work_count {
	int ctl, open, sums, cpus; /* maps, or -1 */
	int fds[2 * WORK_COUNT_PROGS];
	u32 nr_fds;
};

/**
 * work_count_open - load and attach the programs. Nothing is counted until work_count_enable().
 * Return: 0, or a negative errno and a sentence, and then there is nothing to close.
 */
int work_count_open(struct work_count *w, const struct work_count_opts *opts, struct err *err);
/** work_count_enable - start or stop counting. */
void work_count_enable(struct work_count *w, bool on);
/** work_count_read - call @fn for each sum. Return: the number of spans that there was no room for.
 */
u64 work_count_read(const struct work_count *w, work_count_fn fn, void *ctx);
/** work_count_close - detach the programs and free everything. */
void work_count_close(struct work_count *w);

#endif
