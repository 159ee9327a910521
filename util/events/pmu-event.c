// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events of PMUs: the PMUs that a word matches, names that stand alone, and the events of vendors'
 * tables.
 */
#include "base/compat.h"
#include "events/names.h"
#include "events/parse-internal.h"

#include "base/alloc.h"
#include "gauges/gauges.h"

#include <errno.h>

struct pmus *parse_pmus(struct evparse *ep)
{
	struct pmus *pmus = ep->env->pmus ? ep->env->pmus : &ep->pmus;

	pmus_scan(pmus, ep->sr);
	return pmus;
}

static void source_event_release(struct source_event *s)
{
	free(s->pmu);
	free(s->terms);
	free(s->unit);
	free(s->why);
	memset(s, 0, sizeof(*s));
}

void parse_alias_marks(struct evsel *e, const char *unit, double scale, bool per_pkg, bool snapshot)
{
	if (unit) {
		free(e->unit);
		e->unit = xstrdup(unit);
	}
	if (scale != 0)
		e->scale = scale;
	e->per_pkg |= per_pkg;
	e->snapshot |= snapshot;
}

/*
 * Set what these PMUs trace by default. Sources: the chapter on Processor Trace in the Intel SDM,
 * and the attrs of perf 6.1.
 */
static void default_config(struct evsel *e, const struct pmu *pmu)
{
	static const char *const on[] = { "tsc", "pt", "branch" };

	if (strcmp(pmu->name, "intel_pt"))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(on); i++) {
		const struct pmu_format *f = pmu_format_find(pmu, on[i]);

		if (f && f->word == PMU_CONFIG)
			e->attr.config |= f->bits;
	}
}

static struct evsel *add_on(struct evparse *ep, struct pmu *pmu, const char *at, const char *stop)
{
	struct evsel *e = parse_add(ep, pmu->type, 0, at, stop);

	pmu_load(pmu, ep->sr);
	e->pmu = xstrdup(pmu->name);
	e->cpumask = pmu->cpumask ? xstrdup(pmu->cpumask) : NULL;
	return e;
}

static void mark_merged(struct evlist *l, size_t from)
{
	for (size_t i = from; i < l->nr && l->nr - from > 1; i++)
		l->evsels[i]->terms.merge = true;
}

static int no_such_pmu(struct evparse *ep, const char *at, const char *name)
{
	const struct pmus *all = parse_pmus(ep);
	struct near near = { .word = name };

	parse_fail(ep, at, -ENOENT, "Cannot find PMU `%s'. Missing kernel support?", name);
	for (size_t i = 0; i < all->nr; i++)
		near_add(&near, all->v[i].name);
	parse_help_near(ep, &near);
	return -ENOENT;
}

int parse_pmu_event(struct evparse *ep, const char *at, const char *stop, const char *name,
		    const char *p, const char *end)
{
	struct pmus *all = parse_pmus(ep);
	size_t from = ep->l->nr;
	struct parse_error first;
	int rc = 0;

	for (size_t i = 0; i < all->nr; i++) {
		struct pmu *pmu = &all->v[i];
		size_t before = ep->l->nr;
		struct evsel *e;
		int one;

		if (!pmu_matches(pmu->name, name))
			continue;
		e = add_on(ep, pmu, at, stop);
		default_config(e, pmu);
		one = parse_terms(ep, e, TERMS_PMU, pmu, p, end, NULL, false);
		if (!one)
			continue;
		/* other PMUs of that name may lack the event */
		evlist_truncate(ep->l, before);
		if (!rc)
			first = *ep->pe;
		rc = one;
	}
	mark_merged(ep->l, from);
	if (ep->l->nr > from)
		return 0;
	if (!rc)
		return no_such_pmu(ep, at, name);
	*ep->pe = first;
	return rc;
}

/* --- sensors and the use of graphics ---------------------------------------- */

static struct evsel *add_gauge(struct evparse *ep, const struct gauge *g, const char *at,
			       const char *stop)
{
	struct evsel *e = parse_add(ep, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, at, stop);

	e->attr.config1 = g->state ? GAUGE_STATE : GAUGE_SUM;
	e->tool = TOOL_GAUGE;
	e->snapshot = g->state;
	e->pmu = xstrdup(g->pmu);
	e->gauge = xstrdup(g->name);
	parse_alias_marks(e, g->unit, g->scale, false, false);
	return e;
}

/* Tell whether a gauge is meant by its name, its label or "config=NUMBER". */
static bool is_gauge(const struct gauge *g, const char *text, size_t len)
{
	static const char config[] = "config=";
	const size_t head = sizeof(config) - 1;
	u64 number;

	if (len > head && !strncmp(text, config, head))
		return g->path && parse_number(text + head, len - head, &number) &&
		       number == g->config;
	return (strlen(g->name) == len && !strncmp(g->name, text, len)) ||
	       (g->label && strlen(g->label) == len && !strncmp(g->label, text, len));
}

static int no_such_gauge(struct evparse *ep, const struct gauges *all, const char *pmu,
			 const char *p, const char *end)
{
	char *word = xasprintf("%.*s", (int)(end - p), p);
	struct near near = { .word = word };
	bool any = false;

	for (size_t i = 0; i < all->nr; i++) {
		if (!pmu_matches(all->v[i].pmu, pmu))
			continue;
		any = true;
		near_add(&near, all->v[i].name);
	}
	if (any)
		parse_fail(ep, p, -EINVAL, "'%s' has no such event", pmu);
	else
		parse_fail(ep, p - strlen(pmu) - 1, -ENOENT,
			   "no sensor and no graphics driver is called '%s'", pmu);
	parse_help_near(ep, &near);
	free(word);
	return any ? -EINVAL : -ENOENT;
}

/* Several chips may have a sensor of one name: their values are not added up. */
static void name_gauges(struct evlist *l, size_t from)
{
	for (size_t i = from; i < l->nr && l->nr > from + 1; i++) {
		struct evsel *e = l->evsels[i];

		free(e->name);
		e->name = xasprintf("%s/%s/", e->pmu, e->gauge);
	}
}

int parse_gauge(struct evparse *ep, const char *at, const char *stop, const char *name,
		const char *p, const char *end)
{
	const char *event = p ? p : name, *pmu = p ? name : NULL;
	size_t len = p ? (size_t)(term_stop(p, end) - p) : strlen(name), from = ep->l->nr;
	struct gauges all = { 0 };
	int rc = 0;

	if (p && strncmp(name, "hwmon_", 6) && !gauges_are_graphics(name, NULL))
		return 1;
	if (gauges_are_graphics(pmu, name))
		gauges_graphics(&all, ep->sr);
	else
		gauges_sensors(&all, ep->sr);
	for (size_t i = 0; i < all.nr; i++)
		if ((!pmu || pmu_matches(all.v[i].pmu, pmu)) && is_gauge(&all.v[i], event, len))
			add_gauge(ep, &all.v[i], at, stop);
	name_gauges(ep->l, from);
	if (p && ep->l->nr == from)
		rc = no_such_gauge(ep, &all, name, p, p + len);
	gauges_release(&all);
	for (size_t i = from; p && p + len < end && i < ep->l->nr && !rc; i++)
		rc = parse_terms(ep, ep->l->evsels[i], TERMS_GENERIC, NULL, p + len + 1, end, NULL,
				 false);
	return rc ? rc : ep->l->nr == from;
}

/* --- names without a PMU -------------------------------------------------- */

static int add_aliases(struct evparse *ep, const char *at, const char *stop, const char *name)
{
	struct pmus *all = parse_pmus(ep);
	size_t from = ep->l->nr;

	for (size_t i = 0; i < all->nr; i++) {
		struct pmu *pmu = &all->v[i];
		struct evsel *e;
		int rc;

		pmu_load(pmu, ep->sr);
		if (!pmu_alias_find(pmu, name))
			continue;
		e = add_on(ep, pmu, at, stop);
		if (parse_is_kind(pmu)) {
			free(e->name);
			e->name = xasprintf("%s/%s/", pmu->name, name);
		}
		rc = parse_terms(ep, e, TERMS_PMU, pmu, name, name + strlen(name), at, false);
		if (rc)
			return rc;
	}
	mark_merged(ep->l, from);
	return ep->l->nr > from ? 0 : 1;
}

/*
 * Return: 0; 1 when no table has it (or no more of that name); other errors are reported already.
 */
static int ask_sources(struct evparse *ep, const char *pmu, const char *name, u32 nth,
		       const char *at, struct source_event *se)
{
	for (size_t i = 0; i < ep->env->nr_sources; i++) {
		const struct event_source *s = ep->env->sources[i];
		int rc = s->find(s->ctx, pmu, name, nth, se);

		if (!rc)
			return 0;
		if (rc != -ENOENT)
			parse_fail(ep, at, rc, "%s: %s", s->name, se->why ? se->why : err_str(rc));
		source_event_release(se);
		if (rc != -ENOENT)
			return rc;
	}
	return 1;
}

static int apply_source(struct evparse *ep, struct evsel *e, struct pmu *pmu,
			const struct source_event *se, const char *at)
{
	int rc = se->terms ? parse_terms(ep, e, TERMS_PMU, pmu, se->terms,
					 se->terms + strlen(se->terms), at, true)
			   : 0;

	parse_alias_marks(e, se->unit, se->scale, se->per_pkg, se->snapshot);
	return rc;
}

int parse_vendor_term(struct evparse *ep, struct evsel *e, struct pmu *pmu, const char *name,
		      const char *at)
{
	struct source_event se = { 0 };
	int rc = ask_sources(ep, pmu->name, name, 0, at, &se);

	if (!rc && !se.pmu) {
		e->attr.config |= se.attr.config;
		e->attr.config1 |= se.attr.config1;
		e->attr.config2 |= se.attr.config2;
		e->attr.precise_ip = se.attr.precise_ip;
	}
	if (!rc)
		rc = apply_source(ep, e, pmu, &se, at);
	source_event_release(&se);
	return rc;
}

/* Append the event of a table on the PMUs that exist. */
static int add_found(struct evparse *ep, const char *at, const char *stop,
		     const struct source_event *se)
{
	struct pmus *all = parse_pmus(ep);
	size_t from = ep->l->nr;
	int rc = 0;

	if (!se->pmu) {
		struct evsel *e = parse_add(ep, 0, 0, at, stop);

		e->attr = se->attr;
		e->attr.size = sizeof(e->attr);
		parse_alias_marks(e, se->unit, se->scale, se->per_pkg, se->snapshot);
		return 0;
	}
	for (size_t i = 0; !rc && i < all->nr; i++)
		if (pmu_matches(all->v[i].name, se->pmu))
			rc = apply_source(ep, add_on(ep, &all->v[i], at, stop), &all->v[i], se, at);
	return !rc && ep->l->nr == from ? no_such_pmu(ep, at, se->pmu) : rc;
}

static int add_vendor(struct evparse *ep, const char *at, const char *stop, const char *name)
{
	size_t from = ep->l->nr;
	int rc = 0;

	for (u32 nth = 0; !rc; nth++) {
		struct source_event se = { 0 };

		rc = ask_sources(ep, NULL, name, nth, at, &se);
		if (!rc)
			rc = add_found(ep, at, stop, &se);
		source_event_release(&se);
	}
	if (rc == 1 && ep->l->nr > from)
		rc = 0;
	mark_merged(ep->l, from);
	return rc;
}

int parse_named(struct evparse *ep, const char *at, const char *stop, const char *name)
{
	int rc = add_aliases(ep, at, stop, name);

	return rc == 1 ? add_vendor(ep, at, stop, name) : rc;
}

void parse_near_names(struct evparse *ep, struct near *n)
{
	struct pmus *all = parse_pmus(ep);
	const struct event_symbol *sym;
	size_t nr;

	sym = event_symbols(&nr);
	for (size_t i = 0; i < nr; i++) {
		near_add(n, sym[i].name);
		if (sym[i].alias)
			near_add(n, sym[i].alias);
	}
	event_cache_near(n);
	for (int t = TOOL_NONE + 1; t < TOOL_NR; t++)
		near_add(n, event_tool_name((enum tool_event)t));
	for (size_t i = 0; i < all->nr; i++) {
		pmu_load(&all->v[i], ep->sr);
		for (size_t j = 0; j < all->v[i].nr_aliases; j++)
			near_add(n, all->v[i].aliases[j].name);
	}
	for (size_t i = 0; i < ep->env->nr_sources; i++)
		if (ep->env->sources[i]->suggest)
			ep->env->sources[i]->suggest(ep->env->sources[i]->ctx, NULL, n);
}
