/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report browser: the rows of a profile, as `perf report --stdio` prints them, with call graphs
 * that unfold in place. What it does beyond that, with files and with other views, its caller does
 * for it.
 */
#ifndef PERF_UI_VIEWS_REPORT_H
#define PERF_UI_VIEWS_REPORT_H

#include "report/report.h"
#include "ui/widgets/view.h"

struct stacks;
struct strip_tracks;
struct report_live;

/* The filters tell which samples are shown. Texts are owned; NULL: all. */
struct report_filters {
	char *comm, *tid, *dso;
	char *time;   /* a span, as --time takes it */
	char *symbol; /* a part of the names of symbols */
	int socket;   /* -1: all */
	int sort_by;  /* the event of a group that rows are sorted by; 0: the leader */
};

/** report_filters_same_samples - tell whether two filters leave the same samples, whatever of them
 * is shown. */
bool report_filters_same_samples(const struct report_filters *a, const struct report_filters *b);

/** report_filters_copy - return a copy, which report_filters_free() frees. */
struct report_filters report_filters_copy(const struct report_filters *f);
void report_filters_free(struct report_filters *f);

/* The browser shows this. Pointers are borrowed. */
struct report_shown {
	struct hist *h;
	u32 nr_events;
	bool skip_empty;           /* events without samples are not shown */
	struct report_conf report; /* as for report_rows(); the browser sets colours and widths */
	/* Append the name of an event, or of the group that it leads. */
	void (*event_name)(void *ctx, u32 evsel, struct strbuf *out);
	/* Count again, only samples that pass, and set the members above. NULL: that cannot be
	 * done. Return: 0, negative and a sentence, and then nothing has changed. */
	int (*filter)(void *ctx, const struct report_filters *f, struct report_shown *shown,
		      struct err *err);
	/* Look into the function of a row, or of a frame of its call graph; NULL: that cannot be
	 * done. Messages go to ui_say(). Return: as view_run() */
	int (*annotate)(void *ctx, struct ui *ui, u32 evsel, u32 place);
	/* Return the stacks of the samples that pass, borrowed until these change; NULL and a
	 * sentence. The member is NULL: that cannot be done. */
	const struct stacks *(*stacks)(void *ctx, struct ui *ui, const struct report_filters *f,
				       struct err *err);
	/* Return when the samples of an event that pass were taken, borrowed until the next call;
	 * NULL and a sentence. The member is NULL: that cannot be done. */
	const struct strip_tracks *(*over_time)(void *ctx, struct ui *ui, u32 evsel,
						const struct report_filters *f, struct err *err);
	/* Append what the recording says of itself; NULL: nothing. */
	void (*header)(void *ctx, struct strbuf *out);
	/* Append the command that prints what is shown with these filters. */
	void (*command)(void *ctx, const struct report_filters *f, struct strbuf *out);
	/* Write what is shown to a file, and append to @said its name, or why that did not work. */
	void (*save)(void *ctx, const struct strbuf *text, struct strbuf *said);
	/* Let the user choose another recording, and set the members above, as filter() does.
	 * Return: 0; 1: none was chosen; negative and a sentence */
	int (*other_file)(void *ctx, struct ui *ui, struct report_shown *shown, struct err *err);
	/* Let the user choose a script, and show what it writes; NULL: there are none. @symbol:
	 * only samples in this function count; NULL: all do */
	void (*scripts)(void *ctx, struct ui *ui, const char *symbol);
	struct report_live *live; /* the profile goes on: see report-live.h; NULL: it is complete */
	void *ctx;
};

/** report_bindings - what its keys ask for. */
extern const struct binding report_bindings[];

/** report_view - show a report until it is left. @shown is changed by its filter(). Return: as
 * view_run(); VIEW_OWN: a profile that goes on cannot be counted any more */
int report_view(struct ui *ui, struct report_shown *shown);

#endif
