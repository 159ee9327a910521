/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that no other engine of the pass looks for: when and where each happened, in which task,
 * and where it stands in the file. A timeline shows them as marks.
 *
 * A mark takes 24 bytes, and there are so many of them at most as users ask for. When there would
 * be more, of the event that has most of them every second one is left out from then on and up to
 * then. Events that are rare therefore keep all of their marks beside one that is not.
 */
#ifndef PERF_ANALYSIS_OTHER_EVENTS_H
#define PERF_ANALYSIS_OTHER_EVENTS_H

#include "analyze/engine.h"
#include "analyze/task-table.h"

#define OTHER_NO_TASK UINT32_MAX

struct other_mark {
	u64 time, place; /* ns; of the record, in bytes from the start of the file */
	u32 task;        /* in the table of tasks; OTHER_NO_TASK: the idle task, or it is unknown */
	u16 cpu;         /* OTHER_NO_CPU: unknown */
	u16 event;       /* in other_marks.events */
};

#define OTHER_NO_CPU UINT16_MAX

/* An event that has marks. */
struct other_event {
	u32 event; /* in the recording's list of events */
	u32 kept;  /* marks */
	u64 seen;  /* times that it happened */
	u32 shift; /* one of 2^shift times has a mark */
};

/* The result. */
struct other_marks {
	struct other_mark *v; /* in the order of time */
	u32 nr;
	struct other_event *events; /* in the order of appearance */
	u32 nr_events;
	u64 seen; /* by all events; more than @nr: some were left out */
};

/* These take 6 MB in memory, and about 2 MB in a page. */
#define OTHER_MARKS ((u32)1 << 18)

struct other_events;

/** other_events_engine - return the engine, whose state is a struct other_events. It takes all that
 * the others of a pass do not look for, and its events are those of the recording's list. */
const struct engine *other_events_engine(void);
/** other_events_new - prepare; other_events_free() frees it and its result.
 * @tasks: borrowed
 * @most: so many marks are kept, at least 2; 0: OTHER_MARKS */
struct other_events *other_events_new(struct task_table *tasks, u32 most);
void other_events_free(struct other_events *o);
/** other_events_result - return the marks, borrowed. */
const struct other_marks *other_events_result(const struct other_events *o);

#endif
