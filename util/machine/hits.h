/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The objects that samples fell in. buildid-list -H lists them, and inject -b and archive process
 * them.
 *
 *	h = hits_new(machine, live);
 *	w = hits_worker(h);               one for each thread that has samples
 *	hits_sample(w, sample, time, ..); from that thread only
 *	hits_has(h, dso->id);             when all threads have ended
 */
#ifndef PERF_MACHINE_HITS_H
#define PERF_MACHINE_HITS_H

#include "machine/machine.h"

struct hits;
struct hits_worker;

/**
 * hits_new - make an empty set. hits_free() frees it.
 * @m: borrowed; it is sealed unless @live
 * @live: state records may arrive between samples (a pipe); then there is one worker, and
 *	nothing is cached
 */
struct hits *hits_new(const struct machine *m, bool live);
/** hits_free - free the set and its workers. */
void hits_free(struct hits *h);
/**
 * hits_worker - return the part of one more thread, which @h owns. Only one thread at a time may
 * call it.
 */
struct hits_worker *hits_worker(struct hits *h);

/**
 * hits_sample - mark the object at the address (ip) of a sample.
 * @chain: mark the objects in its call chain as well
 * @fresh: called with each object that this worker has not marked before, borrowed; may be
 *	NULL
 */
void hits_sample(struct hits_worker *w, const struct sample *s, u64 time, bool chain,
		 void (*fresh)(void *ctx, const struct dso *dso), void *ctx);

/** hits_nr - return how many addresses of samples the workers have marked in the object with this
 * id. */
u64 hits_nr(const struct hits *h, u32 dso);
/** hits_has - tell whether a worker has marked the object with this id. */
bool hits_has(const struct hits *h, u32 dso);

#endif
