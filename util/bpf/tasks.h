/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers of threads as this process knows them. In a container the kernel, and so BPF programs,
 * know them by other numbers; they can be asked for those of a namespace.
 */
#ifndef PERF_BPF_TASKS_H
#define PERF_BPF_TASKS_H

#include "base/err.h"
#include "base/sysroot.h"
#include "bpf/asm.h"
#include "bpf/btf.h"

/* A namespace of numbers of threads. */
struct bpf_ns {
	u64 dev, ino; /* as stat(2) has them; ino 0: the first namespace */
};

/** bpf_ns_own - return the namespace of this process. */
struct bpf_ns bpf_ns_own(const struct sysroot *sr);

/** bpf_first_namespace - tell whether programs know threads by the numbers that we know. Return: 0,
 * or -EOPNOTSUPP and a sentence in a container, which has numbers of its own. */
int bpf_first_namespace(const struct sysroot *sr, struct err *err);

/* Offsets in structures of the kernel. */
struct bpf_task_at {
	int pid, thread_pid;        /* in struct task_struct */
	int pid_level, pid_numbers; /* in struct pid */
};

/** bpf_task_find - look the offsets up. Return: 0, or -EOPNOTSUPP and a sentence. */
int bpf_task_find(struct bpf_task_at *at, const struct btf *btf, struct err *err);

/** bpf_ids - emit r0 = the number of this process << 32 | that of this thread, else goto @out.
 * Changes r1-r5 and 8 bytes of the stack at @at. */
void bpf_ids(struct bpf_code *c, struct bpf_ns ns, int at, int out);
/**
 * bpf_want_thread - emit: goto @out unless this thread is in the map @tasks (8 bytes to 8 bytes),
 * else r0 = the address of its value. Threads that were there at the start are known by their
 * numbers in @ns, those that came later by the addresses of their task_struct. Changes r1-r5 and 8
 * bytes of the stack at @at.
 */
void bpf_want_thread(struct bpf_code *c, int tasks, struct bpf_ns ns, int at, int out);
/** bpf_task_number - emit the 4 bytes at @to of the stack = the number of the task_struct in
 * register
 * @task, which is r6 to r9 and changed. Changes r0-r5 and 8 bytes of the stack at @at. */
void bpf_task_number(struct bpf_code *c, struct bpf_ns ns, const struct bpf_task_at *members,
		     int task, int to, int at);

#endif
