/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is recorded: CPUs and threads, as lists. */
#ifndef PERF_KERNEL_TARGET_H
#define PERF_KERNEL_TARGET_H

#include "base/err.h"
#include "base/sysroot.h"

struct int_list {
	int *v; /* owned */
	size_t nr, cap;
};

/** int_list_add - append. */
void int_list_add(struct int_list *l, int v);
/** int_list_release - free the contents. */
void int_list_release(struct int_list *l);

/** cpu_list_parse - "0-3,7" (as in sysfs and -C) to a sorted list without doubles. Return: 0 or
 * -EINVAL. */
int cpu_list_parse(struct int_list *out, const char *text);
/** cpu_list_online - the CPUs that are online. Return: 0 or negative errno. */
int cpu_list_online(const struct sysroot *sr, struct int_list *out, struct err *err);
/** cpu_list_target - the CPUs of a -C argument, each checked to be online. */
int cpu_list_target(const struct sysroot *sr, const char *text, struct int_list *out,
		    struct err *err);

/** thread_list_pids - all threads of the processes in a -p argument ("12,34"). A process that is
 * gone is an error. */
int thread_list_pids(const struct sysroot *sr, const char *text, struct int_list *out,
		     struct err *err);
/** thread_list_tids - the threads of a -t argument. */
int thread_list_tids(const struct sysroot *sr, const char *text, struct int_list *out,
		     struct err *err);

#endif
