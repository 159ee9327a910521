/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sort keys and columns: one table for every output. */
#ifndef PERF_HIST_COLUMN_H
#define PERF_HIST_COLUMN_H

#include "base/err.h"
#include "base/strbuf.h"

#define HIST_MAX_COLUMNS 24

struct hist;
struct hist_row;
struct hist_event;

/* What of a sample must be kept for a column. */
enum hist_need {
	NEED_COMM = 1,
	NEED_THREAD = 2,
	NEED_CPU = 4,
	NEED_DSO = 8,
	NEED_SYM = 16,
};

struct hist_column {
	const char *name; /* in --sort and --fields; prefixes are accepted */
	const char *header;
	unsigned int need; /* enum hist_need */
	bool metric;       /* a sum over samples: not part of a row's identity */
	u16 width;         /* fixed or least width; 0: of the header */
	bool raw;          /* printed as it is: no padding after it when it is the last column */
	/* Widen @width for one row; NULL: the width is fixed. */
	void (*measure)(const struct hist *h, const struct hist_row *row, u16 *width,
			u16 *dso_width);
	/*
	 * What rows are sorted by: a sum (larger ones first), or a rank (smaller ones first).
	 * @member: of a group, whose sum is meant; 0 the leader
	 */
	u64 (*rank)(const struct hist *h, const struct hist_row *row, u32 member);
	/* Tells apart rows of equal rank that are not the same; NULL: rank() does. */
	u64 (*identity)(const struct hist *h, const struct hist_row *row);
	/* The text, without padding. */
	void (*format)(const struct hist *h, const struct hist_event *ev,
		       const struct hist_row *row, u16 width, const char *sep, struct strbuf *out);
};

struct hist_columns {
	const struct hist_column *col[HIST_MAX_COLUMNS]; /* shown, left to right */
	u32 nr;
	const struct hist_column *sort[HIST_MAX_COLUMNS]; /* compared, first first */
	u32 nr_sort;
	unsigned int need; /* of all of them */
	bool symbol_first; /* the first sort key is the symbol: chains do not repeat it */
	bool children;     /* the Children column is shown */
};

/**
 * hist_columns_sort - the columns of `--sort @keys` (comma separated).
 * @children: with Children and Self instead of Overhead
 * @nr_samples, @period: with those columns
 * Return: 0, or -EINVAL and "Unknown --sort key: `x'".
 */
int hist_columns_sort(struct hist_columns *c, const char *keys, bool children, bool nr_samples,
		      bool period, struct err *err);
/** hist_columns_fields - the columns of `--fields @fields`, sorted by @keys when not NULL, else by
 * the fields. */
int hist_columns_fields(struct hist_columns *c, const char *fields, const char *keys,
			struct err *err);
/** hist_columns_hide - do not show a column (it stays a sort key). */
void hist_columns_hide(struct hist_columns *c, const char *name);
/** hist_column_get - one column of the table by index, NULL past the end. */
const struct hist_column *hist_column_get(size_t i);

#endif
