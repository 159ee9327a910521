// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The events that PMUs of sysfs name (events/pmu.h), as lists of terms such as
 * "event=0x3c,umask=0x1", in which "ldlat=?" needs a value; and the events that vendors' tables
 * have for these PMUs.
 */
#include "base/compat.h"
#include "events/catalog.h"

#include "base/alloc.h"
#include "gauges/gauges.h"

#include "events/pmu.h"

#include <ctype.h>

/* More than a file of sysfs can contain. */
#define MAX_TERMS 8192

static bool is_name(const char *s, size_t len)
{
	size_t i;

	if (!len || !(isalpha((unsigned char)*s) || *s == '_'))
		return false;
	for (i = 1; i < len; i++)
		if (!isalnum((unsigned char)s[i]) && !strchr("_-.", s[i]))
			return false;
	return true;
}

static bool is_number(const char *s, size_t len)
{
	bool hex = len > 2 && s[0] == '0' && tolower((unsigned char)s[1]) == 'x';
	size_t i;

	for (i = hex ? 2 : 0; i < len; i++)
		if (hex ? !isxdigit((unsigned char)s[i]) : !isdigit((unsigned char)s[i]))
			return false;
	return len > 0;
}

static void trim(const char **s, size_t *len)
{
	while (*len && isblank((unsigned char)**s))
		(*s)++, (*len)--;
	while (*len && isblank((unsigned char)(*s)[*len - 1]))
		(*len)--;
}

bool catalog_terms(const char *text, struct strbuf *open)
{
	const char *p = text;

	for (;;) {
		size_t len = strcspn(p, ","), name, value;
		const char *n = p, *v;

		name = MIN(strcspn(p, "="), len);
		v = p + name + 1;
		value = name < len ? len - name - 1 : 0;
		trim(&n, &name);
		if (!is_name(n, name))
			return false;
		if (v <= p + len) {
			trim(&v, &value);
			if (!is_number(v, value)) {
				if (!is_name(v, value) && (value != 1 || *v != '?'))
					return false;
				strbuf_addf(open, ",%.*s=%.*s", (int)name, n, (int)value, v);
			}
		}
		if (!p[len])
			return true;
		p += len + 1;
	}
}

static const char *keep(struct catalog *c, struct strbuf *sb)
{
	const char *s = arena_strdup(&c->strings, strbuf_str(sb));

	strbuf_reset(sb);
	return s;
}

/* Return the value of a count, such as "2.3E-10Joules", or NULL when it is unknown. */
static const char *scale_text(struct catalog *c, double scale, const char *unit, struct strbuf *sb)
{
	if (!unit && scale == 0)
		return NULL;
	strbuf_addf(sb, "%G%s", scale != 0 ? scale : 1.0, unit ? unit : "");
	return keep(c, sb);
}

static void add_alias(struct catalog *c, const struct pmu *pmu, const struct pmu_alias *a,
		      struct strbuf *sb)
{
	struct strbuf open = STRBUF_INIT;
	struct catalog_event *e;
	const char *full, *spec;

	if (strlen(a->terms) <= MAX_TERMS && catalog_terms(a->terms, &open)) {
		strbuf_addf(sb, "%s/%s/", pmu->name, a->name);
		full = keep(c, sb);
		strbuf_addf(sb, "%s/%s%s/", pmu->name, a->name, strbuf_str(&open));
		spec = keep(c, sb);
		e = catalog_add(c, CATALOG_PMU,
				pmu->core ? arena_strdup(&c->strings, a->name) : spec);
		e->alias = pmu->core ? full : NULL;
		e->spec = spec;
		e->pmu = arena_strdup(&c->strings, pmu->name);
		e->core = pmu->core;
		strbuf_addf(sb, "%s/%s/", pmu->name, a->terms);
		e->encoding = keep(c, sb);
		e->scale = scale_text(c, a->scale, a->unit, sb);
	}
	strbuf_release(&open);
}

/* Tell whether the PMU traces; such a PMU is an event by itself. */
static bool is_event(const char *pmu)
{
	return !strcmp(pmu, "intel_pt") || !strcmp(pmu, "intel_bts") || !strcmp(pmu, "cs_etm") ||
	       !strncmp(pmu, "arm_spe_", 8) || !strncmp(pmu, "hisi_ptt", 8);
}

/* Tell whether an event of a vendor counts on this PMU. */
static bool is_for(const struct vendor_event *v, const struct pmu *pmu)
{
	if (!v->pmu || !strcmp(v->pmu, "cpu"))
		return pmu->core;
	return pmu_matches(pmu->name, v->pmu);
}

/* Tell whether the vendor's table has a description of this event. */
static bool described(const struct vendor_table *t, const struct pmu *pmu, const char *name)
{
	const struct vendor_event *v = t ? vendor_find(t, name) : NULL;

	for (; v && v < t->events + t->nr_events && !strcasecmp(v->name, name); v++)
		if (is_for(v, pmu))
			return true;
	return false;
}

static void add_pmu(struct catalog *c, const struct pmu *pmu, const struct vendor_table *t,
		    struct strbuf *sb)
{
	size_t i;

	if (is_event(pmu->name)) {
		struct catalog_event *e;

		strbuf_addf(sb, "%s//", pmu->name);
		e = catalog_add(c, CATALOG_PMU, keep(c, sb));
		e->pmu = arena_strdup(&c->strings, pmu->name);
		e->encoding = e->name;
	}
	for (i = 0; i < pmu->nr_aliases; i++)
		if (!described(t, pmu, pmu->aliases[i].name))
			add_alias(c, pmu, &pmu->aliases[i], sb);
}

/* ---- tables of vendors ---- */

/*
 * Return the PMU on which an event of a vendor counts, or NULL when the machine does not have it.
 */
static const struct pmu *pmu_of(const struct pmus *pmus, const struct vendor_event *v)
{
	const struct pmu *exact = v->pmu ? pmus_find(pmus, v->pmu) : NULL;
	size_t i;

	for (i = 0; i < pmus->nr && !exact; i++)
		if (is_for(v, &pmus->v[i]))
			return &pmus->v[i];
	return exact;
}

static const char *with_unit(struct catalog *c, const char *desc, const struct pmu *pmu,
			     const struct vendor_event *v, struct strbuf *sb)
{
	size_t len = desc ? strlen(desc) : 0;

	if (!desc || pmu->core)
		return desc;
	/* append it as a sentence after the description */
	while (len && (desc[len - 1] == '.' || desc[len - 1] == ' '))
		len--;
	strbuf_add(sb, desc, len);
	strbuf_addf(sb, ". Unit: %s", v->pmu);
	return keep(c, sb);
}

static void add_vendor(struct catalog *c, const struct pmu *pmu, const struct vendor_event *v,
		       struct strbuf *sb)
{
	struct catalog_event *e = catalog_add(c, CATALOG_PMU, v->name);

	e->pmu = arena_strdup(&c->strings, pmu->core ? pmu->name : v->pmu);
	e->core = pmu->core;
	e->topic = v->topic;
	e->desc = with_unit(c, v->desc, pmu, v, sb);
	e->long_desc = with_unit(c, v->long_desc, pmu, v, sb);
	e->deprecated = v->deprecated;
	if (v->terms) {
		strbuf_addf(sb, "%s/%s/", e->pmu, v->terms);
		e->encoding = keep(c, sb);
	}
	e->scale = scale_text(c, v->scale, v->unit, sb);
}

/* ---- all of them ---- */

static int compare(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int by_place(const void *pa, const void *pb)
{
	const struct catalog_event *a = pa, *b = pb;
	int d = !!a->desc - !!b->desc;

	d = d ? d : compare(a->topic, b->topic);
	d = d ? d : b->core - a->core;
	d = d ? d : strcmp(a->name, b->name);
	d = d ? d : compare(a->alias, b->alias);
	return d ? d : compare(a->encoding, b->encoding);
}

static void sort_once(struct catalog *c)
{
	size_t i, to = 0;

	if (c->nr)
		qsort(c->v, c->nr, sizeof(*c->v), by_place);
	for (i = 0; i < c->nr; i++)
		if (!i || strcmp(c->v[to - 1].name, c->v[i].name) ||
		    compare(c->v[to - 1].alias, c->v[i].alias))
			c->v[to++] = c->v[i];
	c->nr = to;
}

static void add_gauge(struct catalog *c, const struct gauge *g, struct strbuf *sb)
{
	struct catalog_event *e = catalog_add(c, CATALOG_PMU, arena_strdup(&c->strings, g->name));

	e->alias = g->label ? arena_strdup(&c->strings, g->label) : NULL;
	e->pmu = arena_strdup(&c->strings, g->pmu);
	e->topic = g->path ? "sensors" : "graphics";
	strbuf_addf(sb, "%s. Unit: %s", g->desc, g->pmu);
	e->desc = keep(c, sb);
	strbuf_addf(sb, "%s/%s/", g->pmu, g->name);
	e->spec = keep(c, sb);
	if (g->path)
		strbuf_addf(sb, "%s/config=%#" PRIx64 "/", g->pmu, g->config);
	else
		strbuf_addstr(sb, e->spec);
	e->encoding = keep(c, sb);
	e->scale = scale_text(c, g->scale, g->unit, sb);
}

void catalog_gauges(struct catalog *c, const struct sysroot *sr)
{
	struct gauges all = { 0 };
	struct strbuf sb = STRBUF_INIT;

	gauges_sensors(&all, sr);
	gauges_graphics(&all, sr);
	for (size_t i = 0; i < all.nr; i++)
		add_gauge(c, &all.v[i], &sb);
	gauges_release(&all);
	strbuf_release(&sb);
}

void catalog_pmu(struct catalog *c, const struct sysroot *sr, const struct vendor_table *t)
{
	struct pmus pmus = { 0 };
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	pmus_scan(&pmus, sr);
	for (i = 0; i < pmus.nr; i++) {
		pmu_load(&pmus.v[i], sr);
		add_pmu(c, &pmus.v[i], t, &sb);
	}
	for (i = 0; t && i < t->nr_events; i++) {
		const struct pmu *pmu = pmu_of(&pmus, &t->events[i]);

		if (pmu)
			add_vendor(c, pmu, &t->events[i], &sb);
	}
	strbuf_release(&sb);
	pmus_release(&pmus);
	sort_once(c);
}
