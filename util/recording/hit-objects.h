/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A whole recording read for one question: which objects its samples fell in. */
#ifndef PERF_RECORDING_HIT_OBJECTS_H
#define PERF_RECORDING_HIT_OBJECTS_H

#include "machine/hits.h"
#include "session/session.h"

struct hit_objects {
	struct machine *machine; /* owned */
	struct hits *hits;       /* owned */
};

/**
 * hit_objects_find - read all of @s. @chains: objects that only call chains pass through count too.
 * Release with hit_objects_release(), also after an error.
 */
int hit_objects_find(struct hit_objects *o, struct session *s, bool chains, struct err *err);
void hit_objects_release(struct hit_objects *o);

#endif
