/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of numbers: CPUs, threads, descriptors. */
#ifndef PERF_BASE_INT_LIST_H
#define PERF_BASE_INT_LIST_H

#include "base/compat.h"

struct int_list {
	int *v; /* owned */
	size_t nr, cap;
};

/** int_list_add - append. */
void int_list_add(struct int_list *l, int v);
/** int_list_sort - in order, without doubles. */
void int_list_sort(struct int_list *l);
/** int_list_has - is @v in a sorted list? */
bool int_list_has(const struct int_list *l, int v);
/** int_list_release - free the contents. */
void int_list_release(struct int_list *l);

/** cpu_list_parse - "0-3,7" (as in sysfs and -C) to a sorted list without doubles. Return: 0 or
 * -EINVAL: what came before the fault is in the list. */
int cpu_list_parse(struct int_list *out, const char *text);

/** list_number - the decimal number at *@p, which goes behind it. Return: 0; -EINVAL: no number, or
 * more than @max. */
int list_number(const char **p, long max, long *out);

#endif
