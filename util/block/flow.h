/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * I/O takes its way through the block layer. A bio is submitted (Q), gets a request (G) or joins
 * one that waits (M, F), the request may stand in a queue (I), is given to the driver (D) and
 * completes (C). Events are matched by device and sectors, as they tell no other identity. Only I/O
 * that is on its way is stored.
 *
 * A flush makes one write two: its data complete (C), then the sequence of flushes around it ends
 * (E), for which there is a second completion without sectors. The flush itself is a command of
 * its own that nobody has submitted; it is issued at sector 0 and completes at sector 2^64-1.
 */
#ifndef PERF_BLOCK_FLOW_H
#define PERF_BLOCK_FLOW_H

#include "block/event.h"

enum block_moment {
	BLOCK_AT_Q,
	BLOCK_AT_G, /* also when a bio joined the request of another one */
	BLOCK_AT_I,
	BLOCK_AT_D, /* the last time, when it was requeued */
	BLOCK_AT_C, /* the first completion */
	BLOCK_AT_E, /* the last one */
	BLOCK_MOMENTS
};

#define BLOCK_NOBODY UINT32_MAX /* I/O that is not to be counted */

/* It is a bio, or the request that a bio has got. */
struct block_io {
	u32 dev;
	u64 sector;
	u32 sectors;
	u32 done; /* sectors that are complete */
	u32 bios; /* that have joined it */
	s32 error;
	struct block_rw rw; /* as its first event tells */
	char rwbs[BLOCK_RWBS];
	u32 who; /* the watcher's */
	u32 pid, tid;
	u32 layer; /* see block_flow_layers() */
	u64 below; /* ns in which I/O that it has caused was on its way */
	u32 seen;  /* bits of moments */
	u64 at[BLOCK_MOMENTS];
	bool has_request; /* false: the device works on bios */
};

/** block_io_span - tell how long it took from one moment to another. Return: whether both are
 * known. */
static inline bool block_io_span(const struct block_io *io, u32 from, u32 to, u64 *ns)
{
	if (!(io->seen >> from & 1) || !(io->seen >> to & 1) || io->at[to] < io->at[from])
		return false;
	*ns = io->at[to] - io->at[from];
	return true;
}

/* A watcher has these functions. What they get is borrowed. Each may be NULL but who(). */
struct block_watch {
	void *ctx;
	/* Return a number for the owner of the I/O whose first event this is, or BLOCK_NOBODY. */
	u32 (*who)(void *ctx, const struct block_event *ev);
	/* A bio has joined a request, or a request has swallowed another one. */
	void (*merge)(void *ctx, const struct block_io *io, const struct block_event *ev);
	/* A request stands in a queue (I), is issued (D), or its first sectors are complete (C). */
	void (*moment)(void *ctx, const struct block_io *io, enum block_moment moment,
		       const struct block_event *ev);
	/* A request is complete, or a bio of a device without requests. */
	void (*end)(void *ctx, const struct block_io *io, const struct block_event *ev);
	/* So is a bio that had joined it; its end is the request's. */
	void (*member)(void *ctx, const struct block_io *bio, const struct block_event *ev);
};

#define BLOCK_DEPTH_PARTS 40U

/* The depth is summed up for parts of the time. */
struct block_depth_part {
	u64 sum; /* ns times the number of requests */
	u32 max;
};

/* It tells how much a device had to do at a time. */
struct block_depth {
	u32 dev;
	u32 now, max;
	u64 since;       /* when that changed last */
	u64 busy;        /* ns in which it had something to do */
	u64 sum;         /* ns times the number of requests */
	u64 start, step; /* ns: when the first part begins, and how long all are */
	struct block_depth_part parts[BLOCK_DEPTH_PARTS];
};

/* A layer is I/O of a kind on a device that is caused by I/O of the layer above it. */
struct block_layer {
	u32 upper; /* 0: nothing is known to cause it */
	u32 dev, kind;
	u32 depth; /* how many are above it */
};

/* Some events do not fit together; these are counted. */
struct block_misfits {
	u64 alone; /* completions of I/O that no event had begun */
	u64 open;  /* I/O without an end */
	u64 torn;  /* I/O on its way while events were lost */
};

struct block_flow;

/** block_flow_new - make an empty state; block_flow_free() frees it. @watch: copied */
struct block_flow *block_flow_new(const struct block_watch *watch);
void block_flow_free(struct block_flow *f);
/** block_flow_event - take the next event in the order of time. */
void block_flow_event(struct block_flow *f, const struct block_event *ev);
/** block_flow_lost - forget I/O on its way, because events are missing before this moment. */
void block_flow_lost(struct block_flow *f);
/** block_flow_disk - return the device of which @dev is a part, as far as events have told it. */
u32 block_flow_disk(const struct block_flow *f, u32 dev);
/** block_flow_depth - return how busy a device was, borrowed; NULL: nothing is known. */
const struct block_depth *block_flow_depth(const struct block_flow *f, u32 dev);
/** block_flow_layers - return the layers, borrowed; those that are caused by others have higher
 * numbers than these. @nr: their number; number 0 is none */
const struct block_layer *block_flow_layers(const struct block_flow *f, u32 *nr);
/** block_flow_misfits - return the numbers of what did not fit. */
struct block_misfits block_flow_misfits(const struct block_flow *f);

#endif
