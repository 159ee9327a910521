/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a report browser, for the files that it consists of. */
#ifndef PERF_UI_VIEWS_REPORT_INTERNAL_H
#define PERF_UI_VIEWS_REPORT_INTERNAL_H

#include "ui/views/report.h"
#include "ui/widgets/outline.h"

enum report_request {
	REPORT_NEXT_EVENT = REQ_OWN,
	REPORT_PREVIOUS_EVENT,
	REPORT_TOGGLE,
	REPORT_TOGGLE_ROW,
	REPORT_EXPAND_ALL,
	REPORT_COLLAPSE_ALL,
	REPORT_COLLAPSE_ROW,
	REPORT_MENU,
	REPORT_ANNOTATE,
	REPORT_FILTER_SYMBOL,
	REPORT_PERCENTAGE,
	REPORT_HEADS,
	REPORT_LIMIT,
	REPORT_HEADER,
	REPORT_PRINT,
	REPORT_COMMAND,
	REPORT_RIGHT,
	REPORT_LEFT,
};

/* What is shown of an event. */
struct report_browser {
	struct view view;
	const struct report_shown *shown;
	struct report_conf conf;
	struct palette palette;
	u32 evsel;
	bool heads_hidden;
	u32 width; /* columns of the screen that the table was made for */
	struct report_table table;
	struct hist_row **rows; /* owned; those that pass the filters */
	size_t nr_rows;
	u64 nr, period;       /* their sums */
	struct strbuf symbol; /* filter: a part of the names of symbols; empty: all */
	struct outline outline;
};

static inline struct report_browser *report_browser(struct view *v)
{
	return container_of(v, struct report_browser, view);
}

/** report_refresh - find the rows that pass the filters, and close all of them. */
void report_refresh(struct report_browser *b);
/** report_selected - return the selected row, and in *@line the line below it that is selected, or
 * NULL. Return: NULL: there are no rows. */
const struct hist_row *report_selected(struct report_browser *b, const struct outline_line **line);

/* ---- call graphs ---- */

/** report_lines - give the lines below a row, for struct outline. */
void report_lines(void *ctx, u64 entry, struct outline_lines *out);
/** report_line_text - append a line of a call graph. */
void report_line_text(const struct report_browser *b, const struct hist_row *row,
		      const struct outline_line *line, struct strbuf *out);
/** report_foldable - return the sign of a line that can be unfolded: '+', of one that is: '-', else
 * ' '. */
char report_row_sign(const struct report_browser *b, u64 entry);
/** report_toggle - unfold the selected line, or fold it. @whole: with all below its row */
void report_toggle(struct report_browser *b, bool whole);
/** report_fold_all - unfold or fold all rows. */
void report_fold_all(struct report_browser *b, bool open);

#endif
