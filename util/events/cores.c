// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Processors with several kinds of cores (cpu_core, cpu_atom). Each kind is a PMU, and an event of
 * the processor becomes an event on each of them. The kernel takes the PMU of a generic event from
 * the upper half of its config (PERF_PMU_TYPE_SHIFT of linux/perf_event.h).
 */
#include "base/compat.h"
#include "events/config.h"
#include "events/parse-internal.h"

#include "base/alloc.h"

#include <errno.h>

#define PMU_TYPE_SHIFT 32

bool parse_is_kind(const struct pmu *pmu)
{
	return pmu->core && !strncmp(pmu->name, "cpu_", 4);
}

/* Tell whether there are several kinds of cores. If there is only one, this costs no more than
 * looking for one file. */
static bool has_kinds(struct evparse *ep)
{
	struct strbuf sb = STRBUF_INIT;

	if (ep->kinds == KINDS_UNKNOWN)
		ep->kinds = sysroot_read(ep->sr, &sb, "/sys/bus/event_source/devices/cpu_core/cpus")
				    ? KINDS_ONE
				    : KINDS_SEVERAL;
	strbuf_release(&sb);
	return ep->kinds == KINDS_SEVERAL;
}

/* Return the name on one PMU: "cycles/period=5/u" becomes "cpu_core/cycles,period=5/u". */
static char *name_on(const struct evsel *e, const struct pmu *pmu)
{
	/* the colon of "4:0x3c" is not that of modifiers */
	size_t type = strspn(e->name, "0123456789"),
	       skip = type && e->name[type] == ':' ? type + 1 : 0;
	size_t base = skip + strcspn(e->name + skip, "/:");
	const char *rest = e->name + base, *last = strrchr(rest, '/');
	const char *mods = last ? last + 1 : rest;

	if (e->terms.named)
		return xasprintf("%s/%s/", pmu->name, e->name);
	mods += *mods == ':';
	if (last > rest)
		return xasprintf("%s/%.*s%s%.*s/%s", pmu->name, (int)base, e->name,
				 last > rest + 1 ? "," : "", (int)(last - rest - 1), rest + 1,
				 mods);
	return xasprintf("%s/%.*s/%s", pmu->name, (int)base, e->name, mods);
}

/* Limit the event to the CPUs of the PMU. Return: false when it is to count on none of them. */
static bool put_on_cpus(struct evsel *e, const struct pmu *pmu)
{
	struct int_list cpus = { 0 };
	bool any = true;

	if (!e->terms.cpus_given)
		e->cpumask = pmu->cpumask ? xstrdup(pmu->cpumask) : NULL;
	else if (pmu->cpumask && !cpu_list_parse(&cpus, pmu->cpumask))
		any = parse_only_on(e, &cpus);
	int_list_release(&cpus);
	return any;
}

static void put_on(struct evsel *e, const struct evsel *asked, const struct pmu *pmu)
{
	char *name = name_on(asked, pmu);

	if (e->attr.type == PERF_TYPE_RAW)
		e->attr.type = pmu->type;
	else
		e->attr.config |= (u64)pmu->type << PMU_TYPE_SHIFT;
	e->pmu = xstrdup(pmu->name);
	e->terms.merge = true;
	free(e->name);
	e->name = name;
}

static bool is_generic(const struct evsel *e)
{
	return !e->pmu && !e->attr.sample_type &&
	       (e->attr.type == PERF_TYPE_HARDWARE || e->attr.type == PERF_TYPE_HW_CACHE ||
		e->attr.type == PERF_TYPE_RAW);
}

int parse_split_cores(struct evparse *ep, size_t from, const char *at)
{
	struct evlist *l = ep->l, asked = { 0 };
	const struct pmus *all;

	if (l->nr != from + 1 || !is_generic(l->evsels[from]) || !has_kinds(ep))
		return 0;
	all = parse_pmus(ep);
	evlist_add_copy(&asked, l->evsels[from]);
	evlist_truncate(l, from);
	for (size_t i = 0; i < all->nr; i++) {
		struct evsel *e = parse_is_kind(&all->v[i]) ? evlist_add_copy(l, asked.evsels[0])
							    : NULL;

		if (e && put_on_cpus(e, &all->v[i]))
			put_on(e, asked.evsels[0], &all->v[i]);
		else if (e)
			evlist_truncate(l, l->nr - 1);
	}
	evlist_release(&asked);
	return l->nr > from ? 0 : parse_fail(ep, at, -EINVAL, "no kind of cores has these CPUs");
}

void parse_default(struct evlist *l, const struct parse_env *env)
{
	struct evparse ep = { .l = l, .env = env, .sr = env->sr };
	size_t from = l->nr;

	evlist_add_default(l);
	/* No processor samples guests at the precision of its host. */
	if (env->machines & PARSE_GUEST) {
		l->evsels[from]->attr.precise_ip = 0;
		l->evsels[from]->terms.precise_max = false;
	}
	(void)parse_split_cores(&ep, from, NULL);
	for (size_t i = from; i < l->nr && l->nr > from + 1; i++)
		l->evsels[i]->terms.unnamed = false;
	event_machines(l, from, env->machines);
	pmus_release(&ep.pmus);
}

/* --- groups ------------------------------------------------------------------- */

/*
 * Return the kind of cores that the event counts on if it was requested for several; otherwise
 * NULL.
 */
static const char *kind_of(const struct evsel *e)
{
	return e->terms.merge && e->pmu && !strncmp(e->pmu, "cpu_", 4) ? e->pmu : NULL;
}

/*
 * Tell whether @e is in the group of one kind of cores. Events without a kind are in the first
 * group.
 */
static bool goes_with(const struct evsel *e, const char *pmu, bool first)
{
	const char *kind = kind_of(e);

	return kind ? !strcmp(kind, pmu) : first;
}

static const char *next_kind(const struct evlist *l, size_t from, char *const *seen, size_t nr)
{
	for (size_t i = from; i < l->nr; i++) {
		const char *kind = kind_of(l->evsels[i]);
		size_t j = 0;

		while (kind && j < nr && strcmp(seen[j], kind))
			j++;
		if (kind && j == nr)
			return kind;
	}
	return NULL;
}

static void close_group(struct evlist *l, size_t from, size_t to, const char *name, size_t len)
{
	evlist_group(l, from, to);
	l->evsels[from]->group_name = len ? xstrndup(name, len) : NULL;
	for (size_t i = from; i < to; i++)
		l->evsels[i]->idx = (u32)i;
}

void parse_make_groups(struct evlist *l, size_t from, const char *name, size_t len)
{
	size_t total = l->nr - from, nr = 0, cap = 0, at = from;
	struct evsel **old = xcalloc(total, sizeof(struct evsel *));
	char **seen = NULL;
	const char *kind;

	memcpy(old, l->evsels + from, total * sizeof(struct evsel *));
	while ((kind = next_kind(l, from, seen, nr))) {
		VEC_GROW(seen, nr + 1, cap);
		seen[nr++] = xstrdup(kind);
	}
	if (nr < 2)
		close_group(l, from, l->nr, name, len);
	for (size_t k = 0; nr > 1 && k < nr; k++) {
		size_t start = at;

		for (size_t i = 0; i < total; i++)
			if (goes_with(old[i], seen[k], !k))
				l->evsels[at++] = old[i];
		close_group(l, start, at, name, len);
	}
	for (size_t k = 0; k < nr; k++)
		free(seen[k]);
	free(seen);
	free(old);
}
