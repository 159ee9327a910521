/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of events from which one is chosen, whose rows are shown. */
#ifndef PERF_UI_VIEWS_REPORT_EVENTS_H
#define PERF_UI_VIEWS_REPORT_EVENTS_H

#include "ui/widgets/view.h"

struct report_browser;

/** events_bindings - what its keys ask for. */
extern const struct binding events_bindings[];

/** report_nr_events - return how many events, or groups of them, there are to choose from. */
u32 report_nr_events(const struct report_browser *b);
/** report_events - show the list until it is left. Return: as report_view() */
int report_events(struct report_browser *b, struct ui *ui);

#endif
