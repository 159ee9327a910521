// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "schedtext/replay.h"

#include "schedtext/schedtext-internal.h"

#define RULE "------------------------------------------------------------\n"
#define WEIGHT 0.1 /* of a new round in the means */

void replay_costs_text(const struct replay_costs *c, const struct replay_tests *t,
		       struct strbuf *out)
{
	strbuf_addf(out, "run measurement overhead: %" PRIu64 " nsecs\n", c->run);
	strbuf_addf(out, "sleep measurement overhead: %" PRIu64 " nsecs\n", c->sleep);
	strbuf_addf(out, "the run test took %" PRIu64 " nsecs\n", t->run);
	strbuf_addf(out, "the sleep test took %" PRIu64 " nsecs\n", t->sleep);
}

static void put_name(const struct replay_program *p, const struct task_at *task, struct strbuf *out)
{
	if (p->idle)
		strbuf_addf(out, "swapper/%u", p->task);
	else
		sched_put_comm(task, out);
}

static void put_program(u32 number, const struct replay_program *p, struct task_table *tasks,
			struct strbuf *out)
{
	const struct task_at *task = p->idle ? NULL : task_table_last(tasks, p->task);
	struct strbuf name = STRBUF_INIT;

	put_name(p, task, &name);
	strbuf_addf(out, "task %6u (%20s:%10u), nr_events: %zu\n", number, strbuf_str(&name),
		    task ? task->tid : 0, p->nr);
	strbuf_release(&name);
}

void replay_programs_text(const struct replay_programs *p, struct task_table *tasks,
			  struct strbuf *out)
{
	u64 nr[REPLAY_NR_KINDS] = { 0 };

	for (u32 i = 0; i < p->nr; i++)
		for (size_t k = 0; k < p->v[i].nr; k++)
			nr[p->v[i].steps[k].kind]++;
	strbuf_addf(out, "nr_run_events:        %" PRIu64 "\n", nr[REPLAY_RUN]);
	strbuf_addf(out, "nr_sleep_events:      %" PRIu64 "\n", nr[REPLAY_PAUSE] + nr[REPLAY_WAIT]);
	strbuf_addf(out, "nr_wakeup_events:     %" PRIu64 "\n", nr[REPLAY_WAKE]);
	if (p->pointless)
		strbuf_addf(out, "target-less wakeups:  %" PRIu64 "\n", p->pointless);
	for (u32 i = 0; i < p->nr; i++)
		put_program(i, &p->v[i], tasks, out);
	strbuf_addstr(out, RULE);
}

static void add_to_mean(double *mean, double value, u64 rounds)
{
	*mean = rounds ? *mean + WEIGHT * (value - *mean) : value;
}

void replay_round_text(struct replay_mean *m, const struct replay_round *round, struct strbuf *out)
{
	double elapsed = (double)round->elapsed / 1e6, cpu = (double)round->cpu / 1e6;

	add_to_mean(&m->elapsed, elapsed, m->rounds);
	add_to_mean(&m->cpu, cpu, m->rounds);
	m->rounds++;
	strbuf_addf(out, "#%-3" PRIu64 ": %.3f, ravg: %.2f, cpu: %.2f / %.2f\n", m->rounds, elapsed,
		    m->elapsed, cpu, m->cpu);
}
