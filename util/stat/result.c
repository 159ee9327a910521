// SPDX-License-Identifier: GPL-2.0-or-later
/* Sum up counts at places to values for aggregation ids. */
#include "base/compat.h"
#include "stat/result.h"

#include "base/alloc.h"

void stat_result_init(struct stat_result *r, const struct evlist *l, const struct aggr_map *ids,
		      const bool *unsupported)
{
	*r = (struct stat_result){ .evlist = l, .ids = ids, .unsupported = unsupported };
	r->v = xcalloc(MAX(l->nr * ids->nr, (size_t)1), sizeof(*r->v));
	r->merged = xcalloc(l->nr + 1, sizeof(*r->merged));
	for (size_t i = 0; i < l->nr; i++)
		r->merged[i] = (u32)i;
}

void stat_result_release(struct stat_result *r)
{
	free(r->v);
	free(r->merged);
	memset(r, 0, sizeof(*r));
}

/* --- several PMUs ------------------------------------------------------------------ */

/* Return the name of an event without its PMU; each kind of cores has a name of its own. */
static const char *bare(const struct evsel *e)
{
	size_t len = evsel_is_kind(e) ? strlen(e->pmu) : 0;

	return strncmp(e->name, e->pmu, len) != 0 ? e->name : e->name + len;
}

static bool same_cgroup(const struct evsel *a, const struct evsel *b)
{
	return !strcmp(a->cgroup ? a->cgroup : "", b->cgroup ? b->cgroup : "");
}

/* Tell whether two events are from the same text except for the PMU. */
static bool same_text(const struct evsel *a, const struct evsel *b, bool hybrid)
{
	bool kind = evsel_is_kind(a);

	return a->terms.merge && b->terms.merge && a->pmu && b->pmu && kind == evsel_is_kind(b) &&
	       (hybrid || !kind) && !strcmp(bare(a), bare(b)) && same_cgroup(a, b);
}

/*
 * Return the event to which this one is added: that of the event before it, unless that has its PMU
 * already, because then the user gave the text twice.
 */
static u32 find_first(const struct stat_result *r, u32 e, bool hybrid)
{
	struct evsel *const *v = r->evlist->evsels;

	if (!e || !same_text(v[e], v[e - 1], hybrid))
		return e;
	for (u32 i = r->merged[e - 1]; i < e; i++)
		if (!strcmp(v[i]->pmu, v[e]->pmu))
			return e;
	return r->merged[e - 1];
}

void stat_result_merge(struct stat_result *r, bool hybrid)
{
	for (u32 i = 0; i < r->evlist->nr; i++)
		r->merged[i] = find_first(r, i, hybrid);
}

static void add_value(struct stat_value *to, const struct stat_value *v)
{
	to->val += v->val;
	to->enabled += v->enabled;
	to->running += v->running;
	to->places = MAX(to->places, v->places);
}

static void add_merged(struct stat_result *r)
{
	for (size_t i = 0; i < r->evlist->nr; i++)
		for (size_t id = 0; stat_merged(r, i) && id < r->ids->nr; id++)
			add_value(stat_value_at(r, r->merged[i], id), stat_value_at(r, i, id));
}

/* --- threads of a core -------------------------------------------------------------- */

static bool same_core(const struct cpu_place *a, const struct cpu_place *b)
{
	return a->socket == b->socket && a->die == b->die && a->core == b->core;
}

/* Give all CPUs of a core, or its first one, the sum of the core. */
static void add_threads(struct stat_result *r, size_t evsel)
{
	struct stat_value *v = stat_value_at(r, evsel, 0);
	const struct aggr_id *ids = r->ids->ids;

	for (size_t i = 0; i < r->ids->nr; i++) {
		for (size_t k = 0; k < i; k++) {
			if (!same_core(&ids[i].at, &ids[k].at))
				continue;
			add_value(&v[k], &v[i]);
			break;
		}
	}
	for (size_t i = 0; i < r->ids->nr; i++) {
		for (size_t k = 0; k < i; k++) {
			if (!same_core(&ids[i].at, &ids[k].at))
				continue;
			v[i] = v[k];
			break;
		}
	}
}

bool stat_first_thread(const struct stat_result *r, size_t id)
{
	for (size_t k = 0; k < id; k++)
		if (same_core(&r->ids->ids[id].at, &r->ids->ids[k].at))
			return false;
	return true;
}

/* --- sums --------------------------------------------------------------------------- */

/* A file may contain any value. */
static u64 whole(double v)
{
	return v < 0x1p64 ? (u64)v : UINT64_MAX;
}

static u64 scaled(const struct count *c)
{
	if (!c->running)
		return 0;
	if (c->running >= c->enabled)
		return c->val;
	return whole((double)c->val * (double)c->enabled / (double)c->running);
}

/* Tell whether another CPU has counted. An event that counts a whole socket is taken from its first
 * CPU. */
static bool counted_already(const struct counts *c, const struct cpu_place *places, size_t evsel,
			    size_t cpu)
{
	for (size_t i = 0; i < cpu; i++)
		if (places[i].socket == places[cpu].socket && places[i].die == places[cpu].die &&
		    c->there[counts_index(c, evsel, i, 0)])
			return true;
	return false;
}

static void add_count(struct stat_value *v, const struct count *c, bool scale, bool is_signed)
{
	v->val += is_signed ? (double)(s64)c->val : (double)(scale ? scaled(c) : c->val);
	v->enabled += c->enabled;
	v->running += c->running;
	v->places++;
}

static void sum_event(struct stat_result *r, const struct counts *c, const struct cpu_place *places,
		      size_t evsel, bool scale)
{
	const struct evsel *e = r->evlist->evsels[evsel];

	for (size_t cpu = 0; cpu < c->nr_cpus; cpu++) {
		if (e->per_pkg && counted_already(c, places, evsel, cpu))
			continue;
		for (size_t t = 0; t < c->nr_threads; t++) {
			size_t i = counts_index(c, evsel, cpu, t);
			size_t id = r->ids->of_cpu ? r->ids->of_cpu[cpu] : t;
			struct count n = e->snapshot ? c->now[i] : counts_since(c, i);

			if (c->there[i])
				add_count(stat_value_at(r, evsel, id), &n, scale,
					  e->tool == TOOL_GAUGE);
		}
	}
}

void stat_sum(struct stat_result *r, const struct counts *c, const struct cpu_place *places,
	      bool scale)
{
	/* For a single number, times are added up before it is scaled. */
	bool late = r->ids->mode == AGGR_GLOBAL;

	r->scaled = scale;
	memset(r->v, 0, r->evlist->nr * r->ids->nr * sizeof(*r->v));
	for (size_t i = 0; i < r->evlist->nr; i++) {
		struct stat_value *v = stat_value_at(r, i, 0);

		sum_event(r, c, places, i, scale && !late);
		if (late && scale && v->places && v->val >= 0)
			v->val = (double)scaled(
				&(struct count){ whole(v->val), v->enabled, v->running });
		if (r->ids->mode == AGGR_NONE && r->evlist->evsels[i]->terms.percore)
			add_threads(r, i);
	}
	add_merged(r);
}

void stat_runs_add(struct stat_runs *s, const struct stat_result *r)
{
	size_t nr = r->evlist->nr * r->ids->nr;

	if (!s->v) {
		s->v = xcalloc(MAX(nr, (size_t)1), sizeof(*s->v));
		s->places = xcalloc(MAX(nr, (size_t)1), sizeof(*s->places));
	}
	for (size_t i = 0; i < nr; i++) {
		multiplexing_add(&s->v[i], r->v[i].val, r->v[i].enabled, r->v[i].running);
		s->places[i] = MAX(s->places[i], r->v[i].places);
	}
	spread_add(&s->duration, (double)r->duration);
}

void stat_runs_result(const struct stat_runs *s, struct stat_result *r)
{
	size_t nr = s->v ? r->evlist->nr * r->ids->nr : 0;

	for (size_t i = 0; i < nr; i++) {
		const struct multiplexing *t = &s->v[i];
		struct spread in_all = multiplexing_spread(t, r->scaled);

		r->v[i] = (struct stat_value){
			.val = in_all.mean,
			.enabled = (u64)t->mean[MUX_ENABLED],
			.running = (u64)t->mean[MUX_RUNNING],
			.places = s->places[i],
			.spread = spread_percent(&in_all),
		};
	}
	r->duration = (u64)s->duration.mean;
	r->runs = s->duration.nr;
}

void stat_runs_release(struct stat_runs *s)
{
	free(s->v);
	free(s->places);
	memset(s, 0, sizeof(*s));
}
