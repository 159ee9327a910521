/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data of a page, in units that are compressed on several threads. One behind the other they
 * are a single deflate stream.
 */
#ifndef PERF_EXPORT_PAGE_UNITS_H
#define PERF_EXPORT_PAGE_UNITS_H

#include "codec/deflate.h"

struct page_unit {
	size_t from, to;      /* range of pieces */
	struct strbuf packed; /* owned */
};

/* Bytes at several places, divided into units. */
struct page_units {
	struct deflate_piece *v; /* owned; what they refer to is not */
	size_t nr, cap;
	struct page_unit *units; /* owned */
	size_t nr_units, cap_units;
	size_t filled; /* bytes of the last unit */
};

/** page_units_add - append @len bytes, which have to stay where they are until they are packed. */
void page_units_add(struct page_units *u, const void *data, size_t len);
/** page_units_text - append the bytes of a buffer, which may not change before they are packed. */
static inline void page_units_text(struct page_units *u, const struct strbuf *sb)
{
	page_units_add(u, sb->buf, sb->len);
}
/** page_units_pack - compress one unit. Different units may be packed at the same time.
 * @last: it ends the stream */
void page_units_pack(struct page_units *u, size_t unit, bool last);
void page_units_release(struct page_units *u);

#endif
