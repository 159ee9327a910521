/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make pages of the kernel's tracing ring in either byte order, word by word. The types of events
 * are those of util/ftracepages/pages.c. */
#ifndef TESTS_UNIT_FTRACEPAGES_RING_PAGE_H
#define TESTS_UNIT_FTRACEPAGES_RING_PAGE_H

#include "base/compat.h"

#define RING_PAGE 256
#define RING_PAGE_HEAD 16 /* bytes before the first event */

/* The text of events/header_page for such pages. */
static const char ring_page_header[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				       "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				       "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				       "\tfield: char data;\toffset:16;\tsize:240;\tsigned:0;\n";

struct ring_page {
	u8 bytes[RING_PAGE];
	size_t used;
	bool big;
};

static inline void ring_page_put(struct ring_page *p, size_t at, u64 v, size_t size)
{
	for (size_t i = 0; i < size; i++)
		p->bytes[at + i] = (u8)(v >> 8 * (p->big ? size - 1 - i : i));
}

static inline void ring_page_begin(struct ring_page *p, bool big, u64 time)
{
	*p = (struct ring_page){ .big = big, .used = RING_PAGE_HEAD };
	ring_page_put(p, 0, time, 8);
}

static inline void ring_page_word(struct ring_page *p, u32 v)
{
	ring_page_put(p, p->used, v, 4);
	p->used += 4;
}

/* Begin an event, @delta ns behind the one before; its words follow. @type: up to 28 their
 * number */
static inline void ring_page_event(struct ring_page *p, u32 type, u32 delta)
{
	ring_page_word(p, p->big ? type << 27 | delta : delta << 5 | type);
}

static inline void ring_page_end(struct ring_page *p, u64 flags)
{
	ring_page_put(p, 8, (p->used - RING_PAGE_HEAD) | flags, 8);
}

#endif
