// SPDX-License-Identifier: GPL-2.0-or-later
/* numa mem: lists of CPUs and nodes, an element for each task. */
#include "base/compat.h"
#include "bench/numa-internal.h"

#include <errno.h>

#define MOST_NUMBER 65535

/* Read a number behind @mark, if that is there; *@v stays otherwise. */
static int read_after(const char **p, char mark, long *v)
{
	if (**p != mark)
		return 0;
	(*p)++;
	return list_number(p, MOST_NUMBER, v);
}

int numa_list_parse(struct int_list *out, const char *text)
{
	const char *p = text;
	long first, last, step, times, i, n;

	for (;; p++) {
		step = times = 1;
		if (list_number(&p, MOST_NUMBER, &first))
			return -EINVAL;
		last = first;
		if (read_after(&p, '-', &last) || read_after(&p, '#', &step) ||
		    read_after(&p, 'x', &times) || last < first || !step || !times)
			return -EINVAL;
		for (i = first; i <= last; i += step)
			for (n = 0; n < times && out->nr < NUMA_MOST_TASKS; n++)
				int_list_add(out, (int)i);
		if (!*p)
			return 0;
		if (*p != ',')
			return -EINVAL;
	}
}
