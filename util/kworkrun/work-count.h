/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts, softirqs and works of workqueues, counted by BPF programs at their tracepoints: how
 * long each ran, and how long it had waited since it was raised. Nothing is recorded: sums are kept
 * in a map, and read at the end.
 */
#ifndef PERF_KWORKRUN_WORK_COUNT_H
#define PERF_KWORKRUN_WORK_COUNT_H

#include "base/err.h"
#include "base/int-list.h"
#include "base/sysroot.h"
#include "kworkrun/programs.h"
#include "kwork/kwork.h"

#define WORK_COUNT_NAME 32

struct work_count_opts {
	const struct sysroot *sysroot; /* borrowed, as all are */
	u32 classes;                   /* KWORK_BIT() of IRQ, SOFTIRQ, WORKQUEUE */
	const struct int_list *cpus;   /* only what happens on these; NULL: on any */
	u32 entries;                   /* sums that can be kept */
};

/* @item: valid during the call, as its name is, which only interrupts have */
typedef void (*work_count_fn)(void *ctx, const struct kwork_item *item);

struct work_count {
	int ctl, open, sums, cpus; /* maps, or -1 */
	struct programs progs;
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
