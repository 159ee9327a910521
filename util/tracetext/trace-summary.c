// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "tracetext/trace-summary.h"

#include "base/alloc.h"
#include "tracetext/trace-line.h"

#define NAME_SHOWN 15 /* columns of the name of a call */
#define HIST_WIDTH 40 /* columns of the longest bar */

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

double trace_wall_share(const struct trace_summary *t, const struct syscall_sum *s)
{
	return t->wall_ns ? 100.0 * (double)s->total / (double)t->wall_ns : 0;
}

static void row(struct strbuf *out, const struct trace_summary *t, const struct sysargs *sa,
		const struct syscall_sum *s)
{
	size_t from;

	strbuf_addstr(out, "   ");
	from = out->len;
	trace_line_name(out, sa, s->nr);
	strbuf_pad(out, from + NAME_SHOWN);
	strbuf_addf(out, " %8" PRIu64 " %6" PRIu64 " %9.3f %9.3f %9.3f", s->calls, s->errors,
		    ms((double)s->total), ms((double)s->min), ms(syscall_sum_mean(s)));
	strbuf_addf(out, " %9.3f %9.2f%%", ms((double)s->max), syscall_sum_deviation(s));
	if (t->wall)
		strbuf_addf(out, " %8.2f%%", trace_wall_share(t, s));
	for (u32 i = 0; i < t->nr_quantiles; i++)
		strbuf_addf(out, " %9.3f", ms((double)syscall_sum_quantile(s, t->quantiles[i])));
	strbuf_addch(out, '\n');
}

/* Append one of the three lines above a table. @title: of a column, or what stands there
 * @wall: of the column with shares */
static void head_line(struct strbuf *out, const struct trace_summary *t, const char *text,
		      const char *wall, const char *title)
{
	char name[16];

	strbuf_addstr(out, text);
	if (t->wall)
		strbuf_addf(out, " %9s", wall);
	for (u32 i = 0; i < t->nr_quantiles; i++) {
		snprintf(name, sizeof(name), "p%g", t->quantiles[i] / 1e4);
		strbuf_addf(out, " %9s", title ? title : name);
	}
	strbuf_addch(out, '\n');
}

static void head(struct strbuf *out, const struct trace_summary *t)
{
	head_line(out, t,
		  "   syscall            calls  errors  total       min       avg       max"
		  "       stddev",
		  "wall", NULL);
	head_line(out, t,
		  "                                     (msec)    (msec)    (msec)    (msec)"
		  "        (%)",
		  "(%)", "(msec)");
	head_line(out, t,
		  "   --------------- --------  ------ -------- --------- --------- ---------"
		  "     ------",
		  "---------", "---------");
}

/* ---- distributions ---- */

u64 trace_hist_times(const struct syscall_sum *s, u32 power)
{
	u64 nr = 0;

	for (u32 i = 0; i < 1U << STEP_BITS; i++)
		nr += s->steps[(power << STEP_BITS) + i];
	return nr;
}

bool trace_hist_wanted(const struct trace_summary *t, const struct syscall_sum *s)
{
	return t->hist && (s->nr == t->hist_of[0] || s->nr == t->hist_of[1]) && s->steps;
}

static void bar(struct strbuf *out, u64 nr, u64 most)
{
	const size_t from = out->len;

	for (u64 i = 0; i < nr * HIST_WIDTH / most; i++)
		strbuf_addch(out, '#');
	strbuf_pad(out, from + HIST_WIDTH);
}

/* Append the times of a call, with a row for each power of two between the shortest and the
 * longest. */
static void histogram(struct strbuf *out, const struct sysargs *sa, const struct syscall_sum *s)
{
	const u32 first = step_of(s->min) >> STEP_BITS, last = step_of(s->max) >> STEP_BITS;
	u64 most = 1;

	for (u32 i = first; i <= last; i++)
		most = MAX(most, trace_hist_times(s, i));
	strbuf_addstr(out, "\n   ");
	trace_line_name(out, sa, s->nr);
	strbuf_addstr(out, " (msec):\n");
	for (u32 i = first; i <= last; i++) {
		const u64 nr = trace_hist_times(s, i);

		strbuf_addf(out, "   %12.3f - %12.3f %8" PRIu64 " |",
			    ms((double)step_low(i << STEP_BITS)),
			    ms((double)step_low((i + 1) << STEP_BITS)), nr);
		bar(out, nr, most);
		strbuf_addstr(out, "|\n");
	}
}

/* ---- tables ---- */

static void table(struct strbuf *out, const struct trace_summary *t, const struct sysargs *sa,
		  const struct syscall_group *g)
{
	if (!g->nr)
		return;
	head(out, t);
	for (size_t i = 0; i < g->nr && (!t->most || i < t->most); i++) {
		row(out, t, sa, &g->sums[i]);
		if (t->errnos)
			errnos(out, sa, &g->sums[i]);
	}
	for (size_t i = 0; i < g->nr; i++)
		if (trace_hist_wanted(t, &g->sums[i]))
			histogram(out, sa, &g->sums[i]);
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

const struct syscall_group **trace_summary_order(const struct syscall_sums *sums)
{
	const struct syscall_group **order = xcalloc(sums->nr + 1, sizeof(*order));

	for (size_t i = 0; i < sums->nr; i++)
		order[i] = &sums->groups[i];
	qsort(order, sums->nr, sizeof(*order), by_key);
	return order;
}

void trace_summary(struct strbuf *out, const struct trace_summary *t, const struct sysargs *sa,
		   const struct syscall_sums *sums)
{
	const struct syscall_group **order = trace_summary_order(sums);

	if (t->interval)
		strbuf_addf(out, "\n From %.3f ms on:\n", ms((double)t->from_ns));
	strbuf_addstr(out, "\n Summary of events:\n\n");
	for (size_t i = 0; i < sums->nr; i++)
		if (order[i]->events)
			group(out, t, sa, sums, order[i]);
	free(order);
}
