/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * I/O causes other I/O: a bio of a device that stands on another one is remapped to it, the
 * worker of a loop device reads and writes a file on another one, and a write that has to be on the
 * medium waits for a flush. How long the upper one had lower ones on their way is time that was
 * spent below.
 */
#ifndef PERF_BLOCK_LAYERS_H
#define PERF_BLOCK_LAYERS_H

#include "base/intern.h"
#include "block/inflight.h"

#define LAYERS_LOOPS 64U /* requests of loop devices that are remembered */

/* A bio is going to be submitted to another device. */
struct layer_remap {
	u32 dev;
	u64 sector;
	struct io_ref upper;
};

/* It starts zeroed. */
struct layers {
	struct intern keys;
	struct block_layer *v; /* owned; by the number of the key */
	u32 nr;
	size_t cap;
	struct map64 remap_of; /* place in remaps by task */
	struct layer_remap *remaps;
	size_t nr_remaps, cap_remaps;
	struct map64 wait_of; /* place in waits by device: what waits for a flush */
	struct io_ref *waits;
	size_t nr_waits, cap_waits;
	struct io_ref loops[LAYERS_LOOPS];
	u32 next_loop;
};

/** layers_enter - new I/O may be caused by other I/O, which is found, and belongs to a layer. */
void layers_enter(struct layers *l, struct inflight *t, u32 slot, const struct block_event *ev);
/** layers_split - @rest is a part of what was one bio. */
void layers_split(struct inflight *t, u32 slot, u32 rest, u64 time);
/** layers_leave - I/O ends, or is no longer known of. */
void layers_leave(struct inflight *t, u32 slot, u64 time);
/** layers_remap - a bio is on its way to another device. @upper: IO_NONE: it is not known */
void layers_remap(struct layers *l, const struct inflight *t, u32 upper,
		  const struct block_event *ev);
/** layers_wait - I/O waits for a flush of its device from now on. */
void layers_wait(struct layers *l, const struct inflight *t, u32 slot);
/** layers_issue - a request is given to its driver, which may be that of loop devices. */
void layers_issue(struct layers *l, const struct inflight *t, u32 slot);
void layers_release(struct layers *l);

#endif
