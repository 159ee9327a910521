/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that compresses records and writes them, so that whoever empties the ring buffers never
 * waits for zstd. What is handed over is copied; the order of the calls is that of the file.
 */
#ifndef PERF_FILE_PACKER_H
#define PERF_FILE_PACKER_H

#include "file/writer.h"

struct packer;

struct packer_opts {
	int level;    /* 1 to 22; 0: not compressed, only written by another thread */
	size_t limit; /* bytes that may wait; beyond them packer_add() waits as well */
	/* sees all records before they are compressed, whole ones, on the thread, and may change
	 * what they say; may be NULL */
	void (*look)(void *ctx, void *data, size_t len);
	void *ctx;
};

/**
 * packer_new - start the thread. @w is used by it alone until packer_free().
 * Return: 0, -ENOTSUP with a sentence without libzstd, or another negative errno.
 */
int packer_new(struct packer **p, struct file_writer *w, const struct packer_opts *o,
	       struct err *err);
/** packer_add - whole records, to be compressed. Return: 0, or the error that ended the thread. */
int packer_add(struct packer *p, const struct iovec *iov, int nr, struct err *err);
/** packer_plain - the same, not to be compressed; what was added before is handed over with it. */
int packer_plain(struct packer *p, const void *data, size_t len, struct err *err);
/**
 * packer_end - wait until all is written and end the thread.
 * @raw: bytes that were compressed, @packed: what they have become
 * Return: 0, or the error that ended it.
 */
int packer_end(struct packer *p, u64 *raw, u64 *packed, struct err *err);
/** packer_free - ends it if packer_end() has not; NULL is fine. */
void packer_free(struct packer *p);

#endif
