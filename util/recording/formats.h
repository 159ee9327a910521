/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keep the tracepoint formats that a recording brings along. */
#ifndef PERF_RECORDING_FORMATS_H
#define PERF_RECORDING_FORMATS_H

#include "base/notice.h"
#include "events/evlist.h"
#include "file/env.h"
#include "tracefmt/tracefmt.h"

/* The tracepoint formats of a recording; starts zeroed. */
struct formats {
	struct tracefmt *tracefmt; /* owned; NULL without */
	const void *seen;          /* the tracing data that it was made of */
	bool keep;                 /* the first ones stay: something refers to them */
};

/**
 * formats_take - parse the formats when there are new ones, and name the events that only they
 * know the names of.
 * @verbose: tell of single formats whose text cannot be made, too
 * @notices: takes what is wrong with them
 */
void formats_take(struct formats *f, struct evlist *l, const struct env *env, bool verbose,
		  const struct notices *notices);
/** formats_name_events - tell whether there are events that only their formats name. */
bool formats_name_events(const struct evlist *l);
/** formats_release - free the contents. */
void formats_release(struct formats *f);

#endif
