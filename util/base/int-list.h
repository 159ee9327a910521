/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions handle lists of integers: CPUs, threads, file descriptors. */
#ifndef PERF_BASE_INT_LIST_H
#define PERF_BASE_INT_LIST_H

#include "base/compat.h"

struct int_list {
	int *v; /* owned */
	size_t nr, cap;
};

/** int_list_add - append @v. */
void int_list_add(struct int_list *l, int v);
/** int_list_sort - sort the list and remove duplicates. */
void int_list_sort(struct int_list *l);
/** int_list_has - tell whether @v is in a sorted list. */
bool int_list_has(const struct int_list *l, int v);
/** int_list_release - free the list; it is empty afterwards. */
void int_list_release(struct int_list *l);

/**
 * cpu_list_parse - parse a list of CPUs such as "0-3,7" (the syntax of sysfs and of -C) into a
 * sorted list without duplicates. Return: 0, or -EINVAL, and then @out has what stands before the
 * fault.
 */
int cpu_list_parse(struct int_list *out, const char *text);

/**
 * list_number - parse the decimal number at *@p and advance *@p beyond it. Return: 0, or -EINVAL
 * when there is no number or it exceeds @max.
 */
int list_number(const char **p, long max, long *out);

#endif
