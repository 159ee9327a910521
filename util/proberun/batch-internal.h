/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding the events of a batch and writing them share these. */
#ifndef PERF_PROBERUN_BATCH_INTERNAL_H
#define PERF_PROBERUN_BATCH_INTERNAL_H

#include "probe/event.h"
#include "proberun/batch.h"

/* One wanted definition on its way to events. */
struct probe_adding {
	struct run_target about;
	struct probe_definition definition;
	struct probe_object *object; /* many definitions are for the same one, which is read once */
	bool shared;                 /* it is that of the definition before */
	struct probe_events events;
	bool cached; /* the events are those that the build-id cache has */
	bool again;  /* it is the definition before, for another object: names get numbers */
};

struct probe_batch {
	const struct probe_run *run; /* borrowed */
	struct probe_adding *v;      /* owned */
	size_t nr;
};

/** probe_adding_name - give the events of one definition names. @taken: those that there are, to
 * which they are added. Return: 0, or a negative errno and a sentence. */
int probe_adding_name(const struct probe_batch *b, struct probe_adding *a,
		      struct probe_names *taken, struct err *err);

#endif
