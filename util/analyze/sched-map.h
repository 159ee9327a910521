/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A map of what runs on each CPU, with a line for each switch. Tasks have short names of a letter
 * and a digit in the order of appearance: A0 to Z0, A1 and so on. There are 260; then they are used
 * again.
 */
#ifndef PERF_ANALYZE_SCHED_MAP_H
#define PERF_ANALYZE_SCHED_MAP_H

#include "analyze/sched-events.h"

/* A CPU runs this. */
struct sched_map_cpu {
	bool seen;    /* a switch has been seen on it; the rest is not set otherwise */
	char name[3]; /* of the task: "A0"; "." of the idle task; "-" of one that is not wanted */
	u32 tid;
	u64 time; /* of its last switch, in ns */
	bool gap; /* events were lost after that */
};

struct sched_map_row {
	u64 time;                         /* ns */
	u32 cpu;                          /* on which the switch was */
	const struct sched_map_cpu *cpus; /* borrowed; by number of the CPU */
	u32 nr_cpus;
	struct task_at task; /* that runs from now on */
	bool introduced;     /* its short name or its name are new */
	bool new_cpu;        /* it is the first row of that CPU */
};

struct sched_map_conf {
	struct task_table *tasks; /* borrowed */
	void (*row)(void *ctx, const struct sched_map_row *row);
	/* Tells whether tasks of a name are wanted; NULL: all are. A row is passed on when one of
	 * the two tasks of a switch is. */
	bool (*wants)(void *ctx, const struct task_at *task);
	void *ctx;
};

struct sched_map;

const struct engine *sched_map_engine(void);
/** sched_map_new - prepare; sched_map_free() frees it. @conf: copied */
struct sched_map *sched_map_new(const struct sched_map_conf *conf);
void sched_map_free(struct sched_map *m);
/** sched_map_counts - return the counts of what does not fit together. */
const struct sched_counts *sched_map_counts(const struct sched_map *m);

#endif
