/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These are the programs of times.h, and what they share with this process. */
#ifndef PERF_KFUNCS_TIMES_INTERNAL_H
#define PERF_KFUNCS_TIMES_INTERNAL_H

#include "bpf/asm.h"
#include "kfuncs/times.h"

/* The programs and this process share these data. */
struct times_ctl {
	u64 enabled, lost;
};

/* A call is under way. The programs at the entry and the exit of one call see the same frame, which
 * no other call has at that time, as long as it lasts. */
struct open_key {
	u64 frame;
	u64 func;
};

/* The programs count this; the lowest time is stored as what it lacks to all bits, so that 0 is
 * that of no call. */
struct times_sum {
	u64 nr, total, most, lacks;
	u64 counts[KFUNC_STEPS];
};

/** kfunc_times_maps - make the maps. Return: 0, or a negative errno and a sentence; those that were
 * made stay open until kfunc_times_close(). */
int kfunc_times_maps(struct kfunc_times *t, const struct kfunc_times_opts *o, struct err *err);
/** kfunc_enter_prog - assemble the program that runs at the entry of function @func. */
void kfunc_enter_prog(struct bpf_code *c, const struct kfunc_times *t, u32 func);
/** kfunc_leave_prog - assemble the program that runs at its exit. */
void kfunc_leave_prog(struct bpf_code *c, const struct kfunc_times *t,
		      const struct kfunc_times_opts *o, u32 func);

#endif
