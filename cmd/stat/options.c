// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat: what single options do. */
#include "base/compat.h"
#include "cmd/common/message.h"
#include "cmd/stat/stat.h"

#include "arch/arch.h"
#include "base/alloc.h"
#include "cmd/common/message.h"

#include <unistd.h>

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

int opt_per_cache(const struct option *opt, const char *arg, int unset)
{
	struct stat_cmd *s = opt->value;
	int level = unset ? -1 : cache_level_parse(arg);

	s->o.mode = AGGR_CACHE;
	s->o.cache_level = MAX(level, 0);
	if (!unset && level < 0)
		fprintf(stderr, "'%s' is no level of caches: L1 to L9, as in --per-cache=L2.\n",
			arg);
	return MIN(level, 0);
}

int opt_tpebs_mode(const struct option *opt, const char *arg, int unset)
{
	struct stat_cmd *s = opt->value;
	struct err err = { 0 };

	if (unset)
		return -1;
	return retire_mode_parse(&s->o.latency_mode, arg, &err) ? error_err(&err) : 0;
}

int opt_iostat(const struct option *opt, const char *arg, int unset)
{
	struct stat_cmd *s = opt->value;
	bool list = arg && !strcmp(arg, "list"), all = !arg || list || !strcmp(arg, "default");
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };

	iostat_release(&s->ports);
	s->ev.ports = NULL;
	if (unset)
		return 0;
	if (iostat_scan(&s->ports, &s->sysroot, all ? NULL : arg, &err)) {
		if (arch_host()->iostat || err.code != -EOPNOTSUPP)
			fprintf(stderr, "%s\n", err.msg);
		else
			fputs("iostat mode is not supported on current platform\n", stderr);
		return -1;
	}
	if (list) {
		iostat_list(&s->ports, &text);
		fputs(strbuf_str(&text), stdout);
		exit(fflush(stdout) ? EXIT_FAILED : 0);
	}
	s->ev.ports = &s->ports;
	s->o.target.all_cpus = true;
	s->o.mode = AGGR_DIE;
	return 0;
}

int opt_compare(const struct option *opt, const char *arg, int unset)
{
	struct err err = { 0 };

	return stat_compare_add(opt->value, arg, &err) ? error_err(&err) : 0;
}

int opt_compare_fail_if(const struct option *opt, const char *arg, int unset)
{
	struct err err = { 0 };

	return compare_limits_add(opt->value, arg, &err) ? error_err(&err) : 0;
}
