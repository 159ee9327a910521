// SPDX-License-Identifier: GPL-2.0-or-later
/* The way from the report to the strip of time, and back with a range of it. */
#include "base/compat.h"
#include "ui/views/report-internal.h"

#include "base/alloc.h"
#include "ui/views/strip.h"

/* Append the command that prints the report of a range, which takes the place of another one. */
static void put_command(void *ctx, const char *time, struct strbuf *out)
{
	const struct report_browser *b = ctx;
	struct report_filters f = b->filters;

	f.time = xstrdup(time);
	report_command(b, &f, out);
	free(f.time);
}

/* Show the strip until a range is chosen. Return: as view_run() */
static int choose(struct report_browser *b, struct ui *ui, const struct strip_tracks *tracks,
		  struct strbuf *time)
{
	struct strbuf event = STRBUF_INIT;
	struct strip_shown shown = { .tracks = tracks, .command = put_command, .ctx = b };
	int ret;

	b->shown->event_name(b->shown->ctx, b->evsel, &event);
	shown.event = strbuf_str(&event);
	ret = strip_view(ui, &shown, time);
	strbuf_release(&event);
	return ret;
}

int report_strip(struct report_browser *b, struct ui *ui, struct strbuf *time)
{
	const struct strip_tracks *tracks;
	struct err err = { 0 };
	int ret = VIEW_STAYS;

	if (!b->shown->over_time) {
		report_say_stream(ui);
		return VIEW_STAYS;
	}
	tracks = b->shown->over_time(b->shown->ctx, ui, b->evsel, &b->filters, &err);
	if (tracks)
		ret = choose(b, ui, tracks, time);
	else
		ui_say(ui, "%s", err.msg);
	return ret;
}
