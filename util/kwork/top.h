/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This engine tells who had the CPUs, to the nanosecond: context switches tell which task a CPU
 * runs, and the time of interrupts and softirqs is taken off the task that they interrupt.
 */
#ifndef PERF_KWORK_TOP_H
#define PERF_KWORK_TOP_H

#include "analyze/sched-events.h"

/* The time of a CPU is split like this, in ns. */
struct kwork_cpu {
	u64 total; /* for which it is known what the CPU did */
	u64 idle, irq, softirq;
};

struct kwork_top;

/**
 * kwork_top_engine - return the engine, whose state is a struct kwork_top.
 * @irqs, @softirqs: the time of these is taken off tasks
 */
struct engine kwork_top_engine(bool irqs, bool softirqs);

/** kwork_top_new - prepare; kwork_top_free() frees the state. @tasks: borrowed */
struct kwork_top *kwork_top_new(struct task_table *tasks);
void kwork_top_free(struct kwork_top *t);

/** kwork_top_cpus - return the CPUs by their numbers; one without any events has a total of 0. @nr:
 * receives the number above all */
const struct kwork_cpu *kwork_top_cpus(const struct kwork_top *t, u32 *nr);
/** kwork_top_tasks - return the ns of tasks by their ids in the table; those of the idle task are
 * in kwork_cpu.idle. @nr: receives the number above all */
const u64 *kwork_top_tasks(const struct kwork_top *t, u32 *nr);
/** kwork_top_time - return how many ns lie between the first and the last event. */
u64 kwork_top_time(const struct kwork_top *t);

#endif
