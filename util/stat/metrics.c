// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Metrics of vendors' files and built-in ones: their values, computed from the counts at a place.
 */
#include "base/compat.h"
#include "stat/metrics.h"

#include "base/alloc.h"
#include "metric/metric.h"

#include <math.h>

/* Return the first event that is counted at every place, if there is one; tool events are not. */
static u32 first_event(const struct metric *m, const struct evlist *l)
{
	u32 first = UINT32_MAX, any = UINT32_MAX;

	for (u32 i = 0; i < m->nr_ids; i++) {
		const struct metric_use *use = &m->uses[i];

		if (!use->nr)
			continue;
		any = MIN(any, use->first);
		if (!l->evsels[use->first]->tool)
			first = MIN(first, use->first);
	}
	if (first == UINT32_MAX)
		first = any;
	return first == UINT32_MAX ? 0 : first;
}

void stat_metrics_init(struct stat_metrics *m, const struct metric_set *set, const struct evlist *l)
{
	*m = (struct stat_metrics){ .set = set, .nr = set->nr };
	m->row = xcalloc(set->nr + 1, sizeof(*m->row));
	m->unit = xcalloc(set->nr + 1, sizeof(*m->unit));
	for (size_t i = 0; i < set->nr; i++) {
		const struct metric *v = &set->v[i];

		m->row[i] = first_event(v, l);
		m->unit[i] = v->def->unit ? xasprintf("%s  %s", v->unit, v->name)
					  : xstrdup(v->name);
	}
}

void stat_metrics_release(struct stat_metrics *m)
{
	for (size_t i = 0; i < m->nr; i++)
		free(m->unit[i]);
	free(m->unit);
	free(m->row);
	memset(m, 0, sizeof(*m));
}

/* The place whose value is requested. */
struct place {
	const struct stat_result *r;
	size_t id;
	u32 shift; /* added to the numbers of events to get those of the cgroup */
};

/* A tool event is counted once for all places. Times are in nanoseconds. */
static bool find_tool(const struct place *p, size_t evsel, double *val)
{
	for (size_t id = 0; id < p->r->ids->nr; id++) {
		if (!stat_counted(p->r, evsel, id))
			continue;
		*val = stat_value_at(p->r, evsel, id)->val;
		if (!p->r->evlist->evsels[evsel]->snapshot)
			*val /= 1e9;
		return true;
	}
	return false;
}

static bool find_value(const struct place *p, size_t evsel, double *val)
{
	const struct evsel *e = p->r->evlist->evsels[evsel];

	if (stat_merged(p->r, evsel))
		return false;
	if (e->tool)
		return find_tool(p, evsel, val);
	if (!stat_counted(p->r, evsel, p->id))
		return false;
	*val = stat_value_at(p->r, evsel, p->id)->val;
	/* clocks are shown in milliseconds, but metrics expect nanoseconds */
	if (e->scale != 0 && !evsel_is_clock(e))
		*val *= e->scale;
	return true;
}

static double use_value(void *ctx, const struct metric_use *use, u32 *sources)
{
	const struct place *p = ctx;
	double sum = 0, val;

	*sources = 0;
	for (u32 i = 0; i < use->nr; i++) {
		u32 evsel = use->first + p->shift + i;

		if (evsel >= p->r->evlist->nr || !find_value(p, evsel, &val))
			continue;
		sum += val;
		++*sources;
	}
	return *sources ? sum : NAN;
}

void stat_metrics_tell(const struct stat_result *r, size_t evsel, size_t id, stat_metric_fn *fn,
		       void *ctx)
{
	const struct stat_metrics *m = r->metrics;
	u32 at = m && m->stride ? (u32)evsel % m->stride : (u32)evsel;
	struct place place = { r, id, (u32)evsel - at };

	for (size_t i = 0; m && i < m->nr; i++) {
		const struct metric *v = &m->set->v[i];
		struct stat_metric told = { .unit = m->unit[i], .asked = true };
		bool alarm;

		if (m->row[i] != at)
			continue;
		told.value = metric_value(v, use_value, &place, &alarm) * v->factor;
		told.fmt = v->def->unit ? "%8.1f" : "%8.2f";
		told.alarm = alarm ? ALARM_HIGH : ALARM_NONE;
		fn(ctx, &told);
	}
}
