/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control groups that events are restricted to: where they are, and which event belongs to which.
 */
#ifndef PERF_KERNEL_CGROUP_H
#define PERF_KERNEL_CGROUP_H

#include "base/err.h"
#include "base/sysroot.h"
#include "events/evlist.h"

/**
 * cgroup_mount - append to @out the mount point of the hierarchy that events can be restricted to:
 * that of version 1 with the controller perf_event if there is one, otherwise that of version 2.
 * @v2: only version 2 will do
 * Return: 0, -ENOENT when there is none, or another negative errno.
 */
int cgroup_mount(const struct sysroot *sr, bool v2, struct strbuf *out);
/**
 * cgroup_open - open the directory of the control group @name, a path below the mount point.
 * Return: a descriptor, which the caller closes, or a negative errno and a sentence.
 */
int cgroup_open(const struct sysroot *sr, const char *name, struct err *err);

/**
 * evlist_set_cgroups - assign the groups of one -G argument to the events. The first name is for
 * the first event that no earlier -G has covered, and so on; an empty name stands for no group. If
 * there is only a single name in all, it is for all events.
 * @given: the number of names so far, 0 at first; the function updates it
 * Return: 0, or a negative errno and a sentence.
 */
int evlist_set_cgroups(struct evlist *l, const struct sysroot *sr, const char *text, size_t *given,
		       struct err *err);
/**
 * evlist_for_each_cgroup - replace the events by copies for each of several groups. The names of
 * the copies end in a comma and the group.
 * @text: names separated by commas, used in this order. If it has a special character, the
 *	parts are basic regular expressions and wildcards, which are compared with the paths
 *	below the mount point.
 * Return: 0, or a negative errno and a sentence.
 */
int evlist_for_each_cgroup(struct evlist *l, const struct sysroot *sr, const char *text,
			   struct err *err);

#endif
