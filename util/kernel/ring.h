/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ring buffers shared with the kernel: one per CPU (or per thread), all events of that place write
 * into it. Data leaves as spans of the mapping itself: nothing is copied or looked at per event.
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
	u64 tail;    /* how far the data has been taken */
	int fd;      /* the descriptor it hangs on; owned by the kevents */
	int cpu, tid;
	bool backward; /* overwritten by the kernel: ring_read_backward() */
};

struct rings {
	struct ring *v; /* owned */
	size_t nr, cap;
	size_t pages;  /* data pages per ring that were got */
	size_t wanted; /* data pages per ring that were asked for */
};

/**
 * rings_map - map a ring for each CPU (each thread when descriptors have cpu -1) and direct the
 * other descriptors of the same place into it.
 * @pages: data pages, a power of two; 0: what kernel.perf_event_mlock_kb allows
 * @shrink: halve the size until it fits the locked memory limit
 * Return: 0, or negative errno and a sentence.
 */
int rings_map(struct rings *r, const struct sysroot *sr, const struct kevents *k, size_t pages,
	      bool shrink, struct err *err);
/** rings_release - unmap all. */
void rings_release(struct rings *r);

/**
 * ring_spans - what the kernel has written since the last ring_consume(): 0 to 2 spans, borrowed
 * until then.
 * *@head is what to give to ring_consume().
 */
int ring_spans(const struct ring *r, struct iovec iov[2], u64 *head);
/** ring_pause - have the kernel drop what comes, or not. Return: 0 or negative errno. */
int ring_pause(const struct ring *r, bool pause);
/**
 * ring_read_backward - append to @out the whole records that came since the last call and are still
 * there, oldest first. The ring has to be paused.
 * Return: their number.
 */
size_t ring_read_backward(struct ring *r, struct strbuf *out);
/** ring_consume - give the space back to the kernel. */
void ring_consume(struct ring *r, u64 head);

/** ring_default_pages - data pages of a ring that any user may have: kernel.perf_event_mlock_kb. */
size_t ring_default_pages(const struct sysroot *sr);
/**
 * ring_pages_parse - "-m" argument: a number of pages, or a size with a B, K, M or G suffix,
 * rounded up to a power of two. Return: pages, 0 when it makes no sense.
 */
size_t ring_pages_parse(const char *text, bool *rounded);

#endif
