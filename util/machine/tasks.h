/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks and their mappings as the records of a file left them: every tid ever told of, who its
 * parent was, and the mappings one by one, neither joined nor valid over time as in machine.h.
 * Records are applied in time order; then the tree is made and walked.
 */
#ifndef PERF_MACHINE_TASKS_H
#define PERF_MACHINE_TASKS_H

#include "wire/event.h"

struct tasks;

struct task {
	u32 pid, tid;
	u32 ppid;         /* UINT32_MAX: unknown */
	const char *comm; /* owned by the model; NULL: never told */
	u32 process;      /* private, as what follows */
	u32 parent, first_child, last_child, next;
	bool gone; /* another one took over its tid */
	u8 placed;
};

struct task_map {
	u64 start, end, pgoff, ino;
	u32 prot, flags;
	const char *name; /* owned by the model */
};

/** tasks_new - the model with the idle task alone; free with tasks_free(). @maps: mappings too */
struct tasks *tasks_new(bool maps);
void tasks_free(struct tasks *t);

/**
 * tasks_apply - one record, native order; types that say nothing of tasks are ignored.
 * Return: 0, or -EINVAL when it is malformed (nothing is changed).
 */
int tasks_apply(struct tasks *t, const wire_header *rec, size_t size);

/** tasks_end - everything was applied: make the tree. */
void tasks_end(struct tasks *t);
/**
 * tasks_next - walk the tree, parents before children.
 * @prev: NULL to begin
 * @level: depth of the task returned; keep it for the next call
 * Return: NULL behind the last.
 */
const struct task *tasks_next(const struct tasks *t, const struct task *prev, u32 *level);

/** task_maps - the *@nr mappings of a task, by address; borrowed. */
const struct task_map *task_maps(const struct tasks *t, const struct task *task, size_t *nr);

#endif
