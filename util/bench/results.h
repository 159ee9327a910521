/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Benchmarks measure figures, which have means and errors over several runs. They are written as
 * JSON, read back from it, and compared with an earlier run.
 */
#ifndef PERF_BENCH_RESULTS_H
#define PERF_BENCH_RESULTS_H

#include "base/err.h"
#include "base/strbuf.h"
#include "stat/counts.h"

/* A figure of a benchmark. */
struct bench_figure {
	char *of;   /* owned; "sched/pipe" */
	char *name; /* owned; "time per operation" */
	char *unit; /* owned; "usecs" */
	bool more_is_better;
	struct spread values; /* one of each run */
};

struct bench_results {
	struct bench_figure *v; /* owned; in the order in which they were first added */
	size_t nr, cap;
};

/**
 * bench_results_figure - return a figure, which is added when it is not there. It stays where it is
 * until the next one is added.
 */
struct bench_figure *bench_results_figure(struct bench_results *r, const char *of, const char *name,
					  const char *unit, bool more_is_better);
/** bench_results_find - return a figure, or NULL. It stays where it is until one is added. */
const struct bench_figure *bench_results_find(const struct bench_results *r, const char *of,
					      const char *name);
/** bench_results_release - free the figures. */
void bench_results_release(struct bench_results *r);
/** bench_results_text - append a line for each figure of @of that has several runs. */
void bench_results_text(const struct bench_results *r, const char *of, struct strbuf *out);
/** bench_results_json - append all as one JSON object, with a newline at its end. */
void bench_results_json(const struct bench_results *r, struct strbuf *out);
/**
 * bench_results_parse - read what bench_results_json() wrote.
 * @what: the name of the file, for the sentence
 * Return: 0, or a negative errno and a sentence, and then nothing is to be released.
 */
int bench_results_parse(struct bench_results *r, const char *text, size_t len, const char *what,
			struct err *err);
/**
 * bench_compare - append how each figure differs from that of an earlier run: both means, the
 * difference in percent with its standard error, and what that means. A difference counts when it
 * is more than twice its error.
 * @worse: receives the largest percentage by which a figure is worse; 0: none is
 */
void bench_compare(const struct bench_results *before, const struct bench_results *now,
		   struct strbuf *out, double *worse);

#endif
