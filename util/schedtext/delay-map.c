// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "schedtext/delay-map.h"

#include "base/alloc.h"
#include "export/heatmap.h"

struct delay_map {
	const struct analysis *a;
	struct span_map *spans; /* owned */
};

struct delay_map *delay_map_new(const struct analysis *a)
{
	static const struct span_map_words words = {
		.title = "Delays of tasks",
		.subtitle = "from the time at which a task could run until it ran",
		.what = "delays",
	};
	struct delay_map *m = xzalloc(sizeof(*m));

	m->a = a;
	m->spans = span_map_new(&words);
	return m;
}

void delay_map_free(struct delay_map *m)
{
	if (!m)
		return;
	span_map_free(m->spans);
	free(m);
}

void delay_map_add(struct delay_map *m, const struct task_at *task, u64 ready, u64 ran)
{
	if (task->tid && analysis_wants_task(m->a, task))
		span_map_add(m->spans, ready, ran);
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
	return span_map_write(m->spans, path, err);
}
