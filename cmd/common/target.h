/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is looked at, as the options -p, -t, -u, -a, -C, -G and --for-each-cgroup say it: of every
 * command that opens events. */
#ifndef PERF_CMD_COMMON_TARGET_H
#define PERF_CMD_COMMON_TARGET_H

#include "base/sysroot.h"
#include "cli/options.h"
#include "events/evlist.h"
#include "kernel/target.h"

struct target {
	const char *pids, *tids, *uid, *cpus; /* borrowed from argv; NULL: not given */
	bool all_cpus;
};

/** target_choose - of several kinds of target one counts: forget the others, and say so. Without
 * any it is the whole system. @command: there is one to run */
void target_choose(struct target *t, bool command);
/** target_tasks - is it processes that run already? */
bool target_tasks(const struct target *t);
/** target_system - is it all that runs on some CPUs? */
bool target_system(const struct target *t);
/** target_threads - the threads of -p, -t or -u appended to @out. */
int target_threads(const struct target *t, const struct sysroot *sr, struct int_list *out,
		   struct err *err);

/* What -G adds to. */
struct cgroup_arg {
	struct evlist *evlist;         /* borrowed */
	const struct sysroot *sysroot; /* borrowed */
	size_t nr;                     /* names given by -G so far */
	bool each;                     /* --for-each-cgroup was given */
};

/** opt_cgroup, opt_each_cgroup - option callbacks, opt->value: struct cgroup_arg. */
int opt_cgroup(const struct option *opt, const char *arg, int unset);
int opt_each_cgroup(const struct option *opt, const char *arg, int unset);

#endif
