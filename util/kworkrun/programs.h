/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that run at tracepoints, and the CPUs that they look at. */
#ifndef PERF_KWORKRUN_PROGRAMS_H
#define PERF_KWORKRUN_PROGRAMS_H

#include "base/err.h"
#include "base/int-list.h"
#include "bpf/sys.h"

#define PROGRAMS 8

struct programs {
	struct bpf_at_tracepoint v[PROGRAMS];
	u32 nr;
};

/** programs_attach - load a program and have it run at a raw tracepoint. @code: released. Return:
 * 0, or a negative errno and a sentence. */
int programs_attach(struct programs *p, const char *tracepoint, struct bpf_code *code,
		    struct err *err);
/** programs_close - remove the programs. */
void programs_close(struct programs *p);

/**
 * chosen_cpus_map - make a map that has 1 for some CPUs.
 * @cpus: sorted
 * Return: its descriptor, or a negative errno and a sentence.
 */
int chosen_cpus_map(const struct int_list *cpus, struct err *err);
/** want_chosen_cpu - emit goto @out unless the map has 1 for the CPU whose number is at byte @at of
 * the stack. @map: -1: all CPUs are wanted */
void want_chosen_cpu(struct bpf_code *c, int map, int at, int out);

#endif
