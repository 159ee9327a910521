/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source and instructions of functions, as the page has them. */
#ifndef PERF_EXPORT_PAGE_INTERNAL_H
#define PERF_EXPORT_PAGE_INTERNAL_H

#include "base/strbuf.h"
#include "stacktree/stacks.h"
#include "export/page.h"

struct srclines;

/* A function and its code sites, in the order of their addresses. */
struct page_function {
	const struct stacks_site *first;
	size_t nr;
	u64 samples;
};

/** page_line - of an address in the function of a code site; 0: not known. */
u32 page_line(struct srclines *lines, const struct stacks_site *of, u64 addr, const char **file);

struct page_code;

/** page_code_new - @arch, @lines: borrowed. Free with page_code_free(). */
struct page_code *page_code_new(const char *arch, struct srclines *lines);
void page_code_free(struct page_code *c);
/**
 * page_code_put - append the members "code" and "hits" of a function whose object is there.
 * @file: lines of this one are told; NULL: none are
 * Return: false when there are none, and nothing was appended.
 */
bool page_code_put(struct page_code *c, const struct page_function *f, const char *file,
		   struct strbuf *out);

#endif
