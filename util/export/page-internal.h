/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hold source and instructions of functions in the form that a page uses. */
#ifndef PERF_EXPORT_PAGE_INTERNAL_H
#define PERF_EXPORT_PAGE_INTERNAL_H

#include "base/strbuf.h"
#include "stacktree/stacks.h"
#include "export/page.h"

struct srclines;

/* A function and its code sites, sorted by address. */
struct page_function {
	const struct stacks_site *first;
	size_t nr;
	u64 samples;
};

/** page_line - return the line of an address in the function of a code site; 0: unknown. */
u32 page_line(struct srclines *lines, const struct stacks_site *of, u64 addr, const char **file);

struct page_code;

/** page_code_new - prepare. @arch and @lines are borrowed. page_code_free() frees the result. */
struct page_code *page_code_new(const char *arch, struct srclines *lines);
void page_code_free(struct page_code *c);
/**
 * page_code_put - append the members "code" and "hits" of a function whose object exists.
 * @file: the file whose lines are included; NULL: none
 * Return: false when there are none, and nothing was appended.
 */
bool page_code_put(struct page_code *c, const struct page_function *f, const char *file,
		   struct strbuf *out);

#endif
