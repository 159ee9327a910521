/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks of a file and their mappings as its records describe them: every tid that was
 * mentioned, its parent, and the single mappings, which are neither merged nor valid over time as
 * in machine.h. Records are applied in time order; then the tree is made and walked.
 */
#ifndef PERF_MACHINE_TASKS_H
#define PERF_MACHINE_TASKS_H

#include "wire/event.h"

struct tasks;

struct task {
	u32 pid, tid;
	u32 ppid;         /* UINT32_MAX: unknown */
	const char *comm; /* owned by the model; NULL: unknown */
	u32 process;      /* private, like the following members */
	u32 parent, first_child, last_child, next;
	bool gone; /* another task has its tid now */
	u8 placed;
};

struct task_map {
	u64 start, end, pgoff, ino;
	u32 prot, flags;
	const char *name; /* owned by the model */
};

/**
 * tasks_new - make a model with only the idle task. tasks_free() frees it. @maps: store mappings as
 * well
 */
struct tasks *tasks_new(bool maps);
/** tasks_free - free the model. */
void tasks_free(struct tasks *t);

/**
 * tasks_apply - apply one record in native order. Types that are not about tasks are ignored.
 * Return: 0, or -EINVAL when the record is malformed, and then nothing is changed.
 */
int tasks_apply(struct tasks *t, const wire_header *rec, size_t size);

/** tasks_end - make the tree, after all records were applied. */
void tasks_end(struct tasks *t);
/**
 * tasks_next - walk over the tree, parents before children.
 * @prev: the task returned last; NULL to begin
 * @level: depth of the returned task; it has to be kept for the next call
 * Return: NULL at the end.
 */
const struct task *tasks_next(const struct tasks *t, const struct task *prev, u32 *level);

/** task_maps - return the *@nr mappings of a task, sorted by address. They are borrowed. */
const struct task_map *task_maps(const struct tasks *t, const struct task *task, size_t *nr);

#endif
