// SPDX-License-Identifier: GPL-2.0-or-later
/* Add the events of metrics that are asked for by name, and of the options that stand for some of
 * them. */
#include "base/compat.h"
#include "statrun/events.h"

#include "base/alloc.h"
#include "arch/cpuid.h"
#include "events/pmu.h"

#include <ctype.h>
#include <errno.h>

#define CPU_EVENTS "/sys/bus/event_source/devices/cpu/events/"
#define FREEZE "/sys/devices/cpu/freeze_on_smi"

/* The state that all of these functions work on. */
struct choosing {
	struct evlist *l;
	const struct stat_event_options *o;
	struct event_sources *sources;
	struct stat_event_choice *out;
};

static struct metric_env env_of(const struct choosing *c)
{
	return (struct metric_env){ .parse = &c->sources->env,
				    .table = event_sources_table(c->sources),
				    .cpuid = c->out->cpuid,
				    .core_wide = c->o->all_cpus };
}

static void find_cpuid(const struct choosing *c)
{
	const char *given = c->sources->cpuid;
	char *text = given ? NULL : cpuid_text(c->sources->env.sr);

	c->out->cpuid = cpuid_table_text(text ? text : given ? given : "");
	free(text);
}

static int add_metrics(const struct choosing *c, const char *names, struct err *err)
{
	struct metric_env env;

	if (!c->out->cpuid)
		find_cpuid(c);
	env = env_of(c);
	return metric_set_add(&c->out->metrics, names, &env, &c->o->metric, err);
}

/* --- top-down ------------------------------------------------------------------------ */

static int find_level(void *ctx, const char *group, const char *desc)
{
	unsigned int *most = ctx;

	(void)desc;
	if (!strncasecmp(group, "TopdownL", 8) && group[8] >= '1' && group[8] <= '9' && !group[9])
		*most = MAX(*most, (unsigned int)(group[8] - '0'));
	return 0;
}

static int add_topdown(const struct choosing *c, struct err *err)
{
	unsigned int most = 0;
	char group[16];

	if (!c->o->system)
		return err_set(err, -EOPNOTSUPP,
			       "top down event configuration requires system-wide mode (-a)");
	metric_group_each(event_sources_table(c->sources), find_level, &most);
	if (c->o->td_level > most)
		return err_set(err, -EOPNOTSUPP,
			       "Invalid top-down metrics level. The max level is %u.", most);
	snprintf(group, sizeof(group), "TopdownL%u", c->o->td_level ? c->o->td_level : 1);
	if (add_metrics(c, group, NULL))
		return err_set(err, -EOPNOTSUPP, "System does not support topdown");
	c->out->metric_only = true;
	return 0;
}

/* --- interrupts of the firmware --------------------------------------------------------- */

static int write_freeze(const struct sysroot *sr, const char *value)
{
	char *path = sysroot_path(sr, FREEZE);
	FILE *f = fopen(path, "we");
	int rc = f ? 0 : -errno;

	if (f && fputs(value, f) < 0)
		rc = -EIO;
	if (f && fclose(f) && !rc)
		rc = -errno;
	free(path);
	return rc;
}

int stat_events_restore(struct stat_event_choice *c, const struct sysroot *sr, struct err *err)
{
	int rc = c->unfreeze ? write_freeze(sr, "0") : 0;

	c->unfreeze = false;
	return rc ? err_set(err, rc, "freeze_on_smi could not be put back") : 0;
}

/* Counters must stand still while the firmware runs: then what it took is missing from cycles. */
static int add_smi(const struct choosing *c, struct err *err)
{
	const struct sysroot *sr = c->sources->env.sr;
	struct parse_error pe;
	u64 on;

	if (sysroot_read_u64(sr, &on, FREEZE))
		return err_set(err, -EOPNOTSUPP, "freeze_on_smi is not supported.");
	if (!on && write_freeze(sr, "1"))
		return err_set(err, -EOPNOTSUPP, "Failed to set freeze_on_smi.");
	c->out->unfreeze = !on;
	if (parse_events(c->l, "{msr/aperf/,msr/smi/,cycles}", &c->sources->env, &pe))
		return err_set(
			err, -EOPNOTSUPP,
			"To measure SMI cost, it needs msr/aperf/, msr/smi/ and cpu/cycles/ support");
	c->out->metric_only = true;
	return 0;
}

/* --- transactions ---------------------------------------------------------------------- */

static bool cpu_has(const struct choosing *c, const char *event)
{
	struct strbuf sb = STRBUF_INIT;
	bool yes = !sysroot_read(c->sources->env.sr, &sb, CPU_EVENTS "%s", event);

	strbuf_release(&sb);
	return yes;
}

static int add_transactions(const struct choosing *c, struct err *err)
{
	const char *text = "task-clock,{instructions,cycles,cpu/cycles-t/,cpu/tx-start/}";
	struct strbuf sb = STRBUF_INIT;
	struct parse_error pe;
	int rc;

	if (cpu_has(c, "cycles-ct") && cpu_has(c, "el-start"))
		text = "task-clock,{instructions,cycles,cpu/cycles-t/,cpu/tx-start/,cpu/el-start/,cpu/cycles-ct/}";
	if (!parse_events(c->l, text, &c->sources->env, &pe))
		return 0;
	parse_error_format(&pe, text, 80, &sb);
	/* the last newline is not the sentence's */
	rc = err_set(err, -EOPNOTSUPP, "Cannot set up transaction events\n%.*s", (int)sb.len - 1,
		     strbuf_str(&sb));
	strbuf_release(&sb);
	return rc;
}

/* --- all of it ------------------------------------------------------------------------ */

/* Events on the cores of another kind than --cputype says are not counted. */
static void keep_core(struct evlist *l, const char *core)
{
	for (size_t i = l->nr; core && i-- > 0;) {
		const struct evsel *e = l->evsels[i];
		bool alone = e->leader == e->idx && e->nr_members <= 1;

		if (alone && evsel_is_kind(e) && strcmp(e->pmu, core) != 0)
			evlist_remove(l, i);
	}
}

/* Return how long the name of a PMU is without the number of one of several like it. */
static size_t base_len(const char *name)
{
	size_t len = strlen(name);

	while (len && isdigit((unsigned char)name[len - 1]))
		len--;
	return len && name[len - 1] == '_' ? len - 1 : len;
}

/* Tell whether @pmu says another PMU that is like this one. */
static bool is_other(const struct pmus *all, const char *name, const char *pmu)
{
	size_t len = base_len(name);

	for (size_t i = 0; i < all->nr && len < strlen(name) && !pmu_matches(name, pmu); i++) {
		const char *like = all->v[i].name;

		if (base_len(like) == len && like[len] && !strncmp(like, name, len) &&
		    pmu_matches(like, pmu))
			return true;
	}
	return false;
}

/* Several PMUs that are alike may have an event: --pmu-filter says on which one it counts. */
static void keep_pmu(struct evlist *l, const struct pmus *all, const char *pmu)
{
	for (size_t i = l->nr; pmu && i-- > 0;) {
		const struct evsel *e = l->evsels[i];
		bool alone = e->leader == e->idx && e->nr_members <= 1;

		if (alone && e->pmu && is_other(all, e->pmu, pmu))
			evlist_remove(l, i);
	}
}

static int check_pmu(const struct choosing *c, struct err *err)
{
	struct pmus *all = &c->sources->pmus;

	pmus_scan(all, c->sources->env.sr);
	for (size_t i = 0; i < all->nr; i++)
		if (pmu_matches(all->v[i].name, c->o->pmu))
			return 0;
	return err_set(err, -EOPNOTSUPP,
		       "--pmu-filter: this machine has no PMU '%s'. /sys/bus/event_source/devices "
		       "has those that there are.",
		       c->o->pmu);
}

int stat_events_metrics(struct evlist *l, const struct stat_event_options *o,
			struct event_sources *sources, struct stat_event_choice *out,
			struct err *err)
{
	struct choosing c = { l, o, sources, out };
	int rc = o->pmu ? check_pmu(&c, err) : 0;

	if (!rc && o->transaction)
		rc = add_transactions(&c, err);
	if (!rc && o->smi_cost)
		rc = add_smi(&c, err);
	if (!rc && o->topdown)
		rc = add_topdown(&c, err);
	if (!rc && o->metrics)
		rc = add_metrics(&c, o->metrics, err);
	if (rc)
		return rc;
	keep_core(l, o->core);
	keep_pmu(l, &sources->pmus, o->pmu);
	if (out->metrics.nr) {
		struct metric_env env = env_of(&c);

		rc = metric_set_events(&out->metrics, l, &env, &o->metric, err);
	}
	if (rc)
		return rc;
	keep_core(l, o->core);
	keep_pmu(l, &sources->pmus, o->pmu);
	stat_metrics_init(&out->shown, &out->metrics, l);
	return 0;
}
