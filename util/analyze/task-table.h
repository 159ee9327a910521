/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks that events name by their tid alone. A tid may be used again: each life of it is a task
 * of its own with a dense number. Who knows the tasks (a machine, in tests a table) is asked once
 * for each span of time in which the answer holds, not once per event.
 */
#ifndef PERF_ANALYZE_TASK_TABLE_H
#define PERF_ANALYZE_TASK_TABLE_H

#include "base/strbuf.h"

#define TASK_PID_UNKNOWN UINT32_MAX

struct task_at {
	u32 id; /* dense number of the task */
	u32 pid, tid;
	const char *comm; /* lives as long as the source; NULL: no record names the task */
	u64 from, until;  /* the answer holds in [from, until) */
	bool stranger;    /* no record tells of it: its number is that of this pid and tid */
};

struct task_source {
	void *ctx;
	/* Tell which task has a tid at a time. @pid: its process, or TASK_PID_UNKNOWN */
	void (*at)(void *ctx, u32 pid, u32 tid, u64 time, struct task_at *out);
};

struct task_table;

/** task_table_new - make an empty table. task_table_free() frees it. @source: copied */
struct task_table *task_table_new(const struct task_source *source);
void task_table_free(struct task_table *t);
/** task_table_renew - forget all tasks, whose numbers begin again. */
void task_table_renew(struct task_table *t);

/** task_table_at - return the task that has a tid at a time. It is valid until the next call. */
struct task_at *task_table_at(struct task_table *t, u32 pid, u32 tid, u64 time);
/**
 * task_table_name - name a task that no record has named and that task_table_at() has just
 * returned.
 * @comm, @len: its name according to an event; empty: unknown
 */
void task_table_name(struct task_table *t, struct task_at *task, const char *comm, size_t len);
/**
 * task_table_last - return the task @id as it was at the end of the recording: with its last name.
 * It is valid until the next call.
 */
const struct task_at *task_table_last(struct task_table *t, u32 id);
/** task_table_nr - return the number that is above all ids. */
u32 task_table_nr(const struct task_table *t);

#endif
