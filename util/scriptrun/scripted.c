// SPDX-License-Identifier: GPL-2.0-or-later
/* Hand samples, records and counts to the engine that runs a script. */
#include "base/compat.h"
#include "scriptrun/run-internal.h"

#include "base/alloc.h"

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

/* ---- counts ---- */

/* The destination of counts. */
struct put_count {
	struct script_run *run;
	const struct script_engine_ops *ops;
	void *state;
	struct err *err;
};

/* The terms of a STAT_CONFIG record, and a value of the first. */
enum { TERM_AGGR_MODE };
enum { AGGR_MODE_GLOBAL = 1 };

/* Note whether the counts of all CPUs and threads are shown as one. */
static void take_config(struct script_run *run, const wire_header *rec)
{
	struct rec_stat_config c;

	if (rec->type != PERF_RECORD_STAT_CONFIG || rec_stat_config_decode(rec, rec->size, &c))
		return;
	for (u64 i = 0; i < c.nr; i++)
		if (c.terms[2 * i] == TERM_AGGR_MODE)
			run->sums.on = c.terms[2 * i + 1] == AGGR_MODE_GLOBAL;
}

/* Return what an event had counted up to the round before. */
static struct script_count *counted_before(struct script_sums *sums, const struct evsel *e)
{
	size_t nr = sums->nr;

	if (e->idx >= nr) {
		VEC_GROW(sums->before, e->idx + 1, sums->nr);
		memset(sums->before + nr, 0, (sums->nr - nr) * sizeof(*sums->before));
	}
	return &sums->before[e->idx];
}

/* Hand over what an event has counted since the round before, as the recorded counts are those
 * since the start. */
static int give_sum(const struct put_count *to)
{
	struct script_sums *sums = &to->run->sums;
	struct script_count c = sums->now, *before;

	if (!c.evsel)
		return SCRIPT_GO_ON;
	before = counted_before(sums, c.evsel);
	c.cpu = c.thread = -1;
	c.value -= before->value;
	c.enabled -= before->enabled;
	c.running -= before->running;
	*before = sums->now;
	sums->now.evsel = NULL;
	return to->ops->count(to->state, &c, to->err);
}

/* Add a count to those of its event. */
static int add_count(const struct put_count *to, const struct script_count *c)
{
	struct script_count *sum = &to->run->sums.now;
	int verdict = sum->evsel != c->evsel ? give_sum(to) : SCRIPT_GO_ON;

	if (!sum->evsel)
		*sum = (struct script_count){ .evsel = c->evsel, .time = c->time };
	sum->value += c->value;
	sum->enabled += c->enabled;
	sum->running += c->running;
	return verdict;
}

static int put_count(void *ctx, const struct round_count *c, u64 time)
{
	const struct put_count *to = ctx;
	struct script_count sc;
	int verdict;

	if (!c) {
		verdict = give_sum(to);
		return verdict ? verdict : to->ops->interval(to->state, time, to->err);
	}
	sc = (struct script_count){ .evsel = c->evsel,
				    .cpu = c->cpu,
				    .thread = c->pid,
				    .time = time,
				    .value = c->value,
				    .enabled = c->enabled,
				    .running = c->running };
	return to->run->sums.on ? add_count(to, &sc) : to->ops->count(to->state, &sc, to->err);
}

/* ---- other records ---- */

int script_put_other(struct script_run *run, const struct session_event *ev, struct err *err)
{
	const struct script_engine_ops *ops = script_engine_ops(run->engine);
	void *state = script_engine_state(run->engine);
	struct put_count to = { run, ops, state, err };
	int verdict = SCRIPT_GO_ON;

	take_config(run, ev->hdr);
	if (run->wants & SCRIPT_WANTS_COUNTS)
		verdict = count_lines_take(&run->stat, &run->r->session, ev, put_count, &to);
	if (verdict == SCRIPT_GO_ON && run->wants & SCRIPT_WANTS_RECORDS)
		verdict = ops->record(state, ev, err);
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
