/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of results for programs: a JSON object in each line (NDJSON), or comma-separated values
 * below their names. */
#ifndef PERF_CODEC_TABLE_H
#define PERF_CODEC_TABLE_H

#include "base/err.h"
#include "base/strbuf.h"

enum table_form { TABLE_TEXT, TABLE_JSON, TABLE_CSV };

/** table_form_choose - choose the form by what users asked for. Return: 0, or -EINVAL and a
 * sentence: both were asked for. */
int table_form_choose(enum table_form *form, bool json, bool csv, struct err *err);

/* A value. One that is absent has no member in JSON, and an empty cell in CSV. */
struct row_value {
	enum { ROW_ABSENT, ROW_NUMBER, ROW_REAL, ROW_WORD, ROW_FLAG } kind;
	union {
		s64 number;
		double real;
		const char *word; /* borrowed; any bytes */
		bool flag;
	};
};

static inline struct row_value row_number(u64 v)
{
	return (struct row_value){ .kind = ROW_NUMBER, .number = (s64)v };
}

/* NULL: there is none. */
static inline struct row_value row_word(const char *s)
{
	return (struct row_value){ .kind = s ? ROW_WORD : ROW_ABSENT, .word = s };
}

/* A flag that is not set is absent. */
static inline struct row_value row_flag(bool set)
{
	return (struct row_value){ .kind = set ? ROW_FLAG : ROW_ABSENT, .flag = set };
}

/** table_head - append what stands above all rows: in CSV the names. @names: @nr of them */
void table_head(enum table_form form, const char *const *names, size_t nr, struct strbuf *out);
/** table_put - append a row. @v: @nr values in the order of @names */
void table_put(enum table_form form, const char *const *names, const struct row_value *v, size_t nr,
	       struct strbuf *out);

#endif
