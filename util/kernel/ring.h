/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ring buffers shared with the kernel. There is one for each CPU (or thread), into which all events
 * of that place write. Data are passed on as spans of the mapping: nothing is copied, and no event
 * is looked at.
 */
#ifndef PERF_KERNEL_RING_H
#define PERF_KERNEL_RING_H

#include "base/err.h"
#include "base/strbuf.h"
#include "kernel/open.h"

#include <sys/uio.h>

struct ring {
	void *base;  /* the mapping: control page, then data */
	size_t size; /* bytes of data, a power of two */
	u64 tail;    /* position up to which data were consumed */
	int fd;      /* the descriptor that is mapped; the kevents own it */
	int cpu, tid;
	bool backward; /* the kernel overwrites old data; see ring_read_backward() */
};

struct rings {
	struct ring *v; /* owned */
	size_t nr, cap;
	size_t pages;  /* data pages of each ring */
	size_t wanted; /* data pages of each ring that were requested */
};

/**
 * rings_map - map a ring for each CPU (for each thread when descriptors have cpu -1) and redirect
 * the other descriptors of the same place into it.
 * @pages: data pages, a power of two; 0: as many as kernel.perf_event_mlock_kb allows
 * @shrink: halve the size until it fits the limit of locked memory
 * Return: 0, or a negative errno and a sentence.
 */
int rings_map(struct rings *r, const struct sysroot *sr, const struct kevents *k, size_t pages,
	      bool shrink, struct err *err);
/** rings_release - unmap all rings. */
void rings_release(struct rings *r);

/**
 * ring_spans - return the data that the kernel has written since the last ring_consume(), as 0 to 2
 * spans. They are valid until ring_consume() is called with *@head.
 */
int ring_spans(const struct ring *r, struct iovec iov[2], u64 *head);
/** ring_pause - make the kernel drop new data, or stop doing so. Return: 0 or a negative errno. */
int ring_pause(const struct ring *r, bool pause);
/**
 * ring_read_backward - append to @out the complete records that were written since the last call
 * and still exist, oldest first. The ring has to be paused.
 * Return: the number of records.
 */
size_t ring_read_backward(struct ring *r, struct strbuf *out);
/** ring_consume - give the space up to @head back to the kernel. */
void ring_consume(struct ring *r, u64 head);

/**
 * ring_default_pages - return the number of data pages of a ring that any user may have, see
 * kernel.perf_event_mlock_kb.
 */
size_t ring_default_pages(const struct sysroot *sr);
/**
 * ring_pages_parse - parse the argument of -m: a number of pages, or a size with a suffix B, K, M
 * or G. It is rounded up to a power of two, and @rounded says so. Return: pages, or 0 when the text
 * is not valid.
 */
size_t ring_pages_parse(const char *text, bool *rounded);

#endif
