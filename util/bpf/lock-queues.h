/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each CPU has a run queue, whose lock has an address but no name. */
#ifndef PERF_BPF_LOCK_QUEUES_H
#define PERF_BPF_LOCK_QUEUES_H

#include "bpf/btf.h"

/**
 * lock_queues_find - find the locks of the run queues of CPUs. A program that runs once on each CPU
 * asks the task there for its queue.
 * @b: of the running kernel
 * @cpus: the number of CPUs that there may be
 * @out: receives an address for each CPU; 0: unknown, such as that of a CPU that is offline
 * Return: how many are known; without rights, or where the kernel's structures have no such
 * members, 0.
 */
u32 lock_queues_find(const struct btf *b, u32 cpus, u64 *out);

#endif
