// SPDX-License-Identifier: GPL-2.0-or-later
/* Keep counts, their increases, and their deviation. */
#include "base/compat.h"
#include "stat/counts.h"

#include "base/alloc.h"

#include <math.h>

static size_t nr_places(const struct counts *c)
{
	return c->nr_evsels * c->nr_cpus * c->nr_threads;
}

void counts_init(struct counts *c, size_t nr_evsels, size_t nr_cpus, size_t nr_threads)
{
	*c = (struct counts){ .nr_evsels = nr_evsels,
			      .nr_cpus = nr_cpus,
			      .nr_threads = nr_threads };
	c->now = xcalloc(nr_places(c), sizeof(*c->now));
	c->before = xcalloc(nr_places(c), sizeof(*c->before));
	c->there = xcalloc(nr_places(c), sizeof(*c->there));
}

void counts_release(struct counts *c)
{
	free(c->now);
	free(c->before);
	free(c->there);
	memset(c, 0, sizeof(*c));
}

struct count counts_since(const struct counts *c, size_t index)
{
	const struct count *now = &c->now[index], *before = &c->before[index];

	return (struct count){ .val = now->val - before->val,
			       .enabled = now->enabled - before->enabled,
			       .running = now->running - before->running };
}

void counts_mark(struct counts *c)
{
	memcpy(c->before, c->now, nr_places(c) * sizeof(*c->now));
}

void counts_unmark(struct counts *c)
{
	memset(c->before, 0, nr_places(c) * sizeof(*c->before));
}

void counts_clear(struct counts *c)
{
	counts_unmark(c);
	memset(c->now, 0, nr_places(c) * sizeof(*c->now));
	memset(c->there, 0, nr_places(c) * sizeof(*c->there));
}

void spread_add(struct spread *s, double v)
{
	double away = v - s->mean;

	s->min = s->nr ? fmin(s->min, v) : v;
	s->max = s->nr ? fmax(s->max, v) : v;
	s->nr++;
	s->mean += away / (double)s->nr;
	s->m2 += away * (v - s->mean);
}

double spread_error(const struct spread *s)
{
	return s->nr < 2 ? 0 : sqrt(s->m2 / (double)(s->nr - 1) / (double)s->nr);
}

double spread_percent(const struct spread *s)
{
	return s->mean == 0 ? 0 : 100 * spread_error(s) / s->mean;
}
