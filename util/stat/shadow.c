// SPDX-License-Identifier: GPL-2.0-or-later
/* Compute metrics next to counts. */
#include "base/compat.h"
#include "stat/shadow.h"

#include "stat/metrics.h"
#include "stat/shadow-internal.h"

#include <math.h>

#define NOT_COUNTED NAN

#define CACHE_READ(cache) (PERF_COUNT_HW_CACHE_##cache)
#define CACHE_READ_MISS(cache) (PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

/* A share of another count, in percent. */
struct part_rule {
	u32 type;
	u64 part, whole;
	const char *fmt, *unit;
	double alarms[3]; /* limits of high, medium and low severity */
};

static const struct part_rule part_rules[] = {
	{ PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_BRANCH_MISSES,
	  PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	  "%7.2f%%",
	  "of all branches",
	  { 20, 10, 5 } },
	{ PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_CACHE_MISSES,
	  PERF_COUNT_HW_CACHE_REFERENCES,
	  "%8.3f %%",
	  "of all cache refs",
	  { 20, 10, 5 } },
	{ PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND,
	  PERF_COUNT_HW_CPU_CYCLES,
	  "%7.2f%%",
	  "frontend cycles idle",
	  { 50, 30, 10 } },
	{ PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
	  PERF_COUNT_HW_CPU_CYCLES,
	  "%7.2f%%",
	  "backend cycles idle",
	  { 75, 50, 20 } },
	{ PERF_TYPE_HW_CACHE,
	  CACHE_READ_MISS(L1D),
	  CACHE_READ(L1D),
	  "%7.2f%%",
	  "of all L1-dcache accesses",
	  { 20, 10, 5 } },
	{ PERF_TYPE_HW_CACHE,
	  CACHE_READ_MISS(L1I),
	  CACHE_READ(L1I),
	  "%7.2f%%",
	  "of all L1-icache accesses",
	  { 20, 10, 5 } },
	{ PERF_TYPE_HW_CACHE,
	  CACHE_READ_MISS(DTLB),
	  CACHE_READ(DTLB),
	  "%7.2f%%",
	  "of all dTLB cache accesses",
	  { 20, 10, 5 } },
	{ PERF_TYPE_HW_CACHE,
	  CACHE_READ_MISS(ITLB),
	  CACHE_READ(ITLB),
	  "%7.2f%%",
	  "of all iTLB cache accesses",
	  { 20, 10, 5 } },
	{ PERF_TYPE_HW_CACHE,
	  CACHE_READ_MISS(LL),
	  CACHE_READ(LL),
	  "%7.2f%%",
	  "of all LL-cache accesses",
	  { 20, 10, 5 } },
};

static bool same_space(const struct evsel *a, const struct evsel *b)
{
	return a->attr.exclude_user == b->attr.exclude_user &&
	       a->attr.exclude_kernel == b->attr.exclude_kernel &&
	       a->attr.exclude_hv == b->attr.exclude_hv &&
	       a->attr.exclude_host == b->attr.exclude_host &&
	       a->attr.exclude_idle == b->attr.exclude_idle;
}

static bool same_cgroup(const struct evsel *a, const struct evsel *b)
{
	return a->cgroup == b->cgroup || (a->cgroup && b->cgroup && !strcmp(a->cgroup, b->cgroup));
}

/*
 * Return the mean of the counted events of that kind that are comparable to @e: those with the same
 * control group and privilege levels.
 */
static double beside(const struct stat_result *r, const struct evsel *e, size_t id, u32 type,
		     u64 config)
{
	double sum = 0;
	size_t nr = 0;

	for (size_t i = 0; i < r->evlist->nr; i++) {
		const struct evsel *b = r->evlist->evsels[i];

		if (b->attr.type != type || b->attr.config != config || b->tool ||
		    !same_cgroup(e, b) || !same_space(e, b) || !stat_counted(r, i, id))
			continue;
		sum += stat_value_at(r, i, id)->val;
		nr++;
	}
	return nr ? sum / (double)nr : NOT_COUNTED;
}

/* Return the CPU time in ns. It is not split by privilege levels, so these do not matter. */
static double time_on_cpu(const struct stat_result *r, const struct evsel *e, size_t id)
{
	double sum = 0;
	size_t nr = 0;

	for (size_t i = 0; i < r->evlist->nr; i++) {
		const struct evsel *b = r->evlist->evsels[i];

		if (!evsel_is_clock(b) || !same_cgroup(e, b) || !stat_counted(r, i, id))
			continue;
		sum += stat_value_at(r, i, id)->val;
		nr++;
	}
	return nr && sum > 0 ? sum / (double)nr : NOT_COUNTED;
}

static enum stat_alarm alarm_of(double percent, const double alarms[3])
{
	for (int i = 0; i < 3; i++)
		if (percent > alarms[i])
			return ALARM_HIGH - (unsigned int)i;
	return ALARM_NONE;
}

static void tell(stat_metric_fn *fn, void *ctx, double value, const char *fmt, const char *unit,
		 enum stat_alarm alarm)
{
	struct stat_metric m = { value, fmt, unit, alarm, false };

	fn(ctx, &m);
}

static void tell_rate(double per_second, stat_metric_fn *fn, void *ctx)
{
	static const struct {
		double above;
		const char *unit;
	} units[] = { { 1e9, "G/sec" }, { 1e6, "M/sec" }, { 1e3, "K/sec" } };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (per_second >= units[i].above) {
			tell(fn, ctx, per_second / units[i].above, "%8.3f", units[i].unit,
			     ALARM_NONE);
			return;
		}
	}
	tell(fn, ctx, per_second, "%8.3f", "/sec", ALARM_NONE);
}

static void tell_instructions(const struct stat_result *r, const struct evsel *e, double val,
			      size_t id, stat_metric_fn *fn, void *ctx)
{
	double cycles = beside(r, e, id, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	double stalled =
		fmax(beside(r, e, id, PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND),
		     beside(r, e, id, PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND));

	if (cycles > 0)
		tell(fn, ctx, val / cycles, "%7.2f ", "insn per cycle", ALARM_NONE);
	if (stalled > 0 && val > 0)
		tell(fn, ctx, stalled / val, "%7.2f ", "stalled cycles per insn", ALARM_NONE);
}

/* Return: whether there is a rule for this event, even if the other event was not counted. */
static bool tell_part(const struct stat_result *r, const struct evsel *e, double val, size_t id,
		      stat_metric_fn *fn, void *ctx)
{
	for (size_t i = 0; i < ARRAY_SIZE(part_rules); i++) {
		const struct part_rule *p = &part_rules[i];
		double whole;

		if (p->type != e->attr.type || p->part != e->attr.config)
			continue;
		whole = beside(r, e, id, p->type, p->whole);
		if (!(whole > 0))
			return false;
		val = 100 * val / whole;
		tell(fn, ctx, val, p->fmt, p->unit, alarm_of(val, p->alarms));
		return true;
	}
	return false;
}

static void tell_usual(const struct stat_result *r, size_t evsel, size_t id, stat_metric_fn *fn,
		       void *ctx)
{
	const struct evsel *e = r->evlist->evsels[evsel];
	double val = stat_value_at(r, evsel, id)->val, time;
	const struct perf_event_attr *a = &e->attr;

	if (e->tool)
		return;
	if (evsel_is_clock(e)) {
		if (r->duration)
			tell(fn, ctx, val / (double)r->duration, "%8.3f", "CPUs utilized",
			     ALARM_NONE);
		return;
	}
	if (a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_INSTRUCTIONS) {
		tell_instructions(r, e, val, id, fn, ctx);
		return;
	}
	if (tell_part(r, e, val, id, fn, ctx) || shadow_named(r, evsel, id, fn, ctx))
		return;
	time = time_on_cpu(r, e, id);
	if (!(time > 0))
		return;
	if (a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_CPU_CYCLES)
		tell(fn, ctx, val / time, "%8.3f", "GHz", ALARM_NONE);
	else
		tell_rate(val * 1e9 / time, fn, ctx);
}

void shadow_metrics(const struct stat_result *r, size_t evsel, size_t id, stat_metric_fn *fn,
		    void *ctx)
{
	tell_usual(r, evsel, id, fn, ctx);
	stat_metrics_tell(r, evsel, id, fn, ctx);
}
