/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions make the programs that count.c uses. */
#ifndef PERF_BPF_COUNT_PROG_H
#define PERF_BPF_COUNT_PROG_H

#include "bpf/asm.h"
#include "bpf/count.h"

/* The size of struct bpf_perf_event_value, three u64: count, enabled, running. */
#define VALUE_SIZE 24

/* The size of a value of the map of last readings: the reading of each array, and then for each
 * control group a u64 that is not 0 while the task is in it. With BPF programs, there is one u64,
 * which says that they run. */
static inline u32 last_size(const struct bpf_counts *b)
{
	return b->nr_arrays * VALUE_SIZE + MAX(b->nr_cgroups, (u32)1) * 8;
}

/** bpf_count_switch - assemble the program for a context switch. */
void bpf_count_switch(struct bpf_code *c, const struct bpf_counts *b);
/**
 * bpf_count_newtask - assemble the program for a new thread. @pid: offset of its tid in struct
 * task_struct
 */
void bpf_count_newtask(struct bpf_code *c, const struct bpf_counts *b, int pid);
/** bpf_count_freetask - assemble the program for a thread that has ended. @pid: as above */
void bpf_count_freetask(struct bpf_code *c, const struct bpf_counts *b, int pid);
/** bpf_count_enter - assemble the program that runs before a counted BPF program. @last: the map of
 * last readings */
void bpf_count_enter(struct bpf_code *c, const struct bpf_counts *b, int last);
/** bpf_count_leave - assemble the program that runs after it. @last: as above */
void bpf_count_leave(struct bpf_code *c, const struct bpf_counts *b, int last);

#endif
