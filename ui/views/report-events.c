// SPDX-License-Identifier: GPL-2.0-or-later
/* The list of the events of a recording, or of those that are counted: one is chosen, and its rows
 * are shown. */
#include "base/compat.h"
#include "ui/views/report-events.h"

#include "ui/views/report-internal.h"

enum { NUMBER_WIDTH = 6 };

enum events_request { EVENTS_COMMAND = REQ_OWN };

const struct binding events_bindings[] = {
	{ "ENTER RIGHT", REQ_ENTER, "enter", "Show the rows of the event" },
	{ "/", REQ_SEARCH, "search", "Search for a text" },
	{ "n", REQ_SEARCH_NEXT, "search-next", "Search for it again" },
	{ "N", REQ_SEARCH_PREVIOUS, "search-previous", "Search for it backwards" },
	{ "y", EVENTS_COMMAND, "command", "Show the command that prints the rows of all" },
	{ NULL },
};

struct event_list {
	struct view view;
	struct report_browser *report;
};

static struct event_list *event_list(struct view *v)
{
	return container_of(v, struct event_list, view);
}

u32 report_nr_events(const struct report_browser *b)
{
	u32 nr = 0;

	for (u32 i = 0; i < b->shown->nr_events; i++)
		nr += report_shows_event(b, i);
	return nr;
}

/* Return the number of the event in a row. */
static u32 event_at(const struct report_browser *b, u64 row)
{
	u32 i = 0;

	while (!report_shows_event(b, i) || row--)
		i++;
	return i;
}

static u64 nr_rows(struct view *v)
{
	return report_nr_events(event_list(v)->report);
}

static void put_row(struct view *v, u64 row, struct strbuf *out)
{
	const struct report_browser *b = event_list(v)->report;
	u32 evsel = event_at(b, row);
	struct strbuf number = STRBUF_INIT;

	report_unit(report_event_samples(b, evsel), &number);
	strbuf_addf(out, "%*s ", NUMBER_WIDTH, strbuf_str(&number));
	b->shown->event_name(b->shown->ctx, evsel, out);
	strbuf_release(&number);
}

static void put_title(struct view *v __unused, struct strbuf *out)
{
	strbuf_addstr(out, "Available samples");
}

static void put_hint(struct view *v __unused, struct strbuf *out)
{
	strbuf_addstr(out, "ENTER: show the rows of the event, ESC: exit, h: help");
}

/* Return: as view_ops.request(); what the rows return, but they come back to the list. */
static int show_rows(struct event_list *l, struct ui *ui)
{
	struct report_browser *b = l->report;
	u32 evsel;
	int ret;

	if (!report_nr_events(b))
		return VIEW_STAYS;
	evsel = event_at(b, l->view.at);
	if (evsel != b->evsel)
		report_show_event(b, evsel);
	ret = view_run(&b->view, ui);
	for (u32 i = l->view.at = 0; i < b->evsel; i++)
		l->view.at += report_shows_event(b, i);
	return ret == VIEW_BACK ? VIEW_STAYS : ret;
}

static int do_request(struct view *v, struct ui *ui, int request)
{
	struct event_list *l = event_list(v);

	if (request == REQ_ENTER)
		return show_rows(l, ui);
	if (request != EVENTS_COMMAND)
		return VIEW_UNKNOWN;
	report_show_command(l->report, ui, &l->report->filters);
	return VIEW_STAYS;
}

static int on_tick(struct view *v, struct ui *ui)
{
	struct report_browser *b = event_list(v)->report;
	int ret = report_live_tick(&b->view, ui);

	v->interval = b->view.interval;
	return ret;
}

static const struct view_ops events_ops = {
	.name = "events",
	.bindings = events_bindings,
	.title = put_title,
	.hint = put_hint,
	.nr_rows = nr_rows,
	.row = put_row,
	.request = do_request,
	.tick = on_tick,
};

int report_events(struct report_browser *b, struct ui *ui)
{
	struct event_list l = { .view = { .ops = &events_ops }, .report = b };

	if (b->shown->live)
		l.view.interval = b->view.interval;

	return view_run(&l.view, ui);
}
