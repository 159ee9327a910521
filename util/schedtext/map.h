/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The map of what runs on each CPU as text. */
#ifndef PERF_SCHEDTEXT_MAP_H
#define PERF_SCHEDTEXT_MAP_H

#include "analyze/sched-map.h"
#include "base/int-list.h"

struct sched_map_show {
	struct int_list cpus;                   /* these have columns; empty: all */
	struct int_list color_cpus, color_pids; /* these are highlighted */
	bool compact;                           /* CPUs without a switch have no column */
	bool color;
	u32 nr_cpus;                                           /* of the recorded machine */
	int (*write)(void *ctx, const char *text, size_t len); /* takes the text in pieces */
	void *ctx;
};

struct sched_map_text;

/** sched_map_text_new - prepare; sched_map_text_free() frees it. @show: borrowed */
struct sched_map_text *sched_map_text_new(const struct sched_map_show *show);
void sched_map_text_free(struct sched_map_text *t);
/** sched_map_row - write a row; of struct sched_map_conf. @ctx: a struct sched_map_text */
void sched_map_row(void *ctx, const struct sched_map_row *row);
/** sched_map_end - hand on the rest of the text. */
void sched_map_end(struct sched_map_text *t);

#endif
