/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine of `perf script -F metric`: for groups whose members are all read with each sample
 * (:S), it computes metrics from the increases of their counts since the last sample.
 */
#ifndef PERF_SAMPLETEXT_SAMPLE_METRIC_H
#define PERF_SAMPLETEXT_SAMPLE_METRIC_H

#include "sampletext/sample-text.h"

struct sample_metrics;

/**
 * sample_metrics_new - prepare for the events of @l, which is borrowed. sample_metrics_free() frees
 * the result.
 */
struct sample_metrics *sample_metrics_new(const struct evlist *l);
void sample_metrics_free(struct sample_metrics *m);

/**
 * sample_metrics_put - add the values that a sample has for one event, in order. After the last
 * member of the group, the lines with metrics are appended.
 * @comm: name of the thread
 */
void sample_metrics_put(struct sample_metrics *m, struct sample_writer *w, const struct evsel *e,
			const struct sample *s, const char *comm, struct strbuf *out);

#endif
