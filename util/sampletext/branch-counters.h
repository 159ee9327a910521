/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Branch counters. For each branch of a branch stack the processor may have counted events of the
 * group between it and the branch before. The counts of all events share one word. The capabilities
 * of the PMU in the header of the recording say how many bits each has.
 */
#ifndef PERF_SAMPLETEXT_BRANCH_COUNTERS_H
#define PERF_SAMPLETEXT_BRANCH_COUNTERS_H

#include "base/strbuf.h"
#include "events/evlist.h"
#include "file/reader.h"

struct branch_counters {
	const struct evlist *evlist; /* borrowed */
	u32 width;                   /* bits of a count; 0: unknown */
	bool names; /* show names of events and numbers; otherwise a letter for each count */
};

/**
 * branch_counters_init - read the width from the header of @f; for a pipe, from what was read of it
 * so far.
 */
void branch_counters_init(struct branch_counters *bc, const struct perf_file *f,
			  const struct evlist *evlist);
/** branch_counters_recorded - tell whether the event was recorded with branch counters. */
bool branch_counters_recorded(const struct evsel *e);
/** branch_counters_legend - append the letters of the events, as lines that begin with #. */
void branch_counters_legend(const struct branch_counters *bc, struct strbuf *out);
/**
 * branch_counters_put - append the counts in @word of a sample of @e: "AAB", or "-" when all are 0,
 * with a "+" after a count that may have overflowed. The word is shown as it is when the width of a
 * count is unknown.
 */
void branch_counters_put(const struct branch_counters *bc, const struct evsel *e, u64 word,
			 struct strbuf *out);

#endif
