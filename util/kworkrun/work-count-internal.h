/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These are the programs of work-count.h. */
#ifndef PERF_KWORKRUN_WORK_COUNT_INTERNAL_H
#define PERF_KWORKRUN_WORK_COUNT_INTERNAL_H

#include "bpf/asm.h"
#include "kworkrun/work-count.h"

/* The programs and this process share these data. */
struct work_ctl {
	u64 enabled, lost;
};

/* @cpu of what is open is WORK_ANY_CPU for works, which are raised on one CPU and run on
 * another. */
struct work_key {
	u64 id;
	u32 class, cpu;
};
#define WORK_ANY_CPU (-1)

/* Something was raised or runs; 0: it was not, or does not. */
struct work_open {
	u64 raised, began;
	u64 again; /* when it was raised once more before it began */
	u64 cpu;   /* that it began on */
};

struct work_value {
	struct kwork_spans spans[2]; /* runs and delays */
	u64 function;
	char name[WORK_COUNT_NAME];
};

enum work_step { WORK_RAISED, WORK_BEGAN, WORK_ENDED };

/* This happens at a tracepoint. */
struct work_event {
	const char *tracepoint;
	enum kwork_class class;
	enum work_step step;
};

/** work_prog - assemble the program for a tracepoint. @irq_name: the offset of the name in struct
 * irqaction; -1: unknown */
void work_prog(struct bpf_code *c, const struct work_count *w, const struct work_event *event,
	       int irq_name);

#endif
