/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Delays over time as a heat map: how long tasks waited for a CPU, at the time at which they
 * ran. */
#ifndef PERF_SCHEDTEXT_DELAY_MAP_H
#define PERF_SCHEDTEXT_DELAY_MAP_H

#include "analysis/analysis.h"
#include "analyze/sched-latency.h"

struct delay_map;

/** delay_map_new - make an empty map. delay_map_free() frees it. @a: borrowed; its filters choose
 * the tasks */
struct delay_map *delay_map_new(const struct analysis *a);
void delay_map_free(struct delay_map *m);
/** delay_map_add - count a delay of a task. @ready, @ran: since when and until when it waited, in
 * ns */
void delay_map_add(struct delay_map *m, const struct task_at *task, u64 ready, u64 ran);
/** delay_map_watch - count the delays that an engine finds from now on. */
void delay_map_watch(struct delay_map *m, struct sched_latency *l);
/**
 * delay_map_write - write the map as a picture, or as a page if the name ends so.
 * Return: 0, or negative and a sentence.
 */
int delay_map_write(struct delay_map *m, const char *path, struct err *err);

#endif
