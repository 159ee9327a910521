// SPDX-License-Identifier: GPL-2.0-or-later
/* The way from a place in the report to the callers and callees of its function. */
#include "base/compat.h"
#include "ui/views/report-internal.h"

#include "stacktree/calls.h"
#include "ui/views/calls.h"

static u32 event_of(const struct stacks *s, u32 evsel)
{
	u32 i = 0;

	while (i < s->nr_events && s->events[i].evsel != evsel)
		i++;
	return i;
}

/* Show the calls of a function. Return: as view_run() */
static int show(const struct report_browser *b, struct ui *ui, struct calls_shown *shown)
{
	const struct hist_event *ev = hist_event(b->shown->h, b->evsel);
	struct report_filters all_names = b->filters;
	struct strbuf command = STRBUF_INIT;
	int ret;

	all_names.symbol = NULL; /* it chooses rows, not samples */
	report_command(b, &all_names, &command);
	shown->total = b->conf.relative ? ev->passed_period : ev->period;
	shown->command = command.buf;
	shown->save = b->shown->save;
	shown->ctx = b->shown->ctx;
	ret = calls_view(ui, shown);
	strbuf_release(&command);
	return ret;
}

/* Find the function of a place in the stacks. Return: false: it cannot be shown, which is said. */
static bool find(const struct report_browser *b, struct ui *ui, u32 place,
		 struct calls_shown *shown)
{
	const struct hist *h = b->shown->h;
	const struct hist_place *p = hist_place(h, place);
	const char *name = hist_symbol_name(h, place);
	struct err err = { 0 };

	shown->stacks = b->shown->stacks(b->shown->ctx, ui, &b->filters, &err);
	if (!shown->stacks) {
		ui_say(ui, "%s", err.msg);
		return false;
	}
	shown->event = event_of(shown->stacks, b->evsel);
	shown->func = calls_find(shown->stacks, name, hist_dso_name(h, p->dso), p->inlined);
	if (shown->func == UINT32_MAX)
		ui_say(ui, "No stack has '%s' in it", name);
	return shown->func != UINT32_MAX;
}

int report_calls(void *ctx, struct ui *ui, u32 place)
{
	const struct report_browser *b = ctx;
	struct calls_shown shown = { .stacks = NULL };

	if (!b->shown->stacks)
		report_say_stream(ui);
	else if (!hist_symbol_name(b->shown->h, place))
		ui_say(ui, "There is no function here whose callers are known");
	else if (find(b, ui, place, &shown))
		return show(b, ui, &shown) == VIEW_QUIT ? VIEW_QUIT : VIEW_STAYS;
	return VIEW_STAYS;
}
