// SPDX-License-Identifier: GPL-2.0-or-later
/* The sections of `perf list`. */
#include "base/compat.h"

#include "cmd/list/list.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/suggest.h"
#include "kernel/supported.h"
#include "metric/metric.h"
#include "symbol/sdt-cache.h"

/* ---- what there is ---- */

/* Generic events that the machine does not count are not listed. */
static void drop_unsupported(struct catalog *c)
{
	size_t i, to = 0;

	for (i = 0; i < c->nr; i++)
		if (event_supported(c->v[i].type, c->v[i].config))
			c->v[to++] = c->v[i];
	c->nr = to;
}

/* Where a marker is told when several objects have one of its name. */
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

static void read_markers(struct catalog *c)
{
	char *dir = buildid_cache_dir();
	struct sdt_cache sdt;
	size_t i;

	if (!dir)
		return;
	sdt_cache_read(&sdt, dir);
	for (i = 0; i < sdt.nr; i++)
		catalog_add(c, CATALOG_SDT, marker_name(c, &sdt, i))->spec =
			arena_strdup(&c->strings, sdt.v[i].event);
	sdt_cache_release(&sdt);
	free(dir);
}

static void read_tracepoints(struct list *l, struct catalog *c)
{
	struct err err = { 0 };

	if (catalog_tracepoints(c, &l->sysroot, &err))
		error_err(&err);
}

/* Vendors' files, as far as they could be read. */
static const struct vendor_table *table(struct list *l)
{
	const struct vendor_table *t = event_sources_table(&l->sources);

	if (l->sources.later_err.code)
		fprintf(stderr, "events.dir of the configuration: %s\n", l->sources.later_err.msg);
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

/* libpfm4 knows processors, not whether the kernel lets one count on them. */
static void read_libpfm(struct list *l, struct catalog *c)
{
	struct libpfm_add add = { c, table(l) };
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

static void load(struct list *l, enum catalog_kind kind, struct catalog *c)
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
		catalog_pmu(c, &l->sysroot, table(l));
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
		read_markers(c);
		break;
	case CATALOG_METRIC:
		metric_each(table(l), add_metric, c);
		catalog_sort(c, 0);
		break;
	case CATALOG_NR:
		break;
	}
}

const struct catalog *list_catalog(struct list *l, enum catalog_kind kind)
{
	if (!l->loaded[kind]) {
		l->loaded[kind] = true;
		load(l, kind, &l->catalogs[kind]);
		if (l->debug)
			fprintf(stderr, "%s: %zu found\n", catalog_kind_name(kind),
				l->catalogs[kind].nr);
	}
	return &l->catalogs[kind];
}

void list_release(struct list *l)
{
	size_t i;

	for (i = 0; i < CATALOG_NR; i++)
		catalog_release(&l->catalogs[i]);
	event_sources_release(&l->sources);
	strbuf_release(&l->out);
	free(l->core);
}

/* ---- which of them ---- */

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

static bool of_unit(const struct list *l, const struct catalog_event *e)
{
	if (l->unit && (!e->pmu || strcmp(e->pmu, l->unit)))
		return false;
	return !l->core || !e->core || !strcmp(e->pmu, l->core);
}

size_t list_section(struct list *l, enum catalog_kind kind, const struct list_pick *pick)
{
	const struct catalog *c = list_catalog(l, kind);
	size_t i, nr = 0;

	for (i = 0; i < c->nr; i++) {
		const struct catalog_event *e = &c->v[i];

		if ((e->deprecated && !l->deprecated) || !of_unit(l, e) || !picked(e, pick))
			continue;
		l->view.ops->event(&l->view, e);
		nr++;
	}
	return nr;
}

void list_metrics(struct list *l, int what, const char *glob, const char *group)
{
	const struct catalog *c = list_catalog(l, CATALOG_METRIC);
	const struct catalog_event **v = xcalloc(c->nr + 1, sizeof(*v));
	size_t i, nr = 0;

	for (i = 0; i < c->nr; i++)
		if (of_unit(l, &c->v[i]) && (l->deprecated || !c->v[i].deprecated) &&
		    (!glob || matches(glob, c->v[i].name, false)))
			v[nr++] = &c->v[i];
	if (nr)
		l->view.ops->metrics(&l->view, v, nr, what, group);
	free(v);
}

/* ---- nothing found ---- */

/* The names of a kind; of tracepoints the halves too, when the word is only one. */
static void add_names(struct list *l, enum catalog_kind kind, struct near *near)
{
	const struct catalog *c = list_catalog(l, kind);
	bool half = !strchr(near->word, ':');
	size_t i;

	for (i = 0; i < c->nr; i++) {
		const char *colon = half ? strchr(c->v[i].name, ':') : NULL;

		near_add(near, colon ? colon + 1 : c->v[i].name);
		if (c->v[i].alias)
			near_add(near, c->v[i].alias);
	}
}

void list_near(struct list *l, const char *name, bool tracepoint)
{
	struct near near = { .word = name };
	char shown[256];
	size_t kind, i;

	for (kind = 0; kind < CATALOG_NR; kind++)
		if (!tracepoint || kind == CATALOG_TRACEPOINT)
			add_names(l, (enum catalog_kind)kind, &near);
	escape_name(shown, sizeof(shown), name);
	fprintf(stderr, "No %s is called '%s'.", tracepoint ? "tracepoint" : "event", shown);
	for (i = 0; i < near.nr; i++) {
		escape_name(shown, sizeof(shown), near.best[i]);
		fprintf(stderr, "%s%s", i ? ", " : " Did you mean: ", shown);
	}
	fputs(near.nr ? "?\n" : "\n", stderr);
	near_release(&near);
}
