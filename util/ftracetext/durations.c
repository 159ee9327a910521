// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ftracetext/durations.h"

#include <errno.h>

#define BAR 46

int durations_check(const struct durations *d, struct err *err)
{
	if (!d->range && (d->min || d->max))
		return err_set(err, -EINVAL,
			       "--min-latency and --max-latency need steps of one width "
			       "(--bucket-range)");
	if (d->max && d->max < d->min)
		return err_set(err, -EINVAL, "--max-latency is less than --min-latency");
	return 0;
}

/* Return the number of steps; the last one has no end. */
static u32 nr_steps(const struct durations *d)
{
	u64 nr;

	if (!d->range || !d->max)
		return DURATION_STEPS;
	nr = (d->max - d->min + d->range - 1) / d->range + 2;
	return (u32)MIN(nr, (u64)DURATION_STEPS);
}

static u32 step_of(const struct durations *d, u64 v)
{
	const u32 last = nr_steps(d) - 1;
	u64 i;

	if (!d->range)
		return v ? MIN(64u - (u32)__builtin_clzll(v), last) : 0;
	if (v < d->min)
		return 0;
	if (d->max && v >= d->max)
		return last;
	i = (v - d->min) / d->range + (d->min ? 1 : 0);
	return (u32)MIN(i, (u64)last);
}

void durations_add(struct durations *d, u64 ns)
{
	d->counts[step_of(d, d->nsec ? ns : ns / 1000)]++;
	d->least = d->nr ? MIN(d->least, ns) : ns;
	d->most = MAX(d->most, ns);
	d->sum += ns;
	d->nr++;
}

/* Find where a step begins and ends, in the unit. An end of 0: there is none. */
static void bounds(const struct durations *d, u32 i, u64 *start, u64 *end)
{
	const u32 last = nr_steps(d) - 1;

	if (!d->range) {
		*start = i ? 1ull << (i - 1) : 0;
		*end = i == last ? 0 : 1ull << i;
		return;
	}
	if (d->min && !i) {
		*start = 0;
		*end = d->min;
		return;
	}
	*start = d->min + (i - (d->min ? 1 : 0)) * d->range;
	*end = *start + d->range;
	if (i == last) {
		*start = d->max ? d->max : *start;
		*end = 0;
	} else if (d->max) {
		*end = MIN(*end, d->max);
	}
}

u32 durations_ends(const struct durations *d, u64 *ends)
{
	const u32 nr = nr_steps(d);
	u64 start;

	for (u32 i = 0; i + 1 < nr; i++) {
		bounds(d, i, &start, &ends[i]);
		ends[i] *= d->nsec ? 1 : 1000;
	}
	return nr;
}

void durations_take(struct durations *d, const u64 *counts, u64 nr, u64 sum, u64 least, u64 most)
{
	if (!nr)
		return;
	for (u32 i = 0; i < nr_steps(d); i++)
		d->counts[i] += counts[i];
	d->least = d->nr ? MIN(d->least, least) : least;
	d->most = MAX(d->most, most);
	d->sum += sum;
	d->nr += nr;
}

/* Choose the unit of a step. Where each step is twice the one before, numbers stay below 1025: the
 * step behind 512 - 1024 us begins at 1 ms. */
static u64 scale(const struct durations *d, u64 start, const char **unit)
{
	static const char *const units[] = { "ns", "us", "ms", "s " };
	u32 u = d->nsec ? 0 : 1;
	u64 by = 1;

	for (; !d->range && u < 3 && start >= 1024 * by; u++)
		by *= 1024;
	*unit = units[u];
	return by;
}

static void put_step(const struct durations *d, u32 i, struct strbuf *out)
{
	const u64 bar = d->nr ? d->counts[i] * BAR / d->nr : 0;
	const char *unit;
	u64 start, end, by;
	char upto[24] = "...";

	bounds(d, i, &start, &end);
	by = scale(d, start, &unit);
	if (end)
		snprintf(upto, sizeof(upto), "%" PRIu64, end / by);
	strbuf_addf(out, "  %4" PRIu64 " - %-4s %s | %10" PRIu64 " | ", start / by, upto, unit,
		    d->counts[i]);
	for (u64 k = 0; k < BAR; k++)
		strbuf_addch(out, k < bar ? '#' : ' ');
	strbuf_addstr(out, " |\n");
}

void durations_put(const struct durations *d, struct strbuf *out)
{
	const u64 by = d->nsec ? 1 : 1000;

	if (!d->nr) {
		strbuf_addstr(out, "No data found\n");
		return;
	}
	strbuf_addf(out, "# %14s | %10s | %-*s |\n", "  DURATION    ", "COUNT", BAR, "GRAPH");
	for (u32 i = 0; i < nr_steps(d); i++)
		if (d->counts[i] || !d->hide_empty)
			put_step(d, i, out);
	strbuf_addf(out, "\n# statistics  (in %s)\n", d->nsec ? "nsec" : "usec");
	strbuf_addf(out, "  total time: %20" PRIu64 "\n", d->sum / by);
	strbuf_addf(out, "    avg time: %20" PRIu64 "\n", d->sum / d->nr / by);
	strbuf_addf(out, "    max time: %20" PRIu64 "\n", d->most / by);
	strbuf_addf(out, "    min time: %20" PRIu64 "\n", d->least / by);
	strbuf_addf(out, "       count: %20" PRIu64 "\n", d->nr);
}

void durations_json(const struct durations *d, struct strbuf *out)
{
	const u64 ns = d->nsec ? 1 : 1000;
	bool first = true;

	strbuf_addf(out,
		    "{\"count\":%" PRIu64 ",\"total_ns\":%" PRIu64 ",\"min_ns\":%" PRIu64
		    ",\"max_ns\":%" PRIu64 ",\"steps\":[",
		    d->nr, d->sum, d->least, d->most);
	for (u32 i = 0; i < nr_steps(d); i++) {
		u64 start, end;

		if (!d->counts[i] && d->hide_empty)
			continue;
		bounds(d, i, &start, &end);
		strbuf_addf(out, "%s{\"from_ns\":%" PRIu64 ",", first ? "" : ",", start * ns);
		if (end)
			strbuf_addf(out, "\"to_ns\":%" PRIu64 ",", end * ns);
		strbuf_addf(out, "\"count\":%" PRIu64 "}", d->counts[i]);
		first = false;
	}
	strbuf_addstr(out, "]}\n");
}
