// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "tracetext/trace-summary.h"

#include "base/alloc.h"
#include "tracetext/trace-line.h"

#define NAME_SHOWN 15 /* columns of the name of a call */

static double ms(double ns)
{
	return ns / 1e6;
}

static void errnos(struct strbuf *out, const struct sysargs *sa, const struct syscall_sum *s)
{
	for (u32 i = 0; i < s->nr_errnos; i++) {
		const char *name = errno_name(sa, s->errnos[i].error);

		if (name)
			strbuf_addf(out, "\t\t\t\t%s: %" PRIu64 "\n", name, s->errnos[i].nr);
		else
			strbuf_addf(out, "\t\t\t\t%u: %" PRIu64 "\n", s->errnos[i].error,
				    s->errnos[i].nr);
	}
}

static void row(struct strbuf *out, const struct sysargs *sa, const struct syscall_sum *s)
{
	size_t from;

	strbuf_addstr(out, "   ");
	from = out->len;
	trace_line_name(out, sa, s->nr);
	strbuf_pad(out, from + NAME_SHOWN);
	strbuf_addf(out, " %8" PRIu64 " %6" PRIu64 " %9.3f %9.3f %9.3f", s->calls, s->errors,
		    ms((double)s->total), ms((double)s->min), ms(s->mean));
	strbuf_addf(out, " %9.3f %9.2f%%\n", ms((double)s->max), syscall_sum_deviation(s));
}

static void table(struct strbuf *out, const struct trace_summary *t, const struct sysargs *sa,
		  const struct syscall_group *g)
{
	if (!g->nr)
		return;
	strbuf_addstr(out,
		      "   syscall            calls  errors  total       min       avg       max"
		      "       stddev\n"
		      "                                     (msec)    (msec)    (msec)    (msec)"
		      "        (%)\n"
		      "   --------------- --------  ------ -------- --------- --------- ---------"
		      "     ------\n");
	for (size_t i = 0; i < g->nr && (!t->most || i < t->most); i++) {
		row(out, sa, &g->sums[i]);
		if (t->errnos)
			errnos(out, sa, &g->sums[i]);
	}
}

static void group_name(struct strbuf *out, const struct trace_summary *t,
		       const struct syscall_group *g)
{
	const char *name = g->folded ? NULL : t->name(t->ctx, g);

	strbuf_addch(out, ' ');
	if (t->mode == TRACE_BY_TOTAL)
		strbuf_addstr(out, "total");
	else if (g->folded)
		strbuf_addf(out, "%u others that have ended", g->folded);
	else if (t->mode == TRACE_BY_CGROUP)
		strbuf_addf(out, "cgroup %s", name ? name : "?");
	else
		strbuf_addf(out, "%s (%" PRIu64 ")", name ? name : "?", g->key);
}

static void group(struct strbuf *out, const struct trace_summary *t, const struct sysargs *sa,
		  const struct syscall_sums *sums, const struct syscall_group *g)
{
	group_name(out, t, g);
	strbuf_addf(out, ", %" PRIu64 " events", g->events);
	if (t->mode != TRACE_BY_TOTAL)
		strbuf_addf(out, ", %.1f%%", 100.0 * (double)g->events / (double)sums->events);
	if (g->faults_major)
		strbuf_addf(out, ", %" PRIu64 " majfaults", g->faults_major);
	if (g->faults_minor)
		strbuf_addf(out, ", %" PRIu64 " minfaults", g->faults_minor);
	if (t->runtime && t->mode == TRACE_BY_THREAD)
		strbuf_addf(out, ", %.3f msec", ms((double)g->runtime));
	strbuf_addstr(out, "\n\n");
	table(out, t, sa, g);
	strbuf_addstr(out, "\n\n");
}

static int by_key(const void *a, const void *b)
{
	const struct syscall_group *x = *(const struct syscall_group *const *)a;
	const struct syscall_group *y = *(const struct syscall_group *const *)b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->last > y->last) - (x->last < y->last);
}

void trace_summary(struct strbuf *out, const struct trace_summary *t, const struct sysargs *sa,
		   const struct syscall_sums *sums)
{
	const struct syscall_group **order = xcalloc(sums->nr + 1, sizeof(*order));

	for (size_t i = 0; i < sums->nr; i++)
		order[i] = &sums->groups[i];
	qsort(order, sums->nr, sizeof(*order), by_key);
	strbuf_addstr(out, "\n Summary of events:\n\n");
	for (size_t i = 0; i < sums->nr; i++)
		if (order[i]->events)
			group(out, t, sa, sums, order[i]);
	free(order);
}
