// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Processes that belong to the recording, as its own records tell: children of the workload, or of
 * the processes given with -p. An output file after the first one begins with those that live.
 */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include "wire/records.h"

#include <signal.h>

void record_task_seen(struct map64 *tasks, const void *rec, size_t size)
{
	const struct perf_event_header *h = rec;
	struct rec_task t;

	if ((h->type != PERF_RECORD_FORK && h->type != PERF_RECORD_EXIT) ||
	    rec_task_decode(rec, size, &t))
		return;
	if (h->type == PERF_RECORD_FORK)
		map64_set(tasks, t.pid, 1);
	else if (h->type == PERF_RECORD_EXIT && t.pid == t.tid)
		map64_set(tasks, t.pid, 0);
}

void record_tasks_join(struct record *r, struct map64 *from)
{
	for (size_t i = 0; from->keys && i <= from->mask; i++) {
		u32 *to, alive = from->vals[i];

		if (alive == MAP64_NONE)
			continue;
		to = map64_slot(&r->ro.tasks, from->keys[i]);
		/* its end may stand in the records of another CPU than its beginning */
		*to = MIN(*to, alive);
	}
	map64_release(from);
}

void record_tasks_synthesize(struct record *r, struct synth *s)
{
	struct map64 alive = { 0 }, *seen = &r->ro.tasks;

	if (r->workload.pid)
		map64_set(seen, (u64)r->workload.pid, 1);
	for (size_t i = 0; seen->keys && i <= seen->mask; i++) {
		pid_t pid = (pid_t)seen->keys[i];

		if (seen->vals[i] != 1 || kill(pid, 0))
			continue;
		map64_set(&alive, seen->keys[i], 1);
		synth_process(s, pid);
	}
	map64_release(seen);
	*seen = alive;
}
