/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records that a thread makes, in the order of time, for another one that asks for them one after
 * the other. The maker waits when it is far ahead, so that memory does not grow.
 *
 *	maker:	feed_put() ... until it is nonzero or there is no more
 *	taker:	feed_start(), then feed_first() and feed_drop() by turns, then feed_stop()
 */
#ifndef PERF_INJECT_GUEST_FEED_H
#define PERF_INJECT_GUEST_FEED_H

#include "base/err.h"
#include "base/strbuf.h"
#include "wire/event.h"

#include <pthread.h>

/* An entry has what the taker has to know of a record besides its bytes. */
struct feed_entry {
	u64 time;
	u32 event; /* index of its event */
	u32 vcpu;
	const void *rec; /* native order; for the taker, valid until feed_drop() */
};

struct guest_feed {
	/* private */
	int (*make)(void *ctx, struct guest_feed *f, struct err *err);
	void *ctx;
	pthread_t thread;
	bool started;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct strbuf making; /* of the maker */
	struct strbuf ready;  /* on the way, if @full */
	struct strbuf taking; /* of the taker */
	size_t at;            /* in @taking */
	bool full, end, quit;
	int ret; /* of the maker */
	struct err err;
};

/**
 * feed_start - begin to make records on a thread of their own.
 * @make: calls feed_put(); it runs once. Return: 0, or a negative errno and a sentence
 * Return: 0, or a negative errno and a sentence.
 */
int feed_start(struct guest_feed *f, int (*make)(void *ctx, struct guest_feed *f, struct err *err),
	       void *ctx, struct err *err);
/** feed_put - hand over a copy of a record. Return: 0, or nonzero when no more are wanted. */
int feed_put(struct guest_feed *f, const struct feed_entry *e);
/**
 * feed_first - look at the next record, which is waited for.
 * Return: 1, 0 after the last one, or what @make returned and its sentence.
 */
int feed_first(struct guest_feed *f, struct feed_entry *e, struct err *err);
/** feed_drop - go on to the record after the one that feed_first() told. */
void feed_drop(struct guest_feed *f);
/** feed_stop - end the thread, if there is one, and free everything. */
void feed_stop(struct guest_feed *f);

#endif
