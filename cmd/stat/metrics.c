// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat: metrics that are asked for by name, and the options that stand for some of them. */
#include "base/compat.h"
#include "statrun/statrun.h"

#include "base/alloc.h"
#include "base/cpuid.h"

#include <errno.h>
#include <unistd.h>

#define REFUSED 234
#define CPU_EVENTS "/sys/bus/event_source/devices/cpu/events/"

int opt_metrics(const struct option *opt, const char *arg, int unset)
{
	struct stat_cmd *s = opt->value;
	char *both;

	if (unset)
		return -1;
	both = s->metric_names ? xasprintf("%s,%s", s->metric_names, arg) : xstrdup(arg);
	free(s->metric_names);
	s->metric_names = both;
	return 0;
}

int opt_cputype(const struct option *opt, const char *arg, int unset)
{
	struct stat_cmd *s = opt->value;
	char *pmu, *dir;
	bool there;

	if (unset)
		return -1;
	pmu = xasprintf("cpu_%s", arg);
	dir = sysroot_path(&s->sysroot, "/sys/bus/event_source/devices/%s", pmu);
	there = !strchr(arg, '/') && !access(dir, F_OK);
	free(dir);
	free(s->core);
	s->core = pmu;
	if (!there)
		fprintf(stderr, "--cputype %s is not supported!\n", arg);
	return there ? 0 : -1;
}

/* --- what metrics are made for ----------------------------------------------------- */

static struct metric_env env_of(const struct stat_cmd *s, struct event_sources *sources)
{
	return (struct metric_env){ .parse = &sources->env,
				    .table = event_sources_table(sources),
				    .cpuid = s->cpuid,
				    .core_wide = s->target.all_cpus };
}

static void find_cpuid(struct stat_cmd *s, const struct event_sources *sources)
{
	char *text = sources->cpuid ? NULL : cpuid_text(&s->sysroot);

	s->cpuid = cpuid_table_text(text ? text : sources->cpuid ? sources->cpuid : "");
	free(text);
}

static int add_metrics(struct stat_cmd *s, struct event_sources *sources, const char *names,
		       struct err *err)
{
	struct metric_env env;

	if (!s->cpuid)
		find_cpuid(s, sources);
	env = env_of(s, sources);
	return metric_set_add(&s->metrics, names, &env, &s->metric_opts, err);
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

static int refuse(const char *sentence)
{
	fprintf(stderr, "%s\n", sentence);
	return REFUSED;
}

static int add_topdown(struct stat_cmd *s, struct event_sources *sources)
{
	unsigned int most = 0;
	char group[16];

	if (!target_system(&s->target))
		return refuse("top down event configuration requires system-wide mode (-a)");
	metric_group_each(event_sources_table(sources), find_level, &most);
	if (s->td_level > most) {
		fprintf(stderr, "Invalid top-down metrics level. The max level is %u.\n", most);
		return REFUSED;
	}
	snprintf(group, sizeof(group), "TopdownL%u", s->td_level ? s->td_level : 1);
	if (add_metrics(s, sources, group, NULL))
		return refuse("System does not support topdown");
	s->view.metric_only = true;
	return 0;
}

/* --- interrupts of the firmware --------------------------------------------------------- */

#define FREEZE "/sys/devices/cpu/freeze_on_smi"

/* Counters must stand still while the firmware runs: then what it took is missing from cycles. */
static int add_smi(struct stat_cmd *s, struct event_sources *sources)
{
	struct parse_error pe;
	char *path;
	FILE *f;
	u64 on;

	if (sysroot_read_u64(&s->sysroot, &on, FREEZE))
		return refuse("freeze_on_smi is not supported.");
	path = sysroot_path(&s->sysroot, FREEZE);
	f = on ? NULL : fopen(path, "we");
	free(path);
	if (!on && (!f || fputs("1", f) < 0 || fclose(f)))
		return refuse("Failed to set freeze_on_smi.");
	s->unfreeze = !on;
	if (!parse_events(&s->evlist, "{msr/aperf/,msr/smi/,cycles}", &sources->env, &pe)) {
		s->view.metric_only = true;
		return 0;
	}
	stat_unfreeze(s);
	return refuse("To measure SMI cost, it needs msr/aperf/, msr/smi/ and cpu/cycles/ support");
}

void stat_unfreeze(struct stat_cmd *s)
{
	char *path = sysroot_path(&s->sysroot, FREEZE);
	FILE *f = s->unfreeze ? fopen(path, "we") : NULL;

	if (f && (fputs("0", f) < 0 || fclose(f)))
		fputs("freeze_on_smi could not be put back\n", stderr);
	s->unfreeze = false;
	free(path);
}

/* --- transactions ---------------------------------------------------------------------- */

static bool cpu_has(const struct stat_cmd *s, const char *event)
{
	struct strbuf sb = STRBUF_INIT;
	bool yes = !sysroot_read(&s->sysroot, &sb, CPU_EVENTS "%s", event);

	strbuf_release(&sb);
	return yes;
}

static int add_transactions(struct stat_cmd *s, struct event_sources *sources)
{
	const char *text = "task-clock,{instructions,cycles,cpu/cycles-t/,cpu/tx-start/}";
	struct strbuf sb = STRBUF_INIT;
	struct parse_error pe;

	if (cpu_has(s, "cycles-ct") && cpu_has(s, "el-start"))
		text = "task-clock,{instructions,cycles,cpu/cycles-t/,cpu/tx-start/,cpu/el-start/,cpu/cycles-ct/}";
	if (!parse_events(&s->evlist, text, &sources->env, &pe))
		return 0;
	parse_error_format(&pe, text, 80, &sb);
	fprintf(stderr, "Cannot set up transaction events\n%s", strbuf_str(&sb));
	strbuf_release(&sb);
	return REFUSED;
}

/* --- all of it ------------------------------------------------------------------------ */

/* Events on the cores of another kind than --cputype says are not counted. */
static void keep_core(struct stat_cmd *s)
{
	for (size_t i = s->evlist.nr; s->core && i-- > 0;) {
		const struct evsel *e = s->evlist.evsels[i];
		bool alone = e->leader == e->idx && e->nr_members <= 1;

		if (alone && evsel_is_kind(e) && strcmp(e->pmu, s->core) != 0)
			evlist_remove(&s->evlist, i);
	}
}

static int add_all(struct stat_cmd *s, struct event_sources *sources, struct err *err)
{
	struct metric_env env;
	int rc = 0;

	if (s->transaction)
		rc = add_transactions(s, sources);
	if (!rc && s->smi_cost)
		rc = add_smi(s, sources);
	if (!rc && s->topdown)
		rc = add_topdown(s, sources);
	if (!rc && s->metric_names)
		rc = add_metrics(s, sources, s->metric_names, err);
	if (rc || !s->metrics.nr)
		return rc;
	keep_core(s);
	env = env_of(s, sources);
	return metric_set_events(&s->metrics, &s->evlist, &env, &s->metric_opts, err);
}

int stat_metric_events(struct stat_cmd *s, struct event_sources *sources)
{
	struct err err = { 0 };
	int rc = add_all(s, sources, &err);

	if (rc < 0) {
		fprintf(stderr, "%s\n", err.msg);
		return 129;
	}
	if (rc)
		return rc;
	keep_core(s);
	stat_metrics_init(&s->shown, &s->metrics, &s->evlist);
	return 0;
}
