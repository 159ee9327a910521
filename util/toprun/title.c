// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "toprun/title.h"

static double percent(u64 part, u64 of)
{
	return of ? 100.0 * (double)part / (double)of : 0.0;
}

static void put_shares(const struct toprun_title *t, const struct toprun_numbers *n,
		       struct strbuf *out)
{
	strbuf_addf(out, "  kernel:%4.1f%%", percent(n->kernel, n->samples));
	if (t->guests)
		strbuf_addf(out, " us:%4.1f%% guest kernel:%4.1f%% guest us:%4.1f%%",
			    percent(n->user, n->samples), percent(n->guest_kernel, n->samples),
			    percent(n->guest_user, n->samples));
	strbuf_addf(out, "  exact: %4.1f%%", percent(n->exact, n->samples));
}

static size_t nr_counted(const struct evlist *l)
{
	size_t nr = 0;

	for (size_t i = 0; i < l->nr; i++)
		nr += !evsel_is_dummy(l->evsels[i]);
	return nr;
}

static void put_event(const struct toprun_title *t, struct strbuf *out)
{
	const struct evsel *e = t->events->evsels[t->shown];

	strbuf_addstr(out, " [");
	if (nr_counted(t->events) == 1)
		strbuf_addf(out, "%" PRIu64 "%s ", (u64)e->attr.sample_period,
			    e->attr.freq ? "Hz" : "");
	strbuf_addf(out, "%s], ", e->name);
}

static void put_target(const struct toprun_title *t, struct strbuf *out)
{
	const struct target *target = t->target;
	const char *s = t->nr_cpus == 1 ? "" : "s";

	if (target->pids)
		strbuf_addf(out, " (target_pid: %s", target->pids);
	else if (target->tids)
		strbuf_addf(out, " (target_tid: %s", target->tids);
	else if (target->uid)
		strbuf_addf(out, " (uid: %s", target->uid);
	else
		strbuf_addstr(out, " (all");
	if (target->cpus)
		strbuf_addf(out, ", CPU%s: %s", s, target->cpus);
	else if (!target->tids)
		strbuf_addf(out, ", %zu CPU%s", t->nr_cpus, s);
	strbuf_addch(out, ')');
}

void toprun_title(const struct toprun_title *t, const struct toprun_numbers *n, struct strbuf *out)
{
	double rate = n->seconds > 0 ? (double)n->samples / n->seconds : 0;

	strbuf_addf(out, "   PerfTop:%8.0f irqs/sec", rate);
	put_shares(t, n, out);
	strbuf_addf(out, " lost: %" PRIu64 "/%" PRIu64 " drop: %" PRIu64 "/%" PRIu64, n->lost,
		    n->lost_total, n->dropped, n->dropped_total);
	put_event(t, out);
	put_target(t, out);
	strbuf_addf(out, ", perf: %.1f%%", n->seconds > 0 ? 100 * n->cpu / n->seconds : 0.0);
}
