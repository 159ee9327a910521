/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles side by side, as text. */
#ifndef PERF_REPORT_DIFF_TEXT_H
#define PERF_REPORT_DIFF_TEXT_H

#include "diff/diff.h"

struct diff_text {
	const char *sep;               /* between columns instead of two blanks, no rulers; NULL */
	bool quiet;                    /* rows only */
	bool period;                   /* with columns of periods */
	bool times;                    /* and of how the first times of blocks differed */
	bool formula;                  /* and of how values are computed */
	bool noise;                    /* and of how much may be chance */
	bool numbered;                 /* say which side a column is of */
	const struct palette *palette; /* colours of shares and changes; NULL: none */
	const char *keys; /* of rows, as they were asked for: sums among them are shown; NULL */
	struct diff_paths *paths; /* with the call paths of each row; NULL: without */
};

/** diff_titles - titles and ruler of one event, appended to @out. */
void diff_titles(const struct diff *d, const struct diff_text *t, struct strbuf *out);
/** diff_rows - the rows. */
void diff_rows(const struct diff *d, const struct diff_text *t, struct strbuf *out);
/** diff_path_titles, diff_path_lines - the same of call paths, which stand below their row. */
void diff_path_titles(const struct diff *d, const struct diff_text *t, struct strbuf *out);
void diff_path_lines(const struct diff *d, const struct diff_text *t, const struct diff_path *root,
		     struct strbuf *out);
/** diff_stream_lines - the hottest call chains of the baseline and of @side, appended to @out. */
void diff_stream_lines(const struct diff *d, u32 side, struct strbuf *out);
/** diff_row_name - the row's columns, parted by blanks: for a sentence. */
void diff_row_name(const struct diff *d, const struct diff_row *r, struct strbuf *out);

#endif
