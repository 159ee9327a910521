/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An event of the block layer is the same whoever tells of it: a tracepoint of a recording
 * (event.c) or a record of blktrace. The letters are those of blkparse.
 */
#ifndef PERF_BLOCK_EVENT_H
#define PERF_BLOCK_EVENT_H

#include "analyze/engine.h"
#include "base/hash.h"

enum block_action {
	BLOCK_QUEUE,        /* Q: somebody submits a bio */
	BLOCK_SPLIT,        /* X: a bio becomes two */
	BLOCK_REMAP,        /* A: a bio goes on to another device */
	BLOCK_GET,          /* G: a bio gets a request of its own */
	BLOCK_BACK_MERGE,   /* M: a bio joins a request at its end */
	BLOCK_FRONT_MERGE,  /* F: the same at its beginning */
	BLOCK_PLUG,         /* P: a task collects requests */
	BLOCK_UNPLUG,       /* U: it sends them on */
	BLOCK_START,        /* the kernel begins to account for a request */
	BLOCK_INSERT,       /* I: a request is put into a queue */
	BLOCK_ISSUE,        /* D: a request is given to the driver */
	BLOCK_RQ_MERGE,     /* a request is swallowed by another one */
	BLOCK_REQUEUE,      /* R: the driver gives a request back */
	BLOCK_COMPLETE,     /* C: a request is complete, or some of its sectors */
	BLOCK_ERROR,        /* the same once more, because it failed */
	BLOCK_DONE,         /* the kernel has accounted for a request */
	BLOCK_BIO_COMPLETE, /* C of a device that has no requests */
	BLOCK_RQ_REMAP,     /* A of a request */
	/* These are of old kernels. */
	BLOCK_SLEEP,        /* S: a bio waits for a request */
	BLOCK_BOUNCE,       /* B: the data of a bio are copied to where the device reaches them */
	BLOCK_UNPLUG_TIMER, /* UT: requests are sent on, as nobody has asked for that in time */
	BLOCK_ACTIONS
};

/* The kernel's accounting tells these kinds apart (/sys/block/DEV/stat), but for the last one. */
enum block_kind {
	BLOCK_READ,
	BLOCK_WRITE,   /* with that of zeroes, and empty writes that ask for a flush */
	BLOCK_DISCARD, /* with secure erase */
	BLOCK_FLUSH,   /* the command to the device */
	BLOCK_OTHER,   /* commands that move no data */
	BLOCK_KINDS
};

/* An operation has these properties, which the letters tell that the kernel calls rwbs. */
#define BLOCK_PREFLUSH 1U /* F before the operation: the cache is flushed first */
#define BLOCK_FUA 2U      /* F behind it: the data are to be on the medium */
#define BLOCK_SYNC 4U     /* S: somebody waits for it */
#define BLOCK_AHEAD 8U    /* A: it was read ahead */
#define BLOCK_META 16U    /* M: of a file system's own */

struct block_rw {
	u8 kind;  /* enum block_kind */
	u8 flags; /* BLOCK_SYNC and the like */
};

#define BLOCK_RWBS 12 /* bytes of the letters, with a zero */

struct block_event {
	u64 time; /* ns */
	u32 action;
	u32 cpu, pid, tid;
	u32 dev;    /* as block_dev() */
	u64 sector; /* of 512 bytes */
	u32 sectors;
	u32 bytes; /* of a request */
	struct block_rw rw;
	char rwbs[BLOCK_RWBS];
	s32 error;        /* negative errno, or the positive one of old kernels */
	u32 old_dev;      /* of a remap */
	u64 other;        /* sector of the old device; of a split: where the second part begins */
	u32 requests;     /* of an unplug */
	u16 prio;         /* as the kernel has it */
	const char *comm; /* of the task, borrowed and not terminated */
	size_t comm_len;
	bool wanted, in_time;        /* as of struct engine_input */
	const struct sample *sample; /* NULL: none */
};

/** block_dev - return the number of a device as tracepoints have it. */
static inline u32 block_dev(u32 major, u32 minor)
{
	return major << 20 | (minor & 0xfffff);
}

static inline u32 block_major(u32 dev)
{
	return dev >> 20;
}

static inline u32 block_minor(u32 dev)
{
	return dev & 0xfffff;
}

/** block_rw_parse - read the letters of an operation, such as "FWFSM". @sectors: that it has */
struct block_rw block_rw_parse(const char *rwbs, size_t len, u32 sectors);

/** block_letters - return the letters of an action as blkparse has them; NULL: it has none. */
const char *block_letters(enum block_action action);

extern const struct engine_event block_events[BLOCK_ACTIONS];

/* Plugs name no device. It starts zeroed. */
struct block_plugs {
	struct map64 dev_of; /* the device that a task has used last */
};

/** block_plug_device - return the device that an event is about; 0: a plug whose device is unknown.
 */
u32 block_plug_device(struct block_plugs *p, const struct block_event *ev);

/** block_event_decode - make an event of a tracepoint. @out: borrows from @in */
void block_event_decode(const struct engine_input *in, struct block_event *out);

/* A tap takes the events of a recording. It is the state of block_engine(). */
struct block_tap {
	void (*event)(void *ctx, const struct block_event *ev);
	void (*lost)(void *ctx); /* events are missing before the next one; may be NULL */
	void *ctx;
};

/** block_engine - return an engine whose state is a struct block_tap. @name: in messages */
struct engine block_engine(const char *name);

#endif
