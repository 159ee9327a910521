/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile as one page for a browser: it holds its script, its style and its data, and loads
 * nothing. Documentation/format/page.md says what the data is made of.
 */
#ifndef PERF_EXPORT_PAGE_H
#define PERF_EXPORT_PAGE_H

#include "export/export.h"

extern const struct export_ops export_html;

/* The parts of the page, from util/output/page/, terminated. */
extern const char page_frame[], page_style[], page_script[];

/** page_sources - append the members of the JSON array of sources: of functions with most samples,
 * as far as their files and objects are there. @s: with code sites; @arch: of the recording, or
 * NULL */
void page_sources(const struct stacks *s, const char *arch, struct strbuf *out);

#endif
