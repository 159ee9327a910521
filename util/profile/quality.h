/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions tell how much a profile can be trusted: samples lost, stacks cut, symbols
 * missing. */
#ifndef PERF_PROFILE_QUALITY_H
#define PERF_PROFILE_QUALITY_H

#include "wire/event.h"

/* The counts of one worker on the quality of its samples. */
struct quality {
	u64 stacks, cut; /* call chains, and those as deep as was allowed */
	u64 dumps, full; /* dumps of the user's stack, and those without room for all of it */
	u32 deepest_cut, dump_size;
};

/** quality_note - count what @s, if it has a stack of any kind, says of itself; @max_stack: of its
 * event, 0 the default. */
void quality_note(struct quality *q, const struct sample *s, u16 max_stack);
/** quality_merge - add what another worker counted. */
void quality_merge(struct quality *to, const struct quality *from);

#endif
