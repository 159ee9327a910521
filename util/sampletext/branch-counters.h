/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Branch counters: beside each branch of a branch stack the processor may have counted events of
 * the group that were between it and the branch before. The counts of all share one word; how many
 * bits each has is told by the capabilities of the PMU, in the header of the recording.
 */
#ifndef PERF_SAMPLETEXT_BRANCH_COUNTERS_H
#define PERF_SAMPLETEXT_BRANCH_COUNTERS_H

#include "base/strbuf.h"
#include "events/evlist.h"
#include "file/reader.h"

struct branch_counters {
	const struct evlist *evlist; /* borrowed */
	u32 width;                   /* bits of a count; 0: not known */
	bool names;                  /* of events, with numbers; else a letter for each time */
};

/** branch_counters_init - as the header of @f has it; of a pipe, as far as it was read. */
void branch_counters_init(struct branch_counters *bc, const struct perf_file *f,
			  const struct evlist *evlist);
/** branch_counters_recorded - were there any with this event? */
bool branch_counters_recorded(const struct evsel *e);
/** branch_counters_legend - which letter stands for which event, as lines that begin with #. */
void branch_counters_legend(const struct branch_counters *bc, struct strbuf *out);
/** branch_counters_put - the counts in @word of a sample of @e: "AAB", "-" when all are 0, a "+"
 * behind those that may have been more; as it is when the width of a count is not known. */
void branch_counters_put(const struct branch_counters *bc, const struct evsel *e, u64 word,
			 struct strbuf *out);

#endif
