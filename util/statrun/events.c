// SPDX-License-Identifier: GPL-2.0-or-later
/* Choose default events, events of several PMUs and control groups, and their names. */
#include "base/compat.h"
#include "statrun/events.h"

#include "base/alloc.h"
#include "kernel/cgroup.h"

#include <errno.h>

#define PMU_EVENTS "/sys/bus/event_source/devices/cpu/events/"

/* --- what is counted when nobody says what ------------------------------------------- */

/* The events that -d, -dd and -ddd add. */
static const char *const detailed[] = {
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	"L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses",
	"L1-dcache-prefetches,L1-dcache-prefetch-misses",
};

static void add(struct evlist *l, const struct parse_env *env, const char *text)
{
	struct parse_error pe;

	(void)parse_events(l, text, env, &pe);
}

/* Add an event that few processors count. Where one does, its PMU has it among its events. */
static void add_where_known(struct evlist *l, const struct parse_env *env, const char *name)
{
	struct strbuf sb = STRBUF_INIT;

	if (!sysroot_read(env->sr, &sb, PMU_EVENTS "%s", name))
		add(l, env, name);
	strbuf_release(&sb);
}

void stat_events_default(struct evlist *l, const struct stat_event_options *o,
			 const struct parse_env *env)
{
	/* where everything is counted there is no task: all time is that of the CPU */
	if (!l->nr) {
		add(l, env, o->system ? "cpu-clock" : "task-clock");
		add(l, env, "context-switches,cpu-migrations,page-faults,cycles");
		add_where_known(l, env, "stalled-cycles-frontend");
		add_where_known(l, env, "stalled-cycles-backend");
		add(l, env, "instructions,branches,branch-misses");
	}
	for (int i = 0; i < o->detailed && i < (int)ARRAY_SIZE(detailed); i++)
		add(l, env, detailed[i]);
}

/* --- names --------------------------------------------------------------------------- */

/* The control group has a column of its own. */
static void plain_names(struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		struct evsel *e = l->evsels[i];
		size_t tail = e->cgroup ? strlen(e->cgroup) + 1 : 0, len = strlen(e->name);

		if (tail && len > tail && e->name[len - tail] == ',')
			e->name[len - tail] = 0;
	}
}

/* Add the name of the PMU to events that are not added up. */
static void name_pmus(struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		struct evsel *e = l->evsels[i];
		const char *slash = strchr(e->name, '/');
		char *name;

		if (!e->terms.merge || !e->pmu || evsel_is_kind(e))
			continue;
		name = slash ? xasprintf("%s%s", e->pmu, slash)
			     : xasprintf("%s [%s]", e->name, e->pmu);
		free(e->name);
		e->name = name;
	}
}

/* Name events that are added up over kinds of cores as they were asked for:
 * "cpu_core/cycles,period=5/u" becomes "cycles/period=5/u". */
static void name_without_kinds(struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		struct evsel *e = l->evsels[i];
		const char *first = strchr(e->name, '/'), *last = strrchr(e->name, '/');
		size_t len = first ? strcspn(first + 1, ",/") : 0;
		const char *rest = first ? first + 1 + len : NULL;
		char *name;

		if (!e->terms.merge || !evsel_is_kind(e) || !first || first == last)
			continue;
		if (*rest == ',')
			name = xasprintf("%.*s/%s", (int)len, first + 1, rest + 1);
		else
			name = xasprintf("%.*s%s%s", (int)len, first + 1, last[1] ? ":" : "",
					 last + 1);
		free(e->name);
		e->name = name;
	}
}

/* --- all of it ----------------------------------------------------------------------- */

/* Add the events of root ports, which nothing else is counted beside. */
static int add_ports(struct evlist *l, const struct iostat_ports *ports,
		     const struct parse_env *env, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	struct parse_error pe;
	int rc = 0;

	iostat_events(ports, &text);
	if (l->nr)
		rc = err_set(err, -EINVAL,
			     "--iostat counts events of its own: none goes beside them");
	else if (parse_events(l, strbuf_str(&text), env, &pe))
		rc = err_set(err, -EOPNOTSUPP, "Unsupported uncore pmu configuration");
	strbuf_release(&text);
	return rc;
}

int stat_events_choose(struct evlist *l, const struct stat_event_options *o,
		       struct event_sources *sources, struct stat_event_choice *out,
		       struct err *err)
{
	int rc = stat_events_metrics(l, o, sources, out, err);

	if (!rc && o->ports)
		return add_ports(l, o->ports, &sources->env, err);
	if (rc)
		return rc;
	stat_events_default(l, o, &sources->env);
	if (o->apart)
		name_pmus(l);
	if (o->merge_all)
		name_without_kinds(l);
	if (!o->each_cgroup)
		return 0;
	out->shown.stride = (u32)l->nr;
	rc = evlist_for_each_cgroup(l, sources->env.sr, o->each_cgroup, err);
	if (!rc)
		plain_names(l);
	return rc;
}

void stat_events_release(struct stat_event_choice *c)
{
	stat_metrics_release(&c->shown);
	metric_set_release(&c->metrics);
	free(c->cpuid);
	c->cpuid = NULL;
}

/* --- what does not count on the CPUs that were named ------------------------------- */

static bool counts_on(const struct evsel *e, const struct int_list *cpus)
{
	struct int_list mask = { 0 };
	bool any = !e->cpumask || cpu_list_parse(&mask, e->cpumask) != 0;

	for (size_t i = 0; i < cpus->nr && !any; i++)
		any = int_list_has(&mask, cpus->v[i]);
	int_list_release(&mask);
	return any;
}

/* Return: how many events the group at @idx lost: all, when its kind of cores is not there. */
static u32 drop_group(struct evlist *l, size_t idx, const struct int_list *cpus, const char *text,
		      const struct notices *notes)
{
	struct evsel *e = l->evsels[idx];
	u32 nr = e->nr_members;

	if (!e->terms.merge || !evsel_is_kind(e) || counts_on(e, cpus))
		return 0;
	notice(notes, "WARNING: %s isn't a '%s', please use a CPU list in the '%s' range (%s)\n",
	       text, e->pmu, e->pmu, e->cpumask);
	for (u32 i = 0; i < nr; i++) {
		struct evsel *m = l->evsels[idx + i];

		m->leader = m->idx;
		m->nr_members = 1;
	}
	for (u32 i = 0; i < nr; i++)
		evlist_remove(l, idx);
	return nr;
}

void stat_events_drop(struct evlist *l, const struct int_list *cpus, const char *text,
		      const struct notices *notes)
{
	bool there = false;

	/* none at all is for the kernel to refuse */
	for (size_t i = 0; i < l->nr; i++)
		there |= counts_on(l->evsels[i], cpus);
	if (!there)
		return;
	for (size_t i = 0; i < l->nr;)
		i += drop_group(l, i, cpus, text, notes) ? 0 : MAX(l->evsels[i]->nr_members, 1U);
}
