// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/views/diff.h"

#include "base/alloc.h"
#include "codec/quote.h"
#include "ui/widgets/outline.h"
#include "ui/widgets/popup.h"

enum diff_request {
	DIFF_NEXT_EVENT = REQ_OWN,
	DIFF_PREVIOUS_EVENT,
	DIFF_TOGGLE,
	DIFF_EXPAND_ALL,
	DIFF_COLLAPSE_ALL,
	DIFF_FILTER,
	DIFF_METHOD,
	DIFF_ANNOTATE,
	DIFF_PRINT,
	DIFF_COMMAND,
	DIFF_SORT_0,
	DIFF_SORT_9 = DIFF_SORT_0 + 9,
};

const struct binding diff_bindings[] = {
	{ "TAB", DIFF_NEXT_EVENT, "next-event", "Show the next event" },
	{ "UNTAB", DIFF_PREVIOUS_EVENT, "previous-event", "Show the event before" },
	{ "+ e", DIFF_TOGGLE, "toggle", "Unfold or fold the call paths, or the blocks, of a row" },
	{ "E", DIFF_EXPAND_ALL, "expand-all", "Unfold all rows" },
	{ "C", DIFF_COLLAPSE_ALL, "collapse-all", "Fold all rows" },
	{ "ENTER a RIGHT", DIFF_ANNOTATE, "annotate",
	  "Look into the function in one of the recordings" },
	{ "/", DIFF_FILTER, "filter", "Show only rows that have a text in their names" },
	{ "c", DIFF_METHOD, "method", "Compare by the next of delta, delta-abs and ratio" },
	{ "P", DIFF_PRINT, "print", "Write what is shown to the file perf.diff.N" },
	{ "y", DIFF_COMMAND, "command", "Show the command that prints this" },
	{ "0", DIFF_SORT_0, "sort-0", "Sort by the baseline" },
	{ "1", DIFF_SORT_0 + 1, "sort-1", "Sort by the changes of file 1, and so on up to 9" },
	{ "2", DIFF_SORT_0 + 2, "sort-2", "Sort by the changes of file 2" },
	{ "3", DIFF_SORT_0 + 3, "sort-3", "Sort by the changes of file 3" },
	{ "4", DIFF_SORT_0 + 4, "sort-4", "Sort by the changes of file 4" },
	{ "5", DIFF_SORT_0 + 5, "sort-5", "Sort by the changes of file 5" },
	{ "6", DIFF_SORT_0 + 6, "sort-6", "Sort by the changes of file 6" },
	{ "7", DIFF_SORT_0 + 7, "sort-7", "Sort by the changes of file 7" },
	{ "8", DIFF_SORT_0 + 8, "sort-8", "Sort by the changes of file 8" },
	{ "9", DIFF_SORT_9, "sort-9", "Sort by the changes of file 9" },
	{ NULL },
};

struct diff_browser {
	struct view view;
	struct diff_shown *shown;
	struct diff_conf conf; /* in force */
	struct palette palette;
	struct diff_text text;
	const struct diff_row **rows; /* owned; those that pass the filter */
	size_t nr;
	struct outline outline;
	struct strbuf filter;
	struct strbuf lines;       /* of the row that was asked for last */
	const struct diff_row *of; /* that row; NULL: none */
};

static struct diff_browser *browser_of(struct view *v)
{
	return container_of(v, struct diff_browser, view);
}

/* ---- rows ---- */

static bool passes(const struct diff_browser *b, const struct diff_row *row)
{
	struct strbuf name = STRBUF_INIT;
	bool passes;

	if (!b->filter.len)
		return true;
	diff_row_name(b->shown->diff, row, &name);
	passes = strstr(strbuf_str(&name), b->filter.buf);
	strbuf_release(&name);
	return passes;
}

static void find_rows(struct diff_browser *b)
{
	const struct diff *d = b->shown->diff;

	free(b->rows);
	b->rows = xcalloc(d->nr_rows + 1, sizeof(*b->rows));
	b->nr = 0;
	b->of = NULL;
	for (size_t i = 0; i < d->nr_rows; i++)
		if (passes(b, &d->rows[i]))
			b->rows[b->nr++] = &d->rows[i];
	outline_clear(&b->outline, b->nr);
	b->view.at = b->view.top = 0;
}

static void compare(struct diff_browser *b, int step)
{
	b->shown->compare(b->shown->ctx, &b->conf, step, b->shown);
	b->text = *b->shown->text;
	b->text.fit = (struct fit){ 0 };
	b->text.palette = &b->palette;
	find_rows(b);
}

/* Return all lines of a row, as text has them. */
static const char *lines_of(struct diff_browser *b, const struct diff_row *row)
{
	if (b->of == row)
		return strbuf_str(&b->lines);
	strbuf_reset(&b->lines);
	diff_row_lines(b->shown->diff, &b->text, row, &b->lines);
	b->of = row;
	return strbuf_str(&b->lines);
}

/* Give the lines below a row: all but the first one. */
static void lines_below(void *ctx, u64 entry, struct outline_below *out)
{
	struct diff_browser *b = ctx;
	const char *s = lines_of(b, b->rows[entry]);

	for (u32 i = 0; (s = strchr(s, '\n')) && *++s;)
		outline_add(out, b->rows[entry], ++i, 0);
}

static u64 nr_rows(struct view *v)
{
	return outline_nr(&browser_of(v)->outline);
}

static void put_row(struct view *v, u64 at, struct strbuf *out)
{
	struct diff_browser *b = browser_of(v);
	size_t from = out->len;
	u64 entry;
	const struct outline_line *line = outline_at(&b->outline, at, &entry);
	const char *s = lines_of(b, b->rows[entry]), *end = strchr(s, '\n');

	for (u32 i = 0; line && i < line->part; i++) {
		s = end + 1;
		end = strchr(s, '\n');
	}
	strbuf_add(out, s, (size_t)(end - s));
	if (!line && end[1] && out->buf[from] == ' ')
		out->buf[from] = outline_entry_is_open(&b->outline, entry) ? '-' : '+';
}

static void put_title(struct view *v, struct strbuf *out)
{
	const struct diff_browser *b = browser_of(v);

	strbuf_addf(out, "%zu row%s of event '", b->nr, b->nr == 1 ? "" : "s");
	strbuf_addname(out, b->shown->event);
	strbuf_addf(out, "', sorted by %s",
		    b->conf.order ? "the changes of file " : "the baseline");
	if (b->conf.order)
		strbuf_addf(out, "%u", b->conf.order);
	if (b->filter.len) {
		strbuf_addstr(out, ", with: ");
		strbuf_addname(out, b->filter.buf);
	}
}

/* Append the titles of columns, without the sign of a comment. */
static void put_heads(struct view *v, struct strbuf *out)
{
	const struct diff_browser *b = browser_of(v);
	char *end;

	diff_titles(b->shown->diff, &b->text, out);
	end = strchr(out->buf, '\n');
	out->len = (size_t)(end - out->buf);
	*end = 0;
	*out->buf = ' ';
}

/* ---- requests ---- */

static void fold_all(struct diff_browser *b, bool open)
{
	for (u64 i = 0; i < b->nr; i++) {
		if (open)
			outline_open(&b->outline, i);
		else if (outline_entry_is_open(&b->outline, i))
			outline_close(&b->outline, i);
	}
	b->view.at = b->view.top = 0;
}

static void toggle(struct diff_browser *b)
{
	u64 entry;

	if (!b->nr)
		return;
	outline_at(&b->outline, b->view.at, &entry);
	if (outline_entry_is_open(&b->outline, entry))
		outline_close(&b->outline, entry);
	else
		outline_open(&b->outline, entry);
	view_select(&b->view, outline_row(&b->outline, entry));
}

static void sort_by(struct diff_browser *b, struct ui *ui, u32 file)
{
	u32 nr = b->shown->diff->nr_sides;

	if (file >= nr) {
		ui_say(ui, "There is no file %u: they have the numbers 0 to %u", file, nr - 1);
		return;
	}
	b->conf.order = file;
	compare(b, 0);
}

static void next_method(struct diff_browser *b, struct ui *ui)
{
	if (b->conf.compute == DIFF_CYCLES) {
		ui_say(ui, "Cycles were counted in place of shares: see --compute");
		return;
	}
	b->conf.compute = b->conf.compute == DIFF_DELTA       ? DIFF_DELTA_ABS
			  : b->conf.compute == DIFF_DELTA_ABS ? DIFF_RATIO
							      : DIFF_DELTA;
	compare(b, 0);
}

static void annotate(struct diff_browser *b, struct ui *ui)
{
	u64 entry;

	if (!b->nr)
		return;
	outline_at(&b->outline, b->view.at, &entry);
	b->shown->annotate(b->shown->ctx, ui, b->rows[entry]);
}

/* Save all rows, with what is unfolded, as they are on the screen. */
static void print(struct diff_browser *b, struct ui *ui)
{
	struct strbuf text = STRBUF_INIT, said = STRBUF_INIT;
	u64 nr = nr_rows(&b->view);

	b->text.palette = NULL;
	b->of = NULL;
	put_title(&b->view, &text);
	strbuf_addch(&text, '\n');
	diff_titles(b->shown->diff, &b->text, &text);
	for (u64 i = 0; i < nr; i++) {
		put_row(&b->view, i, &text);
		strbuf_addch(&text, '\n');
	}
	b->text.palette = &b->palette;
	b->of = NULL;
	b->shown->save(b->shown->ctx, &text, &said);
	ui_say(ui, "%s", strbuf_str(&said));
	strbuf_release(&said);
	strbuf_release(&text);
}

/* A filter chooses lines, which text leaves to other tools. */
static void show_command(const struct diff_browser *b, struct ui *ui)
{
	struct strbuf text = STRBUF_INIT;

	b->shown->command(b->shown->ctx, &b->conf, &text);
	if (b->filter.len) {
		strbuf_addstr(&text, " | grep -F -e ");
		quote_shell(&text, b->filter.buf);
	}
	popup_text(ui, "The command that prints this", text.buf);
	strbuf_release(&text);
}

/* Do what changes which rows are shown, and in which order. Return: as view_ops.request() */
static int row_request(struct diff_browser *b, struct ui *ui, int request)
{
	switch (request) {
	case DIFF_NEXT_EVENT:
	case DIFF_PREVIOUS_EVENT:
		compare(b, request == DIFF_NEXT_EVENT ? 1 : -1);
		break;
	case DIFF_TOGGLE:
		toggle(b);
		break;
	case DIFF_EXPAND_ALL:
	case DIFF_COLLAPSE_ALL:
		fold_all(b, request == DIFF_EXPAND_ALL);
		break;
	case DIFF_FILTER:
		if (popup_input(ui, "Part of the names of rows (empty: all)", &b->filter))
			find_rows(b);
		break;
	case DIFF_METHOD:
		next_method(b, ui);
		break;
	default:
		if (request < DIFF_SORT_0 || request > DIFF_SORT_9)
			return VIEW_UNKNOWN;
		sort_by(b, ui, (u32)(request - DIFF_SORT_0));
	}
	return VIEW_STAYS;
}

static int do_request(struct view *v, struct ui *ui, int request)
{
	struct diff_browser *b = browser_of(v);

	switch (request) {
	case DIFF_ANNOTATE:
		annotate(b, ui);
		break;
	case DIFF_PRINT:
		print(b, ui);
		break;
	case DIFF_COMMAND:
		show_command(b, ui);
		break;
	default:
		return row_request(b, ui, request);
	}
	return VIEW_STAYS;
}

static const struct view_ops diff_ops = {
	.name = "diff",
	.bindings = diff_bindings,
	.title = put_title,
	.heads = put_heads,
	.nr_rows = nr_rows,
	.row = put_row,
	.request = do_request,
};

int diff_view(struct ui *ui, struct diff_shown *shown, const struct diff_conf *conf)
{
	struct diff_browser b = { .view = { .ops = &diff_ops },
				  .shown = shown,
				  .conf = *conf,
				  .palette = style_palette(),
				  .outline = { .below = lines_below } };
	int ret;

	b.outline.ctx = &b;
	compare(&b, 0);
	ret = view_run(&b.view, ui);
	outline_release(&b.outline);
	strbuf_release(&b.filter);
	strbuf_release(&b.lines);
	free(b.rows);
	return ret;
}
