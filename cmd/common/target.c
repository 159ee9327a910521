// SPDX-License-Identifier: GPL-2.0-or-later
/* What is looked at: processes, users, CPUs, control groups. */
#include "base/compat.h"
#include "cmd/common/target.h"

#include "kernel/cgroup.h"

#include <errno.h>
#include <stdio.h>

static void overriding(const char *what)
{
	fprintf(stderr, "Warning:\n%s\n", what);
}

bool target_tasks(const struct target *t)
{
	return t->pids || t->tids || t->uid;
}

bool target_system(const struct target *t)
{
	return (t->all_cpus || t->cpus) && !target_tasks(t);
}

void target_choose(struct target *t, bool command)
{
	if (t->pids && t->tids)
		t->tids = NULL;
	if (t->pids || t->tids) {
		if (t->cpus)
			overriding("PID/TID switch overriding CPU");
		if (t->uid)
			overriding("PID/TID switch overriding UID");
		if (t->all_cpus)
			overriding("PID/TID switch overriding SYSTEM");
		t->uid = NULL;
	} else if (t->uid) {
		if (t->cpus)
			overriding("UID switch overriding CPU");
		if (t->all_cpus)
			overriding("UID switch overriding SYSTEM");
	} else {
		if (!command && !t->cpus)
			t->all_cpus = true;
		return;
	}
	t->all_cpus = false;
	t->cpus = NULL;
}

int target_threads(const struct target *t, const struct sysroot *sr, struct int_list *out,
		   struct err *err)
{
	unsigned int uid;

	if (t->pids)
		return thread_list_pids(sr, t->pids, out, err);
	if (t->tids)
		return thread_list_tids(sr, t->tids, out, err);
	if (t->uid)
		return user_parse(t->uid, &uid, err) ?: thread_list_uid(sr, uid, out, err);
	return 0;
}

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
