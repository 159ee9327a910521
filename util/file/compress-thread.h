/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that compresses records and writes them, so that the thread that empties the ring
 * buffers never waits for zstd. Others may change the records on that thread before. Data are
 * copied when they are passed on. The order of the calls is the order in the file.
 */
#ifndef PERF_FILE_COMPRESS_THREAD_H
#define PERF_FILE_COMPRESS_THREAD_H

#include "file/writer.h"

struct compress_thread;

/* A changer changes records before they are compressed. The thread calls its functions. */
struct record_changer {
	/* Sees complete records one batch early: when change() gets a batch, ahead() has seen it
	 * and the one that follows. A batch is what was added up to a record that is passed on by
	 * compress_thread_plain(), unless it becomes too large. */
	void (*ahead)(void *ctx, const void *data, size_t len);
	/* Replaces the records of a batch. @behind: bytes that wait behind it */
	void (*change)(void *ctx, struct strbuf *records, size_t behind);
	void *ctx;
};

struct compress_thread_opts {
	int level;    /* 1 to 22; 0: do not compress, only write on another thread */
	size_t limit; /* the most bytes that may wait; compress_thread_add() waits when there are
			 more */
	struct record_changer changer; /* its functions are NULL: nobody changes records */
	/* called by the thread with complete records before they are compressed; it may change
	 * their contents; may be NULL */
	void (*look)(void *ctx, void *data, size_t len);
	void *ctx;
};

/**
 * compress_thread_new - start the thread, which alone uses @w until compress_thread_free().
 * Return: 0; -ENOTSUP and a sentence when perf was built without libzstd; another negative errno.
 */
int compress_thread_new(struct compress_thread **p, struct file_writer *w,
			const struct compress_thread_opts *o, struct err *err);
/**
 * compress_thread_add - pass on complete records to be compressed. Return: 0, or the error that
 * ended the thread.
 */
int compress_thread_add(struct compress_thread *p, const struct iovec *iov, int nr,
			struct err *err);
/**
 * compress_thread_plain - pass on complete records that are not to be compressed. Records that were
 * added before are passed on with them.
 */
int compress_thread_plain(struct compress_thread *p, const void *data, size_t len, struct err *err);
/**
 * compress_thread_end - wait until everything is written and end the thread.
 * @raw: receives the number of bytes before compression
 * @packed: receives the number of bytes after compression
 * Return: 0, or the error that ended the thread.
 */
int compress_thread_end(struct compress_thread *p, u64 *raw, u64 *packed, struct err *err);
/**
 * compress_thread_free - free it, after ending the thread if compress_thread_end() was not called;
 * @p may be NULL.
 */
void compress_thread_free(struct compress_thread *p);

#endif
