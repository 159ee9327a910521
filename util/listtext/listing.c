// SPDX-License-Identifier: GPL-2.0-or-later
/* Make the sections of `perf list`: read what the machine has, and select what was requested. */
#include "base/compat.h"

#include "listtext/listing.h"

#include "base/alloc.h"
#include "base/suggest.h"
#include "events/pmu.h"
#include "kernel/supported.h"
#include "metric/metric.h"
#include "buildid/markers.h"

/* ---- reading what the machine has ---- */

/* Remove generic events that the kernel cannot open on this machine. */
static void drop_unsupported(struct catalog *c)
{
	size_t i, to = 0;

	for (i = 0; i < c->nr; i++)
		if (event_supported(c->v[i].type, c->v[i].config))
			c->v[to++] = c->v[i];
	c->nr = to;
}

/* Return a marker's name; with object and build-id when several objects have a marker of that
 * name. */
static const char *marker_name(struct catalog *c, const struct sdt_cache *sdt, size_t i)
{
	const struct sdt_cached *m = &sdt->v[i];
	bool alone = (!i || strcmp(m[-1].event, m->event)) &&
		     (i + 1 == sdt->nr || strcmp(m[1].event, m->event));
	char *full = alone ? NULL : xasprintf("%s@%s(%.12s)", m->event, m->path, m->hex);
	const char *name = arena_strdup(&c->strings, full ? full : m->event);

	free(full);
	return name;
}

static void read_markers(const struct listing *l, struct catalog *c)
{
	struct sdt_cache sdt;
	size_t i;

	if (!l->cache_dir)
		return;
	sdt_cache_read(&sdt, l->cache_dir);
	for (i = 0; i < sdt.nr; i++)
		catalog_add(c, CATALOG_SDT, marker_name(c, &sdt, i))->spec =
			arena_strdup(&c->strings, sdt.v[i].event);
	sdt_cache_release(&sdt);
}

static void read_tracepoints(struct listing *l, struct catalog *c)
{
	struct err err = { 0 };

	if (catalog_tracepoints(c, &l->sysroot, &err))
		notice(l->notices, "%s\n", err.msg);
}

/* Return the tables of vendors' files that could be read. */
static const struct vendor_table *vendor_events(struct listing *l)
{
	const struct vendor_table *t = event_sources_table(&l->sources);

	if (l->sources.later_err.code)
		notice(l->notices, "events.dir of the configuration: %s\n",
		       l->sources.later_err.msg);
	l->sources.later_err.code = 0;
	return t;
}

struct libpfm_add {
	struct catalog *c;
	const struct vendor_table *known;
};

static int add_libpfm(void *ctx, const struct libpfm_event *p)
{
	struct libpfm_add *a = ctx;
	struct arena *strings = &a->c->strings;
	char *name = p->mask ? xasprintf("%s.%s", p->name, p->mask) : xstrdup(p->name);
	struct catalog_event *e;
	char *desc;

	if (!vendor_find(a->known, name)) {
		e = catalog_add(a->c, CATALOG_PMU, arena_strdup(strings, name));
		e->pmu = e->topic = arena_strdup(strings, p->pmu);
		e->core = true;
		desc = p->mask && p->event_desc && p->desc
			       ? xasprintf("%s. %s", p->event_desc, p->desc)
			       : NULL;
		e->desc = desc || p->desc ? arena_strdup(strings, desc ? desc : p->desc) : NULL;
		free(desc);
	}
	free(name);
	return 0;
}

/*
 * libpfm4 knows the events of processors, not whether the kernel has a PMU for them, so its events
 * are listed only when sysfs has events of a core (or the user forces a PMU).
 */
static void read_libpfm(struct listing *l, struct catalog *c)
{
	struct libpfm_add add = { c, vendor_events(l) };
	struct libpfm *p;
	bool cores = getenv("LIBPFM_FORCE_PMU") != NULL;
	size_t i;

	for (i = 0; i < c->nr && !cores; i++)
		cores = c->v[i].core;
	p = cores ? event_sources_pfm(&l->sources, NULL) : NULL;
	if (p)
		libpfm_each(p, add_libpfm, &add);
}

static int add_metric(void *ctx, const struct vendor_metric *m)
{
	struct catalog_event *e = catalog_add(ctx, CATALOG_METRIC, m->name);

	e->pmu = m->pmu;
	e->desc = m->desc;
	e->long_desc = m->long_desc;
	e->scale = m->unit;
	e->expr = m->expr;
	e->threshold = m->threshold;
	e->groups = m->groups;
	e->deprecated = m->deprecated;
	return 0;
}

static void load(struct listing *l, enum catalog_kind kind, struct catalog *c)
{
	switch (kind) {
	case CATALOG_HARDWARE:
	case CATALOG_SOFTWARE:
		catalog_generic(c, kind);
		drop_unsupported(c);
		break;
	case CATALOG_CACHE:
		catalog_cache(c);
		drop_unsupported(c);
		break;
	case CATALOG_TOOL:
		catalog_tool(c);
		break;
	case CATALOG_PMU:
		catalog_pmu(c, &l->sysroot, vendor_events(l));
		catalog_gauges(c, &l->sysroot);
		read_libpfm(l, c);
		break;
	case CATALOG_RAW:
		catalog_raw(c);
		break;
	case CATALOG_BREAKPOINT:
		catalog_breakpoint(c);
		break;
	case CATALOG_TRACEPOINT:
		read_tracepoints(l, c);
		break;
	case CATALOG_SDT:
		read_markers(l, c);
		break;
	case CATALOG_METRIC:
		metric_each(vendor_events(l), add_metric, c);
		catalog_sort(c, 0);
		break;
	case CATALOG_NR:
		break;
	}
}

const struct catalog *listing_catalog(struct listing *l, enum catalog_kind kind)
{
	if (!l->loaded[kind]) {
		l->loaded[kind] = true;
		load(l, kind, &l->catalogs[kind]);
		if (l->debug)
			notice(l->notices, "%s: %zu found\n", catalog_kind_name(kind),
			       l->catalogs[kind].nr);
	}
	return &l->catalogs[kind];
}

void listing_release(struct listing *l)
{
	size_t i;

	for (i = 0; i < CATALOG_NR; i++)
		catalog_release(&l->catalogs[i]);
	event_sources_release(&l->sources);
	strbuf_release(&l->out);
	free(l->core);
	free(l->cache_dir);
}

/* ---- choosing ---- */

/* The selected events of a section; every event when no member is set. */
struct list_pick {
	const char *glob;           /* matches the whole name */
	const char *system, *event; /* match the two parts of "system:event" */
};

static bool matches(const char *glob, const char *name, bool any_case)
{
	return name && catalog_match(glob, name, any_case);
}

static bool picked(const struct catalog_event *e, const struct list_pick *pick)
{
	const char *name = e->spec && e->kind == CATALOG_SDT ? e->spec : e->name, *colon;
	bool pmu = e->kind == CATALOG_PMU;
	char *system;
	bool ok;

	if (pick->glob)
		return matches(pick->glob, e->name, pmu) || matches(pick->glob, e->alias, pmu) ||
		       (pmu && matches(pick->glob, e->topic, true));
	if (!pick->system)
		return true;
	colon = strchr(name, ':');
	if (!colon)
		return false;
	system = xstrndup(name, (size_t)(colon - name));
	ok = matches(pick->system, system, false) && matches(pick->event, colon + 1, false);
	free(system);
	return ok;
}

static bool in_unit(const struct listing *l, const struct catalog_event *e)
{
	if (l->unit && (!e->pmu || strcmp(e->pmu, l->unit)))
		return false;
	return !l->core || !e->core || !strcmp(e->pmu, l->core);
}

/* Append the selected events of a section. Return: their number. */
static size_t put_section(struct listing *l, enum catalog_kind kind, const struct list_pick *pick)
{
	const struct catalog *c = listing_catalog(l, kind);
	size_t i, nr = 0;

	for (i = 0; i < c->nr; i++) {
		const struct catalog_event *e = &c->v[i];

		if ((e->deprecated && !l->deprecated) || !in_unit(l, e) || !picked(e, pick))
			continue;
		l->view.ops->event(&l->view, e);
		nr++;
	}
	return nr;
}

/*
 * Append metrics. @what: bits of enum list_metrics; @glob: for their names, or NULL; @group: only
 * groups with this in their names, or NULL.
 */
static void put_metrics(struct listing *l, int what, const char *glob, const char *group)
{
	const struct catalog *c = listing_catalog(l, CATALOG_METRIC);
	const struct catalog_event **v = xcalloc(c->nr + 1, sizeof(*v));
	size_t i, nr = 0;

	for (i = 0; i < c->nr; i++)
		if (in_unit(l, &c->v[i]) && (l->deprecated || !c->v[i].deprecated) &&
		    (!glob || matches(glob, c->v[i].name, false)))
			v[nr++] = &c->v[i];
	if (nr && l->view.ops->metrics)
		l->view.ops->metrics(&l->view, v, nr, what, group);
	free(v);
}

/* ---- names that do not exist ---- */

/* Offer the names of a kind; when the word has no colon, also the parts after the colon. */
static void add_names(struct listing *l, enum catalog_kind kind, struct near *near)
{
	const struct catalog *c = listing_catalog(l, kind);
	bool half = !strchr(near->word, ':');
	size_t i;

	for (i = 0; i < c->nr; i++) {
		const char *colon = half ? strchr(c->v[i].name, ':') : NULL;

		near_add(near, colon ? colon + 1 : c->v[i].name);
		if (c->v[i].alias)
			near_add(near, c->v[i].alias);
	}
}

void listing_near(struct listing *l, const char *name, bool tracepoint)
{
	struct near near = { .word = name };
	struct strbuf text = STRBUF_INIT;
	size_t kind, i;

	for (kind = 0; kind < CATALOG_NR; kind++)
		if (!tracepoint || kind == CATALOG_TRACEPOINT)
			add_names(l, (enum catalog_kind)kind, &near);
	strbuf_addf(&text, "No %s is called '", tracepoint ? "tracepoint" : "event");
	strbuf_addname(&text, name);
	strbuf_addstr(&text, "'.");
	for (i = 0; i < near.nr; i++) {
		strbuf_addstr(&text, i ? ", " : " Did you mean: ");
		strbuf_addname(&text, near.best[i]);
	}
	notice(l->notices, near.nr ? "%s?\n" : "%s\n", strbuf_str(&text));
	strbuf_release(&text);
	near_release(&near);
}

/* ---- the list ---- */

/* Tool events are followed by an empty line even when there are none, and markers never are. */
static void section(struct listing *l, enum catalog_kind kind, const struct list_pick *pick)
{
	if ((put_section(l, kind, pick) || kind == CATALOG_TOOL) && kind != CATALOG_SDT &&
	    l->view.ops->gap)
		l->view.ops->gap(&l->view);
}

static const struct list_pick all = { NULL, NULL, NULL };

static void show_everything(struct listing *l)
{
	size_t kind;

	for (kind = CATALOG_HARDWARE; kind <= CATALOG_SDT; kind++) {
		if (kind == CATALOG_RAW) {
			if (put_section(l, kind, &all) && l->view.ops->hint)
				l->view.ops->hint(&l->view);
			if (l->view.ops->gap)
				l->view.ops->gap(&l->view);
			continue;
		}
		section(l, kind, &all);
	}
	put_metrics(l, LIST_METRICS | LIST_GROUPS, NULL, NULL);
}

/* Show for "sched:*" tracepoints and markers, and the metric groups whose names contain "sched". */
static void show_halves(struct listing *l, const char *arg, const char *colon)
{
	char *system = xstrndup(arg, (size_t)(colon - arg));
	const struct list_pick pick = { .system = system, .event = colon + 1 };

	section(l, CATALOG_TRACEPOINT, &pick);
	section(l, CATALOG_SDT, &pick);
	put_metrics(l, LIST_METRICS | LIST_GROUPS, NULL, system);
	free(system);
}

static void show_matching(struct listing *l, const char *arg)
{
	char *glob = xasprintf("*%s*", arg);
	const struct list_pick pick = { .glob = glob };
	static const enum catalog_kind kinds[] = {
		CATALOG_HARDWARE, CATALOG_SOFTWARE,   CATALOG_TOOL, CATALOG_CACHE,
		CATALOG_PMU,      CATALOG_TRACEPOINT, CATALOG_SDT,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		section(l, kinds[i], &pick);
	put_metrics(l, LIST_METRICS, glob, NULL);
	free(glob);
}

static bool show_word(struct listing *l, const char *arg)
{
	static const struct {
		const char *name, *other;
		int kinds[2], metrics;
	} words[] = {
		{ "hw", "hardware", { CATALOG_HARDWARE, -1 }, 0 },
		{ "sw", "software", { CATALOG_SOFTWARE, CATALOG_TOOL }, 0 },
		{ "tool", NULL, { CATALOG_TOOL, -1 }, 0 },
		{ "cache", "hwcache", { CATALOG_CACHE, -1 }, 0 },
		{ "tracepoint", NULL, { CATALOG_TRACEPOINT, -1 }, 0 },
		{ "pmu", NULL, { CATALOG_PMU, -1 }, 0 },
		{ "sdt", NULL, { CATALOG_SDT, -1 }, 0 },
		{ "metric", "metrics", { -1, -1 }, LIST_METRICS },
		{ "metricgroup", "metricgroups", { -1, -1 }, LIST_GROUPS },
	};
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(arg, words[i].name) && (!words[i].other || strcmp(arg, words[i].other)))
			continue;
		for (k = 0; k < 2; k++)
			if (words[i].kinds[k] >= 0)
				section(l, (enum catalog_kind)words[i].kinds[k], &all);
		if (words[i].metrics)
			put_metrics(l, words[i].metrics, NULL, NULL);
		return true;
	}
	return false;
}

static void show(struct listing *l, const char *arg)
{
	size_t before = l->view.nr;
	const char *colon;

	if (show_word(l, arg))
		return;
	colon = strchr(arg, ':');
	if (colon)
		show_halves(l, arg, colon);
	else
		show_matching(l, arg);
	if (l->view.nr == before && !l->quiet && !l->unit)
		listing_near(l, arg, false);
}

void listing_show(struct listing *l, const char *const *words, size_t nr)
{
	struct list_view *v = &l->view;
	size_t i;

	if (v->ops->begin)
		v->ops->begin(v);
	if (!nr)
		show_everything(l);
	for (i = 0; i < nr; i++)
		show(l, words[i]);
	if (v->ops->end)
		v->ops->end(v);
	if (l->unit && !v->nr && !l->quiet)
		notice(l->notices, "Nothing is listed for the PMU '%s'.\n", l->unit);
}

void listing_limit_core(struct listing *l, const char *kind)
{
	struct pmus pmus = { 0 };

	l->core = xasprintf("cpu_%s", kind);
	pmus_scan(&pmus, &l->sysroot);
	if (!pmus_find(&pmus, l->core)) {
		notice(l->notices, "WARNING: hybrid cputype is not supported!\n");
		free(l->core);
		l->core = NULL;
	}
	pmus_release(&pmus);
}
