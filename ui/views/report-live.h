/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report browser over a profile that goes on: it is counted anew at each refresh, and a few
 * keys change what the next ones show. */
#ifndef PERF_UI_VIEWS_REPORT_LIVE_H
#define PERF_UI_VIEWS_REPORT_LIVE_H

#include "ui/views/report.h"

/* Keys change these members. */
struct live_settings {
	double delay;         /* seconds between refreshes */
	unsigned int least;   /* rows with fewer samples are not shown */
	double least_percent; /* of a function that is looked into: lines below that are not */
	bool hide_kernel, hide_user;
	bool zero; /* only what was sampled since the last refresh is shown */
};

/* The browser asks for this beside struct report_shown, whose ctx it hands over. */
struct report_live {
	struct live_settings *settings; /* borrowed */
	/* Count anew, and set the members of @shown and @ended. @again: what is shown already is
	 * counted as the settings are now. Return: 0, or negative errno and a sentence. */
	int (*refresh)(void *ctx, bool again, struct report_shown *shown, struct err *err);
	/* Tell whether an event has rows of its own. */
	bool (*has_rows)(void *ctx, u32 evsel);
	/* Append to the title how much was lost. */
	void (*losses)(void *ctx, struct strbuf *out);
	/* Append the last line: what has to be known, or else how an event is sampled. */
	void (*hint)(void *ctx, u32 evsel, struct strbuf *out);
	struct err *err; /* borrowed; of the refresh that has ended the view */
	bool ended;      /* nothing more will come */
	bool frozen;     /* private: there are no refreshes until users want them again */
};

/** live_interval - return the ms between refreshes. */
static inline int live_interval(const struct live_settings *s)
{
	return (int)MIN(s->delay * 1000, 3600e3);
}

/** top_bindings - what the keys ask for that only a profile that goes on has. */
extern const struct binding top_bindings[];

#endif
