// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/views/lines.h"

#include "base/alloc.h"
#include "ui/widgets/popup.h"

enum lines_request {
	LINES_PRINT = REQ_OWN,
	LINES_COMMAND,
};

const struct binding lines_bindings[] = {
	{ "/", REQ_SEARCH, "search", "Search for a text" },
	{ "n", REQ_SEARCH_NEXT, "search-next", "Search for it again" },
	{ "N", REQ_SEARCH_PREVIOUS, "search-previous", "Search for it backwards" },
	{ "P", LINES_PRINT, "print", "Write all lines to a file" },
	{ "y", LINES_COMMAND, "command", "Show the command that prints this" },
	{ NULL },
};

enum { TAB_WIDTH = 8 };

struct lines {
	struct view view;
	const struct lines_shown *shown;
	size_t *starts; /* owned; where each line begins in the text, and behind them its end */
	size_t nr, cap;
};

static struct lines *lines_of(struct view *v)
{
	return container_of(v, struct lines, view);
}

/* ---- the lines ---- */

static void add_start(struct lines *l, size_t at)
{
	VEC_GROW(l->starts, l->nr + 1, l->cap);
	l->starts[l->nr++] = at;
}

static void split(struct lines *l)
{
	const struct strbuf *text = l->shown->text;
	size_t at = 0;

	while (at < text->len) {
		const char *end = memchr(text->buf + at, '\n', text->len - at);

		add_start(l, at);
		at = end ? (size_t)(end + 1 - text->buf) : text->len + 1;
	}
	add_start(l, at);
	l->nr--;
}

static u64 nr_rows(struct view *v)
{
	return lines_of(v)->nr;
}

/* Append a line with blanks for its tabs. Nothing else in it moves or colours anything. */
static void put_row(struct view *v, u64 row, struct strbuf *out)
{
	const struct lines *l = lines_of(v);
	size_t from = out->len;
	char *line = xstrndup(l->shown->text->buf + l->starts[row],
			      l->starts[row + 1] - l->starts[row] - 1);
	char *rest = line, *part;

	while ((part = strsep(&rest, "\t"))) {
		strbuf_addname(out, part);
		if (rest)
			strbuf_pad(out, out->len + TAB_WIDTH - (out->len - from) % TAB_WIDTH);
	}
	free(line);
}

static void put_title(struct view *v, struct strbuf *out)
{
	const struct lines *l = lines_of(v);

	strbuf_addname(out, l->shown->title);
	strbuf_addf(out, ": %zu line%s", l->nr, l->nr == 1 ? "" : "s");
}

/* ---- requests ---- */

static void save(const struct lines *l, struct ui *ui)
{
	struct strbuf said = STRBUF_INIT;

	l->shown->save(l->shown->ctx, l->shown->text, &said);
	ui_say(ui, "%s", strbuf_str(&said));
	strbuf_release(&said);
}

static int do_request(struct view *v, struct ui *ui, int request)
{
	const struct lines *l = lines_of(v);

	switch (request) {
	case LINES_PRINT:
		save(l, ui);
		break;
	case LINES_COMMAND:
		popup_text(ui, "The command that prints this", l->shown->command);
		break;
	default:
		return VIEW_UNKNOWN;
	}
	return VIEW_STAYS;
}

static const struct view_ops lines_ops = {
	.name = "lines",
	.bindings = lines_bindings,
	.title = put_title,
	.nr_rows = nr_rows,
	.row = put_row,
	.request = do_request,
};

int lines_view(struct ui *ui, const struct lines_shown *shown)
{
	struct lines l = { .view = { .ops = &lines_ops }, .shown = shown };
	int ret;

	split(&l);
	ret = view_run(&l.view, ui);
	free(l.starts);
	return ret;
}
