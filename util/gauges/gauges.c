// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists of gauges, and their values. */
#include "base/compat.h"
#include "gauges/gauges-internal.h"

#include "base/alloc.h"

struct gauge *gauges_add(struct gauges *g, char *pmu, char *name)
{
	VEC_GROW(g->v, g->nr + 1, g->cap);
	g->v[g->nr] = (struct gauge){ .pmu = pmu, .name = name };
	return &g->v[g->nr++];
}

void gauges_release(struct gauges *g)
{
	for (size_t i = 0; i < g->nr; i++) {
		free(g->v[i].pmu);
		free(g->v[i].name);
		free(g->v[i].label);
		free(g->v[i].desc);
		free(g->v[i].path);
	}
	free(g->v);
	memset(g, 0, sizeof(*g));
}

bool gauges_are_graphics(const char *pmu, const char *name)
{
	return pmu ? !strncmp(pmu, "drm_", 4) : !strncmp(name, "drm-", 4);
}

/* --- values --------------------------------------------------------------------------- */

static const struct gauge *find_sensor(struct gauge_values *v, const struct sysroot *sr,
				       const char *pmu, const char *name)
{
	if (!v->sensors.nr)
		gauges_sensors(&v->sensors, sr);
	for (size_t i = 0; i < v->sensors.nr; i++)
		if (!strcmp(v->sensors.v[i].pmu, pmu) && !strcmp(v->sensors.v[i].name, name))
			return &v->sensors.v[i];
	return NULL;
}

void gauge_values_add(struct gauge_values *v, const struct sysroot *sr, const char *pmu,
		      const char *name)
{
	const struct gauge *g = gauges_are_graphics(pmu, name) ? NULL
							       : find_sensor(v, sr, pmu, name);

	VEC_GROW(v->v, v->nr + 1, v->cap);
	v->v[v->nr++] = (struct gauge_value){ .pmu = xstrdup(pmu),
					      .name = xstrdup(name),
					      .path = g ? xstrdup(g->path) : NULL,
					      .grows = g && !g->state };
}

/* Values may be below zero: degrees, and volts. */
static void read_sensor(struct gauge_value *v, const struct sysroot *sr, bool begun)
{
	struct strbuf sb = STRBUF_INIT;
	char *end;
	s64 now;

	if (!sysroot_read(sr, &sb, "%s", v->path)) {
		now = strtoll(strbuf_str(&sb), &end, 10);
		v->there = end != strbuf_str(&sb);
		if (v->there && v->grows && !begun)
			v->start = now;
		v->value = (u64)now - (u64)v->start;
	}
	strbuf_release(&sb);
}

void gauge_values_read(struct gauge_values *v, const struct sysroot *sr,
		       const struct int_list *tids)
{
	bool graphics = false;

	for (size_t i = 0; i < v->nr; i++) {
		v->v[i].there = false;
		if (v->v[i].path)
			read_sensor(&v->v[i], sr, v->begun);
		graphics |= gauges_are_graphics(v->v[i].pmu, v->v[i].name);
	}
	if (graphics)
		graphics_read(v, sr, tids);
	v->begun = true;
}

void gauge_values_restart(struct gauge_values *v)
{
	for (size_t i = 0; i < v->nr; i++)
		v->v[i].value = v->v[i].nr_clients = 0;
	v->begun = false;
}

void gauge_values_release(struct gauge_values *v)
{
	for (size_t i = 0; i < v->nr; i++) {
		free(v->v[i].pmu);
		free(v->v[i].name);
		free(v->v[i].path);
		free(v->v[i].clients);
	}
	free(v->v);
	gauges_release(&v->sensors);
	memset(v, 0, sizeof(*v));
}
