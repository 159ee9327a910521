/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make the data of a page, which are compressed as they are made: Documentation/format/page.md. */
#ifndef PERF_EXPORT_PAGE_BODY_H
#define PERF_EXPORT_PAGE_BODY_H

#include "export/export.h"

/* One deflate stream, in consecutive units. */
struct page_body {
	struct strbuf *units;
	size_t nr_units;
};

/**
 * page_body_make - make the data of @s. @opts: with the name of the event when two recordings are
 * compared
 */
void page_body_make(struct page_body *b, const struct stacks *s, const struct export_opts *opts);
void page_body_release(struct page_body *b);

#endif
