// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat: what single options do. */
#include "base/compat.h"
#include "cmd/common/message.h"
#include "cmd/stat/stat.h"

#include "arch/arch.h"
#include "base/alloc.h"

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
	s->ev.each_cgroup = arg;
	return 0;
}

int opt_per_cache(const struct option *opt, const char *arg, int unset)
{
	struct stat_cmd *s = opt->value;
	const char *level = arg && (*arg == 'L' || *arg == 'l') ? arg + 1 : arg;

	if (unset)
		return -1;
	s->o.mode = AGGR_CACHE;
	s->o.cache_level = 0;
	if (!level)
		return 0;
	if (*level < '1' || *level > '9' || level[1]) {
		fprintf(stderr, "'%s' is no level of caches: L1 to L9, as in --per-cache=L2.\n",
			arg);
		return -1;
	}
	s->o.cache_level = *level - '0';
	return 0;
}

int opt_iostat(const struct option *opt, const char *arg, int unset)
{
	(void)opt;
	(void)arg;
	if (!unset)
		fputs(arch_host()->iostat ? "Unsupported uncore pmu configuration\n"
					  : "iostat mode is not supported on current platform\n",
		      stderr);
	return -1;
}

int compare_add(struct stat_compare_options *c, const char *command)
{
	if (c->nr == COMPARE_MOST) {
		fprintf(stderr, "no more than %d commands can be compared\n", COMPARE_MOST);
		return -1;
	}
	if (!command[strspn(command, " \t\n")]) {
		fputs("--compare: a command is empty\n", stderr);
		return -1;
	}
	c->commands[c->nr++] = (char *)(uintptr_t)command;
	return 0;
}

int opt_compare(const struct option *opt, const char *arg, int unset)
{
	return compare_add(opt->value, arg);
}

int opt_compare_fail_if(const struct option *opt, const char *arg, int unset)
{
	struct compare_limits *c = opt->value;
	const char *colon = strrchr(arg, ':');
	struct compare_limit l = { 0 };
	struct err err = { 0 };

	if (limit_parse(&l.limit, colon ? colon + 1 : arg, &err))
		return error_err(&err);
	if (colon)
		l.event = xstrndup(arg, (size_t)(colon - arg));
	VEC_GROW(c->v, c->nr + 1, c->cap);
	c->v[c->nr++] = l;
	return 0;
}
