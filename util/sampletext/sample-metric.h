/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `perf script -F metric` shows: of groups whose members are all read with each sample (:S),
 * what their counts since the sample before mean beside each other. */
#ifndef PERF_SAMPLETEXT_SAMPLE_METRIC_H
#define PERF_SAMPLETEXT_SAMPLE_METRIC_H

#include "sampletext/sample-text.h"

struct sample_metrics;

/** sample_metrics_new - of the events of @l, which is borrowed. Free with sample_metrics_free(). */
struct sample_metrics *sample_metrics_new(const struct evlist *l);
void sample_metrics_free(struct sample_metrics *m);

/**
 * sample_metrics_put - take in the part that a sample has for one event, in order; behind the last
 * member of the group append the lines.
 * @comm: of the thread
 */
void sample_metrics_put(struct sample_metrics *m, struct sample_writer *w, const struct evsel *e,
			const struct sample *s, const char *comm, struct strbuf *out);

#endif
