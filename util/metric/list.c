// SPDX-License-Identifier: GPL-2.0-or-later
/* List metrics and groups: built-in ones, and those of files, which may redefine them. */
#include "base/compat.h"
#include "metric/metric.h"

#include "base/alloc.h"

/* A walk over the metrics of @t and the built-in ones, both of which are sorted. */
struct walk {
	const struct vendor_metric *a, *a_end, *b, *b_end;
};

static struct walk walk_start(const struct vendor_table *t)
{
	size_t nr;
	const struct vendor_metric *b = metric_builtins(&nr);
	const struct vendor_metric *a = t ? t->metrics : NULL;

	return (struct walk){ a, a ? a + t->nr_metrics : NULL, b, b + nr };
}

static const struct vendor_metric *walk_next(struct walk *w)
{
	int d;

	if (w->b == w->b_end)
		return w->a == w->a_end ? NULL : w->a++;
	if (w->a == w->a_end)
		return w->b++;
	d = strcasecmp(w->a->name, w->b->name);
	if (d > 0)
		return w->b++;
	if (!d && (w->a + 1 == w->a_end || strcasecmp(w->a[1].name, w->b->name)))
		w->b++; /* now at the last of those that redefine it */
	return w->a++;
}

int metric_each(const struct vendor_table *t, int (*fn)(void *ctx, const struct vendor_metric *m),
		void *ctx)
{
	struct walk w = walk_start(t);
	const struct vendor_metric *m;
	int rc = 0;

	while (!rc && (m = walk_next(&w)))
		rc = fn(ctx, m);
	return rc;
}

static const struct vendor_metric *find(const struct vendor_metric *v, size_t nr, const char *name)
{
	size_t lo = 0, hi = nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (strcasecmp(v[mid].name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < nr && !strcasecmp(v[lo].name, name) ? &v[lo] : NULL;
}

const struct vendor_metric *metric_find(const struct vendor_table *t, const char *name)
{
	const struct vendor_metric *m = t ? find(t->metrics, t->nr_metrics, name) : NULL;
	size_t nr;
	const struct vendor_metric *b = metric_builtins(&nr);

	return m ? m : find(b, nr, name);
}

/* Return the next group of a list "A;B; C". @len: its length, 0 at the end */
static const char *next_group(const char **p, size_t *len)
{
	const char *from;

	if (!*p)
		*p = "";
	do {
		from = *p + strspn(*p, "; ");
		*len = strcspn(from, ";");
		*p = from + *len;
		while (*len && from[*len - 1] == ' ')
			(*len)--;
	} while (!*len && **p);
	return from;
}

bool metric_in_group(const struct vendor_metric *m, const char *group, size_t len)
{
	const char *p = m->groups, *g;
	size_t n;

	while (g = next_group(&p, &n), n)
		if (n == len && !strncasecmp(g, group, n))
			return true;
	return false;
}

/* --- groups --------------------------------------------------------------------- */

struct names {
	char **v;
	size_t nr, cap;
};

static int add_groups(void *ctx, const struct vendor_metric *m)
{
	struct names *names = ctx;
	const char *p = m->groups, *g;
	size_t n;

	while (g = next_group(&p, &n), n) {
		VEC_GROW(names->v, names->nr + 1, names->cap);
		names->v[names->nr++] = xstrndup(g, n);
	}
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcasecmp(*(char *const *)a, *(char *const *)b);
}

static const char *group_desc(const struct vendor_table *t, const char *group)
{
	for (size_t i = 0; t && i < t->nr_groups; i++)
		if (!strcasecmp(t->groups[i].name, group))
			return t->groups[i].desc;
	return NULL;
}

int metric_group_each(const struct vendor_table *t,
		      int (*fn)(void *ctx, const char *group, const char *desc), void *ctx)
{
	struct names names = { 0 };
	int rc = 0;

	metric_each(t, add_groups, &names);
	if (names.nr)
		qsort(names.v, names.nr, sizeof(*names.v), by_name);
	for (size_t i = 0; i < names.nr; i++) {
		if (!rc && (!i || strcasecmp(names.v[i], names.v[i - 1])))
			rc = fn(ctx, names.v[i], group_desc(t, names.v[i]));
	}
	for (size_t i = 0; i < names.nr; i++)
		free(names.v[i]);
	free(names.v);
	return rc;
}
