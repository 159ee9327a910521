/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of bpf-count.c. */
#ifndef PERF_BPF_COUNT_PROG_H
#define PERF_BPF_COUNT_PROG_H

#include "bpf/asm.h"
#include "bpf/count.h"

/* What a counter said: struct bpf_perf_event_value, three u64: count, enabled, running. */
#define VALUE_SIZE 24

/* The value of the map of what was read last: that of each array, then of each control group an u64
 * that is not zero when the task is in it; with BPF programs one that says that they run. */
static inline u32 last_size(const struct bpf_counts *b)
{
	return b->nr_arrays * VALUE_SIZE + MAX(b->nr_cgroups, (u32)1) * 8;
}

/** bpf_count_switch - at a switch of tasks. */
void bpf_count_switch(struct bpf_code *c, const struct bpf_counts *b);
/** bpf_count_newtask - a new thread, whose tid is at @pid of struct task_struct. */
void bpf_count_newtask(struct bpf_code *c, const struct bpf_counts *b, int pid);
/** bpf_count_freetask - a thread is gone. */
void bpf_count_freetask(struct bpf_code *c, const struct bpf_counts *b, int pid);
/** bpf_count_enter, bpf_count_leave - before and behind a program. @last: the map of it */
void bpf_count_enter(struct bpf_code *c, const struct bpf_counts *b, int last);
void bpf_count_leave(struct bpf_code *c, const struct bpf_counts *b, int last);

#endif
