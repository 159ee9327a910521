// SPDX-License-Identifier: GPL-2.0-or-later
/* The report browser: its keys, and what is on its screen. */
#include "base/compat.h"
#include "ui/views/report.h"

#include "base/alloc.h"
#include "ui/views/strip.h"
#include "ui/views/icicle.h"
#include "ui/views/report-internal.h"
#include "ui/views/report-events.h"
#include "ui/views/report-live.h"
#include "ui/widgets/popup.h"

const struct binding report_bindings[] = {
	{ "ENTER m", REQ_ENTER, "menu", "Choose what to do with the selected line" },
	{ "TAB", REPORT_NEXT_EVENT, "next-event", "Show the next event" },
	{ "UNTAB", REPORT_PREVIOUS_EVENT, "previous-event", "Show the event before" },
	{ "+", REPORT_TOGGLE, "toggle", "Unfold or fold one level of a call graph" },
	{ "e", REPORT_TOGGLE_ROW, "toggle-row", "Unfold or fold the whole call graph of a row" },
	{ "E", REPORT_EXPAND_ALL, "expand-all", "Unfold all call graphs" },
	{ "C", REPORT_COLLAPSE_ALL, "collapse-all", "Fold all call graphs" },
	{ "c", REPORT_COLLAPSE_ROW, "collapse-row", "Fold the call graph of a row" },
	{ "a RIGHT", REPORT_ANNOTATE, "annotate",
	  "Look into the function: instructions and source" },
	{ "t", REPORT_ZOOM_THREAD, "zoom-thread", "Show only this thread, or all again" },
	{ "d", REPORT_ZOOM_DSO, "zoom-dso", "Show only this object, or all again" },
	{ "k", REPORT_ZOOM_KERNEL, "zoom-kernel", "Show only the kernel, or all again" },
	{ "S", REPORT_ZOOM_SOCKET, "zoom-socket",
	  "Show only this socket of processors, or all again" },
	{ "/", REPORT_FILTER_SYMBOL, "filter-symbol",
	  "Show only symbols that have a text in their name" },
	{ "u", REPORT_UNDO, "undo", "Go back to the filters before" },
	{ "ESC LEFT", REPORT_OUT, "out", "Undo the last filter; ESC without one leaves" },
	{ "F", REPORT_PERCENTAGE, "percentage",
	  "Show shares of what passes the filters, or of everything" },
	{ "H", REPORT_HEADS, "columns", "Show or hide the titles of columns" },
	{ "V", REPORT_VERBOSE, "verbose", "Show or hide objects in call graphs" },
	{ "L", REPORT_LIMIT, "limit", "Change the share below which rows are not shown" },
	{ "i", REPORT_HEADER, "header", "Show what the recording says of itself" },
	{ "P", REPORT_PRINT, "print", "Write what is shown to the file perf.hist.N" },
	{ "y", REPORT_COMMAND, "command", "Show the command that prints this" },
	{ "r", REPORT_SCRIPTS, "scripts", "Run a script on the recording" },
	{ "R", REPORT_SYMBOL_SCRIPTS, "symbol-scripts",
	  "Run a script on the samples of the function" },
	{ "f", REPORT_ICICLE, "icicle", "Draw the call graph of the row as boxes (icicle graph)" },
	{ "b", REPORT_CALLS, "calls", "Show the callers and callees of the function" },
	{ "M", REPORT_MAP, "map", "Show the symbols of the object, by address" },
	{ "T", REPORT_STRIP, "strip", "Show when samples were taken, and choose a range of time" },
	{ "s", REPORT_OTHER_FILE, "switch", "Switch to another data file in this folder" },
	{ "0", REPORT_SORT_0, "sort-0", "Sort by the first event of the group" },
	{ "1", REPORT_SORT_0 + 1, "sort-1", "Sort by event 1 of the group, and so on up to 9" },
	{ "2", REPORT_SORT_0 + 2, "sort-2", "Sort by event 2 of the group" },
	{ "3", REPORT_SORT_0 + 3, "sort-3", "Sort by event 3 of the group" },
	{ "4", REPORT_SORT_0 + 4, "sort-4", "Sort by event 4 of the group" },
	{ "5", REPORT_SORT_0 + 5, "sort-5", "Sort by event 5 of the group" },
	{ "6", REPORT_SORT_0 + 6, "sort-6", "Sort by event 6 of the group" },
	{ "7", REPORT_SORT_0 + 7, "sort-7", "Sort by event 7 of the group" },
	{ "8", REPORT_SORT_0 + 8, "sort-8", "Sort by event 8 of the group" },
	{ "9", REPORT_SORT_9, "sort-9", "Sort by event 9 of the group" },
	{ NULL },
};

/* ---- rows ---- */

static bool passes(const struct report_browser *b, const struct hist_row *row)
{
	const char *name;

	if (!report_table_shows(&b->table, row))
		return false;
	if (!b->filters.symbol)
		return true;
	name = hist_symbol_name(b->shown->h, row->place);
	return name && strstr(name, b->filters.symbol);
}

static void add_entry(struct report_browser *b, const void *entry, const struct hist_row *row)
{
	if (!passes(b, row))
		return;
	b->entries[b->nr_entries++] = entry;
	b->nr += row->nr;
	b->period += row->period;
}

/* With a filter of names, shares of what passes are of the rows that are shown. */
static void make_table(struct report_browser *b)
{
	report_table_release(&b->table);
	report_table_init(&b->table, b->shown->h, &b->conf, b->evsel);
}

void report_refresh(struct report_browser *b)
{
	const struct hist_event *ev = hist_event(b->shown->h, b->evsel);
	size_t nr = b->levels && ev->tree ? ev->tree->nr_children : ev->nr_rows;

	make_table(b);
	free(b->entries);
	b->entries = xcalloc(nr + 1, sizeof(*b->entries));
	b->nr_entries = 0;
	b->nr = b->period = 0;
	for (size_t i = 0; i < nr; i++) {
		if (b->levels)
			add_entry(b, ev->tree->children[i], ev->tree->children[i]->row);
		else
			add_entry(b, ev->rows[i], ev->rows[i]);
	}
	if (b->filters.symbol && b->conf.relative)
		b->table.ev->period = b->period;
	outline_clear(&b->outline, b->nr_entries);
}

void report_forget_rows(struct report_browser *b)
{
	report_table_release(&b->table);
	b->nr_entries = 0;
	outline_clear(&b->outline, 0);
}

struct report_selected report_selected(struct report_browser *b)
{
	struct report_selected s = { 0 };
	const struct hist_node *n;

	if (!b->nr_entries)
		return s;
	s.line = outline_at(&b->outline, b->view.at, &s.entry);
	n = s.line ? report_line_node(s.line) : NULL;
	s.row = n ? n->row : report_entry_row(b, s.entry);
	s.chain = s.line && !n ? s.line->node : NULL;
	s.place = s.chain ? hist_frame(b->shown->h, s.chain->frames[s.line->part])->place
			  : s.row->place;
	return s;
}

static u64 nr_rows(struct view *v)
{
	return outline_nr(&report_browser(v)->outline);
}

static void put_row(struct view *v, u64 row, struct strbuf *out)
{
	struct report_browser *b = report_browser(v);
	const struct outline_line *line;
	u64 entry;

	line = outline_at(&b->outline, row, &entry);
	if (line)
		report_line_text(b, entry, line, out);
	else
		report_entry_text(b, entry, out);
}

/* ---- what stands around them ---- */

static void put_title(struct view *v, struct strbuf *out)
{
	struct report_browser *b = report_browser(v);
	const struct hist_event *ev = hist_event(b->shown->h, b->evsel);
	u64 nr = report_event_samples(b, b->evsel), period = 0;

	for (u32 i = 0; i < MAX(ev->nr_members, 1u); i++)
		period += b->conf.relative ? ev[i].passed_period : ev[i].period;
	if (b->filters.symbol) {
		nr = b->nr;
		period = b->period;
	}
	strbuf_addstr(out, "Samples: ");
	report_unit(nr, out);
	strbuf_addf(out, " of event%s '", ev->nr_members > 1 ? "s" : "");
	b->shown->event_name(b->shown->ctx, b->evsel, out);
	strbuf_addf(out, "', Event count (approx.): %" PRIu64, period);
	if (b->shown->live)
		b->shown->live->losses(b->shown->ctx, out);
	report_filters_text(b, out);
}

static void put_heads(struct view *v, struct strbuf *out)
{
	struct report_browser *b = report_browser(v);
	char *end;

	if (b->heads_hidden)
		return;
	report_table_titles(&b->table, out);
	end = strchr(out->buf, '\n');
	out->len = (size_t)(end - out->buf);
	*end = 0;
	*out->buf = ' ';
}

/* Append the filters in force, the last one last, and else which key shows help. */
static void put_hint(struct view *v, struct strbuf *out)
{
	struct report_browser *b = report_browser(v);
	struct strbuf filters = STRBUF_INIT;

	report_filters_text(b, &filters);
	if (filters.len)
		strbuf_addf(out, "%s (press 'u' to undo the last)", filters.buf + strlen(", "));
	else if (b->shown->live)
		report_live_hint(b, out);
	else
		strbuf_addstr(out, "Press 'h' for help on key bindings");
	strbuf_release(&filters);
}

/* ---- requests ---- */

u64 report_event_samples(const struct report_browser *b, u32 evsel)
{
	const struct hist_event *ev = hist_event(b->shown->h, evsel);
	u64 nr = 0;

	for (u32 i = 0; i < MAX(ev->nr_members, 1u); i++)
		nr += b->conf.relative ? ev[i].passed_nr : ev[i].nr;
	return nr;
}

bool report_shows_event(const struct report_browser *b, u32 evsel)
{
	const struct hist_event *ev = hist_event(b->shown->h, evsel);
	u64 nr = 0;

	if (b->shown->live)
		return b->shown->live->has_rows(b->shown->ctx, evsel);
	for (u32 i = 0; i < ev->nr_members; i++)
		nr += ev[i].nr;
	return ev->nr_members && (nr || !b->shown->skip_empty);
}

void report_count(struct report_browser *b)
{
	b->levels = hist_config(b->shown->h)->cols.hierarchy;
	hist_chains(b->shown->h, b->evsel, b->conf.percent_limit);
	report_refresh(b);
}

void report_show_event(struct report_browser *b, u32 evsel)
{
	b->evsel = evsel;
	report_count(b);
	b->view.at = b->view.top = 0;
}

static void next_event(struct report_browser *b, bool down)
{
	u32 nr = b->shown->nr_events, i = b->evsel;

	do {
		i = (i + (down ? 1 : nr - 1)) % nr;
	} while (i != b->evsel && !report_shows_event(b, i));
	if (i != b->evsel)
		report_show_event(b, i);
}

static void ask_limit(struct report_browser *b, struct ui *ui)
{
	struct strbuf text = STRBUF_INIT;
	char *end;
	double limit;

	strbuf_addf(&text, "%g", b->conf.percent_limit);
	if (popup_input(ui, "Percent below which rows are not shown", &text)) {
		limit = strtod(strbuf_str(&text), &end);
		if (!text.len || *end || !(limit >= 0 && limit <= 100)) {
			ui_say(ui, "'%s' is no percentage", strbuf_str(&text));
		} else {
			b->conf.percent_limit = limit;
			report_refresh(b);
		}
	}
	strbuf_release(&text);
}

static void show_header(struct report_browser *b, struct ui *ui)
{
	struct strbuf text = STRBUF_INIT;

	if (b->shown->header)
		b->shown->header(b->shown->ctx, &text);
	popup_text(ui, "Header information", strbuf_str(&text));
	strbuf_release(&text);
}

/* Save all rows, with what is unfolded, as they are on the screen. */
static void print(struct report_browser *b, struct ui *ui)
{
	struct strbuf text = STRBUF_INIT, said = STRBUF_INIT;
	u64 nr;

	report_unfold_more(b, true);
	nr = nr_rows(&b->view);
	b->conf.palette = b->table.conf.palette = NULL;
	put_title(&b->view, &text);
	strbuf_addch(&text, '\n');
	report_table_titles(&b->table, &text);
	for (u64 i = 0; i < nr; i++) {
		put_row(&b->view, i, &text);
		strbuf_addch(&text, '\n');
	}
	b->conf.palette = b->table.conf.palette = &b->palette;
	b->shown->save(b->shown->ctx, &text, &said);
	ui_say(ui, "%s", strbuf_str(&said));
	strbuf_release(&said);
	strbuf_release(&text);
}

static int annotate(struct report_browser *b, struct ui *ui)
{
	struct report_selected s = report_selected(b);

	if (!s.row)
		return VIEW_STAYS;
	if (b->shown->annotate)
		return b->shown->annotate(b->shown->ctx, ui, b->evsel, s.place);
	ui_say(ui, "There is nothing to look into here");
	return VIEW_STAYS;
}

/* Run a script on all samples, or on those of the selected function. */
static void scripts(struct report_browser *b, struct ui *ui, bool of_symbol)
{
	struct report_selected s = report_selected(b);
	const char *name = of_symbol && s.row ? hist_symbol_name(b->shown->h, s.place) : NULL;

	if (!b->shown->scripts)
		report_say_stream(ui);
	else if (of_symbol && !name)
		ui_say(ui, "There is no function here whose samples a script could read");
	else
		b->shown->scripts(b->shown->ctx, ui, name);
}

static void show_first_event(struct report_browser *b)
{
	u32 evsel = 0;

	while (evsel + 1 < b->shown->nr_events && !report_shows_event(b, evsel))
		evsel++;
	report_show_event(b, evsel);
}

/* Show another recording; filters are those of the one before. */
static void other_file(struct report_browser *b, struct ui *ui)
{
	struct err err = { 0 };
	int ret = b->shown->other_file ? b->shown->other_file(b->shown->ctx, ui, b->shown, &err)
				       : 1;

	if (ret < 0)
		ui_say(ui, "%s", err.msg);
	if (ret)
		return;
	report_filters_release(b);
	show_first_event(b);
}

/* Show the command that prints the row of a call graph, which is found by its symbol. */
static void show_row_command(void *ctx, struct ui *ui)
{
	struct report_browser *b = ctx;
	const char *name = hist_symbol_name(b->shown->h, report_selected(b).row->place);
	struct report_filters f = b->filters;

	if (name)
		f.symbol = (char *)name; /* it is only read */
	report_show_command(b, ui, &f);
}

/* Draw the call graph of the selected row. */
static int icicle(struct report_browser *b, struct ui *ui)
{
	struct report_selected s = report_selected(b);
	const struct hist_conf *conf = hist_config(b->shown->h);
	struct icicle_shown shown = {
		.h = b->shown->h,
		.row = s.row,
		.calls = report_calls,
		.show_command = show_row_command,
		.ctx = b,
	};

	if (!s.row || !hist_row_chain(s.row) ||
	    (conf->chain.mode != CHAIN_GRAPH && conf->chain.mode != CHAIN_FRACTAL)) {
		ui_say(ui, "This row has no call graph: see --call-graph");
		return VIEW_STAYS;
	}
	shown.total = hist_event(b->shown->h, b->evsel)->period;
	return icicle_view(ui, &shown) == VIEW_QUIT ? VIEW_QUIT : VIEW_STAYS;
}

/* Show the callers and callees of the selected function. */
static int calls(struct report_browser *b, struct ui *ui)
{
	struct report_selected s = report_selected(b);

	return s.row ? report_calls(b, ui, s.place) : VIEW_STAYS;
}

/* Show the symbols of the object of the selected row. */
static int map(struct report_browser *b, struct ui *ui)
{
	struct report_selected s = report_selected(b);

	return s.row ? report_map(b, ui, s.place) : VIEW_STAYS;
}

/* Undo a filter; without one ESC goes back to the list of events, or leaves, when the user means
 * it. */
static int go_out(struct report_browser *b, struct ui *ui)
{
	static const char *const answers[] = { "Stay", "Exit" };

	if (report_undo(b, ui))
		return VIEW_STAYS;
	if (report_nr_events(b) > 1)
		return VIEW_BACK;
	return popup_menu(ui, "Do you really want to exit?", answers, 2, 0) == 1 ? VIEW_QUIT
										 : VIEW_STAYS;
}

/* Do what changes which rows are shown. Return: as view_ops.request() */
static int filter_request(struct report_browser *b, struct ui *ui, int request)
{
	switch (request) {
	case REPORT_ZOOM_THREAD:
	case REPORT_ZOOM_DSO:
	case REPORT_ZOOM_KERNEL:
	case REPORT_ZOOM_SOCKET:
		report_zoom(b, ui, request);
		break;
	case REPORT_FILTER_SYMBOL:
		report_ask_symbol(b, ui);
		break;
	case REPORT_UNDO:
		if (!report_undo(b, ui))
			ui_say(ui, "There is no filter to undo");
		break;
	case REPORT_OUT:
		return go_out(b, ui);
	case REPORT_PERCENTAGE:
		b->conf.relative = !b->conf.relative;
		report_refresh(b);
		break;
	case REPORT_LIMIT:
		ask_limit(b, ui);
		break;
	default:
		if (request < REPORT_SORT_0 || request > REPORT_SORT_9)
			return VIEW_UNKNOWN;
		report_sort_by(b, ui, request - REPORT_SORT_0);
	}
	return VIEW_STAYS;
}

/* Do what unfolds lines, or changes how they look. */
static int line_request(struct report_browser *b, int request)
{
	switch (request) {
	case REPORT_TOGGLE:
	case REPORT_TOGGLE_ROW:
		report_toggle(b, request == REPORT_TOGGLE_ROW);
		break;
	case REPORT_EXPAND_ALL:
	case REPORT_COLLAPSE_ALL:
		report_fold_all(b, request == REPORT_EXPAND_ALL);
		break;
	case REPORT_COLLAPSE_ROW:
		report_fold_row(b);
		break;
	case REPORT_HEADS:
		b->heads_hidden = !b->heads_hidden;
		break;
	case REPORT_VERBOSE:
		b->verbose = !b->verbose;
		break;
	case REPORT_NEXT_EVENT:
	case REPORT_PREVIOUS_EVENT:
		next_event(b, request == REPORT_NEXT_EVENT);
		break;
	default:
		return VIEW_UNKNOWN;
	}
	return VIEW_STAYS;
}

static int strip(struct report_browser *b, struct ui *ui)
{
	struct strbuf time = STRBUF_INIT;
	int ret = report_strip(b, ui, &time);

	if (ret == STRIP_CHOSEN)
		report_set_time(b, ui, strbuf_str(&time));
	strbuf_release(&time);
	return ret == VIEW_QUIT ? VIEW_QUIT : VIEW_STAYS;
}

static int do_request(struct view *v, struct ui *ui, int request)
{
	struct report_browser *b = report_browser(v);
	int ret = b->shown->live ? report_live_request(b, ui, request) : VIEW_UNKNOWN;

	if (ret == VIEW_UNKNOWN)
		ret = line_request(b, request);
	if (ret == VIEW_UNKNOWN)
		ret = filter_request(b, ui, request);
	if (ret != VIEW_UNKNOWN)
		return ret;
	switch (request) {
	case REQ_ENTER:
		request = report_menu(b, ui);
		return request == REQ_QUIT   ? VIEW_QUIT
		       : request == REQ_NONE ? VIEW_STAYS
					     : do_request(v, ui, request);
	case REPORT_ANNOTATE:
		return annotate(b, ui);
	case REPORT_HEADER:
		show_header(b, ui);
		break;
	case REPORT_PRINT:
		print(b, ui);
		break;
	case REPORT_COMMAND:
		report_show_command(b, ui, &b->filters);
		break;
	case REPORT_OTHER_FILE:
		other_file(b, ui);
		break;
	case REPORT_SCRIPTS:
	case REPORT_SYMBOL_SCRIPTS:
		scripts(b, ui, request == REPORT_SYMBOL_SCRIPTS);
		break;
	case REPORT_ICICLE:
		return icicle(b, ui);
	case REPORT_CALLS:
		return calls(b, ui);
	case REPORT_MAP:
		return map(b, ui);
	case REPORT_STRIP:
		return strip(b, ui);
	default:
		return VIEW_UNKNOWN;
	}
	return VIEW_STAYS;
}

static int unfold_tick(struct view *v, struct ui *ui __unused)
{
	report_unfold_more(report_browser(v), false);
	return VIEW_STAYS;
}

static const struct view_ops report_ops = {
	.name = "report",
	.bindings = report_bindings,
	.title = put_title,
	.heads = put_heads,
	.hint = put_hint,
	.nr_rows = nr_rows,
	.row = put_row,
	.request = do_request,
	.tick = unfold_tick,
};

/* perf top has all requests of the report, and a few more. */
static const struct keys_of report_keys = { "report", report_bindings };
static const struct view_ops top_ops = {
	.name = "top",
	.bindings = top_bindings,
	.more_keys = &report_keys,
	.title = put_title,
	.heads = put_heads,
	.hint = put_hint,
	.nr_rows = nr_rows,
	.row = put_row,
	.request = do_request,
	.tick = report_live_tick,
};

int report_view(struct ui *ui, struct report_shown *shown)
{
	struct report_browser b = { .view = { .ops = shown->live ? &top_ops : &report_ops },
				    .shown = shown,
				    .conf = shown->report,
				    .palette = style_palette(),
				    .filters = { .socket = -1 },
				    .outline = { .below = report_lines } };
	int ret;

	b.outline.ctx = &b;
	b.conf.palette = &b.palette;
	b.conf.fit = (struct fit){ 0 };
	show_first_event(&b);
	if (shown->live)
		report_live_start(&b);
	ret = report_nr_events(&b) > 1 ? VIEW_BACK : view_run(&b.view, ui);
	/* Rows of a single event are left for good, but another file may have more. */
	if (ret == VIEW_BACK && report_nr_events(&b) > 1)
		ret = report_events(&b, ui);
	report_table_release(&b.table);
	outline_release(&b.outline);
	report_filters_release(&b);
	free(b.entries);
	return ret;
}
