/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_LINES_LINES_INTERNAL_H
#define PERF_LINES_LINES_INTERNAL_H

#include "lines/lines.h"

/* The rows of one thread, and a table by which they are found. */
#define LINES_AHEAD 16 /* accesses whose places in the table are fetched while others are counted */

/* An access that is not yet counted. */
struct line_ahead {
	struct line_row row;
	u64 hash;
};

struct clines_worker {
	const struct clines *l;               /* borrowed */
	struct line_ahead ahead[LINES_AHEAD]; /* the last accesses; a ring */
	u64 added;
	struct line_row *rows;
	size_t nr, cap;
	u64 *slots; /* open addressing: a hash, and a row + 1; 0: free */
	size_t mask;
};

struct clines {
	struct clines_conf conf;
	struct clines_worker **workers; /* owned */
	size_t nr_workers, cap_workers;
	struct line_counts counts;
	struct line_row *rows;
	size_t nr_rows;
	struct line *lines;
	size_t nr_lines, cap_lines;
	struct line_entry *entries;
	size_t nr_entries, cap_entries;
};

/** clines_worker_free - free a worker with its rows. */
void clines_worker_free(struct clines_worker *w);

/** clines_worker_flush - count the accesses that are not yet counted. */
void clines_worker_flush(struct clines_worker *w);

#endif
