// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/views/blocks.h"

#include "ui/widgets/popup.h"

enum blocks_request {
	BLOCKS_PRINT = REQ_OWN,
	BLOCKS_COMMAND,
};

const struct binding blocks_bindings[] = {
	{ "ENTER RIGHT a", REQ_ENTER, "annotate",
	  "Look into the function, where the block begins" },
	{ "/", REQ_SEARCH, "search", "Search for a text" },
	{ "n", REQ_SEARCH_NEXT, "search-next", "Search for it again" },
	{ "N", REQ_SEARCH_PREVIOUS, "search-previous", "Search for it backwards" },
	{ "P", BLOCKS_PRINT, "print", "Write what is shown to the file perf.hist.N" },
	{ "y", BLOCKS_COMMAND, "command", "Show the command that prints this" },
	{ NULL },
};

struct blocks_browser {
	struct view view;
	const struct blocks_shown *shown;
	struct blocks_table table;
};

static struct blocks_browser *browser_of(struct view *v)
{
	return container_of(v, struct blocks_browser, view);
}

static u64 nr_rows(struct view *v)
{
	return browser_of(v)->table.nr;
}

static void put_row(struct view *v, u64 row, struct strbuf *out)
{
	blocks_table_row(&browser_of(v)->table, row, out);
}

static void put_title(struct view *v, struct strbuf *out)
{
	strbuf_addstr(out, browser_of(v)->shown->title);
}

static void put_heads(struct view *v, struct strbuf *out)
{
	size_t begun = out->len;

	blocks_table_titles(&browser_of(v)->table, out);
	out->buf[begun] = ' '; /* in place of '#' */
}

static int annotate(struct blocks_browser *b, struct ui *ui)
{
	if (!b->table.nr)
		return VIEW_STAYS;
	if (b->shown->annotate)
		return b->shown->annotate(b->shown->ctx, ui, b->table.rows[b->view.at]);
	ui_say(ui, "What is shown was read from a stream, which cannot be read again");
	return VIEW_STAYS;
}

static int do_request(struct view *v, struct ui *ui, int request)
{
	struct blocks_browser *b = browser_of(v);

	switch (request) {
	case REQ_ENTER:
		return annotate(b, ui);
	case BLOCKS_PRINT:
		view_save(v, ui, b->shown->save, b->shown->ctx);
		break;
	case BLOCKS_COMMAND:
		popup_text(ui, "The command that prints this", b->shown->command);
		break;
	default:
		return VIEW_UNKNOWN;
	}
	return VIEW_STAYS;
}

static const struct view_ops blocks_ops = {
	.name = "blocks",
	.bindings = blocks_bindings,
	.title = put_title,
	.heads = put_heads,
	.nr_rows = nr_rows,
	.row = put_row,
	.request = do_request,
};

int blocks_view(struct ui *ui, const struct blocks_shown *shown)
{
	struct blocks_browser b = { .view = { .ops = &blocks_ops }, .shown = shown };
	const struct palette palette = style_palette();
	struct report_conf conf = shown->report;
	int ret;

	conf.palette = &palette;
	conf.fit = (struct fit){ 0 };
	blocks_table_init(&b.table, shown->blocks, &conf);
	ret = view_run(&b.view, ui);
	blocks_table_release(&b.table);
	return ret;
}
