/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print profiles side by side. */
#ifndef PERF_REPORT_DIFF_TEXT_H
#define PERF_REPORT_DIFF_TEXT_H

#include "report/fit.h"
#include "diff/diff.h"

struct diff_text {
	const char *sep; /* text between columns instead of two blanks, without rulers; or NULL */
	bool quiet;      /* print only rows */
	bool period;     /* add columns of periods */
	bool times;      /* add histograms of the differences of blocks' times */
	bool formula;    /* add formulas of the values */
	bool noise;      /* add the noise of changes */
	bool numbered;   /* number the columns by side */
	const struct palette *palette; /* colours of shares and changes; NULL: none */
	const char *keys;         /* the sort keys, as given: sums among them are shown; or NULL */
	struct fit fit;           /* names are shortened so that lines fit; not with @sep */
	struct diff_paths *paths; /* adds the call paths of each row; or NULL */
};

/** diff_titles - append titles and ruler of one event. */
void diff_titles(const struct diff *d, const struct diff_text *t, struct strbuf *out);
/** diff_rows - append the rows. */
void diff_rows(const struct diff *d, const struct diff_text *t, struct strbuf *out);
/** diff_row_lines - append one row: its line, and those of its other blocks or call paths. */
void diff_row_lines(const struct diff *d, const struct diff_text *t, const struct diff_row *r,
		    struct strbuf *out);
/** diff_path_titles - append the titles of call paths. */
void diff_path_titles(const struct diff *d, const struct diff_text *t, struct strbuf *out);
/** diff_path_lines - append the call paths of a row, below it. */
void diff_path_lines(const struct diff *d, const struct diff_text *t, const struct diff_path *root,
		     struct strbuf *out);
/** diff_stream_lines - append the hottest call chains of the baseline and of @side. */
void diff_stream_lines(const struct diff *d, u32 side, const struct fit *fit, struct strbuf *out);
/** diff_row_name - append the row's columns separated by blanks, for a message. */
void diff_row_name(const struct diff *d, const struct diff_row *r, struct strbuf *out);

#endif
