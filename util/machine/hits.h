/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which objects samples fell in: what buildid-list -H lists, and inject -b and archive look for.
 *
 *	h = hits_new(machine, live);
 *	w = hits_worker(h);               one for each thread that brings samples
 *	hits_sample(w, sample, time, ..); from that thread only
 *	hits_has(h, dso->id);             when all threads have ended
 */
#ifndef PERF_MACHINE_HITS_H
#define PERF_MACHINE_HITS_H

#include "machine/machine.h"

struct hits;
struct hits_worker;

/**
 * hits_new - no object is hit yet. Free with hits_free().
 * @m: borrowed; sealed unless @live
 * @live: state records go on arriving between samples (a pipe): one worker, nothing is remembered
 */
struct hits *hits_new(const struct machine *m, bool live);
void hits_free(struct hits *h);
/** hits_worker - the marks of one more thread; owned by @h. Called from one thread at a time. */
struct hits_worker *hits_worker(struct hits *h);

/**
 * hits_sample - mark the object at the address (ip) of a sample.
 * @chain: and those that its call chain passes through
 * @fresh: called for each object that this worker had not marked before (borrowed); may be NULL
 */
void hits_sample(struct hits_worker *w, const struct sample *s, u64 time, bool chain,
		 void (*fresh)(void *ctx, const struct dso *dso), void *ctx);

/** hits_has - some worker marked the object with this id. */
bool hits_has(const struct hits *h, u32 dso);

#endif
