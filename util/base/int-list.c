// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "base/int-list.h"

#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>

#define CPU_MAX 65536 /* far above CONFIG_NR_CPUS; limits the memory that a mistyped range costs */

void int_list_add(struct int_list *l, int v)
{
	VEC_GROW(l->v, l->nr + 1, l->cap);
	l->v[l->nr++] = v;
}

void int_list_release(struct int_list *l)
{
	free(l->v);
	memset(l, 0, sizeof(*l));
}

static int cmp_int(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return x < y ? -1 : x > y;
}

void int_list_sort(struct int_list *l)
{
	size_t n = 0;

	if (!l->nr)
		return;
	qsort(l->v, l->nr, sizeof(*l->v), cmp_int);
	for (size_t i = 0; i < l->nr; i++)
		if (!n || l->v[n - 1] != l->v[i])
			l->v[n++] = l->v[i];
	l->nr = n;
}

bool int_list_has(const struct int_list *l, int v)
{
	return l->nr && bsearch(&v, l->v, l->nr, sizeof(*l->v), cmp_int);
}

int list_number(const char **p, long max, long *out)
{
	char *end;

	if (!isdigit((unsigned char)**p))
		return -EINVAL;
	errno = 0;
	*out = strtol(*p, &end, 10);
	if (errno || *out > max)
		return -EINVAL;
	*p = end;
	return 0;
}

int cpu_list_parse(struct int_list *out, const char *p)
{
	size_t most = out->nr + CPU_MAX + 1;

	while (*p && *p != '\n') {
		long first, last;

		if (list_number(&p, CPU_MAX, &first))
			return -EINVAL;
		last = first;
		if (*p == '-') {
			p++;
			if (list_number(&p, CPU_MAX, &last) || last < first)
				return -EINVAL;
		}
		/* a longer list would only repeat the same numbers */
		if ((size_t)(last - first) >= most - out->nr)
			return -EINVAL;
		for (long c = first; c <= last; c++)
			int_list_add(out, (int)c);
		if (*p == ',' && p[1])
			p++;
		else if (*p && *p != '\n')
			return -EINVAL;
	}
	int_list_sort(out);
	return 0;
}
