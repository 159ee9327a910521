/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile as one page for a browser, which contains its script, its style and its data and loads
 * nothing. Documentation/format/page.md describes the data.
 */
#ifndef PERF_EXPORT_PAGE_H
#define PERF_EXPORT_PAGE_H

#include "export/export.h"

extern const struct export_ops export_html;

/* The parts of the page, from util/output/page/, terminated. */
extern const char page_frame[], page_style[], page_script[];

/**
 * page_sources - append the members of the JSON array of sources, for the functions with most
 * samples whose files and objects exist. @s: with code sites; @arch: architecture of the
 * recording, or NULL
 */
void page_sources(const struct stacks *s, const char *arch, struct strbuf *out);

#endif
