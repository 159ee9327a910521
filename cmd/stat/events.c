// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat: what is counted when nobody says what. */
#include "base/compat.h"
#include "statrun/statrun.h"

#include "base/alloc.h"
#include "kernel/cgroup.h"

#include <unistd.h>

#define PMU_EVENTS "/sys/bus/event_source/devices/cpu/events/"

/* By -d, -dd, -ddd. */
static const char *const detailed[] = {
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	"L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses",
	"L1-dcache-prefetches,L1-dcache-prefetch-misses",
};

static void add(struct stat_cmd *s, const struct parse_env *env, const char *text)
{
	struct parse_error pe;

	(void)parse_events(&s->evlist, text, env, &pe);
}

/* Few processors count these; where one does, its PMU has them among its events. */
static void add_where_known(struct stat_cmd *s, const struct parse_env *env, const char *name)
{
	struct strbuf sb = STRBUF_INIT;

	if (!sysroot_read(&s->sysroot, &sb, PMU_EVENTS "%s", name))
		add(s, env, name);
	strbuf_release(&sb);
}

void stat_default_events(struct stat_cmd *s, const struct parse_env *env)
{
	bool named = s->evlist.nr;

	/* where everything is counted there is no task: all time is that of the CPU */
	if (!named) {
		add(s, env, target_system(&s->target) ? "cpu-clock" : "task-clock");
		add(s, env, "context-switches,cpu-migrations,page-faults,cycles");
		add_where_known(s, env, "stalled-cycles-frontend");
		add_where_known(s, env, "stalled-cycles-backend");
		add(s, env, "instructions,branches,branch-misses");
	}
	for (int i = 0; i < s->detailed && i < (int)ARRAY_SIZE(detailed); i++)
		add(s, env, detailed[i]);
}

int opt_stat_each_cgroup(const struct option *opt, const char *arg, int unset)
{
	struct stat_cmd *s = opt->value;

	if (unset)
		return -1;
	if (s->cgroups.nr) {
		fputs("--cgroup and --for-each-cgroup cannot be used together\n", stderr);
		return -1;
	}
	s->cgroups.each = true;
	s->each_cgroup = arg;
	return 0;
}

int opt_per_cache(const struct option *opt, const char *arg, int unset)
{
	struct stat_cmd *s = opt->value;
	const char *level = arg && (*arg == 'L' || *arg == 'l') ? arg + 1 : arg;

	if (unset)
		return -1;
	s->mode = AGGR_CACHE;
	s->cache_level = 0;
	if (!level)
		return 0;
	if (*level < '1' || *level > '9' || level[1]) {
		fprintf(stderr, "'%s' is no level of caches: L1 to L9, as in --per-cache=L2.\n",
			arg);
		return -1;
	}
	s->cache_level = *level - '0';
	return 0;
}

int opt_iostat(const struct option *opt, const char *arg, int unset)
{
	bool x86 = false;

#ifdef __x86_64__
	x86 = true;
#endif
	(void)opt;
	(void)arg;
	if (!unset)
		fputs(x86 ? "Unsupported uncore pmu configuration\n"
			  : "iostat mode is not supported on current platform\n",
		      stderr);
	return -1;
}

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

/* What is not added up needs the name of its PMU. */
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

/* What is added up over kinds of cores is named as it was asked for: "cpu_core/cycles,period=5/u"
 * is "cycles/period=5/u". */
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
static u32 drop_group(struct stat_cmd *s, size_t idx)
{
	struct evsel *e = s->evlist.evsels[idx];
	u32 nr = e->nr_members;

	if (!e->terms.merge || !evsel_is_kind(e) || counts_on(e, &s->cpus))
		return 0;
	fprintf(stderr, "WARNING: %s isn't a '%s', please use a CPU list in the '%s' range (%s)\n",
		s->target.cpus, e->pmu, e->pmu, e->cpumask);
	for (u32 i = 0; i < nr; i++) {
		struct evsel *m = s->evlist.evsels[idx + i];

		m->leader = m->idx;
		m->nr_members = 1;
	}
	for (u32 i = 0; i < nr; i++)
		evlist_remove(&s->evlist, idx);
	return nr;
}

void stat_drop_elsewhere(struct stat_cmd *s)
{
	bool there = false;

	/* metrics know their events by number, and none at all is for the kernel to refuse */
	for (size_t i = 0; i < s->evlist.nr; i++)
		there |= counts_on(s->evlist.evsels[i], &s->cpus);
	if (!s->target.cpus || s->metrics.nr || !there)
		return;
	for (size_t i = 0; i < s->evlist.nr;)
		i += drop_group(s, i) ? 0 : MAX(s->evlist.evsels[i]->nr_members, 1U);
}

int stat_settle_events(struct stat_cmd *s)
{
	struct err err = { 0 };

	if (s->no_merge)
		name_pmus(&s->evlist);
	if (s->hybrid_merge)
		name_without_kinds(&s->evlist);
	if (!s->each_cgroup || s->null)
		return 0;
	s->shown.stride = (u32)s->evlist.nr;
	if (evlist_for_each_cgroup(&s->evlist, &s->sysroot, s->each_cgroup, &err)) {
		fprintf(stderr, "%s\n", err.msg);
		return -1;
	}
	plain_names(&s->evlist);
	return 0;
}
