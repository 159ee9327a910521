/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latencies of instructions that retire, from samples: events with the modifier R are not counted
 * but sampled beside those that are. The functions here make no system calls. */
#ifndef PERF_STATRUN_RETIRE_H
#define PERF_STATRUN_RETIRE_H

#include "base/err.h"
#include "events/evlist.h"

/* The number that stands for all samples of an event. */
enum retire_mode { RETIRE_DEFAULT, RETIRE_MEAN, RETIRE_MIN, RETIRE_MAX, RETIRE_LAST };

/* The latencies of one event, in cycles. Starts zeroed. */
struct retire_latency {
	u64 nr, sum;
	u64 last_time; /* of the sample that @last is from */
	u16 min, max, last;
};

/** retire_mode_parse - read "mean", "min", "max" or "last". Return: 0, or -EINVAL and a sentence. */
int retire_mode_parse(enum retire_mode *mode, const char *text, struct err *err);
/**
 * retire_take - add the samples among records, of which the last one may be cut off. A sample has
 * the latency in var3_w of its PERF_SAMPLE_WEIGHT_STRUCT.
 * @l: the events that were sampled, indexed by ids
 * @v: the latencies of each of them
 */
void retire_take(struct retire_latency *v, const struct evlist *l, const void *data, size_t len);
/**
 * retire_remark - tell in a sentence of those events all samples of which have a latency of 0, as
 * those of PMUs have that sample precisely, but do not measure it.
 * @l: the events of @v
 * Return: false when there is none, and nothing is appended.
 */
bool retire_remark(struct strbuf *out, const struct retire_latency *v, const struct evlist *l);
/** retire_value - return the number that stands for the samples, rounded; 0 when there are none. */
u64 retire_value(const struct retire_latency *v, enum retire_mode mode);
/** retire_configure - make an event one that is sampled for its latency, as often as its terms say
 * or else at a usual rate. It stays off until it is enabled. */
void retire_configure(struct evsel *e, bool inherit, bool enable_on_exec);

#endif
