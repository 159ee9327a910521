// SPDX-License-Identifier: GPL-2.0-or-later
/* The options for control groups. */
#include "base/compat.h"
#include "cmd/common/target.h"

#include "kernel/cgroup.h"

#include <errno.h>
#include <stdio.h>

static int refuse(const char *sentence)
{
	fprintf(stderr, "%s\n", sentence);
	return -1;
}

#define BOTH "--cgroup and --for-each-cgroup cannot be used together"

int opt_cgroup(const struct option *opt, const char *arg, int unset)
{
	struct cgroup_arg *a = opt->value;
	struct err err = { 0 };

	if (unset)
		return -1;
	if (a->each)
		return refuse(BOTH);
	return evlist_set_cgroups(a->evlist, a->sysroot, arg, &a->nr, &err) ? refuse(err.msg) : 0;
}

int opt_each_cgroup(const struct option *opt, const char *arg, int unset)
{
	struct cgroup_arg *a = opt->value;
	struct err err = { 0 };

	if (unset)
		return -1;
	if (a->nr)
		return refuse(BOTH);
	a->each = true;
	return evlist_for_each_cgroup(a->evlist, a->sysroot, arg, &err) ? refuse(err.msg) : 0;
}
