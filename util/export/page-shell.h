/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shell of pages for a browser: one file that contains its style, its script and its data, and
 * loads nothing. Its policy permits exactly this script and this style.
 */
#ifndef PERF_EXPORT_PAGE_SHELL_H
#define PERF_EXPORT_PAGE_SHELL_H

#include "export/export.h"

/* The data of a page while they are written in base64. */
struct page_data;

/* The parts of a page, terminated. */
struct page_shell {
	/* The HTML, in which @style@, @script@, @style-digest@, @script-digest@, @early@ and
	 * @data@ stand for the other parts. */
	const char *frame;
	const char *style, *script;
	/* Is called in the place of the data that a large page shows before it has all; NULL:
	 * there are none. */
	void (*early)(void *ctx, struct page_data *data);
};

/** page_data_put - append @len bytes to the data of a page. */
void page_data_put(struct page_data *d, const void *data, size_t len);
/**
 * page_shell_write - write a page.
 * @put: is called once, in the place of the data, and calls page_data_put()
 * @ctx: of @put and of the shell's early()
 */
void page_shell_write(const struct page_shell *shell,
		      void (*put)(void *ctx, struct page_data *data), void *ctx,
		      struct export_out *o);

#endif
