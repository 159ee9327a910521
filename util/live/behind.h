/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A source whose records a thread of its own reads from another source ahead of the session. Rings
 * are emptied in time, however long the session takes for a round of them. Records wait in memory
 * up to a limit. Beyond that samples are dropped and counted, and all other records are kept,
 * because they say what the samples to come mean.
 */
#ifndef PERF_LIVE_BEHIND_H
#define PERF_LIVE_BEHIND_H

#include "session/source.h"

struct behind_conf {
	struct source *from; /* the source that is read ahead; it is owned from now on */
	size_t limit;        /* bytes that may wait before samples are dropped */
	/*
	 * The thread of the session calls rest() before it may wait for records, and work() when it
	 * goes on with some. Between rest() and work() it touches nothing of the session.
	 */
	void (*rest)(void *ctx);
	void (*work)(void *ctx);
	void *ctx;
};

struct behind;

/**
 * behind_new - make the source and start its thread. The session that is opened with
 * behind_source() frees it, after the other source has ended.
 * Return: NULL and a sentence when there is no thread; @conf->from is closed then.
 */
struct behind *behind_new(const struct behind_conf *conf, struct err *err);
/** behind_source - return the source for session_open_source(). */
struct source *behind_source(struct behind *b);
/** behind_dropped - return the number of samples that were dropped so far. Any thread may call
 * it. */
u64 behind_dropped(struct behind *b);

#endif
