/* SPDX-License-Identifier: GPL-2.0-or-later */
/* It is counted how many requests devices have at a time. */
#ifndef PERF_BLOCK_DEPTH_H
#define PERF_BLOCK_DEPTH_H

#include "base/hash.h"
#include "block/flow.h"

/* It starts zeroed. */
struct depths {
	struct map64 of;       /* place by device */
	struct block_depth *v; /* owned */
	size_t nr, cap;
};

/** depths_change - a device has one request more from now on, or one less. */
void depths_change(struct depths *d, u32 dev, u64 time, bool more);
/** depths_find - return what is known of a device, or NULL. */
const struct block_depth *depths_find(const struct depths *d, u32 dev);
/** depths_clear - nothing is known to be on its way. */
void depths_clear(struct depths *d);
void depths_release(struct depths *d);

#endif
