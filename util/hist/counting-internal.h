/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How samples are counted. What is counted differs (tallies for rows, stack counts for trees), and
 * so does what is known while counting. Each way is one implementation of struct counting:
 *
 *	                addresses are resolved at the end      while samples are counted
 *	rows            counting_in_parts                      counting_early
 *	rows, values    counting_keyed                         counting_early_keyed
 *	rows, stacks    counting_by_stack                      -
 *	trees of stacks counting_trees                         counting_early_trees
 *
 * The results of two strategies that both apply are the same.
 */
#ifndef PERF_HIST_COUNTING_INTERNAL_H
#define PERF_HIST_COUNTING_INTERNAL_H

#include "hist/places-internal.h"
#include "hist/tables-internal.h"

struct counting {
	/* The strategy that does the same but resolves addresses while it counts; NULL: none. */
	const struct counting *early;
	bool at_once;  /* it resolves addresses while it counts */
	bool by_stack; /* all samples of a stack are handed to the worker whose table has it */
	/* Prepare the tables of a new worker. NULL: there is nothing to prepare. */
	void (*prepare)(struct hist_worker *w);
	/* Put a sample into the queue of this worker, which nobody else uses now. */
	void (*count)(struct hist_worker *w, const struct hist_sample *s);
	/* Count the samples in the queue, which may be full. */
	void (*flush)(struct hist_worker *w);
	/* No more samples will come: free what only counting needs. Workers may do so at the same
	 * time. NULL: there is nothing to do. */
	void (*end)(struct hist_worker *w);
	/* Return the number that stands for an address in stacks. *@addr: where it is in its
	 * object, if that is known. NULL: there are no stacks. */
	u32 (*number)(struct hist_worker *w, u64 ip, u32 epoch, u8 mode, u64 *addr);
	/* Turn addresses into places and frames. Afterwards tallies have places, and stacks have
	 * frames. */
	void (*resolve)(struct hist *h);
	/* Make rows, which still have to be ordered, or merge the counts of stacks. */
	void (*merge)(struct hist *h);
};

extern const struct counting counting_in_parts, counting_keyed, counting_by_stack, counting_trees,
	counting_early, counting_early_keyed, counting_early_trees;

/** count_sample - count a sample in the tables of this worker, which nobody else uses now. */
static inline void count_sample(struct hist_worker *w, const struct hist_sample *s)
{
	const struct counting *c = w->h->counting;

	c->count(w, s);
	if (w->nr_queued == PENDING)
		c->flush(w);
}

/* count-keyed.c */

void keyed_release(struct keyed *k);

/* handoff.c */

/** handoff_add - have a sample counted in the tables of the worker that owns its stack. */
void handoff_add(struct hist_worker *w, const struct hist_sample *s);
/** handoff_finish - have all samples counted that are on their way. */
void handoff_finish(struct hist *h);
void handoff_release(struct hist_worker *w);

/* early-frames.c */

/** tally_in_function - make a tally one of the function that its address was located in. */
static inline void tally_in_function(struct tally *t, const struct early_frame *f)
{
	t->start = f->addr;
	t->object = f->dso;
	t->sym = f->sym;
}

/** early_prepare - set up the address cache of a worker. */
void early_prepare(struct hist_worker *w);
/** early_end - free what is needed only to find numbers again. */
void early_end(struct hist *h);
void early_release(struct hist_worker *w);
/** early_near - return what was found last near an address. */
static inline struct resolve_near *early_near(struct hist_worker *w, u64 ip, u32 epoch)
{
	return &w->early.near[(ip >> 22 ^ epoch) % NEARS];
}
/** object_note - remember the object of a location. */
void object_note(struct hist_worker *w, const struct location *l);
/** early_frame_id - return the number of an early frame of a worker, made when it is new. */
u32 early_frame_id(struct hist_worker *w, const struct early_frame *s);
/** early_frame_number - the .number of early strategies. */
u32 early_frame_number(struct hist_worker *w, u64 ip, u32 epoch, u8 mode, u64 *addr);
/** early_frames_resolve - make frames of the early frames of all workers. */
void early_frames_resolve(struct hist *h);

/* count-early.c */

/**
 * early_locate - look up the addresses of samples in the queue.
 * @which: their @nr places in the queue
 * @at: receives their locations
 */
void early_locate(struct hist_worker *w, const u8 *which, u32 nr, struct location *at);
/** early_function - return the function that an address was located in, as rows tell it apart:
 * @addr is where it begins, or without symbol the address. */
struct early_frame early_function(struct hist_worker *w, const struct location *l);
/** early_places_resolve - the .resolve of strategies whose tallies have functions. */
void early_places_resolve(struct hist *h);

/* resolve.c */

/** resolve_at_end - the .resolve of strategies that keep addresses. */
void resolve_at_end(struct hist *h);
/** stacks_resolve - turn the numbers of stacks into frames, once h->addrs and w->addr_ids say which
 * frame each has. */
void stacks_resolve(struct hist *h);

/* count-trees.c */

/** trees_configure - derive from conf.stacks what has to be kept of samples. */
void trees_configure(struct hist *h);
/** trees_of_functions - do trees ask nothing more of frames than which functions they are? */
bool trees_of_functions(const struct hist *h);
void tree_counts_release(struct tree_counts *t);

#endif
