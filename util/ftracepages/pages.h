/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages of the kernel's tracing ring as trace_pipe_raw hands them out. A page is a header (time of
 * its first event, number of bytes used), whose layout tracefs describes in events/header_page, and
 * events one behind the other:
 *
 *	u32 head: 5 bits of type and length, 27 bits of time since the event before (ns)
 *	0         a u32 with the length of the payload and of itself, then the payload
 *	1 .. 28   so many words of payload
 *	29        padding: up to the end of the page when the time is 0, else a length follows
 *	30        a u32 with more bits of a long time, no payload
 *	31        a u32 with more bits of an absolute time, no payload
 *
 * The five bits are the low ones where the machine is little-endian, and else the high ones. Pages
 * are bytes from outside: nothing in them is believed.
 */
#ifndef PERF_FTRACEPAGES_PAGES_H
#define PERF_FTRACEPAGES_PAGES_H

#include "base/cur.h"
#include "base/err.h"

struct fpage_layout {
	u32 commit_at, commit_size; /* where the number of bytes used is; 4 or 8 bytes */
	u32 data_at;                /* where events begin */
	u32 page_size;              /* of a page, with its header */
	bool big_endian;            /* the byte order of the machine that traced */
};

/**
 * fpage_layout_parse - read the text of events/header_page.
 * Return: 0, or -EINVAL and a sentence when it is not understood or is not plausible.
 */
int fpage_layout_parse(struct fpage_layout *l, const char *text, bool big_endian, struct err *err);

/* One event of a page. */
struct fpage_event {
	u64 time;
	const u8 *data; /* the payload, borrowed from the page; not aligned */
	u32 size;
};

/* The state of reading one page. */
struct fpage {
	struct cur cur;
	bool big_endian;
	u64 time;    /* of the event before */
	bool lost;   /* events were lost in front of the page */
	u64 nr_lost; /* how many, when the kernel tells; 0: it does not */
	bool bad;    /* the page ended within an event: the rest of it was not read */
};

/**
 * fpage_open - begin to read a page of @size bytes, which has to outlive the reading.
 * Return: 0, or -EINVAL when it is shorter than its header or than it says that it is.
 */
int fpage_open(struct fpage *p, const struct fpage_layout *l, const void *page, size_t size);
/** fpage_next - get the next event. Return: false at the end of the page. */
bool fpage_next(struct fpage *p, struct fpage_event *ev);

#endif
