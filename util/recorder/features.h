/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make the header features of a recording. */
#ifndef PERF_RECORDER_FEATURES_H
#define PERF_RECORDER_FEATURES_H

#include "bpf/prog.h"
#include "file/feature.h"
#include "recorder/opened.h"
#include "recorder/output.h"
#include "session/features.h"

/* The sources of the features. All pointers are borrowed. */
struct recording_facts {
	const struct record_opts *opts;
	const struct opened *ev;
	const struct bpf_progs *progs;
	const struct strbuf *tracing;   /* the TRACING_DATA section, may be empty */
	const struct clock_pair *clock; /* .wall 0: no clock was chosen */
	const struct record_output *out;
	bool folder; /* the recording is one */
};

/** facts_clock - read the chosen clock and the time of day. */
void facts_clock(const struct sample_opts *s, struct clock_pair *out);
/** facts_early - add those that say what the data is about, for the case that nobody completes
 * it. */
void facts_early(const struct recording_facts *r, struct features *f);
/** facts_all - add all features, in bit order. @seen: what the data holds, NULL for a stream: what
 * can only be said at the end is left out there */
void facts_all(const struct recording_facts *r, const struct record_scan *seen, struct features *f);

#endif
