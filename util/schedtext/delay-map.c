// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "schedtext/delay-map.h"

#include "analyze/pair.h"
#include "base/alloc.h"
#include "export/heatmap.h"

#define COLUMNS 120
#define STEP 1000000 /* ns of a column at first */

struct delay_map {
	const struct analysis *a;
	struct pairs *pairs;
	u64 first; /* when the first delay began */
};

struct delay_map *delay_map_new(const struct analysis *a)
{
	struct delay_map *m = xzalloc(sizeof(*m));

	m->a = a;
	m->first = UINT64_MAX;
	m->pairs = pairs_new(1, COLUMNS, GRID_BEGIN, STEP);
	return m;
}

void delay_map_free(struct delay_map *m)
{
	if (!m)
		return;
	pairs_free(m->pairs);
	free(m);
}

void delay_map_add(struct delay_map *m, const struct task_at *task, u64 ready, u64 ran)
{
	if (!task->tid || !analysis_wants_task(m->a, task))
		return;
	m->first = MIN(m->first, ready);
	pairs_add(m->pairs, ready, ran);
}

static void on_delay(void *ctx, const struct task_at *task, u64 ready, u64 ran)
{
	delay_map_add(ctx, task, ready, ran);
}

void delay_map_watch(struct delay_map *m, struct sched_latency *l)
{
	sched_latency_watch(l, on_delay, m);
}

int delay_map_write(struct delay_map *m, const char *path, struct err *err)
{
	const struct heatmap_conf map = {
		.title = "Delays of tasks",
		.subtitle = "from the time at which a task could run until it ran",
		.grid = &pairs_result(m->pairs)->grid,
		.pairs = m->pairs,
		.what = "delays",
		.begin = m->first,
	};

	return heatmap_write(&map, 1, path, err);
}
