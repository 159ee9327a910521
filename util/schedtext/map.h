/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The map of what runs on each CPU as text. */
#ifndef PERF_SCHEDTEXT_MAP_H
#define PERF_SCHEDTEXT_MAP_H

#include "analysis/analysis.h"
#include "analyze/sched-events.h"
#include "base/int-list.h"
#include "base/name-list.h"

struct sched_map_show {
	struct int_list cpus;                   /* these have columns; empty: all */
	struct int_list color_cpus, color_pids; /* these are highlighted */
	struct name_list names;                 /* only switches from and to these tasks */
	bool fuzzy;                             /* these are parts of names */
	bool some_tasks;                        /* the recording's filters leave some out */
	bool compact;                           /* CPUs without a switch have no column */
	bool color;
	u32 nr_cpus;                                           /* of the recorded machine */
	int (*write)(void *ctx, const char *text, size_t len); /* takes the text in pieces */
	/* Takes back all text, and tells whether it could; NULL: it cannot, so the file is read
	 * twice. */
	bool (*take_back)(void *ctx);
	void *ctx;
};

/**
 * sched_map_run - read the recording and write its map.
 * @counts: gets the counts of what does not fit together
 * Return: 0, or negative and a sentence, as analysis_run().
 */
int sched_map_run(const struct sched_map_show *show, struct analysis *a,
		  struct sched_counts *counts, struct err *err);

#endif
