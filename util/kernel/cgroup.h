/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Control groups that events are restricted to: where they are, and which event is for which. */
#ifndef PERF_KERNEL_CGROUP_H
#define PERF_KERNEL_CGROUP_H

#include "base/err.h"
#include "base/sysroot.h"
#include "events/evlist.h"

/**
 * cgroup_mount - append to @out where the hierarchy is mounted that events can be restricted to:
 * that of version 1 with the controller perf_event when there is one, else that of version 2.
 * @v2: only the latter will do. Return: 0, -ENOENT without one, or another negative errno.
 */
int cgroup_mount(const struct sysroot *sr, bool v2, struct strbuf *out);
/** cgroup_open - the directory of the control group @name, below the mount. Return: a descriptor of
 * the caller's, or negative errno and a sentence. */
int cgroup_open(const struct sysroot *sr, const char *name, struct err *err);

/**
 * evlist_set_cgroups - give the events the groups of one -G argument.
 * The first name is for the first event that no -G before has given one, and so on; an empty name
 * stands for no group. The only name of all is for all events there are.
 * @given: how many names there were so far, 0 at first; counted on
 * Return: 0, or negative errno and a sentence
 */
int evlist_set_cgroups(struct evlist *l, const struct sysroot *sr, const char *text, size_t *given,
		       struct err *err);
/**
 * evlist_for_each_cgroup - replace the events by copies of them for each of several groups.
 * @text: names separated by commas, in this order; or, when there is a special character in it,
 * basic regular expressions and wildcards that the path below the mount must match.
 * The copies' names end in a comma and the group. Return: 0, or negative errno and a sentence.
 */
int evlist_for_each_cgroup(struct evlist *l, const struct sysroot *sr, const char *text,
			   struct err *err);

#endif
