// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "events/sources.h"

#include "base/alloc.h"
#include "arch/cpuid.h"

#include <errno.h>

/* --- tables ----------------------------------------------------------------------- */

/* Return the PMU of the cores, which tables call "cpu" although it has other names outside x86. */
static const char *core_pmu(struct event_sources *s)
{
	pmus_scan(&s->pmus, s->env.sr);
	for (size_t i = 0; i < s->pmus.nr; i++)
		if (s->pmus.v[i].core)
			return s->pmus.v[i].name;
	return "cpu";
}

static const char *real_pmu(struct event_sources *s, const char *pmu)
{
	return strcmp(pmu, "cpu") ? pmu : core_pmu(s);
}

/*
 * Tell whether the word before a slash means the PMU of a table, perhaps one of several alike
 * ("uncore_imc_0").
 */
static bool same_pmu(const char *table, const char *word)
{
	return pmu_matches(word, table) || pmu_matches(word, pmu_short_name(table));
}

static bool pmu_is_there(struct event_sources *s, const char *pmu)
{
	pmus_scan(&s->pmus, s->env.sr);
	for (size_t i = 0; i < s->pmus.nr; i++)
		if (pmu_matches(s->pmus.v[i].name, pmu))
			return true;
	return false;
}

int event_sources_add_dir(struct event_sources *s, const char *dir, struct err *err)
{
	char *text = s->cpuid ? NULL : cpuid_text(s->env.sr);
	char *here = text ? cpuid_table_text(text) : NULL;
	int rc = vendor_load(&s->table, dir, s->cpuid ? s->cpuid : here, s->env.sr, err);

	free(text);
	free(here);
	return rc;
}

/* Load the folder that was registered for later. */
static void load_later(struct event_sources *s)
{
	char *dir = s->later;

	s->later = NULL;
	if (dir)
		event_sources_add_dir(s, dir, &s->later_err);
	free(dir);
}

void event_sources_add_dir_later(struct event_sources *s, const char *dir)
{
	free(s->later);
	s->later = xstrdup(dir);
}

const struct vendor_table *event_sources_table(struct event_sources *s)
{
	load_later(s);
	return &s->table;
}

/*
 * Several PMUs may have the name. The word before a slash selects one; otherwise those of this
 * machine are used. If none matches, the first one is returned, so that a message can name what is
 * missing.
 */
static int json_find(void *ctx, const char *pmu, const char *name, u32 nth,
		     struct source_event *out)
{
	struct event_sources *s = ctx;
	const struct vendor_event *e, *end, *found = NULL;
	u32 fitting = 0;

	load_later(s);
	e = vendor_find(&s->table, name);
	if (!e)
		return -ENOENT;
	end = s->table.events + s->table.nr_events;
	for (const struct vendor_event *p = e; p < end && !strcasecmp(p->name, name); p++) {
		const char *real = real_pmu(s, p->pmu);

		if (!(pmu ? same_pmu(real, pmu) : pmu_is_there(s, real)))
			continue;
		if (fitting++ == nth)
			found = p;
	}
	if (!fitting && !nth && !pmu)
		found = e;
	if (!found)
		return -ENOENT;
	out->pmu = xstrdup(real_pmu(s, found->pmu));
	out->terms = xstrdup(found->terms);
	out->unit = found->unit ? xstrdup(found->unit) : NULL;
	out->scale = found->scale;
	out->per_pkg = found->per_pkg;
	return 0;
}

static void json_suggest(void *ctx, const char *pmu, struct near *near)
{
	struct event_sources *s = ctx;

	load_later(s);
	for (size_t i = 0; i < s->table.nr_events; i++)
		if (!pmu || same_pmu(real_pmu(s, s->table.events[i].pmu), pmu))
			near_add(near, s->table.events[i].name);
}

/* --- libpfm4 ---------------------------------------------------------------------- */

struct libpfm *event_sources_pfm(struct event_sources *s, struct err *err)
{
	if (!s->pfm)
		libpfm_open(&s->pfm, err);
	s->pfm_tried = true;
	return s->pfm;
}

static int pfm_find(void *ctx, const char *pmu, const char *name, u32 nth, struct source_event *out)
{
	struct event_sources *s = ctx;
	struct err err = { 0 };
	int rc;

	if (nth || (pmu && strcmp(pmu, core_pmu(s))))
		return -ENOENT;
	if (!s->pfm && !s->pfm_tried)
		event_sources_pfm(s, NULL);
	rc = s->pfm ? libpfm_find(s->pfm, name, &out->attr, &err) : -ENOENT;
	if (err.code)
		out->why = xstrdup(err.msg);
	return rc;
}

static int add_near(void *ctx, const struct libpfm_event *e)
{
	char *name = e->mask ? xasprintf("%s.%s", e->name, e->mask) : NULL;

	near_add(ctx, name ? name : e->name);
	free(name);
	return 0;
}

static void pfm_suggest(void *ctx, const char *pmu, struct near *near)
{
	struct event_sources *s = ctx;

	if (s->pfm && (!pmu || !strcmp(pmu, core_pmu(s))))
		libpfm_each(s->pfm, add_near, near);
}

/* --- both ------------------------------------------------------------------------- */

void event_sources_init(struct event_sources *s, const struct sysroot *sr, const char *cpuid)
{
	memset(s, 0, sizeof(*s));
	s->cpuid = cpuid;
	s->json = (struct event_source){ "event files", s, json_find, json_suggest };
	s->names = (struct event_source){ "libpfm4", s, pfm_find, pfm_suggest };
	s->list[0] = &s->json;
	s->list[1] = &s->names;
	s->env = (struct parse_env){
		.sr = sr, .sources = s->list, .nr_sources = ARRAY_SIZE(s->list), .pmus = &s->pmus
	};
}

void event_sources_release(struct event_sources *s)
{
	libpfm_close(s->pfm);
	vendor_release(&s->table);
	pmus_release(&s->pmus);
	free(s->later);
	memset(s, 0, sizeof(*s));
}
