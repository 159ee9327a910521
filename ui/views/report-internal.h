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
	REPORT_ANNOTATE,
	REPORT_ZOOM_THREAD,
	REPORT_ZOOM_DSO,
	REPORT_ZOOM_KERNEL,
	REPORT_ZOOM_SOCKET,
	REPORT_FILTER_SYMBOL,
	REPORT_UNDO,
	REPORT_PERCENTAGE,
	REPORT_HEADS,
	REPORT_VERBOSE,
	REPORT_LIMIT,
	REPORT_HEADER,
	REPORT_PRINT,
	REPORT_COMMAND,
	REPORT_OTHER_FILE,
	REPORT_OUT,
	REPORT_SCRIPTS,
	REPORT_SYMBOL_SCRIPTS,
	REPORT_ICICLE,
	REPORT_CALLS,
	REPORT_MAP,
	REPORT_STRIP,
	REPORT_SORT_0,
	REPORT_SORT_9 = REPORT_SORT_0 + 9,
};

/* This is shown of an event. Its entries are rows, or the outermost nodes of a hierarchy. */
struct report_browser {
	struct view view;
	struct report_shown *shown;
	struct report_conf conf;
	struct palette palette;
	u32 evsel;
	bool heads_hidden, verbose;
	struct report_table table;
	const void **entries; /* owned; struct hist_row or struct hist_node */
	size_t nr_entries;
	bool levels;                   /* they are nodes */
	u64 nr, period;                /* their sums */
	struct report_filters filters; /* in force */
	struct report_filters *undone; /* owned; those before, the last one last */
	size_t nr_undo, cap_undo;
	struct outline outline;
};

static inline struct report_browser *report_browser(struct view *v)
{
	return container_of(v, struct report_browser, view);
}

/** report_show_event - show an event from its first row on. */
void report_show_event(struct report_browser *b, u32 evsel);
/** report_shows_event - tell whether an event, or the group that it leads, has rows to show. */
bool report_shows_event(const struct report_browser *b, u32 evsel);
/** report_event_samples - return how many samples it has. */
u64 report_event_samples(const struct report_browser *b, u32 evsel);
/** report_count - show the counts of the event anew, with all rows folded. */
void report_count(struct report_browser *b);
/** report_refresh - find the rows that pass, and fold all of them. */
void report_refresh(struct report_browser *b);
/** report_forget_rows - show none, before the histogram is another one. */
void report_forget_rows(struct report_browser *b);

/* This line is selected. */
struct report_selected {
	u64 entry;
	const struct outline_line *line; /* below the entry; NULL: itself */
	const struct hist_row *row;      /* NULL: there are no rows */
	const struct chain_node *chain;  /* NULL: no line of a call graph */
	u32 place;                       /* of the row, or of the frame */
};
/** report_selected - find out. */
struct report_selected report_selected(struct report_browser *b);

/** report_command - append the command that prints what is shown, but with these filters. */
void report_command(const struct report_browser *b, const struct report_filters *f,
		    struct strbuf *out);
/** report_show_command - show that command in a window. */
void report_show_command(const struct report_browser *b, struct ui *ui,
			 const struct report_filters *f);
/** report_calls - show the callers and callees of the function of a place, if it has one. @ctx: a
 * struct report_browser. Return: as view_ops.request() */
int report_calls(void *ctx, struct ui *ui, u32 place);
/** report_can_map - tell whether symbols of the object of a place are known. */
bool report_can_map(const struct report_browser *b, u32 place);
/** report_map - show the symbols of the object of a place, or say why there are none. Return: as
 * view_ops.request() */
int report_map(const struct report_browser *b, struct ui *ui, u32 place);

/**
 * report_strip - show when samples were taken.
 * @time: takes the range that is chosen, as --time has it
 * Return: STRIP_CHOSEN, or as view_ops.request()
 */
int report_strip(struct report_browser *b, struct ui *ui, struct strbuf *time);

/* ---- a profile that goes on ---- */

/** report_live_start - begin to refresh the rows every now and then. */
void report_live_start(struct report_browser *b);
/** report_live_tick - refresh them. Return: as view_ops.request() */
int report_live_tick(struct view *v, struct ui *ui);
/** report_live_request - do what only a profile that goes on has. Return: as view_ops.request() */
int report_live_request(struct report_browser *b, struct ui *ui, int request);
/** report_live_hint - append what has to be known. */
void report_live_hint(struct report_browser *b, struct strbuf *out);

/* ---- lines below rows: levels of a hierarchy, call graphs ---- */

#define REPORT_LEVEL UINT32_MAX /* outline_line.part of a node of a hierarchy */

/** report_lines - give the lines below an entry, for struct outline. */
void report_lines(void *ctx, u64 entry, struct outline_below *out);
/** report_entry_text, report_line_text - append an entry, or a line below it. */
void report_entry_text(const struct report_browser *b, u64 entry, struct strbuf *out);
void report_line_text(const struct report_browser *b, u64 entry, const struct outline_line *line,
		      struct strbuf *out);
/** report_entry_row - return the row with the sums of an entry. */
const struct hist_row *report_entry_row(const struct report_browser *b, u64 entry);
/** report_line_node - return the node of a hierarchy in a line; NULL: it is of a call graph. */
const struct hist_node *report_line_node(const struct outline_line *line);
/** report_toggle - unfold the selected line, or fold it. @whole: with all below its row */
void report_toggle(struct report_browser *b, bool whole);
/** report_fold_all - unfold or fold all rows. */
void report_fold_all(struct report_browser *b, bool open);
/** report_unfold_more - go on with unfolding all rows, for some ms or (@whole) to the end, and
 * leave what is on the screen in its place. */
void report_unfold_more(struct report_browser *b, bool whole);
/** report_fold_row - fold the selected row. */
void report_fold_row(struct report_browser *b);

/* ---- filters ---- */

/** report_zoom - show only what is like the selected line (a thread, an object), or all again where
 * that is so already. */
void report_zoom(struct report_browser *b, struct ui *ui, int request);
/** report_ask_symbol - ask for a part of names of symbols. */
void report_ask_symbol(struct report_browser *b, struct ui *ui);
/** report_set_time - show only the samples of a span of time. */
void report_set_time(struct report_browser *b, struct ui *ui, const char *time);
/** report_sort_by - sort by an event of the group. */
void report_sort_by(struct report_browser *b, struct ui *ui, int event);
/** report_undo - go back to the filters before. Return: false: there are none. */
bool report_undo(struct report_browser *b, struct ui *ui);
/** report_say_stream - tell that samples cannot be counted again. */
void report_say_stream(struct ui *ui);
/** report_can_zoom - tell whether rows say what a request zooms into. */
bool report_can_zoom(struct report_browser *b, int request);
/** report_zoom_name - append what a request zooms into: "libc.so.6 DSO". */
void report_zoom_name(struct report_browser *b, int request, struct strbuf *out);
/** report_filters_text - append the filters in force: ", Thread: worker, DSO: libc.so.6". */
void report_filters_text(const struct report_browser *b, struct strbuf *out);
/** report_filters_release - forget all filters, and those before. */
void report_filters_release(struct report_browser *b);

/* ---- menu ---- */

/** report_menu - let the user choose what to do. Return: a request, REQ_NONE: nothing */
int report_menu(struct report_browser *b, struct ui *ui);

#endif
