// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "stat/compare-limits.h"

#include "base/alloc.h"

#include <errno.h>

int compare_limits_add(struct compare_limits *c, const char *text, struct err *err)
{
	const char *colon = strrchr(text, ':');
	struct compare_limit l = { 0 };
	int rc = limit_parse(&l.limit, colon ? colon + 1 : text, err);

	if (rc)
		return rc;
	if (colon)
		l.event = xstrndup(text, (size_t)(colon - text));
	VEC_GROW(c->v, c->nr + 1, c->cap);
	c->v[c->nr++] = l;
	return 0;
}

static bool has_event(const struct compare_table *t, const char *event)
{
	for (size_t i = 0; i < t->nr_rows; i++)
		if (!strcmp(t->rows[i].name, event))
			return true;
	return false;
}

int compare_limits_check(const struct compare_limits *c, const struct compare_table *t,
			 struct err *err)
{
	for (size_t i = 0; i < c->nr; i++) {
		const char *event = c->v[i].event;

		if (event && !has_event(t, event))
			return err_set(err, -EINVAL, "--fail-if: '%s' is not counted", event);
	}
	return 0;
}

static bool is_over(const struct compare_limit *l, const struct compare_table *t,
		    const struct compare_row *row, size_t k, struct strbuf *out)
{
	struct ratio r = compare_ratio(t, row, k);

	if ((l->event && strcmp(l->event, row->name)) || !r.differs ||
	    !limit_passed(&l->limit, (r.value - 1) * 100))
		return false;
	strbuf_addf(out, "%s: %.6g -> %.6g (%+.2f%%) in '%s': more than %g%% and than chance\n",
		    row->name, row->of[0].mean, row->of[k].mean, (r.value - 1) * 100,
		    t->commands[k], l->limit.percent);
	return true;
}

bool compare_limits_passed(const struct compare_limits *c, const struct compare_table *t,
			   struct strbuf *out)
{
	bool any = false;

	for (size_t n = 0; n < c->nr; n++)
		for (size_t i = 0; i < t->nr_rows; i++)
			for (size_t k = 1; k < t->nr_commands; k++)
				any |= is_over(&c->v[n], t, &t->rows[i], k, out);
	return any;
}

void compare_limits_release(struct compare_limits *c)
{
	for (size_t i = 0; i < c->nr; i++)
		free(c->v[i].event);
	free(c->v);
	*c = (struct compare_limits){ 0 };
}
