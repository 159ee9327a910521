/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who has the CPUs, counted by BPF programs: each knows what its CPU has done since the last event,
 * and adds that time to what it belongs to (a task, interrupts, softirqs), as kwork/top.h does with
 * the events of a recording.
 */
#ifndef PERF_KWORKRUN_SHARES_H
#define PERF_KWORKRUN_SHARES_H

#include "base/err.h"
#include "base/int-list.h"
#include "base/sysroot.h"
#include "kworkrun/programs.h"
#include "bpf/asm.h"
#include "kwork/top.h"

#define SHARE_COMM 16

struct shares_opts {
	const struct sysroot *sysroot; /* borrowed, as all are */
	const struct int_list *cpus;   /* only these; NULL: all */
	bool irqs, softirqs;           /* the time of these is taken off tasks */
};

/* A task has had so much time. */
struct share {
	u32 tid;
	u64 ns;
	char comm[SHARE_COMM]; /* terminated */
};

struct shares {
	int ctl, doing, sums, cpus; /* maps, or -1 */
	struct programs progs;
	u32 nr_cpus;    /* that there may be */
	u64 start, end; /* ns of CLOCK_MONOTONIC */
};

/* This is what was counted. The struct starts zeroed. */
struct shares_result {
	struct kwork_cpu *cpus; /* owned; by number */
	u32 nr_cpus;
	struct share *tasks; /* owned */
	size_t nr_tasks, cap_tasks;
	u64 lost; /* pieces of time that there was no room for */
};

/** shares_open - load and attach the programs. Nothing is counted until shares_enable(). Return: 0,
 * or a negative errno and a sentence, and then there is nothing to close. */
int shares_open(struct shares *s, const struct shares_opts *opts, struct err *err);
/** shares_enable - start or stop counting. */
void shares_enable(struct shares *s, bool on);
/** shares_read - read what was counted, after it was stopped. */
void shares_read(const struct shares *s, struct shares_result *out);
void shares_result_release(struct shares_result *r);
/** shares_close - detach the programs and free everything. */
void shares_close(struct shares *s);

/* ---- the programs ---- */

/* The programs and this process share these data. */
struct shares_ctl {
	u64 start; /* 0: nothing is counted */
	u64 lost;
};

/* A CPU does this since then. */
struct share_doing {
	u64 since;
	u32 tid;
	u32 what; /* bits of enum share_what */
};

enum share_what { SHARE_KNOWN = 1, SHARE_IRQ = 2, SHARE_SOFTIRQ = 4 };

/* Tasks have one sum for all CPUs; interrupts, softirqs and the idle task, whose tid is 0, have one
 * for each. */
struct share_key {
	u32 who, cpu;
};

#define SHARE_OF_IRQS UINT32_MAX
#define SHARE_OF_SOFTIRQS (UINT32_MAX - 1)

struct share_sum {
	u64 ns;
	char comm[SHARE_COMM];
};

/* A tracepoint sets or clears bits of what a CPU does; without any, a task leaves the CPU there. */
struct share_event {
	const char *tracepoint;
	u32 set, clear;
};

/** share_prog - assemble the program for a tracepoint. @pid: offset in struct task_struct */
void share_prog(struct bpf_code *c, const struct shares *s, const struct share_event *event,
		int pid);

#endif
