/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sort keys and columns: one table for every output (table.c), and the lists users ask for with
 * --sort, --fields and --hierarchy.
 */
#ifndef PERF_COLUMNS_COLUMNS_H
#define PERF_COLUMNS_COLUMNS_H

#include "base/err.h"
#include "base/strbuf.h"
#include "hist/column.h"

/**
 * columns_sort - make the lists of columns of `--sort @keys` (comma separated). Of @c, .branches
 * and .stages are inputs.
 * @children: with Children and Self instead of Overhead
 * @nr_samples,
 * @period: with those columns
 * Return: 0, or -EINVAL and "Unknown --sort key: `x'".
 */
int columns_sort(struct hist_columns *c, const char *keys, bool children, bool nr_samples,
		 bool period, struct err *err);
/**
 * columns_fields - make the lists of columns of `--fields @fields`. Rows are sorted by @keys when
 * not NULL, else by the fields.
 */
int columns_fields(struct hist_columns *c, const char *fields, const char *keys, struct err *err);
/** columns_check - check whether the columns of `--@option @keys` may be used. Adds to @c what they
 * need. */
int columns_check(struct hist_columns *c, const char *keys, const char *option, struct err *err);
/** columns_levels - make the columns of columns_sort() those of a hierarchy. In @keys
 * braces hold together what is one level: "comm,{dso,sym}". */
void columns_levels(struct hist_columns *c, const char *keys);
/**
 * column_of_field - fill @col with a column of the texts at @slot (below HIST_MAX_FIELDS) in
 * struct hist_sample, which only one event has.
 * @name: borrowed
 * @width: the least width
 * @measured: the column is as wide as its texts
 * Return: false when there is no such slot.
 */
bool column_of_field(struct hist_column *col, u32 slot, u32 event, const char *name, u16 width,
		     bool measured);
/** columns_drop - remove a column from those that are shown, as if it had never been there. */
void columns_drop(struct hist_columns *c, const char *name);
/** columns_hide - do not show a column, which stays a sort key. */
void columns_hide(struct hist_columns *c, const char *name);
/**
 * columns_names - append the names of all columns to @out, with blanks between them: columns of
 * all samples first, then those of branches and of memory accesses.
 */
void columns_names(struct strbuf *out);
/** columns_mem_names - append to @out what `perf mem report --fields` takes: the parts of memory
 * accesses that rows are broken down by, and the names of all columns. */
void columns_mem_names(struct strbuf *out);

#endif
