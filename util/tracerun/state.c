// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The state of processes in a run that may be long. It is made anew from time to time without the
 * processes that have ended, but for those that still have a table of their own, which needs their
 * names.
 */
#include "base/compat.h"
#include "tracerun/tracerun-internal.h"

int trace_state_note(void *run, const struct session_event *ev, bool applied, struct err *err)
{
	struct trace_run *t = run;

	if (applied && !ev->guest)
		state_log_add(&t->log, ev->hdr, ev->time);
	return 0;
}

static void drop_ended(struct trace_run *t)
{
	const bool by_thread = t->asked->mode == TRACE_BY_THREAD;
	struct map64 ids = { 0 };

	for (size_t i = 0; by_thread && i < t->sums.nr; i++) {
		map64_set(&ids, t->sums.groups[i].pid, 1);
		map64_set(&ids, (u32)t->sums.groups[i].key, 1);
	}
	state_log_drop_ended(&t->log, &ids, NULL);
	map64_release(&ids);
}

void trace_state_renew(struct trace_run *t)
{
	if (!state_log_is_long(&t->log))
		return;
	drop_ended(t);
	trace_chains_release(t);
	memset(t->seen, 0, sizeof(t->seen));
	recording_renew(t->r, state_log_apply, &t->log);
	t->renewed++;
}
