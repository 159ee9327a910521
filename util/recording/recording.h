/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What commands that read a recording do with what it says about itself. */
#ifndef PERF_RECORDING_RECORDING_H
#define PERF_RECORDING_RECORDING_H

#include "base/notice.h"
#include "events/evlist.h"
#include "file/env.h"
#include "machine/machine.h"
#include "tracefmt/tracefmt.h"

/* The tracepoint formats of a recording; starts zeroed. */
struct formats {
	struct tracefmt *tracefmt; /* owned; NULL without */
	const void *seen;          /* the tracing data that it was made of */
};

/**
 * formats_take - parse the formats when there are new ones, and name the events that only they
 * know the names of.
 * @verbose: tell of single formats whose text cannot be made, too
 * @notices: takes what is wrong with them
 */
void formats_take(struct formats *f, struct evlist *l, const struct env *env, bool verbose,
		  const struct notices *notices);
/** formats_name_events - are there events that only their formats name? */
bool formats_name_events(const struct evlist *l);
/** formats_release - free the contents. */
void formats_release(struct formats *f);

/** apply_build_ids - give the objects the build-ids that the recording has of them. */
void apply_build_ids(struct machine *m, const struct env *env);

#endif
