// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A profile as one page. The data are the tree of stacks, column by column, with each number in as
 * few bytes as possible (7 bits in each, the lowest first), deflated, in base64. Nothing in them
 * can be taken for markup, and the page only runs the script that it contains.
 */
#include "base/compat.h"

#include "export/page.h"

#include "export/page-body.h"
#include "export/page-shell.h"

/* The data are made of this. */
struct contents {
	const struct stacks *s;
	const struct export_opts *opts;
};

static void put_data(void *ctx, struct page_data *data)
{
	const struct contents *c = ctx;
	struct export_opts named = *c->opts;
	struct page_body body;
	struct stacks *both = NULL;
	struct err err = { 0 };
	int event = named.other ? export_event(c->s, c->opts, &err) : -1;

	if (event >= 0) {
		named.event = stacks_text(c->s, c->s->events[event].name);
		both = export_joined(c->s, c->opts, &err);
	}
	page_body_make(&body, both ? both : c->s, &named);
	stacks_free(both);
	for (size_t i = 0; i < body.nr_units; i++)
		page_data_put(data, body.units[i].buf, body.units[i].len);
	page_body_release(&body);
}

static int write_page(const struct stacks *s, const struct export_opts *opts, struct export_out *o,
		      struct err *err)
{
	const struct page_shell shell = { page_frame, page_style, page_script };
	struct contents contents = { s, opts };

	if (opts->other && export_event(s, opts, err) < 0)
		return err->code;
	page_shell_write(&shell, put_data, &contents, o);
	return 0;
}

const struct export_ops export_html = {
	.name = "html",
	.runs = true,
	.arg = "file",
	.help = "Write one page for a browser, with flame graph, times, functions and callers",
	.dims = { .comm = true,
		  .process = true,
		  .thread = true,
		  .cpu = true,
		  .sites = true,
		  .packed = true,
		  .slices = 512 },
	.write = write_page,
};
