// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/views/contention.h"

#include "ui/widgets/popup.h"

const struct binding contention_bindings[] = {
	{ "ENTER RIGHT d", REQ_ENTER, "places", "Show the places in the line that are accessed" },
	{ "s", CONTENTION_SUMS, "sums", "Show the sums over all accesses" },
	{ "/", REQ_SEARCH, "search", "Search for a text" },
	{ "n", REQ_SEARCH_NEXT, "search-next", "Search for it again" },
	{ "N", REQ_SEARCH_PREVIOUS, "search-previous", "Search for it backwards" },
	{ "P", CONTENTION_PRINT, "print", "Write what is shown to the file perf.c2c.N" },
	{ "y", CONTENTION_COMMAND, "command", "Show the command that prints this" },
	{ NULL },
};

const struct binding places_bindings[] = {
	{ "ENTER RIGHT d", REQ_ENTER, "details", "Show all that is known of the place" },
	{ "n", CONTENTION_NODES, "nodes", "Show more of the nodes, or less again" },
	{ "s", CONTENTION_NAMES, "names", "Show whole names of functions, or cut ones" },
	{ "/", REQ_SEARCH, "search", "Search for a text" },
	{ "N", REQ_SEARCH_NEXT, "search-next", "Search for it again" },
	{ "P", CONTENTION_PRINT, "print", "Write what is shown to the file perf.c2c.N" },
	{ "y", CONTENTION_COMMAND, "command", "Show the command that prints this" },
	{ NULL },
};

struct browser {
	struct view view;
	const struct contention_shown *shown;
};

static const struct contention_shown *shown_in(struct view *v)
{
	return container_of(v, struct browser, view)->shown;
}

static u64 nr_rows(struct view *v)
{
	return shown_in(v)->nr_rows;
}

static void put_row(struct view *v, u64 row, struct strbuf *out)
{
	shown_in(v)->row(shown_in(v)->ctx, row, out);
}

static void put_title(struct view *v, struct strbuf *out)
{
	shown_in(v)->title(shown_in(v)->ctx, out);
}

static void put_heads(struct view *v, struct strbuf *out)
{
	shown_in(v)->heads(shown_in(v)->ctx, out);
}

static int do_request(struct view *v, struct ui *ui, int request)
{
	const struct contention_shown *s = shown_in(v);

	switch (request) {
	case REQ_ENTER:
	case CONTENTION_SUMS:
	case CONTENTION_NODES:
	case CONTENTION_NAMES:
		return s->request(s->ctx, ui, request, v->at);
	case CONTENTION_PRINT:
		view_save(v, ui, s->save, s->ctx);
		return VIEW_STAYS;
	case CONTENTION_COMMAND:
		popup_text(ui, "The command that prints this", s->command);
		return VIEW_STAYS;
	default:
		return VIEW_UNKNOWN;
	}
}

static int run(struct ui *ui, const struct contention_shown *shown, const char *name,
	       const struct binding *bindings)
{
	const struct view_ops ops = {
		.name = name,
		.bindings = bindings,
		.title = put_title,
		.heads = put_heads,
		.nr_rows = nr_rows,
		.row = put_row,
		.request = do_request,
	};
	struct browser b = { .view = { .ops = &ops }, .shown = shown };

	return view_run(&b.view, ui);
}

int contention_view(struct ui *ui, const struct contention_shown *shown)
{
	return run(ui, shown, "c2c", contention_bindings);
}

int places_view(struct ui *ui, const struct contention_shown *shown)
{
	return run(ui, shown, "c2c-line", places_bindings);
}
