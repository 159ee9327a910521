/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read a whole recording for one question: which objects its samples fell in. */
#ifndef PERF_RECORDING_HIT_OBJECTS_H
#define PERF_RECORDING_HIT_OBJECTS_H

#include "machine/hits.h"
#include "recording/recording.h"

/**
 * hit_objects_find - read all of @r.
 * @chains: objects that only call chains pass through count, too
 * @hits: set, also after an error; free with hits_free() before @r is closed
 * Return: 0, or negative errno and a sentence.
 */
int hit_objects_find(struct recording *r, bool chains, struct hits **hits, struct err *err);

#endif
