// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Selects the events to open for a set of metrics. The events of one metric form a weak group, so
 * that they count at the same time. A metric whose events are all in the group of another metric
 * uses that group. Events that cannot be in a group (because they belong to several PMUs, are
 * counted in software, or because a constraint of the metric says so) are opened once for all
 * metrics.
 */
#include "base/compat.h"
#include "metric/metric-internal.h"

#include "base/alloc.h"

#include <errno.h>

/* Kinds of events; events of one kind may form a group. */
enum { KIND_ALONE = -1, KIND_CORE = -2 };

struct plan {
	struct metric_set *set;
	const struct metric_env *env;
	const struct metric_options *o;
	struct evlist *l;
	struct err *err;
	/* events that are opened once for all */
	const char **names;      /* owned */
	struct metric_use *uses; /* owned */
	size_t nr, cap_names, cap_uses;
	bool *placed; /* owned; for each metric, whether its events form a group */
};

/*
 * Return the text of an event; on processors with several kinds of cores, for that of the metric.
 */
static char *event_text(const struct plan *p, const struct metric *m, const char *id)
{
	char *text;

	if (!m->def->pmu || strpbrk(id, "/:"))
		return xstrdup(id);
	text = xasprintf("%s/%s/", m->def->pmu, id);
	if (metric_has_event((void *)p->env, text))
		return text;
	free(text);
	return xstrdup(id);
}

/* Append the events of an id. @use: receives their position. */
static int open_id(struct plan *p, struct evlist *l, const struct metric *m, const char *id,
		   struct metric_use *use)
{
	char *text = event_text(p, m, id);
	struct parse_error pe;
	size_t from = l->nr;
	int rc = parse_events(l, text, p->env->parse, &pe);

	if (rc)
		err_set(p->err, rc, "metric %s needs the event '%s': %s", m->name, text, pe.text);
	use->first = (u32)from;
	use->nr = (u32)(l->nr - from);
	free(text);
	return rc;
}

static s64 kind_of(const struct evsel *e)
{
	switch (e->attr.type) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
	case PERF_TYPE_RAW:
		return KIND_CORE;
	case PERF_TYPE_SOFTWARE:
	case PERF_TYPE_TRACEPOINT:
	case PERF_TYPE_BREAKPOINT:
		return KIND_ALONE;
	default:
		return e->attr.type;
	}
}

/* --- what is opened once ---------------------------------------------------------- */

static int open_shared(struct plan *p, const struct metric *m, u32 id)
{
	int rc;

	for (size_t i = 0; i < p->nr; i++) {
		if (strcmp(p->names[i], m->ids[id]))
			continue;
		m->uses[id] = p->uses[i];
		return 0;
	}
	rc = open_id(p, p->l, m, m->ids[id], &m->uses[id]);
	if (rc)
		return rc;
	VEC_GROW(p->names, p->nr + 1, p->cap_names);
	VEC_GROW(p->uses, p->nr + 1, p->cap_uses);
	p->names[p->nr] = m->ids[id];
	p->uses[p->nr++] = m->uses[id];
	return 0;
}

/* --- groups ------------------------------------------------------------------------ */

static bool nmi_watchdog(const struct sysroot *sr)
{
	u64 v;

	return !sysroot_read_u64(sr, &v, "/proc/sys/kernel/nmi_watchdog") && v;
}

/* Tell whether the vendor allows the events of a metric to form a group. */
static bool may_group(const struct plan *p, const struct metric *m)
{
	const struct sysroot *sr = p->env->parse->sr;
	const char *c = m->def->constraint;
	double v;

	if (p->o->no_group)
		return false;
	if (!c)
		return true;
	if (!strcmp(c, "NO_GROUP_EVENTS"))
		return false;
	if (!strcmp(c, "NO_NMI_WATCHDOG") || !strcmp(c, "NO_GROUP_EVENTS_NMI"))
		return !nmi_watchdog(sr);
	if (!strcmp(c, "NO_GROUP_EVENTS_SMT"))
		return metric_literal((void *)p->env, "smt_on", &v) || v == 0;
	return true;
}

/* An id and its place. */
struct member {
	s64 kind;
	bool first; /* it leads its group, because the others are shares of this count */
	u32 id;
};

static int by_kind(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->first != y->first)
		return x->first ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* Return the kind of an id's events; KIND_ALONE when they belong to several PMUs. */
static int find_kind(struct plan *p, const struct metric *m, u32 id, s64 *kind)
{
	struct evlist l = { 0 };
	struct metric_use use;
	int rc = open_id(p, &l, m, m->ids[id], &use);

	if (!rc)
		*kind = l.nr == 1 && !l.evsels[0]->tool ? kind_of(l.evsels[0]) : KIND_ALONE;
	evlist_release(&l);
	return rc;
}

static bool leads(const char *id)
{
	return !strcasecmp(id, "slots") || strcasestr(id, "topdown.slots") ||
	       strcasestr(id, "/slots/");
}

static void make_group(struct evlist *l, size_t from)
{
	evlist_group(l, from, l->nr);
	for (size_t i = from; i < l->nr; i++)
		l->evsels[i]->terms.weak = true;
}

/* Open the events of a metric, one group for each kind. */
static int open_groups(struct plan *p, const struct metric *m)
{
	struct member *v = xcalloc(m->nr_ids + 1, sizeof(*v));
	size_t from = p->l->nr;
	int rc = 0;

	for (u32 i = 0; i < m->nr_ids && !rc; i++) {
		v[i].id = i;
		v[i].first = leads(m->ids[i]);
		rc = find_kind(p, m, i, &v[i].kind);
	}
	if (m->nr_ids)
		qsort(v, m->nr_ids, sizeof(*v), by_kind);
	for (u32 i = 0; i < m->nr_ids && !rc; i++) {
		if (v[i].kind == KIND_ALONE) {
			rc = open_shared(p, m, v[i].id);
			from = p->l->nr;
			continue;
		}
		if (i && v[i].kind != v[i - 1].kind)
			from = p->l->nr;
		rc = open_id(p, p->l, m, m->ids[v[i].id], &m->uses[v[i].id]);
		if (!rc && p->l->nr - from > 1 &&
		    (i + 1 == m->nr_ids || v[i + 1].kind != v[i].kind))
			make_group(p->l, from);
	}
	free(v);
	return rc;
}

/* If @other has all ids that @m needs, use its events. Return: whether it has them. */
static bool use_of_other(const struct metric *m, const struct metric *other)
{
	for (int pass = 0; pass < 2; pass++) {
		for (u32 i = 0; i < m->nr_ids; i++) {
			u32 j = 0;

			while (j < other->nr_ids && strcmp(m->ids[i], other->ids[j]))
				j++;
			if (j == other->nr_ids)
				return false;
			if (pass)
				m->uses[i] = other->uses[j];
		}
	}
	return true;
}

static bool same_cores(const struct metric *a, const struct metric *b)
{
	return !strcmp(a->def->pmu ? a->def->pmu : "", b->def->pmu ? b->def->pmu : "");
}

static int place(struct plan *p, size_t nr)
{
	struct metric *m = &p->set->v[nr];
	int rc = 0;

	if (!may_group(p, m)) {
		for (u32 i = 0; i < m->nr_ids && !rc; i++)
			rc = open_shared(p, m, i);
		return rc;
	}
	for (size_t i = 0; i < p->set->nr && !p->o->no_merge; i++)
		if (p->placed[i] && same_cores(m, &p->set->v[i]) && use_of_other(m, &p->set->v[i]))
			return 0;
	p->placed[nr] = true;
	return open_groups(p, m);
}

/* Metrics with more events come first, because others may use their events. */
static int by_size(const void *a, const void *b, void *ctx)
{
	const struct metric *v = ctx;
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	if (v[x].nr_ids != v[y].nr_ids)
		return v[x].nr_ids > v[y].nr_ids ? -1 : 1;
	return x < y ? -1 : x > y;
}

int metric_set_events(struct metric_set *set, struct evlist *l, const struct metric_env *env,
		      const struct metric_options *o, struct err *err)
{
	struct plan p = { .set = set, .env = env, .o = o, .l = l, .err = err };
	u32 *order = xcalloc(set->nr + 1, sizeof(*order));
	size_t from = l->nr;
	int rc = 0;

	p.placed = xcalloc(set->nr + 1, sizeof(*p.placed));
	for (u32 i = 0; i < set->nr; i++)
		order[i] = i;
	if (set->nr)
		qsort_r(order, set->nr, sizeof(*order), by_size, set->v);
	for (size_t i = 0; i < set->nr && !rc; i++)
		rc = place(&p, order[i]);
	if (rc)
		evlist_truncate(l, from);
	free(order);
	free(p.placed);
	free(p.names);
	free(p.uses);
	return rc;
}
