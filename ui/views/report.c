// SPDX-License-Identifier: GPL-2.0-or-later
/* The report browser: its keys, and what is on its screen. */
#include "base/compat.h"
#include "ui/views/report.h"

#include "base/alloc.h"
#include "ui/views/report-internal.h"
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
	{ "a", REPORT_ANNOTATE, "annotate", "Look into the function: instructions and source" },
	{ "/", REPORT_FILTER_SYMBOL, "filter-symbol",
	  "Show only symbols that have a text in their name" },
	{ "F", REPORT_PERCENTAGE, "percentage",
	  "Show shares of what passes the filters, or of everything" },
	{ "H", REPORT_HEADS, "columns", "Show or hide the titles of columns" },
	{ "L", REPORT_LIMIT, "limit", "Change the share below which rows are not shown" },
	{ "i", REPORT_HEADER, "header", "Show what the recording says of itself" },
	{ "P", REPORT_PRINT, "print", "Write what is shown to the file perf.hist.N" },
	{ "y", REPORT_COMMAND, "command", "Show the command that prints this" },
	{ NULL },
};

/* ---- rows ---- */

static bool passes(const struct report_browser *b, const struct hist_row *row)
{
	const char *name;

	if (!report_table_shows(&b->table, row))
		return false;
	if (!b->symbol.len)
		return true;
	name = hist_symbol_name(b->shown->h, row->place);
	return name && strstr(name, b->symbol.buf);
}

static void make_table(struct report_browser *b)
{
	report_table_release(&b->table);
	report_table_init(&b->table, b->shown->h, &b->conf, b->evsel);
}

void report_refresh(struct report_browser *b)
{
	const struct hist_event *ev = hist_event(b->shown->h, b->evsel);

	make_table(b);
	free(b->rows);
	b->rows = xcalloc(ev->nr_rows + 1, sizeof(*b->rows));
	b->nr_rows = 0;
	b->nr = b->period = 0;
	for (size_t i = 0; i < ev->nr_rows; i++) {
		if (!passes(b, ev->rows[i]))
			continue;
		b->rows[b->nr_rows++] = ev->rows[i];
		b->nr += ev->rows[i]->nr;
		b->period += ev->rows[i]->period;
	}
	outline_clear(&b->outline, b->nr_rows);
}

const struct hist_row *report_selected(struct report_browser *b, const struct outline_line **line)
{
	u64 entry;

	*line = NULL;
	if (!b->nr_rows)
		return NULL;
	*line = outline_at(&b->outline, b->view.at, &entry);
	return b->rows[entry];
}

static u64 nr_rows(struct view *v)
{
	return outline_nr(&report_browser(v)->outline);
}

static void put_row(struct view *v, u64 row, struct strbuf *out)
{
	struct report_browser *b = report_browser(v);
	const struct outline_line *line;
	size_t from = out->len;
	u64 entry;

	line = outline_at(&b->outline, row, &entry);
	if (line) {
		report_line_text(b, b->rows[entry], line, out);
		return;
	}
	report_table_row(&b->table, b->rows[entry], out);
	out->buf[from] = report_row_sign(b, entry);
	out->buf[--out->len] = 0; /* the newline */
}

/* ---- what stands around them ---- */

static void put_title(struct view *v, struct strbuf *out)
{
	struct report_browser *b = report_browser(v);
	const struct hist_event *ev = hist_event(b->shown->h, b->evsel);
	bool filtered = b->symbol.len || b->conf.relative;
	u64 nr = 0, period = 0;

	for (u32 i = 0; i < MAX(ev->nr_members, 1u); i++) {
		nr += ev[i].nr;
		period += ev[i].period;
	}
	strbuf_addstr(out, "Samples: ");
	report_unit(filtered ? b->nr : nr, out);
	strbuf_addf(out, " of event%s '", ev->nr_members > 1 ? "s" : "");
	b->shown->event_name(b->shown->ctx, b->evsel, out);
	strbuf_addf(out, "', Event count (approx.): %" PRIu64, filtered ? b->period : period);
	if (b->symbol.len)
		strbuf_addf(out, ", Symbol: *%s*", b->symbol.buf);
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

/* ---- requests ---- */

static bool shown_event(const struct report_browser *b, u32 evsel)
{
	const struct hist_event *ev = hist_event(b->shown->h, evsel);
	u64 nr = 0;

	for (u32 i = 0; i < ev->nr_members; i++)
		nr += hist_event(b->shown->h, evsel + i)->nr;
	return ev->nr_members && (nr || !b->shown->skip_empty);
}

static void show_event(struct report_browser *b, u32 evsel)
{
	b->evsel = evsel;
	hist_chains(b->shown->h, evsel, b->conf.percent_limit);
	report_refresh(b);
	b->view.at = b->view.top = 0;
}

static void next_event(struct report_browser *b, bool down)
{
	u32 nr = b->shown->nr_events, i = b->evsel;

	do {
		i = (i + (down ? 1 : nr - 1)) % nr;
	} while (i != b->evsel && !shown_event(b, i));
	if (i != b->evsel)
		show_event(b, i);
}

static void ask_symbol(struct report_browser *b, struct ui *ui)
{
	if (!popup_input(ui, "Part of the name of symbols (empty: all)", &b->symbol))
		return;
	report_refresh(b);
	view_select(&b->view, 0);
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

	b->shown->header(b->shown->ctx, &text);
	popup_text(ui, "Header information", strbuf_str(&text));
	strbuf_release(&text);
}

static void show_command(struct report_browser *b, struct ui *ui)
{
	struct strbuf text = STRBUF_INIT;

	b->shown->command(b->shown->ctx, &text);
	strbuf_addstr(&text, " --stdio");
	if (b->symbol.len)
		strbuf_addf(&text, " --symbol-filter=%s", b->symbol.buf);
	if (b->conf.percent_limit > 0)
		strbuf_addf(&text, " --percent-limit=%g", b->conf.percent_limit);
	if (b->conf.relative)
		strbuf_addstr(&text, " --percentage=relative");
	popup_text(ui, "The command that prints this", text.buf);
	strbuf_release(&text);
}

/* Save all rows, with the call graphs that are unfolded, as they are on the screen. */
static void print(struct report_browser *b, struct ui *ui)
{
	struct strbuf text = STRBUF_INIT, said = STRBUF_INIT;
	u64 nr = nr_rows(&b->view);

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
	const struct outline_line *line;
	const struct hist_row *row = report_selected(b, &line);
	u32 place;

	if (!row)
		return VIEW_STAYS;
	if (!b->shown->annotate) {
		ui_say(ui, "There is nothing to look into here");
		return VIEW_STAYS;
	}
	place = row->place;
	if (line) {
		const struct chain_node *n = line->node;

		place = hist_frame(b->shown->h, n->frames[line->part])->place;
	}
	return b->shown->annotate(b->shown->ctx, ui, b->evsel, place);
}

static int do_request(struct view *v, struct ui *ui, int request)
{
	struct report_browser *b = report_browser(v);

	switch (request) {
	case REPORT_NEXT_EVENT:
	case REPORT_PREVIOUS_EVENT:
		next_event(b, request == REPORT_NEXT_EVENT);
		break;
	case REPORT_TOGGLE:
	case REPORT_TOGGLE_ROW:
		report_toggle(b, request == REPORT_TOGGLE_ROW);
		break;
	case REPORT_EXPAND_ALL:
	case REPORT_COLLAPSE_ALL:
		report_fold_all(b, request == REPORT_EXPAND_ALL);
		break;
	case REPORT_ANNOTATE:
		return annotate(b, ui);
	case REPORT_FILTER_SYMBOL:
		ask_symbol(b, ui);
		break;
	case REPORT_PERCENTAGE:
		b->conf.relative = !b->conf.relative;
		report_refresh(b);
		break;
	case REPORT_HEADS:
		b->heads_hidden = !b->heads_hidden;
		break;
	case REPORT_LIMIT:
		ask_limit(b, ui);
		break;
	case REPORT_HEADER:
		if (b->shown->header)
			show_header(b, ui);
		break;
	case REPORT_PRINT:
		print(b, ui);
		break;
	case REPORT_COMMAND:
		show_command(b, ui);
		break;
	default:
		return VIEW_UNKNOWN;
	}
	return VIEW_STAYS;
}

static const struct view_ops report_ops = {
	.name = "report",
	.bindings = report_bindings,
	.title = put_title,
	.heads = put_heads,
	.nr_rows = nr_rows,
	.row = put_row,
	.request = do_request,
};

int report_view(struct ui *ui, const struct report_shown *shown)
{
	struct report_browser b = { .view = { .ops = &report_ops },
				    .shown = shown,
				    .conf = shown->report,
				    .palette = style_palette(),
				    .outline = { .below = report_lines } };
	u32 evsel = 0;
	int ret;

	b.outline.ctx = &b;
	b.conf.palette = &b.palette;
	b.conf.fit = (struct fit){ 0 };
	while (evsel + 1 < shown->nr_events && !shown_event(&b, evsel))
		evsel++;
	show_event(&b, evsel);
	ret = view_run(&b.view, ui);
	report_table_release(&b.table);
	outline_release(&b.outline);
	strbuf_release(&b.symbol);
	free(b.rows);
	return ret;
}
