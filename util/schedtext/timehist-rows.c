// SPDX-License-Identifier: GPL-2.0-or-later
/* The history of CPUs as rows for programs. */
#include "base/compat.h"

#include "schedtext/timehist-internal.h"

enum {
	FIELD_KIND,
	FIELD_TIME,
	FIELD_CPU,
	FIELD_COMM,
	FIELD_TID,
	FIELD_PID,
	FIELD_PRIO,
	FIELD_STATE,
	FIELD_WAIT,
	FIELD_DELAY,
	FIELD_MOVING,
	FIELD_RUN,
	FIELD_OTHER_COMM,
	FIELD_OTHER_TID,
	FIELD_OTHER_PID,
	FIELD_FROM,
	FIELD_TO,
	FIELD_CHAIN,
	FIELD_LOSSY,
	NR_FIELDS
};

static const char *const row_names[NR_FIELDS] = {
	[FIELD_KIND] = "kind",
	[FIELD_TIME] = "time_ns",
	[FIELD_CPU] = "cpu",
	[FIELD_COMM] = "comm",
	[FIELD_TID] = "tid",
	[FIELD_PID] = "pid",
	[FIELD_PRIO] = "prio",
	[FIELD_STATE] = "state",
	[FIELD_WAIT] = "wait_ns",
	[FIELD_DELAY] = "delay_ns",
	[FIELD_MOVING] = "pre_migration_ns",
	[FIELD_RUN] = "run_ns",
	[FIELD_OTHER_COMM] = "other_comm",
	[FIELD_OTHER_TID] = "other_tid",
	[FIELD_OTHER_PID] = "other_pid",
	[FIELD_FROM] = "from_cpu",
	[FIELD_TO] = "to_cpu",
	[FIELD_CHAIN] = "callchain",
	[FIELD_LOSSY] = "lossy",
};

static const char *const kinds[] = {
	[SCHED_ROW_SWITCH] = "switch",
	[SCHED_ROW_WAKEUP] = "wakeup",
	[SCHED_ROW_MIGRATION] = "migration",
};

/* The values of a task: its name, tid and pid. */
static void put_task(struct row_value *v, const struct task_at *task)
{
	v[0] = row_word(task->tid ? task->comm : "<idle>");
	v[1] = row_number(task->tid);
	if (task->pid != TASK_PID_UNKNOWN)
		v[2] = row_number(task->pid);
}

static void put_switch(struct row_value *v, const struct sched_row *row, const char *state)
{
	v[FIELD_PRIO] = (struct row_value){ .kind = ROW_NUMBER, .number = row->prio };
	v[FIELD_STATE] = row_word(state);
	v[FIELD_WAIT] = row_number(row->wait);
	v[FIELD_DELAY] = row_number(row->delay);
	v[FIELD_MOVING] = row_number(row->moving);
	v[FIELD_RUN] = row_number(row->run);
	v[FIELD_LOSSY] = row_flag(row->gap);
}

void timehist_rows_head(enum table_form form, struct strbuf *out)
{
	table_head(form, row_names, NR_FIELDS, out);
}

void timehist_rows_put(enum table_form form, const struct sched_row *row, const char *chain,
		       struct strbuf *out)
{
	const char state[] = { row->state, '\0' };
	struct row_value v[NR_FIELDS] = {
		[FIELD_KIND] = row_word(kinds[row->kind]),
		[FIELD_TIME] = row_number(row->time),
		[FIELD_CPU] = row_number(row->cpu),
	};

	put_task(&v[FIELD_COMM], &row->task);
	put_task(&v[FIELD_OTHER_COMM], &row->other);
	if (row->kind == SCHED_ROW_SWITCH)
		put_switch(v, row, state);
	if (row->kind == SCHED_ROW_MIGRATION) {
		v[FIELD_FROM] = row_number((u64)(s32)row->from);
		v[FIELD_TO] = row_number((u64)(s32)row->to);
	}
	v[FIELD_CHAIN] = row_word(*chain ? chain : NULL);
	table_put(form, row_names, v, NR_FIELDS, out);
}

/* ---- sums ---- */

enum {
	SUM_COMM,
	SUM_TID,
	SUM_PID,
	SUM_PARENT,
	SUM_ENDED,
	SUM_RUNS,
	SUM_RUN,
	SUM_MIN,
	SUM_MAX,
	SUM_SLEEP,
	SUM_IOWAIT,
	SUM_PREEMPTED,
	SUM_DELAY,
	SUM_MIGRATIONS,
	SUM_GAPS,
	SUM_LOSSY,
	NR_SUMS
};

static const char *const sum_names[NR_SUMS] = {
	[SUM_COMM] = "comm",        [SUM_TID] = "tid",
	[SUM_PID] = "pid",          [SUM_PARENT] = "parent_pid",
	[SUM_ENDED] = "ended",      [SUM_RUNS] = "runs",
	[SUM_RUN] = "run_ns",       [SUM_MIN] = "run_min_ns",
	[SUM_MAX] = "run_max_ns",   [SUM_SLEEP] = "sleep_ns",
	[SUM_IOWAIT] = "iowait_ns", [SUM_PREEMPTED] = "preempted_ns",
	[SUM_DELAY] = "delay_ns",   [SUM_MIGRATIONS] = "migrations",
	[SUM_GAPS] = "lossy_runs",  [SUM_LOSSY] = "lossy",
};

void timehist_sums_head(enum table_form form, struct strbuf *out)
{
	table_head(form, sum_names, NR_SUMS, out);
}

void timehist_sums_put(enum table_form form, const struct task_at *task,
		       const struct task_life *life, const struct sched_runs *r, struct strbuf *out)
{
	struct row_value v[NR_SUMS] = {
		[SUM_ENDED] = row_flag(life->ended),  [SUM_RUNS] = row_number(r->nr),
		[SUM_RUN] = row_number(r->total),     [SUM_MIN] = row_number(r->min),
		[SUM_MAX] = row_number(r->max),       [SUM_SLEEP] = row_number(r->sleep),
		[SUM_IOWAIT] = row_number(r->iowait), [SUM_PREEMPTED] = row_number(r->preempted),
		[SUM_DELAY] = row_number(r->delayed), [SUM_MIGRATIONS] = row_number(r->migrations),
		[SUM_GAPS] = row_number(r->gaps),     [SUM_LOSSY] = row_flag(r->gaps),
	};

	put_task(&v[SUM_COMM], task);
	if (life->parent != UINT32_MAX)
		v[SUM_PARENT] = row_number(life->parent);
	table_put(form, sum_names, v, NR_SUMS, out);
}
