/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of tasks by their numbers, as the kernel has them in saved_cmdlines. */
#ifndef PERF_FTRACETEXT_NAMES_H
#define PERF_FTRACETEXT_NAMES_H

#include "base/compat.h"

#define TASK_NAME 16

struct task_names {
	struct task_name *v; /* owned; a hash table with free places of pid -1 */
	size_t nr, cap;
};

struct task_name {
	s32 pid;
	char name[TASK_NAME];
};

/** task_names_add - add or change a name, which ends at @len bytes. */
void task_names_add(struct task_names *t, s32 pid, const char *name, size_t len);
/** task_names_read - add the lines "PID NAME" of a text. */
void task_names_read(struct task_names *t, const char *text);
/** task_names_find - return the name of a task, NULL: unknown. Task 0 is "<idle>". */
const char *task_names_find(const struct task_names *t, s32 pid);
void task_names_release(struct task_names *t);

#endif
