/* SPDX-License-Identifier: GPL-2.0-or-later */
/* It is counted where on devices requests are, and how large they are. */
#ifndef PERF_BLOCK_PLACES_H
#define PERF_BLOCK_PLACES_H

#include "block/sums.h"

#define BLOCK_SIZES 14U /* from one sector on, each is twice the one before; the last is open */

struct block_place {
	u32 dev;
	bool begun;
	u64 end;                 /* of the last request that was issued, in sectors */
	u64 sequential;          /* requests that begin there */
	struct block_times seek; /* distances of the others in sectors, and not in ns */
	u64 sizes[BLOCK_KINDS][BLOCK_SIZES];
};

/* It starts zeroed. */
struct block_places {
	struct map64 of;
	struct block_place *v; /* owned */
	size_t nr, cap;
};

/** block_places_issue - a request with sectors is given to the driver. */
void block_places_issue(struct block_places *p, const struct block_io *io);
/** block_places_end - a request is complete. */
void block_places_end(struct block_places *p, const struct block_io *io);
/** block_place_of - return what is known of a device, or NULL. */
const struct block_place *block_place_of(const struct block_places *p, u32 dev);
void block_places_release(struct block_places *p);

#endif
