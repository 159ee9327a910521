/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by the parts of the report. */
#ifndef PERF_REPORT_REPORT_INTERNAL_H
#define PERF_REPORT_REPORT_INTERNAL_H

#include "report/report.h"

/**
 * report_color_sums - colour the shares of a column that were appended from @at on. @p may be NULL.
 */
void report_color_sums(const struct palette *p, const struct hist *h, const struct hist_event *ev,
		       const struct hist_row *row, const struct hist_column *col,
		       struct strbuf *out, size_t at);
/**
 * report_hide_separators - replace separators in names from @at on, so that these do not look like
 * several columns.
 */
void report_hide_separators(struct strbuf *out, size_t at, char sep);
/** report_under_limit - tell whether the share of a row is too small to be shown. */
bool report_under_limit(const struct hist *h, const struct hist_event *ev,
			const struct hist_row *row, double limit);
/**
 * report_column_width - return the width of column @i: the requested one, or the one that its rows
 * need. Titles of sums are not cut.
 */
u16 report_column_width(const struct report_conf *conf, const struct hist_columns *c,
			const struct hist_event *ev, u32 i);
/**
 * report_fit - fit names into the columns.
 * @width: of @nr columns, @needed of which are wider than the terminal has room for; receives
 * those that fit
 * @room: the columns of the terminal that they may take together
 */
void report_fit(const struct hist *h, const struct hist_column *const *cols, u16 *width, u32 nr,
		size_t room);
/**
 * report_fit_cell - shorten the name that was appended from @at on to @width columns. What stands
 * in front of a name, and addresses, stay whole.
 */
void report_fit_cell(const struct hist *h, const struct hist_column *col, struct strbuf *out,
		     size_t at, u16 width, bool utf8);
/** report_levels - append titles and rows of an event of a hierarchy. */
void report_levels(const struct report_table *t, struct strbuf *out);
/** report_level_titles - append its titles. */
void report_level_titles(const struct report_table *t, struct strbuf *out);
/** report_fitted_levels - return the widths of keys with which its rows fit the terminal; NULL:
 * they need not. The caller frees them. */
u16 *report_fitted_levels(const struct hist *h, const struct report_conf *conf,
			  const struct hist_event *ev);

#endif
