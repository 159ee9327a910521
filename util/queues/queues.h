/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This engine follows what works for tasks: workqueues, the queues of block devices, and virtual
 * CPUs. Each of them has a lane (analyze/lane.h), and each request or work that somebody has asked
 * for is an arrow from the time at which it was asked for to the one at which it was complete:
 *
 *	task     ---- issues ---.
 *	device   . idle . . . . 1 in flight . . 2 in flight . 1 in flight . idle
 *	                                                            `--- complete
 *
 * The kinds of a lane and their values are:
 *
 *	workqueue    running: so many works are executed; runnable: so many wait and none is
 *	device       running: the driver has so many requests, or so many bios if it makes no
 *	             requests of them (dm, zram); then from the first on that is complete
 *	vcpu         running: the guest has this CPU; interrupt: the host handles an exit of this
 *	             reason
 *
 * Only what is on its way is stored beside lanes and arrows. If these grow too large, they go on
 * with less detail, and that is told.
 */
#ifndef PERF_QUEUES_QUEUES_H
#define PERF_QUEUES_QUEUES_H

#include "analyze/lane.h"
#include "analyze/task-table.h"

struct engine;

enum queue_kind { QUEUE_WORKQUEUE, QUEUE_DEVICE, QUEUE_VCPU, QUEUE_KINDS };

#define QUEUE_NOBODY UINT32_MAX /* an interrupt, or it is unknown */

struct queue {
	enum queue_kind kind;
	u64 id;           /* of a device: its number as block_dev(); of a vcpu: id of its task */
	const char *name; /* of a workqueue, "": unknown; it lives as long as the state */
	u32 vcpu;         /* number of a vcpu; UINT32_MAX: unknown */
	struct lane lane;
};

/* A queue was asked for something that is complete. */
struct queue_arrow {
	u64 start, end; /* ns */
	u32 queue;      /* number of the queue */
	u32 task;       /* in the table of tasks: who has asked; QUEUE_NOBODY */
};

/* The result. */
struct queue_lanes {
	u64 start, end;  /* ns; of the events; 0: there are none */
	struct queue *v; /* in the order of appearance */
	u32 nr;
	struct queue_arrow *arrows; /* in the order of their ends */
	size_t nr_arrows;
	u64 gaps; /* times at which events of what was on its way were lost */
	/* If the lanes had to be thinned out: see struct timeline_lanes. */
	u64 grain, left_out;
};

#define QUEUES_BYTES ((u64)256 << 20)

struct queues_conf {
	struct task_table *tasks; /* borrowed */
	/* Tells which time is looked at, when the first event is fed; NULL: all of it. */
	void (*window)(void *ctx, u64 *start, u64 *end);
	void *ctx;
	u64 most_bytes; /* from so many on lanes are thinned out; 0: QUEUES_BYTES */
};

/* These are the numbers of events in the table of the engine. */
enum queues_event {
	QUEUES_WORK_QUEUED,
	QUEUES_WORK_BEGINS,
	QUEUES_WORK_ENDS,
	QUEUES_ISSUE,
	QUEUES_REQUEUE,
	QUEUES_COMPLETE,
	QUEUES_BIO_QUEUED,
	QUEUES_BIO_COMPLETE,
	QUEUES_GUEST_ENTRY,
	QUEUES_GUEST_EXIT,
	QUEUES_EVENTS
};

/* Fields of events of works, of requests and bios, and of guests. */
enum { WORK_ADDRESS, WORK_QUEUE, WORK_FLAGS };
enum { REQUEST_DEVICE, REQUEST_SECTOR, REQUEST_SECTORS, REQUEST_FLAGS };
enum { GUEST_VCPU, GUEST_REASON };

struct queues;

/** queues_engine - return the engine, whose state is a struct queues. */
const struct engine *queues_engine(void);
/** queues_new - prepare; queues_free() frees it and its result. @conf: copied */
struct queues *queues_new(const struct queues_conf *conf);
void queues_free(struct queues *q);
/** queues_go_on - let the lanes go on up to @end, in ns: the recording has other events that are
 * later. After the engine's finish(). */
void queues_go_on(struct queues *q, u64 end);
/** queues_result - return the lanes, borrowed. After the engine's finish(). */
const struct queue_lanes *queues_result(const struct queues *q);

/** queue_interval_text - append what a queue does in an interval: "2 requests in flight". */
void queue_interval_text(const struct queue *q, const struct lane_interval *i, struct strbuf *out);

#endif
