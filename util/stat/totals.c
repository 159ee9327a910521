// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "stat/totals.h"

#include "base/alloc.h"

#include <math.h>

static size_t nr_values(const struct stat_result *r)
{
	return r->evlist->nr * r->ids->nr;
}

static void make_room(struct stat_totals *t, const struct stat_result *r)
{
	if (t->now)
		return;
	t->now = xcalloc(MAX(nr_values(r), (size_t)1), sizeof(*t->now));
	t->before = xcalloc(MAX(nr_values(r), (size_t)1), sizeof(*t->before));
}

void totals_take(struct stat_totals *t, struct stat_result *r)
{
	make_room(t, r);
	for (size_t i = 0; i < nr_values(r); i++) {
		struct stat_total *now = &t->now[i];
		const struct stat_total *before = &t->before[i];
		struct stat_value *v = &r->v[i];

		now->enabled = MAX(now->enabled, before->enabled + v->enabled);
		now->running = MAX(now->running, before->running + v->running);
		now->val = r->evlist->evsels[i / r->ids->nr]->snapshot
				   ? v->val
				   : fmax(now->val, before->val + v->val);
		v->val = now->val;
		v->enabled = now->enabled;
		v->running = now->running;
	}
}

void totals_next_run(struct stat_totals *t, const struct stat_result *r)
{
	make_room(t, r);
	memcpy(t->before, t->now, nr_values(r) * sizeof(*t->now));
}

void totals_release(struct stat_totals *t)
{
	free(t->now);
	free(t->before);
	memset(t, 0, sizeof(*t));
}
