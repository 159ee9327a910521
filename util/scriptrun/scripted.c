// SPDX-License-Identifier: GPL-2.0-or-later
/* Hand samples, records and counts to the engine that runs a script. */
#include "base/compat.h"
#include "scriptrun/run-internal.h"

#define STOP 1 /* ends a run; script_run_all() makes a result of it */

int script_verdict(struct script_run *run, int verdict, struct err *err)
{
	if (verdict == SCRIPT_GO_ON)
		return 0;
	if (verdict == SCRIPT_OVER)
		run->fault = SCRIPT_FAULT_SCRIPT;
	run->enough = verdict == SCRIPT_ENOUGH;
	return verdict < 0 ? verdict : STOP;
}

int script_put_engine(struct script_run *run, const struct session_event *ev,
		      const struct thread_at *at, struct err *err)
{
	return script_verdict(run, script_engine_sample(run->engine, ev, at, err), err);
}

struct put_count {
	struct script_run *run;
	struct err *err;
};

static int put_count(void *ctx, const struct round_count *c, u64 time)
{
	const struct put_count *to = ctx;
	const struct script_engine_ops *ops = script_engine_ops(to->run->engine);
	void *state = script_engine_state(to->run->engine);
	struct script_count sc;

	if (!c)
		return ops->interval(state, time, to->err);
	sc = (struct script_count){ .evsel = c->evsel,
				    .cpu = c->cpu,
				    .thread = c->pid,
				    .time = time,
				    .value = c->value,
				    .enabled = c->enabled,
				    .running = c->running };
	return ops->count(state, &sc, to->err);
}

int script_put_other(struct script_run *run, const struct session_event *ev, struct err *err)
{
	const struct script_engine_ops *ops = script_engine_ops(run->engine);
	struct put_count to = { run, err };
	int verdict = SCRIPT_GO_ON;

	if (run->wants & SCRIPT_WANTS_COUNTS)
		verdict = count_lines_take(&run->stat, &run->r->session, ev, put_count, &to);
	if (verdict == SCRIPT_GO_ON && run->wants & SCRIPT_WANTS_RECORDS)
		verdict = ops->record(script_engine_state(run->engine), ev, err);
	return script_verdict(run, verdict, err);
}

int script_flush_engine(struct script_run *run, struct err *err)
{
	void *state = script_engine_state(run->engine);

	return script_verdict(run, script_engine_ops(run->engine)->flush(state, err), err);
}

int script_run_status(const struct script_run *run)
{
	return script_engine_ops(run->engine)->status(script_engine_state(run->engine));
}
