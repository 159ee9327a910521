// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists of the events that there are. */
#include "base/compat.h"
#include "probe/event-list.h"

#include "base/alloc.h"
#include "base/lines.h"

static int by_name(const void *a, const void *b)
{
	const struct probe_line *x = a, *y = b;
	int order = strcmp(x->group, y->group);

	if (!order)
		order = strcmp(x->event, y->event);
	if (!order)
		order = (x->offset > y->offset) - (x->offset < y->offset);
	return order;
}

void probe_lines_parse(struct probe_lines *out, const char *text, size_t len, bool user)
{
	const char *p = text, *end = text + len;
	size_t before = out->nr;
	struct line l;

	while (next_line(&p, end, &l)) {
		VEC_GROW(out->v, out->nr + 1, out->cap);
		if (probe_line_parse(&out->v[out->nr], l.p, (size_t)(l.end - l.p), user))
			out->nr++;
		else
			probe_line_release(&out->v[out->nr]);
	}
	if (out->nr > before)
		qsort(out->v + before, out->nr - before, sizeof(*out->v), by_name);
}

void probe_lines_release(struct probe_lines *l)
{
	for (size_t i = 0; i < l->nr; i++)
		probe_line_release(&l->v[i]);
	free(l->v);
	*l = (struct probe_lines){ 0 };
}

bool probe_line_passes(const struct probe_line *l, const struct name_filter *f, bool whole)
{
	char *name = whole ? xasprintf("%s:%s", l->group, l->event) : xstrdup(l->event);
	bool is = name_filter_matches(f, name);

	free(name);
	return is;
}

bool probe_lines_again(const struct probe_lines *all, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(all->v[k].event, all->v[i].event) &&
		    !strcmp(all->v[k].group, all->v[i].group))
			return true;
	return false;
}
