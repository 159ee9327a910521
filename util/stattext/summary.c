// SPDX-License-Identifier: GPL-2.0-or-later
/* Print the lines around the rows of perf stat. */
#include "base/compat.h"
#include "stattext/summary.h"

#include "base/strbuf.h"

#include <math.h>

void stat_head_text(const struct stat_summary *s, struct strbuf *out)
{
	strbuf_addf(out, "\n Performance counter stats for %s'", s->target);
	if (s->several)
		strbuf_addf(out, " (%" PRIu64 " runs)", s->durations->nr);
	strbuf_addstr(out, ":\n\n");
}

/* --- times ------------------------------------------------------------------------ */

/*
 * Return the number of digits after the decimal point, so that the error has three significant
 * digits.
 */
static int precision_of(double error)
{
	return error > 0 ? MIN(MAX(2 - (int)floor(log10(error)), 0), 9) : 9;
}

#define MOST_BARS 100

/* Append each run and its deviation from the mean, with a bar for every 5%. */
static void put_table(const struct stat_summary *s, int digits, struct strbuf *out)
{
	double mean = s->durations->mean / 1e9;
	int indent = 16 - digits > 0 ? 16 - digits : 0;

	strbuf_addf(out, "%*s# Table of individual measurements:\n", indent, "");
	for (size_t i = 0; i < s->nr_walls; i++) {
		double run = (double)s->walls[i] / 1e9, away = run - mean;
		double bars = run > 0 ? fabs(away) / run * 20 : 0;

		strbuf_addf(out, " %17.*f (%+.*f) ", digits, run, digits, away);
		for (int k = 0; k <= MIN((int)fmin(bars, MOST_BARS), MOST_BARS - 1); k++)
			strbuf_addch(out, '#');
		strbuf_addch(out, '\n');
	}
	strbuf_addf(out, "\n%*s# Final result:\n", indent, "");
}

static void put_mean(const struct stat_summary *s, struct strbuf *out)
{
	double error = spread_error(s->durations) / 1e9;
	int digits = precision_of(error);

	if (s->walls)
		put_table(s, digits, out);
	strbuf_addf(out, " %17.*f +- %.*f seconds time elapsed  ( +-%6.2f%% )\n\n", digits,
		    s->durations->mean / 1e9, digits, error, spread_percent(s->durations));
}

static void put_times(const struct stat_summary *s, struct strbuf *out)
{
	strbuf_addf(out, " %17.9f seconds time elapsed\n", (double)s->times.wall / 1e9);
	if (s->command_alone)
		strbuf_addf(out, "\n %17.9f seconds user\n %17.9f seconds sys\n\n",
			    (double)s->times.user / 1e9, (double)s->times.system / 1e9);
	strbuf_addch(out, '\n');
}

void stat_foot_text(const struct stat_summary *s, struct strbuf *out)
{
	if (!s->no_rows)
		strbuf_addch(out, '\n');
	if (s->durations->nr > 1)
		put_mean(s, out);
	else
		put_times(s, out);
}

/* --- advice ----------------------------------------------------------------------- */

/* Tell whether the event needs a hardware counter; software events do not. */
static bool needs_counter(const struct evsel *e)
{
	return !e->tool && e->attr.type != PERF_TYPE_SOFTWARE &&
	       e->attr.type != PERF_TYPE_TRACEPOINT;
}

/* Tell whether an event that needs a counter has another PMU than others of its group. */
static bool mixed_group(const struct evlist *l, const struct evsel *e)
{
	const struct evsel *first = NULL;

	for (u32 i = e->leader; i < e->leader + l->evsels[e->leader]->nr_members; i++) {
		const struct evsel *m = l->evsels[i];

		if (!needs_counter(m))
			continue;
		if (first && first->attr.type != m->attr.type)
			return true;
		first = m;
	}
	return false;
}

void stat_advice_text(const struct stat_result *r, bool watchdog, struct strbuf *out)
{
	bool short_of = false, mixed = false;

	for (size_t i = 0; i < r->evlist->nr; i++) {
		const struct evsel *e = r->evlist->evsels[i];

		for (size_t id = 0; needs_counter(e) && id < r->ids->nr; id++) {
			if (r->unsupported[i] || stat_counted(r, i, id))
				continue;
			short_of = true;
			mixed |= mixed_group(r->evlist, e);
		}
	}
	if (short_of && watchdog)
		strbuf_addstr(out, "Some events weren't counted. Try disabling the NMI watchdog:\n"
				   "\techo 0 > /proc/sys/kernel/nmi_watchdog\n"
				   "\tperf stat ...\n"
				   "\techo 1 > /proc/sys/kernel/nmi_watchdog\n");
	if (mixed)
		strbuf_addstr(
			out,
			"The events in group usually have to be from the same PMU. Try reorganizing the group.\n");
}
