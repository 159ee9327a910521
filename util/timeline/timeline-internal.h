/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a timeline. */
#ifndef PERF_TIMELINE_TIMELINE_INTERNAL_H
#define PERF_TIMELINE_TIMELINE_INTERNAL_H

#include "analyze/density.h"
#include "analyze/pair-key.h"
#include "sampletext/sample-text.h"
#include "timeline/timeline.h"

#define TIMELINE_KEY "tid" /* the default key of pairs */

struct timeline {
	struct timeline_options o;
	struct recording *r; /* borrowed */
	char *start, *end;   /* names of the events of pairs; NULL: count samples */
	struct pair_keys keys;
	struct pairs *pairs;
	struct grid *densities; /* by the number of the event; NULL with pairs */
	u32 nr_densities;
	size_t cap_densities;
	struct tracks tracks[NR_TRACKS_OF];
	u64 begin; /* of the recording */
	struct place_filter places;
	struct sample_fields fields;
	struct sample_text *text; /* resolves addresses; NULL unless these select samples */
	struct sample_writer *writer;
	bool bound; /* the events of the recording are known */
};

#endif
