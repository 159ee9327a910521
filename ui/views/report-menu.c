// SPDX-License-Identifier: GPL-2.0-or-later
/* The menu of a line of the report: what can be done with it, each thing with a key of its own. */
#include "base/compat.h"
#include "ui/views/report-internal.h"

#include "base/alloc.h"
#include "ui/widgets/popup.h"

struct item {
	struct strbuf text;
	int request;
};

struct menu {
	struct item *items; /* owned */
	size_t nr, cap;
};

/* Add an item. Return: its text, to be filled in before the next one is added. */
static struct strbuf *add(struct menu *m, int request)
{
	VEC_GROW(m->items, m->nr + 1, m->cap);
	m->items[m->nr] = (struct item){ .text = STRBUF_INIT, .request = request };
	return &m->items[m->nr++].text;
}

static void add_zooms(struct menu *m, struct report_browser *b)
{
	static const int zooms[] = { REPORT_ZOOM_THREAD, REPORT_ZOOM_DSO, REPORT_ZOOM_KERNEL,
				     REPORT_ZOOM_SOCKET };

	for (size_t i = 0; i < ARRAY_SIZE(zooms); i++) {
		bool kernel_too = zooms[i] == REPORT_ZOOM_KERNEL && b->filters.dso;

		if (!kernel_too && report_can_zoom(b, zooms[i]))
			report_zoom_name(b, zooms[i], add(m, zooms[i]));
	}
}

static void add_symbol(struct menu *m, struct report_browser *b, const struct report_selected *s)
{
	const char *name = hist_symbol_name(b->shown->h, s->place);
	struct strbuf *text;

	if (!b->shown->annotate || !name)
		return;
	text = add(m, REPORT_ANNOTATE);
	strbuf_addstr(text, "Annotate ");
	strbuf_addname(text, name);
}

static void add_folding(struct menu *m, struct report_browser *b, const struct report_selected *s)
{
	bool open;

	if (!s->line && !b->levels && !hist_row_chain(s->row))
		return;
	open = s->line ? outline_is_open(&b->outline, s->line->node)
		       : outline_entry_is_open(&b->outline, s->entry);
	strbuf_addf(add(m, REPORT_TOGGLE), "%s one level (+)", open ? "Fold" : "Unfold");
	strbuf_addstr(add(m, REPORT_TOGGLE_ROW), outline_entry_is_open(&b->outline, s->entry)
							 ? "Fold the row (e)"
							 : "Unfold the row (e)");
}

/* Let the user choose an item, and forget the menu. Return: its request, or REQ_NONE */
static int choose(struct menu *m, struct ui *ui)
{
	const char **lines = xcalloc(m->nr, sizeof(*lines));
	int at, request;

	for (size_t i = 0; i < m->nr; i++)
		lines[i] = strbuf_str(&m->items[i].text);
	at = popup_menu(ui, "", lines, m->nr, 0);
	request = at < 0 ? REQ_NONE : m->items[at].request;
	for (size_t i = 0; i < m->nr; i++)
		strbuf_release(&m->items[i].text);
	free(m->items);
	free((void *)lines);
	return request;
}

int report_menu(struct report_browser *b, struct ui *ui)
{
	struct report_selected s = report_selected(b);
	struct menu m = { NULL };

	if (s.row) {
		add_symbol(&m, b, &s);
		add_zooms(&m, b);
		add_folding(&m, b, &s);
	}
	if (s.row && report_can_map(b, s.place))
		strbuf_addstr(add(&m, REPORT_MAP), "Browse map details (M)");
	if (s.row && b->shown->stacks && hist_symbol_name(b->shown->h, s.place))
		strbuf_addstr(add(&m, REPORT_CALLS), "Show callers and callees (b)");
	if (s.row && hist_row_chain(s.row))
		strbuf_addf(add(&m, REPORT_ICICLE), "Draw the call graph as boxes%s",
			    b->shown->live ? "" : " (f)");
	if (b->shown->over_time)
		strbuf_addstr(add(&m, REPORT_STRIP), "Choose a range of time (T)");
	if (s.row && b->shown->scripts && hist_symbol_name(b->shown->h, s.place))
		strbuf_addstr(add(&m, REPORT_SYMBOL_SCRIPTS),
			      "Run a script on the samples of the function (R)");
	if (b->shown->scripts)
		strbuf_addstr(add(&m, REPORT_SCRIPTS), "Run a script on the recording (r)");
	if (b->nr_undo)
		strbuf_addstr(add(&m, REPORT_UNDO), "Undo the last filter (u)");
	strbuf_addstr(add(&m, REPORT_COMMAND), "Show the command that prints this (y)");
	strbuf_addstr(add(&m, REPORT_PRINT), "Write what is shown to a file (P)");
	if (b->shown->other_file)
		strbuf_addstr(add(&m, REPORT_OTHER_FILE),
			      "Switch to another data file in this folder (s)");
	strbuf_addstr(add(&m, REQ_QUIT), "Exit");
	return choose(&m, ui);
}
