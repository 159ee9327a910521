/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf report --pair, --key, --heatmap: latencies of pairs of events, and when samples were. */
#ifndef PERF_CMD_REPORT_HEATMAP_H
#define PERF_CMD_REPORT_HEATMAP_H

#include "base/compat.h"

struct report;

struct report_heatmap {
	const char *file; /* of the picture; NULL: none */
	const char *pair; /* "START,END"; NULL: samples over time */
	const char *key;
};

static inline bool report_heatmap_any(const struct report_heatmap *h)
{
	return h->file || h->pair || h->key;
}

/** report_heatmap_stdout - is the picture all that goes to standard output? */
static inline bool report_heatmap_stdout(const struct report_heatmap *h)
{
	return h->file && !strcmp(h->file, "-");
}

/** report_heatmap - of an open session. Return: 0, or -1 with a message printed. */
int report_heatmap(struct report *rep);

#endif
