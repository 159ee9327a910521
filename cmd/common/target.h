/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options -G and --for-each-cgroup of every command that opens events. */
#ifndef PERF_CMD_COMMON_TARGET_H
#define PERF_CMD_COMMON_TARGET_H

#include "base/sysroot.h"
#include "cli/options.h"
#include "events/evlist.h"
#include "kernel/target.h"

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
